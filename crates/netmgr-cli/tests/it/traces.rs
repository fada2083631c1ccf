//! Spans of a command, as a collector receives them.

use pulumi_testing::Collector;

use crate::support::{Run, program};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

#[tokio::test(flavor = "multi_thread")]
async fn traces_of_a_command_have_its_lookup_and_requests_below_the_callers_span() {
    let collector = Collector::default();
    let address = collector.serve().await;
    let mut command = program([
        "--simulate",
        "get",
        "policy-edge-cluster",
        "--display-name",
        "edge",
        // The log has other spans than the export.
        "-v",
    ]);
    command
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{address}"))
        // On a busy machine the default loses spans.
        .env("OTEL_BSP_EXPORT_TIMEOUT", "60000")
        .env("TRACEPARENT", format!("00-{TRACE}-{PARENT}-01"));
    let run = tokio::task::spawn_blocking(move || Run::of(&mut command))
        .await
        .unwrap();
    assert_eq!(run.code, 0, "{run}");
    assert!(run.stderr.contains("answered status=200"), "{run}");
    assert!(!run.stderr.contains("lookup{"), "{run}");

    let [command] = &collector.named("command")[..] else {
        panic!("{}", collector.list())
    };
    assert_eq!((command.trace.as_str(), command.parent.as_str()), (TRACE, PARENT));
    assert_eq!(command.service, "netmgr");
    let [lookup] = &collector.named("lookup")[..] else {
        panic!("{}", collector.list())
    };
    assert_eq!(lookup.parent, command.id);
    assert_eq!(lookup.attributes["function"], "getPolicyEdgeCluster");
    let rounds = collector.named("round");
    let round = rounds.iter().find(|round| round.parent == lookup.id).unwrap();
    let requests = collector.named("request");
    assert!(
        requests.iter().any(|request| request.parent == round.id),
        "{}",
        collector.list()
    );
    for span in collector.spans() {
        assert!(!span.whole.contains("query="), "{span:?}");
    }
}
