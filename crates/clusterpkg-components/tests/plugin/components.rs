//! Every component in an update and in a preview, and their failures.

use std::time::Duration;

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::bags::{UNKNOWN, json_of, secret};
use pulumi_testing::until;
use serde_json::{Value, json};
use tonic::Code;

use crate::deployment::Deployment;
use crate::process::{Plugin, request, wrong_properties};

/// Each component with the least inputs, and the outputs that it has.
fn components() -> [(&'static str, Value, &'static [&'static str]); 6] {
    [
        (
            "Cluster",
            cluster(),
            &[
                "clusterName",
                "clusterSecurityGroupId",
                "controlPlane",
                "kubeconfig",
                "nodeAutoscalerNodeRole",
                "nodeAutoscalerQueueName",
                "nodeAutoscalerRole",
                "oidcProvider",
                "systemNodes",
            ],
        ),
        (
            "AttachedNodeGroup",
            json!({"clusterName": "blue", "subnetIds": ["subnet-1"]}),
            &["nodeGroup", "nodeRole"],
        ),
        (
            "AttachedServerlessProfile",
            json!({"clusterName": "blue", "subnetIds": ["subnet-1"], "selectors": [{"namespace": "web"}]}),
            &["profile", "role"],
        ),
        (
            "AutoscaledNodeGroup",
            json!({
                "nodeRole": "shop-nodes",
                "subnetIds": ["subnet-1"],
                "securityGroupIds": ["sg-1"],
                "requirements": [{"key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": ["m"]}],
            }),
            &[],
        ),
        (
            "IamRoleMapping",
            json!({"roleArn": "arn:aws:iam::123456789012:role/dev", "username": "dev", "groups": ["dev"]}),
            &[],
        ),
        (
            "IamServiceAccountRole",
            json!({
                "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.example/id/A",
                "oidcProviderUrl": "oidc.example/id/A",
                "namespaceName": "web",
                "serviceAccountName": "shop",
            }),
            &["role"],
        ),
    ]
}

fn cluster() -> Value {
    json!({"clusterSubnetIds": ["subnet-1", "subnet-2"], "systemNodeSubnetIds": ["subnet-3"]})
}

fn names(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn every_component_is_built_in_an_update() {
    let plugin = Plugin::start().await;
    for (component, inputs, outputs) in components() {
        let monitor = Deployment::update();
        let built = plugin
            .construct(&monitor, component, inputs.clone())
            .await
            .unwrap();
        let token = format!("clusterpkg:index:{component}");
        let own = monitor.find_typed(&token, "main");
        assert!(!own.custom && !own.remote);
        assert_eq!(json_of(own.object), inputs);
        assert_eq!(built.urn, format!("urn:pulumi:dev::shop::{token}::main"));
        let state = json_of(built.state);
        assert_eq!(names(&state), outputs, "{component}");
        assert!(!state.to_string().contains(UNKNOWN), "{component}: {state}");
        assert_eq!(names(&monitor.stored()[&built.urn]), names(&state));
    }
}

#[tokio::test]
async fn every_component_is_built_in_a_preview_with_everything_unknown() {
    let plugin = Plugin::start().await;
    for (component, inputs, outputs) in components() {
        let monitor = Deployment::preview();
        let unknown = names(&inputs)
            .into_iter()
            .map(|name| (name.to_owned(), json!(UNKNOWN)));
        let built = plugin
            .construct(&monitor, component, unknown.collect())
            .await
            .unwrap();
        let state = json_of(built.state);
        assert_eq!(names(&state), outputs, "{component}");
        assert!(monitor.names().len() > 1, "{component}");
    }
}

#[tokio::test]
async fn wrong_inputs_are_reported_by_property_before_anything_is_registered() {
    let (plugin, monitor) = (Plugin::start().await, Deployment::update());
    let inputs = json!({"subnetIds": [], "scalingConfig": {"minSize": 3, "desiredSize": 1, "maxSize": 2}});
    let refusal = plugin
        .construct(&monitor, "AttachedNodeGroup", inputs)
        .await
        .unwrap_err();
    assert_eq!(refusal.code(), Code::InvalidArgument);
    insta::assert_debug_snapshot!(wrong_properties(&refusal));
    assert_eq!(monitor.names(), [""; 0]);
}

#[tokio::test]
async fn an_input_that_decides_what_there_is_must_be_known() {
    let monitor = Deployment::preview();
    let mut inputs = cluster();
    inputs["enableOtel"] = json!(UNKNOWN);
    let refusal = Plugin::start()
        .await
        .construct(&monitor, "Cluster", inputs)
        .await
        .unwrap_err();
    let reason = "must be known during a preview, but depends on an unknown value";
    assert_eq!(
        wrong_properties(&refusal),
        [("enableOtel".to_owned(), reason.to_owned())]
    );
}

#[tokio::test]
async fn a_wrong_secret_is_reported_without_its_value() {
    let inputs = json!({
        "roleArn": secret(json!("hunter2")), "username": "dev", "groups": ["dev"],
    });
    let plugin = Plugin::start().await;
    let refusal = plugin
        .construct(&Deployment::update(), "IamRoleMapping", inputs)
        .await
        .unwrap_err();
    assert_eq!(
        (refusal.code(), refusal.message()),
        (
            Code::InvalidArgument,
            "invalid input: roleArn: must be the ARN of a role, such as arn:aws:iam::123456789012:role/developer"
        )
    );
    assert_eq!(wrong_properties(&refusal), []);
}

#[tokio::test]
async fn a_deprecated_input_warns_and_one_that_contradicts_its_replacement_is_refused() {
    let plugin = Plugin::start().await;
    let mut inputs = cluster();
    inputs["ingressConfig"] =
        json!({"controllerReplicas": 2, "enableExternal": true, "enableInternal": true});
    let built = plugin
        .construct(&Deployment::update(), "Cluster", inputs.clone())
        .await
        .unwrap();
    let warning = "ingressConfig is deprecated; use proxyIngressConfig";
    assert_eq!(plugin.warnings(), [(built.urn, warning.to_owned())]);

    inputs["proxyIngressConfig"] = json!({"controllerReplicas": 3});
    let refusal = plugin
        .construct(&Deployment::update(), "Cluster", inputs)
        .await
        .unwrap_err();
    insta::assert_debug_snapshot!(wrong_properties(&refusal));
}

#[tokio::test]
async fn a_child_that_fails_is_named_with_the_reason() {
    let monitor = Deployment::refusing("main-cluster-role");
    let refusal = Plugin::start()
        .await
        .construct(&monitor, "Cluster", cluster())
        .await
        .unwrap_err();
    assert_eq!(refusal.code(), Code::FailedPrecondition);
    assert_eq!(
        refusal.message(),
        "could not register aws:iam/role:Role \"main-cluster-role\": quota exceeded"
    );
    assert!(monitor.stored().is_empty());
}

#[tokio::test]
async fn cancelling_gives_up_what_is_under_way_and_the_process_stays() {
    let mut plugin = Plugin::start().await;
    let monitor = Deployment::stuck_at("main-cluster-role");
    let request = request(&monitor, "Cluster", cluster()).await;
    let mut client = plugin.client.clone();
    let building = tokio::spawn(async move { client.construct(request).await });
    let arrived = || monitor.names().contains(&"main-cluster-role".to_owned());
    until("registered the role", arrived).await;
    plugin.client.cancel(()).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(5), building)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(ended.unwrap_err().code(), Code::Cancelled);
    until("given up", || monitor.given_up() > 0).await;
    assert!(monitor.stored().is_empty());
    assert!(plugin.process.try_wait().unwrap().is_none());
}

#[tokio::test]
async fn two_components_are_built_at_once_over_their_own_monitors() {
    let plugin = Plugin::start().await;
    let stuck = Deployment::stuck_at("main-cluster-role");
    let free = Deployment::update();
    let both = async {
        tokio::select! {
            _ = plugin.construct(&stuck, "Cluster", cluster()) => panic!("this one never ends"),
            built = plugin.construct(&free, "Cluster", cluster()) => built,
        }
    };
    let built = tokio::time::timeout(Duration::from_secs(20), both).await.unwrap();
    assert!(free.stored().contains_key(&built.unwrap().urn));
}

#[tokio::test]
async fn another_component_is_refused_with_those_there_are() {
    let plugin = Plugin::start().await;
    let refusal = plugin
        .construct(&Deployment::update(), "Clutter", json!({}))
        .await
        .unwrap_err();
    assert_eq!(
        refusal.message(),
        "clusterpkg:index:Clutter is not a component of this package; the components are clusterpkg:index:Cluster, \
         clusterpkg:index:AttachedNodeGroup, clusterpkg:index:AttachedServerlessProfile, \
         clusterpkg:index:AutoscaledNodeGroup, clusterpkg:index:IamRoleMapping, \
         clusterpkg:index:IamServiceAccountRole"
    );
}

#[tokio::test]
async fn schema_and_version_are_those_of_the_package() {
    let mut plugin = Plugin::start().await;
    let answer = plugin.client.get_schema(rpc::GetSchemaRequest::default()).await;
    let schema = answer.unwrap().into_inner().schema;
    assert_eq!(schema, include_str!("../../../../schema/clusterpkg.package.json"));
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let info = plugin.client.get_plugin_info(()).await.unwrap().into_inner();
    assert_eq!(schema["version"], json!(info.version));
    for (component, ..) in components() {
        let token = format!("clusterpkg:index:{component}");
        assert!(
            schema["resources"][&token]["isComponent"].as_bool().unwrap(),
            "{token}"
        );
    }
}

#[tokio::test]
async fn the_process_ends_when_the_engine_goes_away() {
    let mut plugin = Plugin::start().await;
    drop(plugin.process.stdin.take());
    assert!(plugin.process.wait().await.unwrap().success());
}
