//! Conversion of deferred values to properties of a child. Decoding is in `decode`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::values::{Object, OutputValue, Urn, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::components::combine::all_of;
use crate::components::output::{Deferrable, Output, OutputData};

/// A list whose elements may each be deferred.
pub type List<T> = Output<Vec<Output<T>>>;

/// A map whose values may each be deferred.
pub type Map<T> = Output<BTreeMap<String, Output<T>>>;

/// A type that can be a property of a child or an argument of a call.
///
/// Marks are preserved for each part: if one element of a list is unknown or secret, only that element is
/// unknown or secret for the engine. `None` and null are omitted from objects.
pub trait IntoProperty {
    /// Converts the value to a property.
    fn into_property(self) -> Output<Value>;
}

impl<T: Deferrable + IntoProperty> IntoProperty for Output<T> {
    fn into_property(self) -> Output<Value> {
        self.then(T::into_property)
    }
}

impl<T: IntoProperty> IntoProperty for Option<T> {
    fn into_property(self) -> Output<Value> {
        self.map_or_else(|| Output::known(Value::Null), T::into_property)
    }
}

impl<T: IntoProperty> IntoProperty for Vec<T> {
    fn into_property(self) -> Output<Value> {
        let parts: Vec<_> = self.into_iter().map(T::into_property).collect();
        let known = parts.clone();
        all_of(parts.into_iter().map(whole).collect())
            .map(Value::Array)
            .with_known_parts(|| Value::Array(known.iter().map(known_so_far).collect()))
    }
}

impl<T: IntoProperty, const N: usize> IntoProperty for [T; N] {
    fn into_property(self) -> Output<Value> {
        Vec::from(self).into_property()
    }
}

impl<T: IntoProperty> IntoProperty for BTreeMap<String, T> {
    fn into_property(self) -> Output<Value> {
        self.into_iter().collect::<Properties>().into_property()
    }
}

macro_rules! plain_properties {
    ($($T:ty),+) => {$(
        impl IntoProperty for $T {
            fn into_property(self) -> Output<Value> {
                Output::known(Value::from(self))
            }
        }
    )+};
}

plain_properties!(bool, f64, i32, u32, &str, String);

impl IntoProperty for Value {
    fn into_property(self) -> Output<Value> {
        Output::known(self)
    }
}

impl IntoProperty for i64 {
    #[allow(clippy::cast_precision_loss, reason = "the engine knows doubles only")]
    fn into_property(self) -> Output<Value> {
        Output::known(Value::Number(self as f64))
    }
}

/// Named properties, which may be deferred. Created with [`properties!`](crate::components::properties).
#[derive(Clone, Default)]
pub struct Properties(BTreeMap<String, Output<Value>>);

/// Resolved [`Properties`].
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ResolvedProperties {
    pub(crate) values: Object,
    /// For each property, the resources that it depends on.
    pub(crate) dependencies: BTreeMap<String, BTreeSet<Urn>>,
}

impl Properties {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a property.
    #[must_use]
    pub fn with(self, name: impl Into<String>, value: impl IntoProperty) -> Self {
        self.with_output(name.into(), value.into_property())
    }

    fn with_output(mut self, name: String, value: Output<Value>) -> Self {
        self.0.insert(name, value);
        self
    }

    /// The properties, and the parts of them, that are resolved. The others are unknown.
    pub(crate) fn peek(&self) -> Object {
        let values = self.0.iter();
        values
            .map(|(name, output)| (name.clone(), known_so_far(output)))
            .filter(|(_, value)| !value.is_null())
            .collect()
    }

    /// Waits for all properties.
    pub(crate) async fn resolve(&self) -> Result<ResolvedProperties, crate::components::ConstructError> {
        let mut resolved = ResolvedProperties::default();
        for (name, output) in &self.0 {
            let (value, urns) = closed(output.resolve().await?);
            if value.is_null() {
                continue;
            }
            resolved.dependencies.insert(name.clone(), urns);
            resolved.values.insert(name.clone(), value);
        }
        Ok(resolved)
    }
}

