//! The rules of the autoscaler's object types that no schema says and the API server checks: CEL expressions of the
//! CRDs, evaluated. Rules about changes of an object are left out.

use std::sync::{Arc, LazyLock};

use cel::extractors::This;
use cel::{Context, Program, Value};
use serde_json::Value as Json;

/// From the CRDs of the version that is pinned; `docs/updating-chart-data.md` says how.
static RULES: LazyLock<Json> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/karpenter-rules.json")).unwrap());

/// The version whose rules these are.
pub(crate) fn version() -> &'static str {
    RULES["version"].as_str().unwrap()
}

/// Rules of a kind that the `spec` of an object breaks.
pub(crate) fn broken(kind: &str, spec: &Json) -> Vec<String> {
    let rules = RULES["rules"][kind].as_array().into_iter().flatten();
    rules
        .flat_map(|rule| {
            let path: Vec<_> = rule["path"]
                .as_array()
                .unwrap()
                .iter()
                .map(|part| part.as_str().unwrap())
                .collect();
            let text = rule["rule"].as_str().unwrap();
            let broken = at(spec, &path).into_iter().filter(|value| !holds(text, value));
            broken
                .map(|value| format!("{}: {text}: {value}", path.join(".")))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Keys that begin like this in the rule of requirements.
pub(crate) fn known_keys(start: &str) -> Vec<String> {
    let rules = RULES["rules"]["NodePool"].as_array().into_iter().flatten();
    let rules = rules.filter_map(|rule| rule["rule"].as_str());
    let words = rules.flat_map(|rule| rule.split('"').map(str::to_owned));
    let mut keys: Vec<_> = words.filter(|word| word.starts_with(start)).collect();
    keys.sort();
    keys.dedup();
    keys
}

/// The values at a path: `[]` stands for every element of a list, `{}` for every value of a map.
fn at<'a>(value: &'a Json, path: &[&str]) -> Vec<&'a Json> {
    let Some((first, rest)) = path.split_first() else {
        return vec![value];
    };
    let inner: Vec<&Json> = match *first {
        "[]" => value.as_array().into_iter().flatten().collect(),
        "{}" => value
            .as_object()
            .into_iter()
            .flat_map(|map| map.values())
            .collect(),
        name => value.get(name).into_iter().collect(),
    };
    inner.into_iter().flat_map(|value| at(value, rest)).collect()
}

fn holds(rule: &str, value: &Json) -> bool {
    let program = Program::compile(rule).unwrap_or_else(|error| panic!("{rule}: {error}"));
    let mut context = Context::default();
    context.add_variable("self", value.clone()).unwrap();
    context.add_function("find", find).unwrap();
    context.add_function("split", split).unwrap();
    match program.execute(&context) {
        Ok(Value::Bool(holds)) => holds,
        other => panic!("{rule} for {value}: {other:?}"),
    }
}

// Functions that the API server adds to the language.

fn find(This(text): This<Arc<String>>, pattern: Arc<String>) -> String {
    let pattern = regex::Regex::new(&pattern).unwrap();
    pattern
        .find(&text)
        .map(|found| found.as_str().to_owned())
        .unwrap_or_default()
}

fn split(This(text): This<Arc<String>>, separator: Arc<String>) -> Value {
    let parts = text
        .split(separator.as_str())
        .map(|part| Value::from(part.to_owned()));
    Value::List(Arc::new(parts.collect()))
}

#[test]
fn rules_separate_valid_objects_from_invalid_ones() {
    let class = |change: fn(&mut Json)| {
        let mut spec = serde_json::json!({
            "amiFamily": "AL2023",
            "amiSelectorTerms": [{ "alias": "al2023@latest" }],
            "role": "nodes",
            "securityGroupSelectorTerms": [{ "id": "sg-1" }],
            "subnetSelectorTerms": [{ "id": "subnet-1" }],
        });
        change(&mut spec);
        broken("EC2NodeClass", &spec).len()
    };
    assert_eq!(class(|_| ()), 0);
    assert!(class(|spec| spec["amiSelectorTerms"][0]["alias"] = "bottlerocket@latest".into()) > 0);
    assert!(class(|spec| spec["amiSelectorTerms"][0]["id"] = "ami-1".into()) > 0);
    assert!(class(|spec| spec["role"] = "".into()) > 0);
    let pool = |labels: Json| {
        let spec = serde_json::json!({ "template": { "metadata": { "labels": labels } } });
        broken("NodePool", &spec).len()
    };
    assert_eq!(pool(serde_json::json!({ "team": "a" })), 0);
    assert!(pool(serde_json::json!({ "kubernetes.io/hostname": "a" })) > 0);
    assert!(pool(serde_json::json!({ "karpenter.sh/other": "a" })) > 0);
}
