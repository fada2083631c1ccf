//! Decoding of property values into Rust types. Encoding is in `property`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::values::{PropertyPath, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::components::error::InputProblems;
use crate::components::output::{Deferrable, Output, OutputData};
use crate::components::property::IntoProperty;

/// A type that can be decoded from a property value.
///
/// Only [`Output`] and [`Plain`] preserve secrets and dependencies, so all inputs of a program have one of
/// these types. [`record!`](crate::components::record) implements this trait for objects.
pub trait Decode: Sized {
    /// Decodes the value at `path`. Returns `None` after recording its problems in `problems`.
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self>;

    /// The value of an absent property. `None` if the property is required.
    fn absent() -> Option<Self> {
        None
    }

    /// A placeholder for an invalid property, so that the rest of the object can be checked.
    fn placeholder() -> Option<Self> {
        None
    }
}

/// An invalid value counts as unknown after its problem was recorded.
impl<T: Deferrable + Decode> Decode for Output<T> {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let OutputData {
            value,
            secret,
            dependencies,
        } = open(value);
        let value = value.and_then(|inner| T::decode(inner, path, problems));
        Some(Output::ready(OutputData {
            value,
            secret,
            dependencies,
        }))
    }

    fn absent() -> Option<Self> {
        T::absent().map(Output::known)
    }

    fn placeholder() -> Option<Self> {
        Some(Output::unknown())
    }
}

/// Unwraps secrets and outputs around a value, and returns their marks.
pub(crate) fn open(value: &Value) -> OutputData<&Value> {
    match value {
        Value::Secret(inner) => OutputData {
            secret: true,
            ..open(inner)
        },
        Value::Output(output) => output
            .value
            .as_deref()
            .map_or_else(OutputData::unknown, open)
            .tainted(output.secret, output.dependencies.iter().cloned().collect()),
        Value::Unknown(_) => OutputData::unknown(),
        value => OutputData::known(value),
    }
}

/// Null counts as absent, even if it is wrapped.
impl<T: Decode> Decode for Option<T> {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        match value.known() {
            Some(Value::Null) => Some(None),
            _ => Some(T::decode(value, path, problems)),
        }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let elements = expect(value.as_array(), "a list", path, problems)?;
        let decoded: Vec<_> = elements
            .iter()
            .enumerate()
            .map(|(index, element)| T::decode(element, &path.join(index), problems))
            .collect();
        decoded.into_iter().collect()
    }
}

/// Members that are null are omitted.
impl<T: Decode> Decode for BTreeMap<String, T> {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let members = expect(value.as_object(), "a map", path, problems)?;
        let decoded: Vec<_> = members
            .iter()
            .filter(|(_, member)| !matches!(member.known(), Some(Value::Null)))
            .map(|(name, member)| {
                Some((
                    name.clone(),
                    T::decode(member, &path.join(name.clone()), problems)?,
                ))
            })
            .collect();
        decoded.into_iter().collect()
    }
}

impl Decode for bool {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        expect(value.as_bool(), "a boolean", path, problems)
    }
}

impl Decode for String {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        expect(value.as_str(), "a string", path, problems).map(str::to_owned)
    }
}

impl Decode for f64 {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        expect(value.as_number(), "a number", path, problems)
    }
}

/// Whole numbers of 32 bits, which are integers in schemas of the engine.
impl Decode for i32 {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let fits = |number: &f64| {
            number.fract() == 0.0 && f64::from(i32::MIN) <= *number && *number <= f64::from(i32::MAX)
        };
        #[allow(clippy::cast_possible_truncation, reason = "whole and within 32 bits")]
        expect(value.as_number().filter(fits), "an integer", path, problems).map(|number| number as i32)
    }
}

impl Decode for Value {
    fn decode(value: &Value, _: &PropertyPath, _: &mut InputProblems) -> Option<Self> {
        Some(value.clone())
    }
}

fn expect<T>(found: Option<T>, what: &str, path: &PropertyPath, problems: &mut InputProblems) -> Option<T> {
    if found.is_none() {
        problems.add(path, format!("expected {what}"));
    }
    found
}

/// An input that must be known when the component is constructed, even in a preview, because it determines
/// the children. Its schema has `x-plain`.
#[derive(Debug, Clone)]
pub struct Plain<T: Deferrable> {
    value: T,
    output: Output<T>,
}

impl<T: Deferrable> Plain<T> {
    /// The value.
    pub fn get(&self) -> &T {
        &self.value
    }

    /// The value with its marks: secret and dependencies.
    pub fn output(&self) -> Output<T> {
        self.output.clone()
    }
}

impl<T: Deferrable> From<T> for Plain<T> {
    fn from(value: T) -> Self {
        Self {
            output: Output::known(value.clone()),
            value,
        }
    }
}

impl From<&str> for Plain<String> {
    fn from(value: &str) -> Self {
        value.to_owned().into()
    }
}

impl<T: Deferrable + Decode> Decode for Plain<T> {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let OutputData {
            value: inner,
            secret,
            dependencies,
        } = open(value);
        let Some(inner) = inner else {
            problems.add(
                path,
                "must be known during a preview, but depends on an unknown value",
            );
            return None;
        };
        let value = T::decode(inner, path, problems)?;
        let output = Output::ready(OutputData {
            value: Some(value.clone()),
            secret,
            dependencies,
        });
        Some(Self { value, output })
    }
}

impl<T: Deferrable + IntoProperty> IntoProperty for Plain<T> {
    fn into_property(self) -> Output<Value> {
        self.output.into_property()
    }
}

/// Anything.
impl JsonSchema for Value {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

/// A deferred value has the schema of the value.
impl<T: Deferrable + JsonSchema> JsonSchema for Output<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<T: Deferrable + JsonSchema> JsonSchema for Plain<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Plain{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = generator.subschema_for::<T>();
        schema.insert("x-plain".to_owned(), true.into());
        schema
    }
}
