//! The values of the charts: for each pinned chart the tree of its values with their types, made from the facts
//! of the chart. A value that a chart does not know is ignored by it, so a mistake would go unnoticed.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value as Json;

/// A chart whose values are known.
pub(crate) struct Chart {
    /// The version that the data is of.
    pub(crate) version: String,
    values: Validator,
}

/// By name. `docs/updating-chart-data.md` says how the data is renewed.
pub(crate) static CHARTS: LazyLock<BTreeMap<String, Chart>> = LazyLock::new(|| {
    let charts = [
        include_str!("../data/charts/aws-load-balancer-controller.json"),
        include_str!("../data/charts/cert-manager.json"),
        include_str!("../data/charts/external-dns.json"),
        include_str!("../data/charts/gateway-api-crds.json"),
        include_str!("../data/charts/ingress-nginx.json"),
        include_str!("../data/charts/karpenter-crd.json"),
        include_str!("../data/charts/karpenter.json"),
        include_str!("../data/charts/rustrial-aws-eks-iam-auth-controller.json"),
    ];
    charts.into_iter().map(read).collect()
});

fn read(text: &str) -> (String, Chart) {
    let data: Json = serde_json::from_str(text).unwrap();
    let chart = Chart {
        version: data["version"].as_str().unwrap().to_owned(),
        values: jsonschema::validator_for(&data["values"]).unwrap(),
    };
    (data["chart"].as_str().unwrap().to_owned(), chart)
}

/// The name of the chart of a release: the last part of its address.
pub(crate) fn name_of(release: &Json) -> &str {
    release["chart"].as_str().unwrap().rsplit('/').next().unwrap()
}

/// Values of a release that its chart does not know, or not with that type.
pub(crate) fn unknown_values(release: &Json) -> Vec<String> {
    let name = name_of(release);
    let chart = CHARTS
        .get(name)
        .unwrap_or_else(|| panic!("there is no data of chart {name}"));
    let values = without_nulls(&release["values"]);
    let errors = chart.values.iter_errors(&values);
    errors
        .map(|error| format!("values{}: {error}", error.instance_path()))
        .collect()
}

/// The values without those that are null, which remove defaults of the chart.
fn without_nulls(values: &Json) -> Json {
    match values {
        Json::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            members
                .map(|(name, value)| (name.clone(), without_nulls(value)))
                .collect()
        }
        value => value.clone(),
    }
}

#[test]
fn a_value_that_the_chart_does_not_know_is_refused() {
    let unknown = |values: Json| {
        let release =
            serde_json::json!({ "chart": "oci://public.ecr.aws/karpenter/karpenter", "values": values });
        unknown_values(&release).len()
    };
    assert_eq!(
        unknown(serde_json::json!({ "settings": { "clusterName": "a" } })),
        0
    );
    assert_eq!(
        unknown(serde_json::json!({ "settings": { "clustername": "a" } })),
        1
    );
    assert_eq!(unknown(serde_json::json!({ "replicas": "2" })), 1);
}

/// A changed pin fails here until the data is renewed.
#[tokio::test]
async fn the_data_is_that_of_the_pinned_versions() {
    let shown = crate::stage::stage()
        .show::<clusterpkg_components::Cluster>(crate::cluster::everything())
        .await;
    let releases = shown
        .record
        .registrations
        .iter()
        .filter(|r| r.token.ends_with(":Release"));
    let pinned: BTreeMap<_, _> = releases
        .map(|release| {
            let release = crate::oracle::plain(&release.inputs);
            (
                name_of(&release).to_owned(),
                release["version"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    let data: BTreeMap<_, _> = CHARTS
        .iter()
        .map(|(name, chart)| (name.clone(), chart.version.clone()))
        .collect();
    assert_eq!(
        pinned, data,
        "docs/updating-chart-data.md says how to renew the data"
    );
    assert_eq!(
        crate::oracle::RULES["version"],
        pinned["karpenter-crd"],
        "and the rules of object types"
    );
}
