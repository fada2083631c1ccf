//! The children of a component, as recorded in a preview.

use std::collections::BTreeSet;

use pulumi_plugin::components::recording::RecordingEngine;
use pulumi_plugin::components::{
    ComponentEntry, ConstructError as ComponentError, ConstructRequest, Registration,
};
use pulumi_plugin::values::{Object, Value as Property};
use serde_json::Value;

use crate::Error;

/// Name of the component whose children are listed.
pub(super) const NAME: &str = "main";

/// A resource that a component registers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Child {
    /// Its logical name.
    pub(super) name: String,
    /// Its type token.
    pub(super) token: String,
    /// Name of its parent, unless that is the component itself.
    pub(super) parent: Option<String>,
    /// Names of the children that are created before it.
    pub(super) after: Vec<String>,
    /// Inputs that it requires.
    pub(super) only_with: Vec<String>,
    /// Inputs that exclude it.
    pub(super) only_without: Vec<String>,
}

impl Child {
    fn is_same(&self, other: &Self) -> bool {
        self.name == other.name && self.token == other.token
    }
}

/// Every child that the component can have, by name. The last example creates all of them that do not exclude
/// each other; to find the inputs that a child depends on, each input is removed in turn.
pub(super) fn children(entry: &ComponentEntry, schema: &Value) -> Result<Vec<Child>, Error> {
    let examples = schema["examples"].as_array();
    let fullest = examples.and_then(|examples| examples.last());
    let fullest = fullest.ok_or_else(|| format!("{} has no example", entry.token))?;
    let mut children = preview(entry, fullest)?;
    let mut instead = Vec::new();
    for switch in switches(schema, fullest) {
        let rest = preview(entry, &turned_off(fullest, &switch))?;
        for child in &mut children {
            if !rest.iter().any(|left| left.is_same(child)) {
                child.only_with.push(switch.clone());
            }
        }
        for mut child in rest {
            if !children.iter().any(|other| other.is_same(&child)) {
                child.only_without.push(switch.clone());
                instead.push(child);
            }
        }
    }
    children.extend(instead);
    children.sort_unstable();
    Ok(children)
}

/// Paths of the inputs that can be removed: enabled flags, optional strings and numbers, and optional objects without flags.
fn switches(schema: &Value, inputs: &Value) -> Vec<String> {
    let required = schema["required"].as_array();
    let is_required =
        |name: &String| required.is_some_and(|names| names.iter().any(|required| required == name));
    let mut switches = Vec::new();
    for (name, value) in inputs.as_object().into_iter().flatten() {
        match value {
            Value::String(_) | Value::Number(_) if !is_required(name) => switches.push(name.clone()),
            value => {
                let before = switches.len();
                flags(name, value, &mut switches);
                // The presence of an object without flags creates its children.
                if value.is_object() && switches.len() == before && !is_required(name) {
                    switches.push(name.clone());
                }
            }
        }
    }
    switches
}

fn flags(path: &str, value: &Value, switches: &mut Vec<String>) {
    match value {
        Value::Bool(true) => switches.push(path.to_owned()),
        Value::Object(members) => {
            for (name, member) in members {
                flags(&format!("{path}.{name}"), member, switches);
            }
        }
        _ => {}
    }
}

