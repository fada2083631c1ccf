//! Tests of `schema.rs`.

use schemars::json_schema;

use super::*;

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is read")]
struct DocumentedInput {
    /// A text that goes on
    /// in the next line.
    ///
    /// A paragraph.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// A number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<u32>,
    /// A word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["A", "B"]))]
    word: Option<String>,
    /// An inner object.
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<DocumentedObject>,
    /// A list.
    list: Vec<f64>,
}

/// Another object.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is read")]
struct DocumentedObject {
    /// A text that goes on
    /// in the next line.
    text: String,
}

#[test]
fn an_input_allows_null_where_it_allows_nothing() {
    let schema = input::<DocumentedInput>();
    assert_eq!(
        schema.as_value()["properties"],
        json!({
            "text": {
                "description": "A text that goes on in the next line.\n\nA paragraph.",
                "type": ["string", "null"],
            },
            "number": {
                "description": "A number.",
                "type": ["integer", "null"], "minimum": 0, "maximum": 4_294_967_295_u32,
            },
            "word": { "description": "A word.", "type": ["string", "null"], "enum": ["A", "B", null] },
            "inner": {
                "description": "An inner object.",
                "anyOf": [{ "$ref": "#/$defs/DocumentedObject" }, { "type": "null" }],
            },
            "list": { "description": "A list.", "type": "array", "items": { "type": "number" } },
        })
    );
    assert_eq!(schema.as_value()["required"], json!(["list"]));
}

#[test]
fn an_output_leaves_out_and_is_never_null() {
    let schema = output::<DocumentedInput>();
    assert_eq!(
        schema.as_value()["properties"],
        json!({
            "text": {
                "description": "A text that goes on in the next line.\n\nA paragraph.",
                "type": "string",
            },
            "number": {
                "description": "A number.",
                "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32,
            },
            "word": { "description": "A word.", "type": "string", "enum": ["A", "B"] },
            "inner": { "description": "An inner object.", "$ref": "#/$defs/DocumentedObject" },
            "list": { "description": "A list.", "type": "array", "items": { "type": "number" } },
        })
    );
    assert_eq!(schema.as_value()["required"], json!(["list"]));
    assert_eq!(
        schema.as_value()["$defs"]["DocumentedObject"]["properties"]["text"]["description"],
        json!("A text that goes on in the next line.")
    );
}

#[test]
fn formats_of_texts_stay() {
    let mut schema = json_schema!({ "type": "string", "format": "uri" });
    bound_numbers(&mut schema);
    assert_eq!(schema, json_schema!({ "type": "string", "format": "uri" }));
}
