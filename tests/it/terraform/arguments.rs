//! Wrong arguments and failed lookups: the text of the error and the line that it points at.

use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator};
use serde_json::json;

use super::support::{Module, host, manager, serve};

/// `validate` rejects the configuration with these texts, and without a manager.
async fn invalid(host: &'static super::support::Host, text: &str, expected: &[&str]) {
    let errors = Module::new(host, text).run("validate").await.failed();
    for expected in expected {
        assert!(errors.contains(expected), "{expected}:\n{errors}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_arguments_are_refused_by_validate_with_their_line() {
    let host = host!("wrong_arguments_are_refused_by_validate_with_their_line");
    invalid(
        host,
        "data \"netmgr_policy_certificate\" \"x\" {\n  id   = \"a\"\n  path = \"/infra\"\n}\n",
        &[
            "Error: Read-only attribute",
            "on main.tf line 3, in data \"netmgr_policy_certificate\" \"x\": 3: path = \"/infra\"",
            "`path` is set by the provider and cannot be configured.",
        ],
    )
    .await;
    invalid(
        host,
        "data \"netmgr_policy_bfd_profile\" \"x\" {\n  id           = \"a\"\n  display_name = \"b\"\n}\n",
        &[
            "Error: Invalid argument",
            "`display_name`",
            "`id`",
            "3: display_name = \"b\"",
        ],
    )
    .await;
    invalid(
        host,
        "data \"netmgr_policy_certificate\" \"x\" {\n  id = \"a\"\n  context = {\n    project_id = \"default\"\n  }\n}\n",
        &[
            "3: context = {",
            "`context.project_id` must not be \"default\"",
        ],
    )
    .await;
    invalid(
        host,
        "data \"netmgr_policy_certificate\" \"x\" {\n  id      = \"a\"\n  context = {}\n}\n",
        &["3: context = {}", "attribute \"project_id\" is required"],
    )
    .await;
    // The syntax of the provider `nsxt`.
    invalid(
        host,
        "data \"netmgr_policy_certificate\" \"x\" {\n  id = \"a\"\n  context {\n    project_id = \"a\"\n  }\n}\n",
        &["Did you mean to define argument \"context\"? If so, use the equals sign"],
    )
    .await;
    invalid(
        host,
        "data \"netmgr_compute_manager_realization\" \"x\" {\n  id      = \"a\"\n  timeout = -1\n}\n",
        &["3: timeout = -1", "`timeout`"],
    )
    .await;
    invalid(
        host,
        "data \"netmgr_ip_pool\" \"x\" {\n}\n",
        &["on main.tf line 1", "`display_name`"],
    )
    .await;
    invalid(
        host,
        "data \"netmgr_policy_vms\" \"x\" {\n  display_name = \"cache(\"\n}\n",
        &[
            "2: display_name = \"cache(\"",
            "`display_name` is not a valid regular expression: unclosed group.",
        ],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_arguments_of_the_provider_are_refused_with_their_line() {
    let host = host!("wrong_arguments_of_the_provider_are_refused_with_their_line");
    let text = "provider \"netmgr\" {\n  host            = \"m\"\n  retry_min_delay = 5\n  retry_max_delay = 1\n  \
                license_keys    = [\"x\"]\n}\ndata \"netmgr_manager_info\" \"x\" {}\n";
    invalid(
        host,
        text,
        &[
            "4: retry_max_delay = 1",
            "must not be less than `retry_min_delay`",
            "license_keys = [\"x\"]",
            "five groups",
        ],
    )
    .await;
    // A file is read when the provider is configured.
    let manager = manager().await;
    let text = "provider \"netmgr\" {\n  ca      = \"\"\n  ca_file = \"/nothing/ca.pem\"\n}\n\
                data \"netmgr_ip_pool\" \"x\" { display_name = \"tep-pool\" }\n";
    let mut module = Module::new(host, text).with(&manager);
    module.set("NETMGR_CA", "");
    let errors = module.run("plan").await.failed();
    assert!(errors.contains("3: ca_file = \"/nothing/ca.pem\""), "{errors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_lookup_points_at_the_argument_that_selects_the_object() {
    let host = host!("a_failed_lookup_points_at_the_argument_that_selects_the_object");
    let inventory = Inventory::default()
        .with(
            "/api/v1/pools/ip-pools",
            json!({"id": "first", "display_name": "twin"}),
        )
        .with(
            "/api/v1/pools/ip-pools",
            json!({"id": "second", "display_name": "twin"}),
        );
    let builder = Simulator::builder().manager(Manager::new(ManagerSettings::default(), inventory));
    let manager = serve(builder).await;
    let text = "data \"netmgr_ip_pool\" \"none\" {\n  display_name = \"nothing\"\n}\n\
                data \"netmgr_ip_pool\" \"two\" {\n  display_name = \"twin\"\n}\n\
                data \"netmgr_policy_cluster_security_config\" \"fixed\" {\n  cluster_id = \"nothing\"\n}\n\
                data \"netmgr_policy_gateway_interface_realization\" \"both\" {\n  gateway_path = \"/infra/tier-0s/a/locale-services/b/interfaces/d\"\n  \
                gateway_interface_path = \"/infra/tier-0s/a/locale-services/b/interfaces/c\"\n}\n\
                data \"netmgr_policy_segment\" \"dots\" {\n  id = \"..\"\n}\n\
                data \"netmgr_policy_segment\" \"project\" {\n  id = \"x\"\n  context = {\n    project_id = \"none\"\n  }\n}\n";
    let module = Module::new(host, text).with(&manager);
    let errors = module.run("plan").await.failed();
    for expected in [
        "Error: Not found with data.netmgr_ip_pool.none, on main.tf line 2",
        "2: display_name = \"nothing\"",
        "No IP pool has display name \"nothing\".",
        "Select one of them by `id` instead of `display_name`.",
        "Error: Several objects match",
        "5: display_name = \"twin\"",
        "first",
        "second",
        "Error: Cluster not found",
        "8: cluster_id = \"nothing\"",
        "`gateway_interface_path` cannot be combined with `gateway_path`.",
        "netmgr_compute_collection",
        "15: id = \"..\"",
        "Check `context.project_id`, the id of the project.",
        "19: context = {",
    ] {
        assert!(errors.contains(expected), "{expected}:\n{errors}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manager_without_the_api_is_named_as_such() {
    let host = host!("a_manager_without_the_api_is_named_as_such");
    let settings = ManagerSettings {
        version: "4.2.1".to_owned(),
        ..ManagerSettings::default()
    };
    let manager = serve(Simulator::builder().manager(Manager::new(settings, Inventory::default()))).await;
    let text = "data \"netmgr_policy_cluster_security_config\" \"fixed\" {\n  cluster_id = \"c\"\n}\n";
    let errors = Module::new(host, text).with(&manager).run("plan").await.failed();
    assert!(errors.contains("Error: API not supported"), "{errors}");
    assert!(
        errors.contains("It has version 4.2.1") || errors.contains("it has version 4.2.1"),
        "{errors}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn warnings_are_warnings() {
    let host = host!("warnings_are_warnings");
    let manager = manager().await;
    let text = format!(
        "data \"netmgr_ip_pool\" \"x\" {{\n  id           = \"{}\"\n  display_name = \"other\"\n}}\n",
        super::support::POOL_ID
    );
    let plan = Module::new(host, &text)
        .with(&manager)
        .run("plan")
        .await
        .succeeded();
    let words = plan.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = format!(
        "Warning: The IP pool with `id` \"{}\" has the display name",
        super::support::POOL_ID
    );
    assert!(words.contains(&title), "{plan}");
    assert!(
        words.contains("does not match `display_name` \"other\""),
        "{plan}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variable_that_is_not_utf8_is_named_without_its_value() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let host = host!("a_variable_that_is_not_utf8_is_named_without_its_value");
    let manager = manager().await;
    let mut module = Module::new(host, super::support::POOL).with(&manager);
    module.set("NETMGR_PASSWORD", OsStr::from_bytes(b"hunter2\xff"));
    let errors = module.run("plan").await.failed();
    assert!(
        errors.contains(
            "The environment variable NETMGR_PASSWORD is not UTF-8: invalid utf-8 sequence of 1 bytes from index 7."
        ),
        "{errors}"
    );
    assert!(!errors.contains("hunter2"), "{errors}");
    assert!(!errors.contains("is required"), "{errors}");
    assert_eq!(manager.counters().connections, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_is_named_by_its_variable_and_address() {
    let host = host!("a_proxy_is_named_by_its_variable_and_address");
    let text = "provider \"netmgr\" {\n  host = \"manager.invalid\"\n  username = \"a\"\n  password = \"b\"\n  \
                max_retries = 0\n}\ndata \"netmgr_ip_pool\" \"x\" {\n  id = \"a\"\n}\n";
    for (value, expected) in [
        (
            "http://me:hunter2/x@127.0.0.1:1",
            "`HTTPS_PROXY` has a user name or a password",
        ),
        (
            "http://me:hunter2@127.0.0.1:1",
            "proxy http://127.0.0.1:1 (HTTPS_PROXY): connection refused",
        ),
    ] {
        let mut module = Module::new(host, text);
        module.set("HTTPS_PROXY", value);
        let errors = module.run("plan").await.failed();
        assert!(errors.contains(expected), "{errors}");
        assert!(!errors.contains("hunter2"), "{errors}");
    }
}