/// `inputs` with the flag at `path` disabled, or without the value at `path`.
fn turned_off(inputs: &Value, path: &str) -> Value {
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

/// The children of the component with these inputs, by name. Inputs that contradict the others are removed.
pub(super) fn preview(entry: &ComponentEntry, inputs: &Value) -> Result<Vec<Child>, Error> {
    let refused = match construct(entry, inputs) {
        Err(ComponentError::InvalidInput(problems)) => problems,
        outcome => return Ok(outcome?),
    };
    let consistent = refused.iter().fold(inputs.clone(), |inputs, problem| {
        turned_off(&inputs, &problem.property.to_string())
    });
    Ok(construct(entry, &consistent)?)
}

fn construct(entry: &ComponentEntry, inputs: &Value) -> Result<Vec<Child>, ComponentError> {
    let engine = RecordingEngine::new().preview();
    let request = ConstructRequest {
        name: NAME.to_owned(),
        preview: true,
        inputs: properties(inputs),
        ..ConstructRequest::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    let runtime = runtime.expect("a runtime of the current thread needs nothing");
    runtime.block_on((entry.construct)(engine.registrar(), request))?;
    let registrations = engine.record().registrations;
    let inside = registrations.iter().filter(|one| one.token != entry.token);
    let mut children: Vec<Child> = inside.map(|one| child(entry, one)).collect();
    children.sort_unstable();
    Ok(children)
}

fn child(entry: &ComponentEntry, registration: &Registration) -> Child {
    let provider = registration.provider.iter().map(|provider| &provider.urn);
    let after: BTreeSet<String> = registration
        .dependencies
        .iter()
        .chain(provider)
        .filter_map(|urn| Some(urn.parts().ok()?.name.to_owned()))
        .collect();
    let parent = registration.parent.iter().filter_map(|urn| urn.parts().ok());
    let inner = parent.filter(|parent| parent.resource_type() != entry.token);
    Child {
        name: registration.name.clone(),
        token: registration.token.clone(),
        parent: inner.map(|parent| parent.name.to_owned()).next(),
        after: after.into_iter().collect(),
        only_with: Vec::new(),
        only_without: Vec::new(),
    }
}

fn properties(inputs: &Value) -> Object {
    match Property::from_json(inputs.clone()) {
        Ok(Property::Object(members)) => members,
        _ => Object::new(),
    }
}

#[cfg(test)]
mod tests {
    use pulumi_plugin::components::Child as Declared;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_switch_is_a_flag_that_is_on_or_an_optional_text_or_object() {
        let schema = json!({ "required": ["name"] });
        let inputs = json!({
            "name": "a", "mail": "b", "on": true, "off": false, "inner": { "on": true }, "map": { "a": {} },
        });
        assert_eq!(switches(&schema, &inputs), ["inner.on", "mail", "map", "on"]);
        assert_eq!(turned_off(&inputs, "inner.on")["inner"], json!({ "on": false }));
        assert_eq!(turned_off(&inputs, "mail").get("mail"), None);
    }

    #[test]
    fn a_cluster_has_what_its_inputs_ask_for() {
        let cluster = pulumi_plugin::schema::ComponentSchema::of(&clusterpkg_components::ALL[0]);
        let children = children(&clusterpkg_components::ALL[0], &cluster.inputs).unwrap();
        let only_with = |name: &str| {
            let child = children.iter().find(|child| child.name == name).unwrap();
            child.only_with.clone()
        };
        assert_eq!(only_with("main-nginx-int"), ["proxyIngressConfig.enableInternal"]);
        assert_eq!(only_with("main-autoscaler-role"), ["enableNodeAutoscaler"]);
        assert_eq!(only_with("main-system-nodes"), [""; 0]);
    }

    #[test]
    fn declared_conditions_name_the_inputs_that_decide() {
        for entry in clusterpkg_components::ALL {
            let component = pulumi_plugin::schema::ComponentSchema::of(entry);
            for child in children(entry, &component.inputs).unwrap() {
                if child.token.starts_with("clusterpkg:") {
                    continue;
                }
                let found = Declared::find(entry.children, NAME, &child.name, &child.token);
                let (declared, _) = found.unwrap_or_else(|| panic!("{} is not declared", child.name));
                let mut inputs = child.only_with.iter().chain(&child.only_without);
                let agrees = match declared.condition {
                    Some(condition) => {
                        inputs.any(|input| condition.contains(&format!("`{input}")))
                            || child.only_with.is_empty()
                    }
                    None => inputs.next().is_none(),
                };
                assert!(agrees, "{child:?} is declared {:?}", declared.condition);
            }
        }
    }
}
