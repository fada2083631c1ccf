//! The declared conditions under which children exist, and the inputs that decide in fact. The last example of a component
//! creates all children that do not exclude each other; each of its inputs is removed in turn.

use std::collections::{BTreeMap, BTreeSet};

use clusterpkg_components::ALL;
use pulumi_plugin::components::recording::RecordingEngine;
use pulumi_plugin::components::{Child, ComponentEntry, ConstructError, ConstructRequest};
use pulumi_plugin::schema::ComponentSchema;
use pulumi_plugin::values::{Object, Value as Property};
use serde_json::Value;

/// Name of the component.
const NAME: &str = "main";

/// Name and type token of a registered resource.
type Registered = (String, String);

#[tokio::test]
async fn a_condition_names_the_inputs_that_decide() {
    for entry in ALL {
        let ComponentSchema { inputs: schema, .. } = ComponentSchema::of(entry);
        let fullest = schema["examples"].as_array().unwrap().last().unwrap();
        let with_all = children(entry, fullest).await;
        // The inputs that a child requires, or that exclude it.
        let mut deciding: BTreeMap<Registered, BTreeSet<String>> = BTreeMap::new();
        for input in removable(&schema, fullest) {
            let rest = children(entry, &without(fullest, &input)).await;
            for child in with_all.symmetric_difference(&rest) {
                deciding.entry(child.clone()).or_default().insert(input.clone());
            }
        }
        for child in with_all.iter().chain(deciding.keys()) {
            let (name, token) = child;
            if token.starts_with("clusterpkg:") {
                continue;
            }
            let found = Child::find(entry.children, NAME, name, token);
            let (declared, _) = found.unwrap_or_else(|| panic!("{name} is not declared"));
            let inputs = deciding.get(child).into_iter().flatten();
            let named = |input: &String| {
                let condition = declared.condition.unwrap_or_default();
                condition.contains(&format!("`{input}"))
            };
            let agrees = match declared.condition {
                Some(_) => {
                    inputs.clone().count() == 0 || !with_all.contains(child) || inputs.clone().any(named)
                }
                None => inputs.clone().count() == 0,
            };
            assert!(
                agrees,
                "{name} depends on {:?}, not {:?}",
                inputs.collect::<Vec<_>>(),
                declared.condition
            );
        }
    }
}

/// Paths of the inputs that can be removed: enabled flags, optional strings and numbers, and optional objects without flags.
fn removable(schema: &Value, inputs: &Value) -> Vec<String> {
    let required = schema["required"].as_array().into_iter().flatten();
    let required: BTreeSet<_> = required.filter_map(Value::as_str).collect();
    let mut paths = Vec::new();
    for (name, value) in inputs.as_object().unwrap() {
        let before = paths.len();
        flags(name, value, &mut paths);
        let is_whole = value.is_string() || value.is_number() || value.is_object();
        if is_whole && paths.len() == before && !required.contains(name.as_str()) {
            paths.push(name.clone());
        }
    }
    paths
}

fn flags(path: &str, value: &Value, paths: &mut Vec<String>) {
    match value {
        Value::Bool(true) => paths.push(path.to_owned()),
        Value::Object(members) => {
            for (name, member) in members {
                flags(&format!("{path}.{name}"), member, paths);
            }
        }
        _ => {}
    }
}

/// `inputs` with the flag at `path` disabled, or without the value at `path`.
fn without(inputs: &Value, path: &str) -> Value {
    let mut inputs = inputs.clone();
    let (around, name) = path.rsplit_once('.').unwrap_or(("", path));
    let around: String = around
        .split_terminator('.')
        .map(|name| format!("/{name}"))
        .collect();
    if let Some(Value::Object(members)) = inputs.pointer_mut(&around) {
        match members.get_mut(name) {
            Some(Value::Bool(flag)) => *flag = false,
            _ => {
                members.remove(name);
            }
        }
    }
    inputs
}

/// The children of the component in a preview. Inputs that contradict the others are removed.
async fn children(entry: &ComponentEntry, inputs: &Value) -> BTreeSet<Registered> {
    match construct(entry, inputs).await {
        Err(ConstructError::InvalidInput(problems)) => {
            let consistent = problems.iter().fold(inputs.clone(), |inputs, problem| {
                without(&inputs, &problem.property.to_string())
            });
            construct(entry, &consistent).await.unwrap()
        }
        outcome => outcome.unwrap(),
    }
}

async fn construct(entry: &ComponentEntry, inputs: &Value) -> Result<BTreeSet<Registered>, ConstructError> {
    let engine = RecordingEngine::new().preview();
    let request = ConstructRequest {
        name: NAME.to_owned(),
        preview: true,
        inputs: match Property::from_json(inputs.clone()).unwrap() {
            Property::Object(inputs) => inputs,
            _ => Object::new(),
        },
        ..ConstructRequest::default()
    };
    (entry.construct)(engine.registrar(), request).await?;
    let registrations = engine.record().registrations.into_iter();
    let children = registrations.filter(|one| one.token != entry.token);
    Ok(children.map(|one| (one.name, one.token)).collect())
}
