//! The formats of configuration files: TOML, YAML and JSON.

use std::path::Path;

use serde_json::Value;

use crate::files::split_mark;

type Reason = Box<dyn std::error::Error + Send + Sync>;

/// A format, and the reason why the file is not in it.
type Unparsed = (&'static str, Reason);

/// The deepest nesting of a file in any format: the limit of the library for YAML.
const DEEPEST: usize = 64;

/// Errors contain the position but not the text, which may contain secrets.
pub(super) fn parse(path: &Path, text: &str) -> Result<Value, Unparsed> {
    let (_, text) = split_mark(text);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let json = || match serde_json::from_str(text) {
        Ok(value) => shallow(value).map_err(|error| ("JSON", error)),
        Err(error) => Err(("JSON", error.into())),
    };
    let toml = |text| toml(text).and_then(shallow);
    match extension {
        Some("toml") => toml(text).map_err(|error| ("TOML", error)),
        Some("json") => json(),
        Some("yaml" | "yml") => yaml(text),
        _ if text.trim_start().starts_with('{') => json(),
        // Both have lines; only TOML has equals signs after names.
        _ => toml(text).or_else(|_| yaml(text)),
    }
}

#[cfg(feature = "yaml")]
fn yaml(text: &str) -> Result<Value, Unparsed> {
    let options = serde_saphyr::options! { with_snippet: false };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| match error {
        // The message of the library quotes the name, which may be a misplaced secret.
        serde_saphyr::Error::DuplicateMappingKey { location, .. } => {
            let (line, column) = (location.line(), location.column());
            let text = format!("duplicate key at line {line}, column {column}");
            ("YAML", text.into())
        }
        serde_saphyr::Error::Budget { breach, .. } => match breach {
            serde_saphyr::budget::BudgetBreach::Depth { .. } => ("YAML", too_deep()),
            _ => ("YAML", "it contains too many values, aliases or anchors".into()),
        },
        error => ("YAML", error.into()),
    })
}

#[cfg(not(feature = "yaml"))]
fn yaml(_: &str) -> Result<Value, Unparsed> {
    Err((
        "JSON or TOML",
        "netmgr was built without the feature `yaml`".into(),
    ))
}

/// The value, unless it is nested too deeply.
fn shallow(value: Value) -> Result<Value, Reason> {
    fn depth(value: &Value) -> usize {
        match value {
            Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
            Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
            _ => 0,
        }
    }
    if depth(&value) > DEEPEST {
        return Err(too_deep());
    }
    Ok(value)
}

fn too_deep() -> Reason {
    format!("it is nested deeper than {DEEPEST} levels").into()
}

fn toml(text: &str) -> Result<Value, Reason> {
    toml_edit::de::from_str(text).map_err(|error| {
        let line = error
            .span()
            .map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        match line {
            Some(line) => format!("{} at line {line}", error.message()).into(),
            None => error.message().to_owned().into(),
        }
    })
}

#[cfg(test)]
mod tests;
