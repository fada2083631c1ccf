//! A recorded graph as text, for snapshots: one block per registration, in the order of their names. A graph that is
//! much like another one is a list of differences from it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use pulumi_plugin::components::{Component, Registration};
use pulumi_plugin::values::{Urn, Value};
use serde_json::{Value as Json, json};
use similar::TextDiff;

use crate::stage::{Shown, stage};

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
    writeln!(picture, "calls\n  {}\n", calls.join(", ")).unwrap();
    writeln!(
        picture,
        "outputs\n  {}\n",
        pretty(&Value::Object(shown.made.state.clone()))
    )
    .unwrap();
    for message in &shown.record.messages {
        writeln!(picture, "warning: {}", message.text).unwrap();
    }
    picture
}

/// How a component differs from one with the least inputs.
pub(crate) async fn beside_the_least<C: Component>(least: Json, shown: &Shown) -> String {
    let least = stage().show::<C>(least).await;
    differences(&picture(&least), &picture(shown))
}

/// How a picture differs from another one: the new lines of each changed block below the numbers of the lines that they
/// replace, blocks that were added, and the names of blocks that were removed.
pub(crate) fn differences(from: &str, to: &str) -> String {
    let (before, after) = (blocks(from), blocks(to));
    let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    let mut text = String::new();
    for name in names {
        match (before.get(name), after.get(name)) {
            (Some(before), Some(after)) if before == after => {}
            (Some(before), Some(after)) => {
                let diff = TextDiff::from_lines(*before, *after);
                let mut diff = diff.unified_diff();
                let diff = diff.context_radius(0).missing_newline_hint(false).to_string();
                let new = diff.lines().filter(|line| !line.starts_with('-'));
                let new: Vec<&str> = new.collect();
                write!(text, "{name}\n{}\n\n", new.join("\n")).unwrap();
            }
            (Some(_), None) => write!(text, "removed: {name}\n\n").unwrap(),
            (None, Some(block)) => write!(text, "added: {name}\n{block}\n\n").unwrap(),
            (None, None) => unreachable!("it is the name of a block"),
        }
    }
    text
}

/// The blocks of a picture by their first lines.
fn blocks(picture: &str) -> BTreeMap<&str, &str> {
    let blocks = picture.split("\n\n");
    blocks
        .map(|block| block.split_once('\n').unwrap_or((block, "")))
        .collect()
}

fn block(registration: &Registration) -> String {
    let Registration {
        token,
        name,
        parent,
        dependencies,
        provider,
        deleted_with,
        options,
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
    line("ignores", options.ignore_changes.join(", "));
    line(
        "deleted before replaced",
        options
            .delete_before_replace
            .iter()
            .map(bool::to_string)
            .collect(),
    );
    line(
        "delete timeout",
        options.timeouts.delete.clone().unwrap_or_default(),
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
