//! The formats of configuration files: TOML, YAML and JSON.

use std::path::Path;

use serde_json::Value;

use crate::files::split_mark;

type Reason = Box<dyn std::error::Error + Send + Sync>;

/// A format, and why the file is not in it.
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
        // The text of the library quotes the name, which may be a secret in a wrong place.
        serde_saphyr::Error::DuplicateMappingKey { location, .. } => {
            let (line, column) = (location.line(), location.column());
            let text = format!("a name occurs twice in a mapping, at line {line}, column {column}");
            ("YAML", text.into())
        }
        serde_saphyr::Error::Budget { breach, .. } => match breach {
            serde_saphyr::budget::BudgetBreach::Depth { .. } => ("YAML", too_deep()),
            _ => (
                "YAML",
                "it has more values, aliases or anchors than a configuration needs".into(),
            ),
        },
        error => ("YAML", error.into()),
    })
}

#[cfg(not(feature = "yaml"))]
fn yaml(_: &str) -> Result<Value, Unparsed> {
    Err(("JSON or TOML", "this program was built without YAML".into()))
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
    format!("it is nested more than {DEEPEST} levels deep").into()
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
mod tests {
    use std::path::PathBuf;

    use serde_json::json;

    use super::*;

    fn parsed(name: &str, text: &str) -> Value {
        parse(Path::new(name), text).unwrap()
    }

    /// Any file is settings or an error that quotes nothing of it, and YAML that is printed is read as the same.
    #[test]
    #[cfg(feature = "yaml")]
    fn fuzz_yaml() {
        let words = [
            "hunter2",
            ": ",
            "- ",
            "&a ",
            "*a",
            "<<: ",
            "!!str ",
            "---\n",
            "|\n",
            ">-\n",
            "\n  ",
            "? ",
            "[",
            "{",
            "'",
            "\"",
            "#",
            "%YAML 1.2\n",
            " = ",
            "[[",
            "profiles",
        ];
        fuzz_testing::fuzz("yaml", &words, |input| {
            let text = String::from_utf8_lossy(input);
            let (extension, text) = text.split_once('\n').unwrap_or(("", &text));
            let extension = ["yaml", "toml", "json"]
                .into_iter()
                .find(|known| *known == extension);
            let path = PathBuf::from(format!("config.{}", extension.unwrap_or("any")));
            match parse(&path, text) {
                Ok(value) => {
                    let printed = crate::output::yaml(&value);
                    let read = parse(Path::new("config.yaml"), &printed);
                    let read = read.unwrap_or_else(|(_, error)| panic!("{error} in {printed:?} of {value}"));
                    assert_eq!(read, value, "{printed:?}");
                    let lines = text.lines().count();
                    format!("{} {}", value.is_object(), lines.min(5))
                }
                Err((format, error)) => {
                    let report = format!("{format} {error}");
                    assert!(!report.contains("hunter2"), "the file is quoted: {report}");
                    report
                }
            }
        });
    }

    #[test]
    fn every_format_can_be_nested_as_deeply() {
        let json = |levels| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
        let toml = |levels| format!("a{} = 1", ".a".repeat(levels - 1));
        for levels in [DEEPEST, DEEPEST + 1] {
            for (name, text) in [
                ("c.json", json(levels)),
                ("c.toml", toml(levels)),
                #[cfg(feature = "yaml")]
                ("c.yaml", json(levels)),
            ] {
                let error = parse(Path::new(name), &text).err();
                let reason = error.map(|(_, reason)| reason.to_string());
                let expected = (levels > DEEPEST).then(|| too_deep().to_string());
                assert_eq!(reason, expected, "{name}");
            }
        }
    }

    #[test]
    fn a_file_is_toml_yaml_or_json() {
        let expected =
            json!({ "host": "m", "maxRetries": 2, "profiles": { "lab": { "username": "admin" } } });
        let toml = "host = \"m\"\nmaxRetries = 2\n[profiles.lab]\nusername = \"admin\"\n";
        let yaml = "host: m\nmaxRetries: 2\nprofiles:\n  lab:\n    username: admin\n";
        for name in ["config.toml", "config"] {
            assert_eq!(parsed(name, toml), expected);
        }
        for name in ["config.yaml", "config.yml", "config"]
            .iter()
            .filter(|_| cfg!(feature = "yaml"))
        {
            assert_eq!(parsed(name, yaml), expected);
        }
        for name in ["config.json", "config"] {
            for mark in ["", "\u{feff}"] {
                assert_eq!(parsed(name, &format!("{mark}{expected}")), expected);
            }
        }
    }

    #[test]
    fn a_file_that_cannot_be_parsed_is_not_quoted() {
        for (name, text) in [
            ("c.json", "{ \"password\": \"hunter2\" \"x\" }"),
            ("c.yaml", "password: \"hunter2\nhost: ["),
            ("c.yaml", "password: hunter2\n  a: b: c\n"),
            ("c.toml", "password = \"hunter2\nhost = 1"),
            ("c.toml", "password = hunter2"),
        ] {
            let (_, error) = parse(Path::new(name), text).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{name}: {error}");
        }
    }
}
