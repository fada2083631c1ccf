//! Realization over time: the values of `state` and `status` of an object.

use std::sync::LazyLock;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

/// Start of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScriptStart {
    /// The first read, so that a demonstration shows the whole script.
    #[default]
    FirstRead,
    /// The creation of the manager, or the time at which the script is set.
    Creation,
}

/// The sequence of bodies of an object's `state` or `status`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Script {
    #[serde(default)]
    start: ScriptStart,
    steps: Vec<ScriptStep>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct ScriptStep {
    from_ms: u64,
    body: Value,
}

impl Script {
    /// Creates a script that returns this body.
    pub fn new(body: Value) -> Self {
        Self::default().then_after(Duration::ZERO, body)
    }

    /// Returns this body after `since_start`, in whole milliseconds since the start of the script. Steps have
    /// to be added in the order of their times.
    #[must_use]
    pub fn then_after(mut self, since_start: Duration, body: Value) -> Self {
        let from_ms = u64::try_from(since_start.as_millis()).unwrap_or(u64::MAX);
        self.steps.push(ScriptStep { from_ms, body });
        self
    }

    /// Sets the start of the script.
    #[must_use]
    pub fn starting_at(mut self, start: ScriptStart) -> Self {
        self.start = start;
        self
    }
}

/// A script that may have started.
#[derive(Debug, Clone)]
pub(crate) struct Running {
    script: Script,
    started: Option<Instant>,
}

impl Running {
    pub(crate) fn new(script: Script, now: Instant) -> Self {
        let started = (script.start == ScriptStart::Creation).then_some(now);
        Self { script, started }
    }

    /// The current body. Before the first step, an empty object.
    pub(crate) fn read(&mut self, now: Instant) -> Value {
        let elapsed = now.duration_since(*self.started.get_or_insert(now));
        let steps = self.script.steps.iter();
        steps
            .take_while(|step| Duration::from_millis(step.from_ms) <= elapsed)
            .last()
            .map_or_else(|| json!({}), |step| step.body.clone())
    }
}

/// `resource_type` of entries of the list of realized entities.
pub(crate) const REALIZED_ENTITY: &str = "GenericPolicyRealizedResource";

/// The entry of the list of realized entities for an object of which the inventory has none: realized.
pub(crate) fn realized(object: &Value) -> Value {
    let resource_type = object["resource_type"].as_str().unwrap_or_default();
    json!({
        "resource_type": REALIZED_ENTITY, "entity_type": format!("Realized{resource_type}"),
        "id": object["realization_id"], "display_name": object["display_name"],
        "intent_paths": [object["path"]], "intent_reference": [object["path"]],
        "realization_specific_identifier": object["realization_id"],
        "state": "REALIZED", "runtime_status": "UNINITIALIZED", "alarms": [], "extended_attributes": [],
    })
}

/// The body of a part of an object without a script: ready.
pub(crate) fn ready(collection: &str, object_path: &str, part: &str) -> Value {
    static READY: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("data/ready.json")).expect("the tests read embedded data")
    });
    let mut body = READY
        .get(&format!("{collection}/{part}"))
        .cloned()
        .unwrap_or_default();
    let fields = body.as_object_mut().into_iter().flatten();
    for (_, value) in fields.filter(|(_, value)| *value == "{path}") {
        *value = object_path.into();
    }
    body
}

#[cfg(test)]
mod tests {
    use super::ready;
    use crate::manager::kinds::CollectionKind;

    #[test]
    fn every_part_has_a_body() {
        for kind in CollectionKind::all() {
            for part in kind.parts {
                let body = ready(kind.collection, "/object", part);
                assert!(body.is_object(), "{kind:?}/{part}");
            }
        }
    }
}
