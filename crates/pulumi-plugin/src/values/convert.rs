//! Conversions from Rust types to values.

use crate::values::{Archive, Asset, Object, OutputValue, ResourceReference, Value};

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Number(value.into())
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Number(value.into())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        values.into_iter().collect()
    }
}

impl From<Object> for Value {
    fn from(members: Object) -> Self {
        Self::Object(members)
    }
}

impl From<OutputValue> for Value {
    fn from(output: OutputValue) -> Self {
        Self::Output(Box::new(output))
    }
}

impl From<ResourceReference> for Value {
    fn from(reference: ResourceReference) -> Self {
        Self::Resource(Box::new(reference))
    }
}

impl From<Asset> for Value {
    fn from(asset: Asset) -> Self {
        Self::Asset(Box::new(asset))
    }
}

impl From<Archive> for Value {
    fn from(archive: Archive) -> Self {
        Self::Archive(Box::new(archive))
    }
}

/// `None` becomes [`Value::Null`].
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Collects elements into an array.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::Array(values.into_iter().map(Into::into).collect())
    }
}

/// Creates an object from its members.
impl<K: Into<String>, const N: usize> From<[(K, Value); N]> for Value {
    fn from(members: [(K, Value); N]) -> Self {
        Self::Object(
            members
                .into_iter()
                .map(|(name, value)| (name.into(), value))
                .collect(),
        )
    }
}
