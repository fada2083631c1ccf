//! Realization over time: the values of `state` and `status` of an object.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
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

/// What the part of an object without a script shows: ready.
pub(crate) fn ready(object_path: &str, part: &str) -> Value {
    match part {
        "status" => json!({
            "connection_status": "UP", "registration_status": "REGISTERED", "version": "8.0.3",
            "last_sync_time": 1_754_300_000_000_u64, "connection_status_details": "",
            "connection_errors": [], "registration_errors": [],
        }),
        _ if object_path.starts_with("/api/") => json!({"state": "success", "details": []}),
        _ => json!({
            "edge_transport_node_path": object_path,
            "hardware_version": "vmx-13", "maintenance_mode_state": "DISABLED",
            "edge_tn_state": {
                "consolidated_status": "SUCCESS", "state": "success", "details": [],
                "deployment_state": {"state": "NODE_READY", "details": []},
            },
            "switch_states": [{
                "switch_name": "nvds1",
                "tunnel_endpoints": [{
                    "device_name": "fp-eth0", "label": 69633, "mac": "00:50:56:be:10:01",
                }],
            }],
        }),
    }
}
