//! JSON schemas of inputs, outputs and the configuration. The schemas that schemars derives are adjusted to
//! describe exactly what is accepted and returned.

mod kind;

use std::borrow::Cow;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

pub use kind::Kind;

/// The schema of an object that is decoded: an input or the configuration.
///
/// `null` means absent, so an optional property allows it.
#[must_use]
pub fn input<T: JsonSchema>() -> Schema {
    root(input_settings, T::schema_name(), T::json_schema)
}

/// The schema of an output.
///
/// A property without a value is omitted, so no property allows `null`.
#[must_use]
pub fn output<T: JsonSchema>() -> Schema {
    root(output_settings, T::schema_name(), T::json_schema)
}

fn input_settings() -> SchemaSettings {
    SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(join_lines))
        .with_transform(RecursiveTransform(bound_numbers))
        .with_transform(RecursiveTransform(allow_null_in_enum))
        .with_transform(RecursiveTransform(drop_null_default))
}

fn output_settings() -> SchemaSettings {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(RecursiveTransform(join_lines))
        .with_transform(RecursiveTransform(bound_numbers))
        .with_transform(RecursiveTransform(drop_null_default))
        .with_transform(RecursiveTransform(refuse_null))
}

/// The schema that `describe` writes, as a separate document. Does the same as `SchemaGenerator::into_root_schema_for`,
/// but is compiled once rather than for each of hundreds of types.
fn root(
    settings: fn() -> SchemaSettings,
    title: Cow<'static, str>,
    describe: fn(&mut SchemaGenerator) -> Schema,
) -> Schema {
    let mut generator = settings().into_generator();
    let mut schema = describe(&mut generator);
    let definitions = generator.take_definitions(false);
    let object = schema.ensure_object();
    object.entry("title").or_insert_with(|| title.into_owned().into());
    if let Some(dialect) = generator.settings().meta_schema.as_deref() {
        object.insert("$schema".to_owned(), dialect.into());
    }
    if !definitions.is_empty() {
        object.insert("$defs".to_owned(), definitions.into());
    }
    for transform in generator.transforms_mut() {
        transform.transform(&mut schema);
    }
    schema
}

/// Joins the lines of each paragraph of a description, which derived schemas break as in the source.
fn join_lines(schema: &mut Schema) {
    if let Some(Value::String(description)) = schema.get_mut("description") {
        let paragraphs: Vec<String> = description
            .split("\n\n")
            .map(|text| text.replace('\n', " "))
            .collect();
        *description = paragraphs.join("\n\n");
    }
}

/// Adds the range of a Rust integer, which derived schemas express as a non-standard `format`.
fn bound_numbers(schema: &mut Schema) {
    let format = match schema.get("format") {
        Some(Value::String(format)) => format.as_str(),
        _ => return,
    };
    match format {
        "uint32" => {
            let bounds = schema.ensure_object();
            bounds.entry("maximum").or_insert(json!(u32::MAX));
        }
        "uint16" | "int64" | "double" => {}
        _ => return,
    }
    schema.remove("format");
}

/// Adds `null` to the permitted values of an optional property.
fn allow_null_in_enum(schema: &mut Schema) {
    let nullable = matches!(schema.get("type"), Some(Value::Array(types)) if types.contains(&json!("null")));
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && nullable
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
}

/// Removes a default that only expresses that a property is optional.
fn drop_null_default(schema: &mut Schema) {
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
}

/// Removes `null` from the permitted values of a property.
fn refuse_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") {
        alternatives.retain(|alternative| alternative["type"] != "null");
        if let [Value::Object(only)] = &alternatives[..] {
            let only = only.clone();
            schema.remove("anyOf");
            schema.ensure_object().extend(only);
        }
    }
}

#[cfg(test)]
mod tests;
