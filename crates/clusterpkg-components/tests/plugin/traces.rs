//! Spans of components, as the engine's collector gets them.

use pulumi_testing::Collector;
use pulumi_testing::bags::secret;
use serde_json::json;

use crate::deployment::Deployment;
use crate::process::{Plugin, request};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

#[tokio::test]
async fn traces_have_a_span_per_child_of_a_component_below_the_engines_and_no_input() {
    let collector = Collector::default();
    let mut plugin = Plugin::start_with_collector(&collector.serve().await).await;
    let deployment = Deployment::update();
    let inputs = json!({ "clusterName": secret(json!("hush")), "subnetIds": ["subnet-1"] });
    let mut request = tonic::Request::new(request(&deployment, "AttachedNodeGroup", inputs).await);
    let context = format!("00-{TRACE}-{PARENT}-01").parse().unwrap();
    request.metadata_mut().insert("traceparent", context);
    plugin.client.construct(request).await.unwrap();
    // The engine has ended.
    drop(plugin.process.stdin.take());
    assert!(plugin.process.wait().await.unwrap().success());

    let [call] = &collector.named("construct")[..] else {
        panic!("{}", collector.list())
    };
    assert_eq!((call.trace.as_str(), call.parent.as_str()), (TRACE, PARENT));
    assert_eq!(call.attributes["component"], "clusterpkg:index:AttachedNodeGroup");
    let mut traced: Vec<_> = collector
        .named("register")
        .into_iter()
        .map(|span| {
            assert_eq!((span.trace.as_str(), &span.parent), (TRACE, &call.id), "{span:?}");
            (span.attributes["token"].clone(), span.attributes["name"].clone())
        })
        .collect();
    let registered = deployment.registered.lock().unwrap();
    let mut registered: Vec<_> = registered
        .iter()
        .map(|child| (child.r#type.clone(), child.name.clone()))
        .collect();
    traced.sort();
    registered.sort();
    assert!(registered.len() > 2, "{registered:?}");
    assert_eq!(traced, registered);
    for span in collector.spans() {
        assert!(
            !span.whole.contains("hush") && !span.whole.contains("subnet-1"),
            "{span:?}"
        );
    }
}
