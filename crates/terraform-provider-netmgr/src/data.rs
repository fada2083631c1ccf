//! Arguments of data sources as inputs of functions, and outputs as results.

use netmgr_lookups::{Entry, Property};
use serde_json::{Map, Number as JsonNumber, Value as Json};
use terraform_plugin::{AttributeValue, Diagnostic, Number, Object, Path};

use crate::failure::invalid;
use crate::names;

/// The input of a function. Absent arguments are left out.
pub(crate) fn input(inputs: &[Property], config: &Object) -> Json {
    let members = inputs.iter().filter_map(|input| {
        let value = json(config.get(&names::attribute(&input.name))?, input);
        (!value.is_null()).then(|| (input.name.clone(), value))
    });
    Json::Object(members.collect::<Map<_, _>>())
}

/// A known value as JSON with the names of properties.
pub(crate) fn json(value: &AttributeValue, property: &Property) -> Json {
    match value {
        AttributeValue::Null | AttributeValue::Unknown => Json::Null,
        AttributeValue::Bool(value) => Json::Bool(*value),
        AttributeValue::Number(number) => Json::Number(json_number(*number)),
        AttributeValue::String(text) => Json::String(text.clone()),
        AttributeValue::List(items) => items.iter().map(|item| json(item, property)).collect(),
        AttributeValue::Object(members) => input(&property.properties, members),
    }
}

/// A number that JSON cannot represent is out of the range of every input.
fn json_number(number: Number) -> JsonNumber {
    let whole = match number {
        Number::Integer(number) => {
            JsonNumber::from_i128(number).or_else(|| JsonNumber::from_f64(number as f64))
        }
        Number::Float(number) => JsonNumber::from_f64(number),
    };
    whole.unwrap_or_else(|| JsonNumber::from(u64::MAX))
}

/// Checks arguments without a manager.
pub(crate) fn check(entry: &Entry, config: &Object) -> Vec<Diagnostic> {
    let function = entry.describe();
    let mut diagnostics = deprecations(&function.inputs, config);
    let is_input = |name: &str| function.inputs.iter().any(|input| input.name == name);
    for output in function.outputs.iter().filter(|output| !is_input(&output.name)) {
        let name = names::attribute(&output.name);
        if config.get(&name).is_some_and(|value| !value.is_null()) {
            diagnostics.push(
                Diagnostic::error(
                    "Read-only attribute",
                    format!("`{name}` is set by the provider and cannot be configured."),
                )
                .at(Path::attribute(name)),
            );
        }
    }
    // The rules between arguments need all of them.
    if diagnostics.is_empty() && !config.values().any(AttributeValue::contains_unknown) {
        let problems = entry.check(input(&function.inputs, config));
        diagnostics.extend(problems.iter().map(|problem| invalid(problem, config)));
    }
    diagnostics
}

/// Warnings about deprecated arguments, which hosts do not report.
pub(crate) fn deprecations(properties: &[Property], config: &Object) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for property in properties {
        let name = names::attribute(&property.name);
        let is_set = config.get(&name).is_some_and(|value| !value.is_null());
        if let Some(instead) = property.deprecation.as_ref().filter(|_| is_set) {
            let detail = format!("`{name}` is deprecated: {}.", names::text(instead));
            warnings.push(Diagnostic::warning("Deprecated argument", detail).at(Path::attribute(name)));
        }
    }
    warnings
}

/// The result: arguments as they are configured, and the output in all other attributes. An empty text counts as
/// absent, as in every function (decision terraform).
pub(crate) fn result(entry: &Entry, mut config: Object, output: Json) -> Object {
    let outputs = entry.describe().outputs;
    config.retain(|_, value| !is_absent(value));
    let Json::Object(mut members) = output else {
        return config;
    };
    for property in outputs {
        let name = names::attribute(&property.name);
        if let Some(value) = members.remove(&property.name)
            && !config.contains_key(&name)
        {
            config.insert(name, value_of(value));
        }
    }
    config
}

fn is_absent(value: &AttributeValue) -> bool {
    match value {
        AttributeValue::Null => true,
        AttributeValue::String(text) => text.is_empty(),
        AttributeValue::List(items) => items.is_empty(),
        _ => false,
    }
}

