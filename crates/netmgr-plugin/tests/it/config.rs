//! CheckConfig, DiffConfig and Configure.

use netmgr_sim::DEFAULT_PASSWORD;
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::bags::{UNKNOWN, bag, secret};
use serde_json::{Value, json};

use crate::plugin::{Plugin, command, manager, program, settings};

const QUESTION: &str = "getComputeManager";

fn question() -> Value {
    json!({"displayName": "vc-prod"})
}

#[tokio::test]
async fn a_checked_configuration_comes_back_as_written_with_its_secrets_marked() {
    let plugin = Plugin::start_with([("NETMGR_USERNAME", "from the environment")]).await;
    let checked = plugin.check(json!({
        "version": "0.1.0", "host": "manager.example.com", "password": "p", "maxRetries": "4",
        "licenseKeys": "[\"AAAAA-BBBBB-CCCCC-DDDDD-EEEEE\"]", "cloudAuthMode": null, "cloudToken": UNKNOWN,
    }));
    let expected = json!({
        "version": "0.1.0", "host": "manager.example.com", "password": secret(json!("p")), "maxRetries": "4",
        "licenseKeys": secret(json!("[\"AAAAA-BBBBB-CCCCC-DDDDD-EEEEE\"]")), "cloudAuthMode": null,
        "cloudToken": UNKNOWN,
    });
    assert_eq!(checked.await, Ok(expected));
}

#[tokio::test]
async fn settings_are_accepted_in_every_form() {
    let plugin = Plugin::start().await;
    for accepted in [
        json!({"maxRetries": 4, "sessionAuth": true, "retryOnStatusCodes": [429, 503]}),
        json!({"maxRetries": 4.0, "sessionAuth": false}),
        json!({"maxRetries": "4", "sessionAuth": "true", "retryOnStatusCodes": "[429,503.0]"}),
        json!({"maxRetries": "4.0", "sessionAuth": "", "retryOnStatusCodes": ""}),
        json!({"maxRetries": "null", "sessionAuth": null}),
        json!({"username": 42, "enforcementPoint": true}),
        json!({"maxRetries": secret(json!("4")), "username": secret(json!("admin"))}),
        json!({"maxRetries": UNKNOWN, "retryOnStatusCodes": [429, UNKNOWN], "host": UNKNOWN}),
        json!({"retryOnStatusCodes": format!("[429,\"{UNKNOWN}\"]")}),
        json!({"licenseKeys": [secret(json!("AAAAA-BBBBB-CCCCC-DDDDD-EEEEE"))]}),
        json!({"clientAuthCert": UNKNOWN, "clientAuthKey": UNKNOWN}),
        // Members that older engines add to the settings.
        json!({"version": "0.1.0", "pluginDownloadURL": "https://plugins.example.com", "__internal": {}}),
        json!({}),
    ] {
        let checked = plugin.check(accepted.clone()).await;
        assert!(checked.is_ok(), "{accepted}: {checked:?}");
    }
}

#[tokio::test]
async fn wrong_settings_are_all_refused_with_their_paths_and_without_secrets() {
    let plugin = Plugin::start().await;
    let refused = plugin.check(json!({
        "maxRetries": "many", "sessionAuth": "yes", "pasword": "hunter2", "retryOnStatusCodes": "500,502",
        "licenseKeys": "hunter2", "cloudToken": {"a": "hunter2"},
    }));
    let failures = refused.await.unwrap_err();
    // The engine would print the values of reported properties, any of which may be a secret.
    assert!(failures.iter().all(|(path, _)| path.is_empty()), "{failures:?}");
    for reason in [
        "maxRetries: must be a whole number",
        "sessionAuth: must be true or false",
        "retryOnStatusCodes: must be a list of numbers in JSON, such as [429,503]",
        "pasword: is not a setting",
        "licenseKeys: must be a list",
        "cloudToken: must be a string",
    ] {
        let mut reasons = failures.iter().map(|(_, text)| text);
        assert!(
            reasons.any(|text| text.starts_with(reason)),
            "{reason}: {failures:?}"
        );
    }
    assert_eq!(failures.len(), 6, "{failures:?}");
    assert!(!format!("{failures:?}").contains("hunter2"));
}

