//! A recorded graph as text, for snapshots: one block per registration, in the order of their names.

use std::fmt::Write;

use engine_components::Registration;
use engine_values::{Urn, Value};
use serde_json::{Value as Json, json};

use crate::stage::Shown;

/// Everything that was registered, called and answered.
pub(crate) fn picture(shown: &Shown) -> String {
    let mut registrations: Vec<_> = shown.record.registrations.iter().collect();
    registrations.sort_by_key(|registration| (&registration.name, &registration.token));
    let mut picture: String = registrations.into_iter().map(block).collect();
    let mut calls: Vec<_> = shown
        .record
        .calls
        .iter()
        .map(|call| call.token.as_str())
        .collect();
    calls.sort_unstable();
    writeln!(picture, "calls: {}", calls.join(", ")).unwrap();
    writeln!(
        picture,
        "outputs: {}",
        pretty(&Value::Object(shown.made.state.clone()))
    )
    .unwrap();
    for message in &shown.record.messages {
        writeln!(picture, "warning: {}", message.text).unwrap();
    }
    picture
}

fn block(registration: &Registration) -> String {
    let Registration {
        token,
        name,
        parent,
        dependencies,
        provider,
        deleted_with,
        settings,
        inputs,
        ..
    } = registration;
    let mut block = format!("{name} ({token})\n");
    let mut line = |what: &str, value: String| {
        if !value.is_empty() {
            writeln!(block, "  {what}: {value}").unwrap();
        }
    };
    line("parent", parent.iter().map(short).collect());
    let mut after: Vec<_> = dependencies.iter().map(short).collect();
    after.sort();
    line("after", after.join(", "));
    line(
        "provider",
        provider.iter().map(|provider| short(&provider.urn)).collect(),
    );
    line("deleted with", deleted_with.iter().map(short).collect());
    line("ignores", settings.ignore_changes.join(", "));
    line(
        "deleted before replaced",
        settings
            .delete_before_replace
            .iter()
            .map(bool::to_string)
            .collect(),
    );
    line(
        "delete timeout",
        settings
            .timeouts
            .delete
            .iter()
            .map(|timeout| format!("{timeout:?}"))
            .collect(),
    );
    line("inputs", pretty(&Value::Object(inputs.clone())));
    block.push('\n');
    block
}

fn short(urn: &Urn) -> String {
    let parts = urn.parts().unwrap();
    let kind = parts.resource_type().rsplit(':').next().unwrap();
    format!("{} ({kind})", parts.name)
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(&readable(value))
        .unwrap()
        .replace('\n', "\n  ")
}

/// With marks as words, references as names, and JSON inside text as JSON.
fn readable(value: &Value) -> Json {
    match value {
        Value::Secret(inner) => json!({ "secret": readable(inner) }),
        Value::Unknown(_) => json!("[unknown]"),
        Value::Resource(reference) => json!(format!("-> {}", short(&reference.urn))),
        Value::Array(elements) => elements.iter().map(readable).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| (name.clone(), readable(member)))
            .collect(),
        Value::String(text) => match serde_json::from_str::<Json>(text) {
            Ok(document @ Json::Object(_)) => json!({ "JSON": document }),
            _ => json!(text),
        },
        plain => plain.to_json(),
    }
}