/// A value of an output. Its objects are maps, whose names stay as they are.
fn value_of(json: Json) -> AttributeValue {
    match json {
        Json::Null => AttributeValue::Null,
        Json::Bool(value) => AttributeValue::Bool(value),
        Json::Number(number) => match (number.as_i128(), number.as_f64()) {
            (Some(whole), _) => AttributeValue::Number(Number::Integer(whole)),
            (None, Some(number)) if number.fract() == 0.0 && number.abs() < 1e15 =>
            {
                #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
                AttributeValue::Number(Number::Integer(number as i128))
            }
            (None, Some(number)) => AttributeValue::Number(Number::Float(number)),
            (None, None) => AttributeValue::Null,
        },
        Json::String(text) => AttributeValue::String(text),
        Json::Array(items) => AttributeValue::List(items.into_iter().map(value_of).collect()),
        Json::Object(members) => {
            let members = members.into_iter().map(|(name, value)| (name, value_of(value)));
            AttributeValue::Object(members.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(name: &str) -> &'static Entry {
        names::entry(name).unwrap()
    }

    fn object<const N: usize>(members: [(&str, AttributeValue); N]) -> Object {
        members.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn project(id: AttributeValue) -> AttributeValue {
        AttributeValue::Object(object([("project_id", id)]))
    }

    fn texts(diagnostics: &[Diagnostic]) -> Vec<(&str, &Path)> {
        diagnostics
            .iter()
            .map(|diagnostic| (diagnostic.detail.as_str(), &diagnostic.path))
            .collect()
    }

    #[test]
    fn numbers_beyond_those_of_json_are_as_written() {
        for (number, shown) in [
            (Number::Integer(7), "7"),
            (Number::Integer(10_i128.pow(30)), "1e+30"),
            (Number::Integer(-(10_i128.pow(30))), "-1e+30"),
            (Number::Float(0.5), "0.5"),
        ] {
            assert_eq!(json_number(number).to_string(), shown);
        }
    }

    #[test]
    fn arguments_become_inputs_without_the_absent_ones() {
        let config = object([
            ("id", AttributeValue::Null),
            ("display_name", "web".into()),
            ("path", AttributeValue::Null),
            ("context", project("dev".into())),
        ]);
        assert_eq!(
            input(&entry("netmgr_policy_certificate").describe().inputs, &config),
            json!({ "displayName": "web", "context": { "projectId": "dev" } })
        );
        let config = object([("display_name", "web".into()), ("context", AttributeValue::Null)]);
        assert_eq!(
            input(&entry("netmgr_policy_certificate").describe().inputs, &config),
            json!({ "displayName": "web" })
        );
    }

    #[test]
    fn a_configured_argument_comes_back_as_written_and_an_empty_one_is_filled_in() {
        let config = object([
            ("display_name", "ed".into()),
            ("id", "".into()),
            ("site_path", AttributeValue::Null),
        ]);
        let output = json!({ "displayName": "edge", "id": "1", "description": "", "path": "/p" });
        let result = result(entry("netmgr_policy_edge_cluster"), config, output);
        assert!(
            result
                == object([
                    ("display_name", "ed".into()),
                    ("id", "1".into()),
                    ("description", "".into()),
                    ("path", "/p".into()),
                ])
        );
    }

    #[test]
    fn an_object_comes_back_as_written() {
        let config = object([("id", "1".into()), ("context", project("dev".into()))]);
        let output = json!({ "context": { "projectId": "dev" }, "id": "1", "path": "/p" });
        let result = result(entry("netmgr_policy_certificate"), config, output);
        assert!(result["context"] == project("dev".into()));
        assert!(result["path"] == "/p".into());
    }

    #[test]
    fn computed_attributes_cannot_be_configured() {
        let config = object([("id", "1".into()), ("path", "/p".into())]);
        let found = check(entry("netmgr_policy_certificate"), &config);
        assert_eq!(
            texts(&found),
            [(
                "`path` is set by the provider and cannot be configured.",
                &Path::attribute("path")
            )]
        );
        // Also when they are not known yet.
        let config = object([("id", "1".into()), ("path", AttributeValue::Unknown)]);
        assert_eq!(check(entry("netmgr_policy_certificate"), &config).len(), 1);
    }

    #[test]
    fn problems_have_the_path_of_the_argument() {
        let config = object([("id", "1".into()), ("context", project("default".into()))]);
        let found = check(entry("netmgr_policy_certificate"), &config);
        let path = Path::attribute("context");
        assert_eq!(
            texts(&found),
            [(
                "`context.project_id` must not be \"default\"; omit the context for objects outside all projects.",
                &path
            )]
        );
    }

    #[test]
    fn unknown_arguments_are_not_checked() {
        let config = object([
            ("id", AttributeValue::Unknown),
            ("context", project("default".into())),
        ]);
        assert_eq!(check(entry("netmgr_policy_certificate"), &config), []);
        let config = object([("context", AttributeValue::Unknown)]);
        assert_eq!(check(entry("netmgr_policy_certificate"), &config), []);
    }

    #[test]
    fn numbers_keep_their_value() {
        let inputs = entry("netmgr_compute_manager_realization").describe().inputs;
        let config = object([
            ("id", "1".into()),
            ("delay", AttributeValue::Number(Number::Float(1.5))),
            ("timeout", 600.into()),
        ]);
        assert_eq!(
            input(&inputs, &config),
            json!({ "id": "1", "delay": 1.5, "timeout": 600 })
        );
        assert!(value_of(json!(5.0)) == 5.into());
        assert!(value_of(json!(0.5)) == AttributeValue::Number(Number::Float(0.5)));
        let huge = object([
            ("id", "1".into()),
            ("timeout", AttributeValue::Number(Number::Integer(i128::MAX))),
        ]);
        assert_eq!(check(entry("netmgr_compute_manager_realization"), &huge).len(), 1);
    }
}
