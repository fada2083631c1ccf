//! Decoding of property values into Rust types. Encoding is in `property`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::values::{PropertyPath, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::components::error::InputProblems;
use crate::components::output::{Deferrable, Output, OutputData};
use crate::components::property::IntoProperty;

/// A type that can be decoded from a property value.
///
/// Only [`Output`] and [`Plain`] preserve secrets and dependencies, so all inputs of a program should have one of
/// these types. [`record!`](macro@crate::components::record) implements this trait for objects.
pub trait Decode: Sized {
    /// Decodes the value at `path`. Returns `None` after recording its problems in `problems`.
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self>;

    /// Whether the type contains deferred values. If it does not, a secret or unknown part makes the whole value secret
    /// or unknown.
    const HAS_OUTPUTS: bool = true;

    /// The value of an absent property. `None` if the property is required.
    fn absent() -> Option<Self> {
        None
    }

    /// A placeholder for an invalid property, so that the other properties of the object can be checked.
    fn placeholder() -> Option<Self> {
        None
    }
}

/// An invalid value is decoded as unknown after its problem has been recorded.
impl<T: Deferrable + Decode> Decode for Output<T> {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let OutputData {
            value,
            secret,
            dependencies,
        } = unmarked::<T>(value);
        let value = value.and_then(|inner| T::decode(&inner, path, problems));
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

/// Unwraps a value for the type `T`, and returns the marks that the parts of `T` do not keep.
fn unmarked<T: Decode>(value: &Value) -> OutputData<Cow<'_, Value>> {
    if T::HAS_OUTPUTS {
        let OutputData {
            value,
            secret,
            dependencies,
        } = open(value);
        return OutputData {
            value: value.map(Cow::Borrowed),
            secret,
            dependencies,
        };
    }
    let (value, marks) = value.clone().strip();
    OutputData {
        value: (!marks.unknown).then_some(Cow::Owned(value)),
        secret: marks.secret,
        dependencies: marks.dependencies,
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

/// Null is treated as absent, even inside a secret or an output.
impl<T: Decode> Decode for Option<T> {
    const HAS_OUTPUTS: bool = T::HAS_OUTPUTS;

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
    const HAS_OUTPUTS: bool = T::HAS_OUTPUTS;

    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let elements = expect(value, Value::as_array, "a list", path, problems)?;
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
    const HAS_OUTPUTS: bool = T::HAS_OUTPUTS;

    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let members = expect(value, Value::as_object, "a map", path, problems)?;
        let (mut decoded, mut is_valid) = (Self::new(), true);
        for (name, member) in members {
            if matches!(member.known(), Some(Value::Null)) {
                continue;
            }
            match T::decode(member, &path.join(name.clone()), problems) {
                Some(value) => drop(decoded.insert(name.clone(), value)),
                None => is_valid = false,
            }
        }
        is_valid.then_some(decoded)
    }
}

impl Decode for bool {
    const HAS_OUTPUTS: bool = false;

    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        expect(value, Value::as_bool, "a boolean", path, problems)
    }
}

impl Decode for String {
    const HAS_OUTPUTS: bool = false;

    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        expect(value, Value::as_str, "a string", path, problems).map(str::to_owned)
    }
}

impl Decode for f64 {
    const HAS_OUTPUTS: bool = false;

    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        expect(value, Value::as_number, "a number", path, problems)
    }
}

/// Whole numbers of 32 bits, the integers of the engine's schemas.
impl Decode for i32 {
    const HAS_OUTPUTS: bool = false;

    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let fits = |number: &f64| {
            number.fract() == 0.0 && f64::from(i32::MIN) <= *number && *number <= f64::from(i32::MAX)
        };
        let whole = |value: &Value| value.as_number().filter(fits);
        #[allow(clippy::cast_possible_truncation, reason = "whole and within 32 bits")]
        expect(value, whole, "an integer", path, problems).map(|number| number as i32)
    }
}

impl Decode for Value {
    fn decode(value: &Value, _: &PropertyPath, _: &mut InputProblems) -> Option<Self> {
        Some(value.clone())
    }
}

/// Reads a value without marks. Types without deferred values cannot keep a value secret or leave it unknown.
fn expect<'a, T>(
    value: &'a Value,
    read: impl FnOnce(&'a Value) -> Option<T>,
    what: &str,
    path: &PropertyPath,
    problems: &mut InputProblems,
) -> Option<T> {
    let opened = open(value);
    let reason = match opened.value {
        None => UNKNOWN.to_owned(),
        Some(_) if opened.secret => "cannot be secret".to_owned(),
        Some(value) => match read(value) {
            Some(found) => return Some(found),
            None => format!("expected {what}"),
        },
    };
    problems.add(path, reason);
    None
}

/// The problem of a value that determines the children.
pub(crate) const UNKNOWN: &str = "must be known during a preview, but depends on an unknown value";

/// An input that must be known when the component is constructed, even in a preview, because it determines
/// the children. Its schema has `x-plain`.
#[derive(Clone)]
pub struct Plain<T: Deferrable> {
    value: T,
    output: Output<T>,
}

/// Prints the value only if it is public.
impl<T: Deferrable + fmt::Debug> fmt::Debug for Plain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Plain").field(&self.output).finish()
    }
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
        } = unmarked::<T>(value);
        let Some(inner) = inner else {
            problems.add(path, UNKNOWN);
            return None;
        };
        let value = T::decode(&inner, path, problems)?;
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

/// Any value.
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
