//! Secrets of arguments: those of the provider are not in output, logs, plans or state, and those of data sources not in
//! their errors and warnings.

use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator};
use serde_json::json;

use super::support::{Module, POOL, POOL_ID, host, serve};

const SECRET: &str = "hunter2-never-shown";

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_in_no_output_log_plan_or_state() {
    let host = host!("a_password_is_in_no_output_log_plan_or_state");
    let manager = netmgr_sim::Simulator::builder()
        .tls(netmgr_sim::ServerCertificate::Valid)
        .user(netmgr_sim::User::local("jane", SECRET))
        .start()
        .await
        .unwrap();
    // From a variable, because a plan contains the configuration as it is written.
    let text = format!(
        "variable \"password\" {{ sensitive = true }}\n\
         provider \"netmgr\" {{\n  username = \"jane\"\n  password = var.password\n}}\n{POOL}"
    );
    let mut module = Module::new(host, &text).with(&manager);
    module.set("NETMGR_USERNAME", "");
    module.set("NETMGR_PASSWORD", "");
    module.set("TF_VAR_password", SECRET);
    module.set("TF_LOG_PROVIDER", "TRACE");
    let plan = module.run("plan").await;
    assert!(
        plan.stderr.contains("terraform-provider-netmgr"),
        "nothing is logged"
    );
    let apply = module.run("apply -auto-approve").await;
    let state = module.read("terraform.tfstate");
    let shown = module.run("show -json").await;
    for outcome in [plan, apply, shown] {
        assert!(!outcome.stderr.contains(SECRET) && !outcome.stdout.contains(SECRET));
        outcome.succeeded();
    }
    assert!(!state.contains(SECRET));
    // A wrong password is in no error either.
    module.set("TF_VAR_password", SECRET.to_uppercase());
    let outcome = module.run("plan").await;
    assert!(
        !outcome.stderr.contains(&SECRET.to_uppercase()),
        "{}",
        outcome.stderr
    );
    assert!(outcome.failed().contains("Error: Login failed"));
}

/// The protocol does not mark sensitive values.
#[tokio::test(flavor = "multi_thread")]
async fn a_sensitive_argument_is_in_no_error_or_warning_of_its_data_source() {
    const POOLS: &str = "/api/v1/pools/ip-pools";

    let host = host!("a_sensitive_argument_is_in_no_error_or_warning_of_its_data_source");
    let inventory = Inventory::default()
        .with(POOLS, json!({"id": "first", "display_name": SECRET}))
        .with(POOLS, json!({"id": "second", "display_name": SECRET}));
    let builder = Simulator::builder().manager(Manager::new(ManagerSettings::default(), inventory));
    let manager = serve(builder).await;
    for (arguments, expected) in [
        ("display_name = \"${var.secret}-2\"", "Error: Not found"),
        ("id = var.secret", "Error: Not found"),
        ("display_name = var.secret", "Error: Several objects match"),
        (
            &format!("id = \"{POOL_ID}\"\n  display_name = var.secret"),
            "Warning: Note on the IP pool",
        ),
    ] {
        let text = format!(
            "variable \"secret\" {{ sensitive = true }}\ndata \"netmgr_ip_pool\" \"x\" {{\n  {arguments}\n}}\n"
        );
        let mut module = Module::new(host, &text).with(&manager);
        module.set("TF_VAR_secret", SECRET);
        let outcome = module.run("plan").await;
        let text = format!("{}{}", outcome.stdout, outcome.stderr);
        assert!(text.contains(expected), "{text}");
        assert!(!text.contains(SECRET), "{text}");
    }
}
