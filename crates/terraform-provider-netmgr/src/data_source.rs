//! Functions as data sources, each under two names: the check of arguments, and the result of a read.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use netmgr_lookups::{ALL, FunctionEntry, Property};
use serde_json::Value as Json;
use terraform_plugin::{AttributeValue, Block, Diagnostic, Object, Path};

use crate::diagnostics::{deprecation, deprecations, invalid};
use crate::{names, nsxt, schema, values};

/// All data sources by their names.
static DATA_SOURCES: LazyLock<BTreeMap<String, DataSource>> = LazyLock::new(|| {
    let sources = ALL.iter().flat_map(DataSource::of);
    sources.map(|source| (source.name.clone(), source)).collect()
});

/// A function as a data source.
pub(crate) struct DataSource {
    /// `netmgr_ip_pool` or `nsxt_ip_pool`.
    pub(crate) name: String,
    /// The function.
    pub(crate) entry: &'static FunctionEntry,
    pub(crate) inputs: Arc<[Property]>,
    pub(crate) outputs: Arc<[Property]>,
    /// Its schema.
    pub(crate) block: Block,
    /// How it differs from the data source `netmgr_*`.
    shape: Option<nsxt::NsxtShape>,
}

impl DataSource {
    /// The data sources of a function.
    fn of(entry: &'static FunctionEntry) -> [Self; 2] {
        let function = entry.describe();
        let bare = names::bare(function.name);
        let [inputs, outputs] = [function.inputs, function.outputs].map(Arc::from);
        let block = schema::data_source(entry, &inputs, &outputs);
        let (shape, there) = nsxt::NsxtShape::of(&bare, entry.spec.has_counterpart, &block);
        [(names::PREFIX, block, None), (nsxt::PREFIX, there, Some(shape))].map(|(prefix, block, shape)| {
            Self {
                name: format!("{prefix}{bare}"),
                entry,
                inputs: Arc::clone(&inputs),
                outputs: Arc::clone(&outputs),
                block,
                shape,
            }
        })
    }

