//! Instructions for the stand-in in the environment.

use std::time::Duration;

use pulumi_plugin::values::{Object, Urn, Value};

/// Milliseconds that each creation, change and deletion takes.
const DELAY: &str = "STAND_IN_DELAY_MS";
/// Names of resources that take a multiple of this time: `name=times`, separated by commas.
const SLOW: &str = "STAND_IN_SLOW";
/// The depth of an output that the schema does not promise.
const NESTED: &str = "STAND_IN_NESTED";
/// Inputs of resources that exist before the program runs, by id: a JSON object.
const EXISTING: &str = "STAND_IN_EXISTING";
/// Name of a resource that cannot be created or changed.
const FAIL: &str = "STAND_IN_FAIL";
/// Name of the role that runs the program. Default: `deployer`.
const IDENTITY: &str = "STAND_IN_IDENTITY";

/// Name of a resource that cannot be deleted.
const KEEP: &str = "STAND_IN_KEEP";
/// Identifiers of objects in the cluster that the engine does not know, separated by commas.
const TAKEN: &str = "STAND_IN_TAKEN";

/// Instructions of the environment.
#[derive(Default)]
pub(crate) struct Orders {
    delay: Duration,
    slow: Vec<(String, u32)>,
    fail: Option<String>,
    keep: Option<String>,
    taken: Vec<String>,
    nested: usize,
    existing: Object,
    identity: String,
}

impl Orders {
    pub(crate) fn from_environment() -> Self {
        let variable = |name| std::env::var(name).unwrap_or_default();
        let slow = variable(SLOW);
        let slow = slow.split(',').filter_map(|entry| {
            let (name, times) = entry.split_once('=')?;
            Some((name.to_owned(), times.parse().ok()?))
        });
        Self {
            delay: Duration::from_millis(variable(DELAY).parse().unwrap_or_default()),
            slow: slow.collect(),
            fail: Some(variable(FAIL)).filter(|name| !name.is_empty()),
            keep: Some(variable(KEEP)).filter(|name| !name.is_empty()),
            taken: variable(TAKEN).split(',').map(str::to_owned).collect(),
            nested: variable(NESTED).parse().unwrap_or_default(),
            existing: existing(&variable(EXISTING)),
            identity: std::env::var(IDENTITY).unwrap_or_else(|_| "deployer".to_owned()),
        }
    }

    /// Waits as long as requested for a resource.
    pub(crate) async fn take_time(&self, urn: &Urn) {
        let slow = self.slow.iter().find(|(name, _)| is_named(urn, name));
        let times = slow.map_or(1, |(_, times)| *times);
        tokio::time::sleep(self.delay * times).await;
    }

    /// An output in addition to the outputs of the schema, if requested.
    pub(crate) fn nested(&self) -> Option<Value> {
        let nest = |inner, _| Value::from([("inner", inner)]);
        (self.nested > 0).then(|| (1..self.nested).fold("innermost".into(), nest))
    }

    /// The inputs of a resource that exists before the program runs.
    pub(crate) fn existing(&self, id: &str) -> Option<&Object> {
        self.existing.get(id)?.as_object()
    }

    /// The name of the role that runs the program.
    pub(crate) fn identity(&self) -> &str {
        &self.identity
    }

    /// Whether a resource cannot be deleted.
    pub(crate) fn keep(&self, urn: &Urn) -> bool {
        self.keep.as_ref().is_some_and(|name| is_named(urn, name))
    }

    /// Whether an object with this identifier exists.
    pub(crate) fn is_taken(&self, id: &str) -> bool {
        self.taken.iter().any(|taken| taken == id)
    }

    /// Whether a resource cannot be created or changed.
    pub(crate) fn forbid(&self, urn: &Urn) -> bool {
        self.fail.as_ref().is_some_and(|name| is_named(urn, name))
    }
}

fn existing(text: &str) -> Object {
    let json = serde_json::from_str(text).unwrap_or_default();
    match Value::from_json(json) {
        Ok(Value::Object(resources)) => resources,
        _ => Object::new(),
    }
}

fn is_named(urn: &Urn, name: &str) -> bool {
    urn.parts().is_ok_and(|parts| parts.name == name)
}
