//! Values of attributes as JSON, and JSON as values of attributes.

use netmgr_lookups::{Property, Shape};
use serde_json::{Map, Number as JsonNumber, Value as Json};
use terraform_plugin::{AttributeValue, Number, Object};

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
        // An object without any value, such as a context whose project is null, is treated as absent.
        AttributeValue::Object(members) => match input(&property.properties, members) {
            Json::Object(members) if members.is_empty() => Json::Null,
            input => input,
        },
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

/// The value of an output. One with members of any kind is JSON text (decision any-object).
pub(crate) fn output(json: Json, property: &Property) -> AttributeValue {
    match property.shape {
        Shape::Json if !json.is_null() => AttributeValue::String(json.to_string()),
        _ => value_of(json, &property.properties),
    }
}

/// A value of an output. The members of objects with `properties` are renamed to attributes; other objects are maps,
/// whose names are not changed.
fn value_of(json: Json, properties: &[Property]) -> AttributeValue {
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
        Json::Array(items) => {
            let items = items.into_iter().map(|item| value_of(item, properties));
            AttributeValue::List(items.collect())
        }
        Json::Object(members) if properties.is_empty() => {
            let members = members
                .into_iter()
                .map(|(name, value)| (name, value_of(value, &[])));
            AttributeValue::Object(members.collect())
        }
        Json::Object(mut members) => {
            let members = properties.iter().map(|property| {
                let value = members.remove(&property.name).unwrap_or_default();
                (names::attribute(&property.name), output(value, property))
            });
            AttributeValue::Object(members.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::data_source::DataSource;

    fn object<const N: usize>(members: [(&str, AttributeValue); N]) -> Object {
        members.map(|(name, value)| (name.to_owned(), value)).into()
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
        let inputs = &DataSource::named("netmgr_policy_certificate").inputs;
        let config = object([
            ("id", AttributeValue::Null),
            ("display_name", "web".into()),
            ("path", AttributeValue::Null),
            (
                "context",
                AttributeValue::Object(object([("project_id", "dev".into())])),
            ),
        ]);
        assert_eq!(
            input(inputs, &config),
            json!({ "displayName": "web", "context": { "projectId": "dev" } })
        );
        let config = object([("display_name", "web".into()), ("context", AttributeValue::Null)]);
        assert_eq!(input(inputs, &config), json!({ "displayName": "web" }));
    }

    #[test]
    fn numbers_keep_their_value() {
        let inputs = &DataSource::named("netmgr_compute_manager_realization").inputs;
        let config = object([
            ("id", "1".into()),
            ("delay", AttributeValue::Number(Number::Float(1.5))),
            ("timeout", 600.into()),
        ]);
        assert_eq!(
            input(inputs, &config),
            json!({ "id": "1", "delay": 1.5, "timeout": 600 })
        );
        assert!(value_of(json!(5.0), &[]) == 5.into());
        assert!(value_of(json!(0.5), &[]) == AttributeValue::Number(Number::Float(0.5)));
    }
}
