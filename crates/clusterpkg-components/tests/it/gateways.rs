//! The Gateway API of `Cluster`.

use clusterpkg_components::Cluster;
use serde_json::{Value as Json, json};

use crate::cluster::with;
use crate::stage::{Shown, stage};

/// A cluster without the retired controllers.
async fn show(more: Json) -> Shown {
    let mut inputs = with(json!({
        "enableLoadBalancerController": true, "enableGatewayApi": true,
        "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
    }));
    let members = inputs.as_object_mut().unwrap();
    members.extend(more.as_object().unwrap().clone());
    stage().show::<Cluster>(inputs).await
}

const TYPES: &str = "main-gateway-api-crds";

fn controller(shown: &Shown) -> Json {
    shown.inputs(":Release", "main-load-balancers")["values"].clone()
}

#[tokio::test]
async fn the_controller_starts_after_the_object_types_and_before_the_classes() {
    let shown = show(json!({})).await;
    let types = shown.inputs(":Release", TYPES);
    assert_eq!(
        types["values"],
        json!({ "global": { "resourcePolicy": { "keep": true } } })
    );
    assert_eq!(types["takeOwnership"], true);
    let with_it = shown.child(":Release", TYPES).deleted_with.as_ref();
    assert_eq!(with_it.unwrap().parts().unwrap().name, "main");
    let controller = shown.after(":Release", "main-load-balancers");
    assert!(controller.contains(&TYPES.to_owned()), "{controller:?}");
    for (class, controller) in [
        ("aws-alb", "gateway.k8s.aws/alb"),
        ("aws-nlb", "gateway.k8s.aws/nlb"),
    ] {
        let name = format!("main-gateway-class-{class}");
        let object = shown.inputs(":GatewayClass", &name);
        assert_eq!(object["metadata"]["name"], class);
        assert_eq!(object["spec"], json!({ "controllerName": controller }));
        let after = shown.after(":GatewayClass", &name);
        assert!(after.contains(&"main-load-balancers".to_owned()), "{after:?}");
        // The controller, which removes their finalizers, is deleted after them.
        assert_eq!(shown.child(":GatewayClass", &name).deleted_with, None);
    }
    assert_eq!(shown.messages(), [""; 0]);
}

/// The controller looks for the object types once, when it starts.
#[tokio::test]
async fn other_object_types_restart_the_controller() {
    let version = async |more: Json| {
        controller(&show(more).await)["podAnnotations"]["clusterpkg.dev/gateway-api"].clone()
    };
    assert_eq!(version(json!({})).await, "1.2.3");
    assert_eq!(
        version(json!({ "gatewayApiCrdsVersion": "1.3.0" })).await,
        "1.3.0"
    );
    assert_eq!(version(json!({ "gatewayApiCrdsInstalled": true })).await, "given");
    let without = show(json!({ "enableGatewayApi": false })).await;
    assert_eq!(controller(&without).get("podAnnotations"), None);
}

#[tokio::test]
async fn the_object_types_can_come_from_elsewhere() {
    let shown = show(json!({ "gatewayApiCrdsInstalled": true, "gatewayApiCrdsVersion": "1.2.3" })).await;
    assert!(!shown.names().contains(&TYPES));
    assert!(shown.names().contains(&"main-gateway-class-aws-alb"));
    let warning = "gatewayApiCrdsVersion has no effect because the component does not install the object types of the \
                   Gateway API";
    assert_eq!(shown.messages(), [warning]);
    let shown = show(json!({ "gatewayApiCrdsVersion": "1.3.0" })).await;
    assert_eq!(shown.inputs(":Release", TYPES)["version"], "1.3.0");
}

#[tokio::test]
async fn the_chart_of_the_object_types_can_come_from_another_repository() {
    let release = async |more: Json| {
        let release = show(more).await.inputs(":Release", TYPES);
        (release["chart"].clone(), release.get("repositoryOpts").cloned())
    };
    let repository = |repo: &str| Some(json!({ "repo": repo }));
    let default = release(json!({})).await;
    assert_eq!(
        default,
        (
            json!("gateway-api-crds"),
            repository("https://charts.christianhuth.de")
        )
    );
    let mirror = "https://charts.example";
    let mirrored = release(json!({ "gatewayApiCrdsRepository": mirror })).await;
    assert_eq!(mirrored, (json!("gateway-api-crds"), repository(mirror)));
    let registry = release(json!({ "gatewayApiCrdsRepository": "oci://registry.example/charts/" })).await;
    assert_eq!(
        registry,
        (json!("oci://registry.example/charts/gateway-api-crds"), None)
    );
    let wrong = with(json!({ "gatewayApiCrdsRepository": "registry.example/charts" }));
    let problem = "gatewayApiCrdsRepository must be the address of a repository of charts that begins with https:// or oci://";
    assert_eq!(stage().problems::<Cluster>(wrong).await, [problem]);
    let unused = json!({ "enableGatewayApi": false, "gatewayApiCrdsRepository": mirror });
    let warning = "gatewayApiCrdsRepository has no effect because the component does not install the object types of the \
                   Gateway API";
    assert_eq!(show(unused).await.messages(), [warning]);
}

#[tokio::test]
async fn gateways_need_the_controller_of_the_component() {
    let problems = async |inputs: Json| stage().problems::<Cluster>(with(inputs)).await;
    assert_eq!(
        problems(json!({ "enableGatewayApi": true })).await,
        ["enableGatewayApi requires the load balancer controller, but enableLoadBalancerController is false"]
    );
    assert_eq!(
        problems(json!({ "enableGatewayApi": true, "autoMode": true })).await,
        ["enableGatewayApi requires the load balancer controller, which autoMode replaces"]
    );
}
