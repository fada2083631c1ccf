//! Rules of the autoscaler's object types that their schemas do not contain: CEL expressions of the CRDs, which the API
//! server evaluates. Rules about changes of an object are left out.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use cel::extractors::This;
use cel::{Context, Program, Value as CelValue};
use pulumi_plugin::components::InputFailure;
use pulumi_plugin::values::{Object, PropertyPath, Value};
use serde::Deserialize;

/// From the CRDs of the version that is pinned; `docs/updating-chart-data.md` says how.
const DATA: &str = include_str!("karpenter-rules.json");

#[derive(Deserialize)]
struct CelRules {
    rules: BTreeMap<String, Vec<CelRule>>,
}

#[derive(Deserialize)]
struct CelRule {
    /// Names below `spec`, and `[]` for every element of a list.
    path: Vec<String>,
    rule: String,
    message: String,
    #[serde(skip)]
    program: Option<Program>,
}

/// The rules of each kind.
static RULES: LazyLock<BTreeMap<String, Vec<CelRule>>> = LazyLock::new(|| {
    let mut data: CelRules = serde_json::from_str(DATA).expect("the rules are valid");
    for rule in data.rules.values_mut().flatten() {
        rule.program = Program::compile(&rule.rule).ok();
    }
    data.rules
});

/// The rules of an object type that the properties of an object break.
pub(super) fn broken(kind: &str, object: &Object) -> Vec<InputFailure> {
    let Some(spec) = object.get("spec") else {
        return Vec::new();
    };
    let mut failures = Vec::new();
    for rule in RULES.get(kind).into_iter().flatten() {
        for (path, value) in at(PropertyPath::from("spec"), spec, &rule.path) {
            if !rule.holds(value) {
                let reason = format!("breaks a rule of the object type: {}", rule.message);
                failures.push(InputFailure::new(path, reason));
            }
        }
    }
    failures
}

