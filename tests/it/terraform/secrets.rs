//! Secrets of the provider, which are not in output, logs, plans or state, and values of data sources in errors.

use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator};
use serde_json::Value;

use super::support::{Module, POOL, host, manager, serve};

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

/// The protocol does not mark sensitive values, and no text is replaced: the sentence is the same for each of them.
#[tokio::test(flavor = "multi_thread")]
async fn the_sentence_about_an_argument_is_the_same_for_each_value() {
    let host = host!("the_sentence_about_an_argument_is_the_same_for_each_value");
    let manager = manager().await;
    let text = "variable \"name\" { sensitive = true }\n\
                data \"netmgr_policy_group\" \"x\" {\n  display_name = var.name\n}\n";
    for name in ["infra", "below", "display", "zebra"] {
        let mut module = Module::new(host, text).with(&manager);
        module.set("TF_VAR_name", name);
        let errors = module.run("plan").await.failed();
        let sentence = format!(
            "No group below /infra/domains/default has a display name that is or begins with \"{name}\"."
        );
        assert!(errors.contains(&sentence), "{errors}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_context_with_a_null_project_is_no_context() {
    let host = host!("a_context_with_a_null_project_is_no_context");
    let manager = manager().await;
    let text = "variable \"project\" { default = null }\n\
                data \"netmgr_policy_group\" \"x\" {\n  display_name = \"web-servers\"\n  context = {\n    \
                project_id = var.project\n  }\n}\n";
    Module::new(host, text)
        .with(&manager)
        .run("plan")
        .await
        .succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn secret_members_of_an_object_are_hidden_or_sensitive() {
    let host = host!("secret_members_of_an_object_are_hidden_or_sensitive");
    let members = include_str!("../secret-members.json");
    let segment = serde_json::from_str::<Value>(members).unwrap()["/infra/segments"][0].take();
    let inventory = Inventory::default().with("/infra/segments", segment);
    let lab = Manager::new(ManagerSettings::default(), inventory);
    let manager = serve(Simulator::builder().manager(lab)).await;
    let object = |more: &str| {
        let text =
            format!("data \"netmgr_policy_object\" \"lab\" {{\n  path = \"/infra/segments/lab\"\n{more}}}\n");
        Module::new(host, &text).with(&manager)
    };
    let plain = object("");
    plain.run("apply -auto-approve").await.succeeded();
    let state = plain.read("terraform.tfstate");
    assert!(
        state.contains("replication_mode") && !state.contains("hidden-"),
        "{state}"
    );
    let whole = object("  include_sensitive = true\n");
    whole.run("apply -auto-approve").await.succeeded();
    assert!(whole.read("terraform.tfstate").contains("hidden-18"));
    let shown = whole.run("show").await.succeeded();
    assert!(
        shown.contains("(sensitive value)") && !shown.contains("hidden-"),
        "{shown}"
    );
}
