//! `Cluster`: as whom the kubeconfig gets its tokens.

use clusterpkg_components::Cluster;
use serde_json::{Value as Json, json};

use crate::cluster::with;
use crate::stage::{Stage, stage};

const ROLES: &str = r#"[{"roleArn":"arn:aws:iam::123456789012:role/deployer"}]"#;
const DEPLOYER: [&str; 2] = ["--role-arn", "arn:aws:iam::123456789012:role/deployer"];

/// Arguments of the token command beyond region and cluster; the output and the provider use the same ones.
async fn token_arguments(stage: Stage, more: Json) -> Vec<String> {
    let shown = stage.show::<Cluster>(with(more)).await;
    let provider = shown.child(":kubernetes", "main-k8s-provider");
    assert_eq!(provider.inputs["kubeconfig"], shown.made.state["kubeconfig"]);
    let config = shown.inputs(":kubernetes", "main-k8s-provider")["kubeconfig"].clone();
    let config: Json = serde_json::from_str(config.as_str().unwrap()).unwrap();
    let arguments = config["users"][0]["user"]["exec"]["args"].as_array().unwrap();
    let arguments = arguments.iter().skip(8);
    arguments
        .map(|argument| argument.as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn profile_and_role_are_those_that_the_program_says() {
    let options = |options: Json| json!({ "kubeconfigOptions": options });
    let profile = options(json!({ "profileName": "prod" }));
    assert_eq!(token_arguments(stage(), profile).await, ["--profile", "prod"]);
    let role = options(json!({ "roleArn": "arn:aws:iam::123456789012:role/deployer" }));
    assert_eq!(token_arguments(stage(), role).await, DEPLOYER);
    assert_eq!(token_arguments(stage(), json!({})).await, [""; 0]);
}

#[tokio::test]
async fn without_options_they_are_those_of_the_stack_s_configuration() {
    let default = || stage().providers(&["kubernetes"]);
    let profile = default().config(&[("aws:profile", "prod"), ("aws:region", "eu-west-1")]);
    assert_eq!(token_arguments(profile, json!({})).await, ["--profile", "prod"]);
    assert_eq!(
        token_arguments(default().config(&[("aws:assumeRoles", ROLES)]), json!({})).await,
        DEPLOYER
    );
    let options = json!({ "kubeconfigOptions": { "profileName": "other" } });
    let both = default().config(&[("aws:profile", "prod"), ("aws:assumeRoles", ROLES)]);
    assert_eq!(
        token_arguments(both, options).await,
        ["--profile", "other"],
        "the program's win"
    );
}

/// The engine does not hand over how an explicit provider is configured, and the stack's configuration is not its.
#[tokio::test]
async fn with_an_explicit_provider_the_stack_s_configuration_does_not_count() {
    let stage = stage().config(&[("aws:profile", "prod")]);
    assert_eq!(token_arguments(stage, json!({})).await, [""; 0]);
}

#[tokio::test]
async fn options_without_a_target_are_refused() {
    let options = json!({ "kubeconfigOptions": { "profileName": "", "roleArn": "deployer" } });
    let found = stage().problems::<Cluster>(with(options)).await;
    assert_eq!(
        found,
        [
            "kubeconfigOptions.profileName must not be empty",
            "kubeconfigOptions.roleArn must be the ARN of a role, such as arn:aws:iam::123456789012:role/developer",
        ]
    );
}