/// The known values at a path, with their own paths.
fn at<'a>(place: PropertyPath, value: &'a Value, path: &[String]) -> Vec<(PropertyPath, &'a Value)> {
    let Some((first, rest)) = path.split_first() else {
        let known = value.known().filter(|value| !value.is_null());
        return known.map(|value| (place, value)).into_iter().collect();
    };
    match value.known() {
        Some(Value::Array(elements)) if first == "[]" => {
            let elements = elements.iter().enumerate();
            elements
                .flat_map(|(index, element)| at(place.join(index), element, rest))
                .collect()
        }
        Some(Value::Object(members)) => match members.get(first) {
            Some(member) => at(place.join(first.clone()), member, rest),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

impl CelRule {
    /// Whether a value obeys the rule. Unknown parts are assumed to obey it.
    fn holds(&self, value: &Value) -> bool {
        if self.reads_unknown(value) {
            return true;
        }
        let (value, marks) = value.clone().strip();
        let mut context = Context::default();
        let is_ready = context.add_variable("self", value.to_json()).is_ok()
            && context.add_function("find", find).is_ok()
            && context.add_function("split", split).is_ok();
        let Some(program) = self.program.as_ref().filter(|_| is_ready) else {
            return true;
        };
        match program.execute(&context) {
            Ok(CelValue::Bool(holds)) => holds,
            // A rule that fails is broken, as in the API server, for example because a member is missing.
            _ => marks.unknown,
        }
    }

    /// Whether the rule reads a member whose value is unknown. `has(self.name)` only reads whether it is set.
    fn reads_unknown(&self, value: &Value) -> bool {
        let has_unknown = |value: &Value| value.clone().strip().1.unknown;
        match value {
            Value::Object(members) => members.iter().any(|(name, member)| {
                let name = format!("self.{name}");
                let read = self.rule.replace(&format!("has({name})"), "");
                read.contains(&name) && has_unknown(member)
            }),
            value => has_unknown(value),
        }
    }
}

// Functions that the API server adds to the language.

fn find(This(text): This<Arc<String>>, pattern: Arc<String>) -> String {
    let found = regex::Regex::new(&pattern).ok().and_then(|pattern| {
        let found = pattern.find(&text)?;
        Some(found.as_str().to_owned())
    });
    found.unwrap_or_default()
}

fn split(This(text): This<Arc<String>>, separator: Arc<String>) -> CelValue {
    let parts = text.split(separator.as_str());
    CelValue::List(Arc::new(
        parts.map(|part| CelValue::from(part.to_owned())).collect(),
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    fn of(kind: &str, spec: Json) -> Vec<String> {
        let Ok(Value::Object(object)) = Value::from_json(json!({ "spec": spec })) else {
            panic!("an object")
        };
        broken(kind, &object).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_rule_is_compiled() {
        let mut count = 0;
        for rule in RULES.values().flatten() {
            count += 1;
            assert!(rule.program.is_some(), "{}", rule.rule);
        }
        assert_eq!(count, 71);
    }

    #[test]
    fn rules_separate_valid_objects_from_invalid_ones() {
        const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        let class = |changes: Json| {
            let mut spec = json!({
                "amiFamily": "AL2023",
                "amiSelectorTerms": [{ "alias": "al2023@latest" }],
                "role": "nodes",
                "securityGroupSelectorTerms": [{ "id": "sg-1" }],
                "subnetSelectorTerms": [{ "id": "subnet-1" }],
            });
            spec.as_object_mut()
                .unwrap()
                .extend(changes.as_object().unwrap().clone());
            of("EC2NodeClass", spec)
        };
        let one = |found: Vec<String>, expected: &str| {
            assert_eq!(
                found,
                [expected.replace(": ", ": breaks a rule of the object type: ")]
            );
        };
        assert_eq!(class(json!({})), [""; 0]);
        one(
            class(json!({ "amiSelectorTerms": [{ "alias": "bottlerocket@latest" }] })),
            "spec: if set, amiFamily must be 'Bottlerocket' or 'Custom' when using a Bottlerocket alias",
        );
        one(class(json!({ "role": "" })), "spec.role: role cannot be empty");
        one(
            class(json!({ "blockDeviceMappings": [{ "ebs": { "volumeSize": "9Gi" } }, { "ebs": {} }] })),
            "spec.blockDeviceMappings[1].ebs: snapshotID or volumeSize must be defined",
        );
        // An unknown role is set.
        let both = "spec: must specify exactly one of ['role', 'instanceProfile']";
        one(
            class(json!({ "role": UNKNOWN, "instanceProfile": "nodes" })),
            both,
        );
        for unknown in [
            json!({ "role": UNKNOWN }),
            json!({ "amiFamily": UNKNOWN }),
            json!({ "amiSelectorTerms": [{ "alias": UNKNOWN }] }),
            json!({ "networkInterfaces": [{ "deviceIndex": UNKNOWN, "networkCardIndex": 0, "interfaceType": "interface" }] }),
            json!({ "kubelet": UNKNOWN }),
        ] {
            assert_eq!(class(unknown.clone()), [""; 0], "{unknown}");
        }
        let pool = |spec: Json| of("NodePool", spec);
        let labels = |labels: Json| pool(json!({ "template": { "metadata": { "labels": labels } } }));
        assert_eq!(labels(json!({ "team": UNKNOWN })), [""; 0]);
        one(
            labels(json!({ "karpenter.sh/other": UNKNOWN })),
            "spec.template.metadata.labels: label domain \"karpenter.sh\" is restricted",
        );
        one(
            pool(json!({ "replicas": 3, "weight": UNKNOWN })),
            "spec: 'weight' is not supported on static NodePools",
        );
        // The rule fails because there are no values.
        one(
            pool(json!({ "template": { "spec": { "requirements": [{ "key": "a", "operator": "In" }] } } })),
            "spec.template.spec.requirements: requirements with operator 'In' must have a value defined",
        );
    }
}