#[tokio::test]
async fn reasons_quote_nothing_of_a_setting_that_may_be_a_secret() {
    let plugin = Plugin::start().await;
    for settings in [
        json!({"cloudAuthMode": "hunter2"}),
        json!({"host": "hunter2:77777"}),
        json!({"host": "hunter2://manager"}),
        json!({"host": "manager/hunter2 path"}),
        json!({"retryOnStatusCodes": "[77777]"}),
        json!({"retryMinDelay": "77777", "retryMaxDelay": 77776}),
        json!({"maxRetries": "hunter2"}),
    ] {
        let failures = plugin.check(settings.clone()).await.unwrap_err();
        let text = format!("{failures:?}");
        assert!(
            !text.contains("hunter2") && !text.contains("7777"),
            "{settings}: {text}"
        );
    }
}

#[tokio::test]
async fn contradictions_are_refused_also_those_with_the_environment() {
    let plugin = Plugin::start_with([("NETMGR_CLOUD_TOKEN", "token")]).await;
    let failures = plugin
        .check(json!({"cloudClientId": "app", "retryOnStatusCodes": [42]}))
        .await
        .unwrap_err();
    assert!(
        failures
            .iter()
            .any(|(_, reason)| reason.starts_with("retryOnStatusCodes[0]: ")),
        "{failures:?}"
    );
    assert!(
        failures
            .iter()
            .any(|(_, reason)| reason.contains("together with `cloudClientId`")),
        "{failures:?}"
    );
    // A setting that is not known yet takes precedence over the environment.
    assert!(
        plugin
            .check(json!({"cloudClientId": "app", "cloudClientSecret": UNKNOWN, "cloudToken": UNKNOWN}))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn missing_settings_are_named_with_what_they_are_for() {
    let plugin = Plugin::start_with([("NETMGR_USERNAME", "admin")]).await;
    assert!(plugin.check(json!({})).await.is_ok());
    let refused = plugin
        .configure(json!({"version": "0.1.0", "password": ""}))
        .await
        .unwrap_err();
    assert_eq!(
        refused.message(),
        "required configuration is missing: netmgr:host, netmgr:password"
    );
    let details = String::from_utf8_lossy(refused.details());
    assert!(
        details.contains("pulumirpc.ConfigureErrorMissingKeys"),
        "{details}"
    );
    assert!(
        details.contains("Host name or IP address of the manager"),
        "{details}"
    );
}

#[tokio::test]
async fn a_configuration_of_texts_and_secrets_leads_to_the_manager() {
    let manager = manager().await;
    let plugin = Plugin::start().await;
    let args = json!({
        "version": "0.1.0",
        "host": manager.host(),
        "username": secret(json!("admin")),
        "password": secret(json!(DEFAULT_PASSWORD)),
        "ca": manager.ca_pem(),
        "sessionAuth": "false",
        "retryOnStatusCodes": "[503]",
    });
    plugin.configure(args).await.unwrap();
    let found = plugin.invoke(QUESTION, question()).await.unwrap().unwrap();
    assert_eq!(found["server"], "vc-prod.lab.example");
    assert_eq!(manager.counters().logins, 0, "sessionAuth is off");
}

#[tokio::test]
async fn what_is_not_configured_comes_from_the_environment() {
    let manager = manager().await;
    let ca = manager.ca_pem().unwrap();
    let environment = [
        ("NETMGR_PASSWORD", DEFAULT_PASSWORD),
        ("NETMGR_USERNAME", "unknown"),
        ("NETMGR_CA", ca),
    ];
    let plugin = Plugin::start_with(environment).await;
    plugin
        .configure(json!({"host": manager.host(), "username": "admin"}))
        .await
        .unwrap();
    let found = plugin.invoke(QUESTION, question()).await.unwrap().unwrap();
    assert_eq!(found["server"], "vc-prod.lab.example");
}

#[tokio::test]
async fn an_unreadable_certificate_file_is_named() {
    let plugin = Plugin::start().await;
    let args = json!({"host": "m", "username": "u", "password": "p", "caFile": "/nonexistent/ca.pem"});
    let refused = plugin.configure(args).await.unwrap_err();
    assert!(
        refused.message().starts_with("invalid configuration: `caFile`: "),
        "{}",
        refused.message()
    );
    assert!(
        refused.message().contains("/nonexistent/ca.pem"),
        "{}",
        refused.message()
    );
}

#[tokio::test]
async fn with_an_unknown_setting_nothing_is_asked_and_nothing_answered() {
    let manager = manager().await;
    let plugin = Plugin::start().await;
    let args = settings(&manager, json!({"enforcementPoint": UNKNOWN}));
    plugin.configure(args).await.unwrap();
    assert_eq!(plugin.preview(QUESTION, question()).await.unwrap(), Ok(json!({})));
    assert_eq!(manager.counters().connections, 0);
}

#[tokio::test]
async fn without_a_configuration_a_lookup_fails() {
    let plugin = Plugin::start().await;
    let refused = plugin.invoke(QUESTION, question()).await.unwrap_err();
    assert_eq!(refused.message(), "the provider netmgr is not configured");
}

#[tokio::test]
async fn configurations_are_compared_by_what_they_mean_and_never_replaced() {
    let plugin = Plugin::start().await;
    let old = json!({"host": "a", "maxRetries": "4", "sessionAuth": "true", "cloudAuthMode": null});
    for (new, expected) in [
        (json!({"host": "a", "maxRetries": 4, "sessionAuth": true}), vec![]),
        (
            json!({"host": "b", "maxRetries": 4, "sessionAuth": true}),
            vec!["host"],
        ),
        (
            json!({"host": UNKNOWN, "maxRetries": "5", "sessionAuth": true}),
            vec!["host", "maxRetries"],
        ),
        (
            json!({"host": "a", "sessionAuth": true, "version": "0.2.0"}),
            vec!["maxRetries", "version"],
        ),
    ] {
        let request = rpc::DiffRequest {
            olds: bag(old.clone()),
            old_inputs: bag(old.clone()),
            news: bag(new.clone()),
            ..Default::default()
        };
        let diff = plugin
            .client
            .clone()
            .diff_config(request)
            .await
            .unwrap()
            .into_inner();
        assert_eq!(diff.diffs, expected, "{new}");
        assert_eq!(diff.changes, if expected.is_empty() { 1 } else { 2 }, "{new}");
        assert_eq!(diff.replaces, [""; 0], "{new}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_variable_that_is_not_utf8_is_named_without_its_value() {
    use std::os::unix::ffi::OsStrExt as _;

    let mut command = command(program());
    command.env("NETMGR_PASSWORD", std::ffi::OsStr::from_bytes(b"hunter2\xff"));
    let plugin = Plugin::of(command).await;
    let refused = plugin
        .configure(json!({"host": "manager.test"}))
        .await
        .unwrap_err();
    assert_eq!(
        refused.message(),
        "invalid configuration: the environment variable NETMGR_PASSWORD is not UTF-8"
    );
}

#[tokio::test]
async fn a_proxy_that_cannot_be_used_is_named_without_its_value() {
    let mut command = command(program());
    command.env("HTTPS_PROXY", "http://me:hunter2/x@proxy.example:3128");
    let plugin = Plugin::of(command).await;
    let inputs = json!({"host": "manager.test", "username": "a", "password": "b"});
    let refused = plugin.configure(inputs).await.unwrap_err();
    let message = refused.message();
    assert!(
        message.contains("`HTTPS_PROXY`: has a user name or a password"),
        "{message}"
    );
    assert!(!message.contains("hunter2"), "{message}");
}

#[cfg(unix)]
#[tokio::test]
async fn an_argument_that_is_not_utf8_is_named() {
    use std::os::unix::ffi::OsStrExt as _;

    let mut command = command(program());
    command.arg(std::ffi::OsStr::from_bytes(b"\xff"));
    let output = command
        .stderr(std::process::Stdio::piped())
        .output()
        .await
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "pulumi-resource-netmgr: argument 1 is not UTF-8; see --help\n"
    );
}
