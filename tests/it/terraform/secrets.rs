//! Secrets of the provider's arguments: not in output, logs, plans or state.

use super::support::{Module, POOL, host};

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
    module.set("TF_VAR_password", &SECRET.to_uppercase());
    let outcome = module.run("plan").await;
    assert!(
        !outcome.stderr.contains(&SECRET.to_uppercase()),
        "{}",
        outcome.stderr
    );
    assert!(outcome.failed().contains("Error: Login failed"));
}
