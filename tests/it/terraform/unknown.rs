//! Arguments that are not known before other objects have been created.

use netmgr_sim::Simulator;

use super::support::{Module, POOL_ID, host, manager};

fn searches(manager: &Simulator) -> usize {
    let requests = manager.requests();
    let is_read = |path: &str| !path.starts_with("/api/session/");
    requests.iter().filter(|request| is_read(&request.path)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_argument_defers_the_read_to_the_apply() {
    let host = host!("an_unknown_argument_defers_the_read_to_the_apply");
    let manager = manager().await;
    let text = format!(
        r#"
        resource "terraform_data" "id" {{ input = "{POOL_ID}" }}
        data "netmgr_ip_pool" "pool" {{ id = terraform_data.id.output }}
        data "netmgr_policy_certificate" "certificate" {{
          display_name = "lb-cert-web"
          context = {{ project_id = terraform_data.id.output == "" ? "" : "dev" }}
        }}
        output "name" {{ value = data.netmgr_ip_pool.pool.display_name }}
        output "path" {{ value = data.netmgr_policy_certificate.certificate.path }}
        "#
    );
    let module = Module::new(host, &text).with(&manager);
    let plan = module.run("plan").await.succeeded();
    assert!(plan.contains("(known after apply)"), "{plan}");
    assert_eq!(searches(&manager), 0);
    module.run("apply -auto-approve").await.succeeded();
    let outputs = module.outputs().await;
    assert_eq!(outputs["name"], "tep-pool");
    assert_eq!(
        outputs["path"],
        "/orgs/default/projects/dev/infra/certificates/lb-cert-web"
    );
    let plan = module.run("plan -detailed-exitcode").await;
    assert_eq!(plan.code, Some(0), "{}", plan.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_argument_of_the_provider_is_named_and_nothing_is_sent() {
    let host = host!("an_unknown_argument_of_the_provider_is_named_and_nothing_is_sent");
    let manager = manager().await;
    let text = format!(
        r#"
        resource "terraform_data" "host" {{ input = "{}" }}
        provider "netmgr" {{ host = terraform_data.host.output }}
        data "netmgr_ip_pool" "pool" {{ display_name = "tep-pool" }}
        "#,
        manager.url()
    );
    let module = Module::new(host, &text).with(&manager);
    let errors = module.run("plan").await.failed();
    assert!(errors.contains("Provider argument not known yet"), "{errors}");
    assert!(errors.contains("The provider needs `host`"), "{errors}");
    assert_eq!(manager.counters().connections, 0);
    // The remedies of the message.
    module
        .run("apply -auto-approve -target=terraform_data.host")
        .await
        .succeeded();
    module.run("apply -auto-approve").await.succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_depends_on_a_change_waits_for_the_apply() {
    let host = host!("a_read_that_depends_on_a_change_waits_for_the_apply");
    let manager = manager().await;
    let text = r#"
        resource "terraform_data" "first" {}
        data "netmgr_ip_pool" "pool" {
          display_name = "tep-pool"
          depends_on   = [terraform_data.first]
        }
    "#;
    let module = Module::new(host, text).with(&manager);
    module.run("plan").await.succeeded();
    assert_eq!(searches(&manager), 0);
    module.run("apply -auto-approve").await.succeeded();
    assert!(searches(&manager) > 0);
}