impl ResolvedProperties {
    /// Converts the properties to one value, which is unknown if any property is unknown, and has no secrets inside.
    pub(crate) fn into_data(self) -> OutputData<Object> {
        let dependencies = self.dependencies.into_values().flatten().collect();
        let (value, marks) = Value::Object(self.values).strip();
        let value = match value {
            Value::Object(members) if !marks.unknown => Some(members),
            _ => None,
        };
        OutputData {
            value,
            secret: marks.secret,
            dependencies,
        }
    }
}

impl<K: Into<String>, T: IntoProperty> FromIterator<(K, T)> for Properties {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(entries: I) -> Self {
        let mut properties = Self::new();
        for (name, value) in entries {
            properties = properties.with(name, value);
        }
        properties
    }
}

/// Any object.
impl JsonSchema for Properties {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Properties".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

impl fmt::Debug for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.0).finish()
    }
}

impl IntoProperty for Properties {
    fn into_property(self) -> Output<Value> {
        let known = self.clone();
        let (names, parts): (Vec<_>, Vec<_>) = self.0.into_iter().map(|(n, part)| (n, whole(part))).unzip();
        let object = all_of(parts).map(|values| {
            Value::Object(
                names
                    .into_iter()
                    .zip(values)
                    .filter(|(_, value)| !value.is_null())
                    .collect(),
            )
        });
        object.with_known_parts(|| Value::Object(known.peek()))
    }
}

/// The value of an output, with unknown parts if they are not resolved yet.
fn known_so_far(output: &Output<Value>) -> Value {
    match output.peek() {
        Some(data) => closed(data.clone()).0,
        None => output.known_parts().cloned().unwrap_or(Value::UNKNOWN),
    }
}

/// Moves the marks of a part of a list or object into its value, which is then always known, so that they do not affect
/// other parts.
fn whole(part: Output<Value>) -> Output<Value> {
    part.alter(|data| {
        let (value, dependencies) = closed(data);
        Output::ready(OutputData {
            dependencies,
            ..OutputData::known(value)
        })
    })
}

/// Returns the value with its marks inside, and its dependencies.
pub(crate) fn closed(data: OutputData<Value>) -> (Value, BTreeSet<Urn>) {
    let OutputData {
        value,
        secret,
        dependencies,
    } = data;
    let value = value.unwrap_or(Value::UNKNOWN);
    (
        if secret && !value.is_null() {
            Value::secret(value)
        } else {
            value
        },
        dependencies,
    )
}

/// Adds dependencies to the values of properties.
pub(crate) fn depending(mut values: Object, dependencies: &BTreeMap<String, BTreeSet<Urn>>) -> Object {
    for (name, urns) in dependencies.iter().filter(|(_, urns)| !urns.is_empty()) {
        if let Some(value) = values.get_mut(name) {
            *value = Value::from(OutputValue {
                value: Some(Box::new(std::mem::take(value))),
                secret: false,
                dependencies: urns.iter().cloned().collect(),
            });
        }
    }
    values
}

/// Named properties: `properties! { "role": role.id(), "tags": tags }`. Values are anything that implements
/// [`IntoProperty`](crate::components::IntoProperty); `None` omits the property.
#[macro_export]
macro_rules! properties {
    ($($name:literal : $value:expr),* $(,)?) => {
        $crate::components::Properties::new()$(.with($name, $value))*
    };
}

/// Converts a value to JSON text with sorted members, for policy documents and configuration values. The text
/// is unknown or secret if any part of the value is.
pub fn json_text(value: impl IntoProperty) -> Output<String> {
    value.into_property().then(|value| {
        let (bare, marks) = value.strip();
        let data = OutputData {
            value: (!marks.unknown).then(|| bare.to_json().to_string()),
            secret: marks.secret,
            dependencies: marks.dependencies,
        };
        Output::ready(data)
    })
}