    /// All data sources, by name.
    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        DATA_SOURCES.values()
    }

    /// The data source with this name, which the schema contains: others do not reach the provider.
    pub(crate) fn named(name: &str) -> &'static Self {
        &DATA_SOURCES[name]
    }

    /// Whether the function has an input with this name.
    fn has_input(&self, name: &str) -> bool {
        self.inputs.iter().any(|input| input.name == name)
    }

    /// The arguments with the names and shapes of `netmgr_*`.
    fn arguments<'a>(&self, config: &'a Object) -> Cow<'a, Object> {
        match &self.shape {
            Some(shape) => Cow::Owned(shape.arguments(config)),
            None => Cow::Borrowed(config),
        }
    }

    /// The input of the function.
    pub(crate) fn input(&self, config: &Object) -> Json {
        values::input(&self.inputs, &self.arguments(config))
    }

    /// Checks arguments without a manager.
    pub(crate) fn check(&self, config: &Object) -> Vec<Diagnostic> {
        let arguments = self.arguments(config);
        let mut diagnostics = deprecations(&self.inputs, &arguments);
        for output in self.outputs.iter().filter(|output| !self.has_input(&output.name)) {
            let name = names::attribute(&output.name);
            if arguments.get(&name).is_some_and(|value| !value.is_null()) {
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
        if diagnostics.is_empty() && !arguments.values().any(AttributeValue::contains_unknown) {
            let problems = self.entry.check(values::input(&self.inputs, &arguments));
            diagnostics.extend(problems.iter().map(|problem| invalid(problem, config)));
        }
        if self.block.deprecated {
            diagnostics.push(deprecation(&self.name, nsxt::PREFIX, self.entry.spec.successors));
        }
        diagnostics
    }

    /// The result. Empty strings are treated as unset, as in every function (decision terraform).
    ///
    /// `netmgr_*` returns arguments unchanged, and fills in all other attributes. `nsxt_*` returns the values of the
    /// object, and only the arguments that it does not fill in.
    pub(crate) fn result(&self, mut config: Object, output: Json) -> Object {
        config.retain(|_, value| !is_absent(value));
        let mut result = self.attributes(&self.arguments(&config), output);
        match &self.shape {
            Some(shape) => shape.state(result, config),
            None => {
                result.extend(config);
                result
            }
        }
    }

    /// The output as attributes of `netmgr_*`.
    fn attributes(&self, arguments: &Object, output: Json) -> Object {
        let Json::Object(mut members) = output else {
            return Object::new();
        };
        let attributes = self.outputs.iter().filter_map(|property| {
            let value = members.remove(&property.name)?;
            let name = match &property.secret_if {
                Some(input) if is_set(arguments, input) => {
                    names::sensitive(&names::attribute(&property.name))
                }
                _ => names::attribute(&property.name),
            };
            Some((name, values::output(value, property)))
        });
        attributes.collect()
    }
}

/// Whether an input is true.
fn is_set(config: &Object, input: &str) -> bool {
    config.get(&names::attribute(input)) == Some(&AttributeValue::Bool(true))
}

fn is_absent(value: &AttributeValue) -> bool {
    match value {
        AttributeValue::Null => true,
        AttributeValue::String(text) => text.is_empty(),
        AttributeValue::List(items) => items.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn source(name: &str) -> &'static DataSource {
        DataSource::named(name)
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
    fn a_configured_argument_comes_back_as_written_and_an_empty_one_is_filled_in() {
        let config = object([
            ("display_name", "ed".into()),
            ("id", "".into()),
            ("site_path", AttributeValue::Null),
        ]);
        let output = json!({ "displayName": "edge", "id": "1", "description": "", "path": "/p" });
        let result = source("netmgr_policy_edge_cluster").result(config, output);
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
    fn an_output_that_an_argument_makes_secret_is_in_another_attribute() {
        let source = source("netmgr_policy_object");
        let output = json!({ "id": "1", "object": { "id": "1", "list": [1, "a", null] } });
        let text = || AttributeValue::from(r#"{"id":"1","list":[1,"a",null]}"#);
        let plain = object([("include_sensitive", false.into())]);
        let plain = source.result(plain, output.clone());
        assert!(plain["object"] == text() && !plain.contains_key("sensitive_object"));
        let secret = source.result(object([("include_sensitive", true.into())]), output);
        assert!(secret["sensitive_object"] == text() && !secret.contains_key("object"));
        let rows = json!({ "objects": [{ "id": "1", "object": { "a": 1 }, "path": "/p" }] });
        let listed = DataSource::named("netmgr_policy_objects");
        let AttributeValue::List(rows) = listed.result(Object::new(), rows).remove("objects").unwrap() else {
            panic!("objects are a list")
        };
        let AttributeValue::Object(row) = &rows[0] else {
            panic!("{rows:?}")
        };
        assert!(row["object"] == r#"{"a":1}"#.into());
    }

    #[test]
    fn an_object_comes_back_as_written() {
        let config = object([("id", "1".into()), ("context", project("dev".into()))]);
        let output = json!({ "context": { "projectId": "dev" }, "id": "1", "path": "/p" });
        let result = source("netmgr_policy_certificate").result(config, output);
        assert!(result["context"] == project("dev".into()));
        assert!(result["path"] == "/p".into());
    }

    #[test]
    fn computed_attributes_cannot_be_configured() {
        let config = object([("id", "1".into()), ("path", "/p".into())]);
        let found = source("netmgr_policy_certificate").check(&config);
        assert_eq!(
            texts(&found),
            [(
                "`path` is set by the provider and cannot be configured.",
                &Path::attribute("path")
            )]
        );
        // Also when they are not known yet.
        let config = object([("id", "1".into()), ("path", AttributeValue::Unknown)]);
        assert_eq!(source("netmgr_policy_certificate").check(&config).len(), 1);
    }

    #[test]
    fn problems_have_the_path_of_the_argument() {
        let config = object([("id", "1".into()), ("context", project("default".into()))]);
        let found = source("netmgr_policy_certificate").check(&config);
        let path = Path::attribute("context");
        assert_eq!(
            texts(&found),
            [(
                "`context.project_id` must not be \"default\"; omit `context` for objects outside all projects.",
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
        assert_eq!(source("netmgr_policy_certificate").check(&config), []);
        let config = object([("context", AttributeValue::Unknown)]);
        assert_eq!(source("netmgr_policy_certificate").check(&config), []);
    }

    #[test]
    fn a_number_without_limits_is_an_invalid_argument() {
        let huge = object([
            ("id", "1".into()),
            (
                "timeout",
                AttributeValue::Number(terraform_plugin::Number::Integer(i128::MAX)),
            ),
        ]);
        assert_eq!(source("netmgr_compute_manager_realization").check(&huge).len(), 1);
    }
}
