//! Property values. They are encoded in [`crate::values::wire`]; marks are in [`crate::values::marks`].

use std::collections::BTreeMap;
use std::fmt;

use crate::values::{Unknown, Urn};

/// Named property values, in the order of their names.
pub type Object = BTreeMap<String, Value>;

/// A property value that the engine and plugins exchange.
///
/// Rare and large variants are boxed, because maps have a hundred thousand values.
///
/// `Debug` prints secrets at any depth as `[secret]`.
///
/// The encoding has no escapes, which causes two limitations: a [`Value::String`] whose text is a sentinel of
/// [`Unknown`] is decoded as an unknown value, and a [`Value::Object`] with the engine's signature key is
/// decoded as an envelope.
#[derive(Clone, Default, PartialEq)]
pub enum Value {
    /// No value; the same as an absent member.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// Every number is a double; integers beyond 2⁵³ lose precision.
    Number(f64),
    /// Text.
    String(String),
    /// Bytes that are not text. Only sent to a peer that negotiated byte strings.
    Bytes(Vec<u8>),
    /// Values in sequence.
    Array(Vec<Value>),
    /// Named values.
    Object(Object),
    /// A secret value.
    Secret(Box<Value>),
    /// A value with marks.
    Output(Box<OutputValue>),
    /// A resource.
    Resource(Box<ResourceReference>),
    /// A file, or text used as one.
    Asset(Box<Asset>),
    /// A collection of files.
    Archive(Box<Archive>),
    /// A value that is not known yet.
    Unknown(Unknown),
}

/// A value with marks: whether it is known and secret, and its dependencies.
#[derive(Clone, Default, PartialEq)]
pub struct OutputValue {
    /// The value; `None` while it is unknown.
    pub value: Option<Box<Value>>,
    /// Whether it is secret.
    pub secret: bool,
    /// The resources that it depends on.
    pub dependencies: Vec<Urn>,
}

/// A reference to a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceReference {
    /// The resource.
    pub urn: Urn,
    /// The id that its provider assigned; `None` for components.
    pub id: Option<ReferenceId>,
    /// Version of the package that the resource belongs to.
    pub package_version: Option<String>,
    /// The resource's name, which is also part of the URN.
    pub name: Option<String>,
    /// The resource's type token, which is also part of the URN.
    pub resource_type: Option<String>,
}

/// The identifier of a referenced resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceId {
    /// The identifier.
    Known(String),
    /// The resource is not created yet.
    Unknown,
}

/// A file, or text used as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asset {
    /// SHA-256 of the content in hexadecimal, if the sender computed it.
    pub hash: Option<String>,
    /// The content; `None` if it was omitted, or is an empty string.
    pub content: Option<AssetContent>,
}

/// Content of an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssetContent {
    /// Here.
    Text(String),
    /// A file with this path.
    Path(String),
    /// A URL.
    Uri(String),
}

/// A collection of files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Archive {
    /// SHA-256 of the content in hexadecimal, if the sender computed it.
    pub hash: Option<String>,
    /// The content; `None` if it was omitted.
    pub content: Option<ArchiveContent>,
}

/// Content of an archive.
#[derive(Clone, Debug, PartialEq)]
pub enum ArchiveContent {
    /// Assets and archives by name. Not checked.
    Assets(Object),
    /// A file or folder with this path.
    Path(String),
    /// A URL.
    Uri(String),
}

impl Value {
    /// An unknown value of any type.
    pub const UNKNOWN: Self = Self::Unknown(Unknown::String);

    /// Marks `value` as secret. A value that is already secret is not changed.
    #[must_use]
    pub fn secret(value: impl Into<Value>) -> Self {
        match value.into() {
            Self::Secret(inner) => Self::Secret(inner),
            Self::Output(mut output) => {
                output.secret = true;
                Self::Output(output)
            }
            value => Self::Secret(Box::new(value)),
        }
    }

    /// Unwraps secrets and outputs. `None` if the value is unknown.
    ///
    /// Only the value itself is unwrapped; members of an array or object may still be secret or unknown.
    #[must_use]
    pub fn known(&self) -> Option<&Value> {
        match self {
            Self::Secret(inner) => inner.known(),
            Self::Output(output) => output.value.as_deref().and_then(Self::known),
            Self::Unknown(_) => None,
            value => Some(value),
        }
    }

    /// Whether this is [`Value::Null`].
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The boolean, if this is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if this is one.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The text, if this is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(value) => Some(value),
            _ => None,
        }
    }

    /// The elements, if this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The members, if this is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
            Self::String(value) => value.fmt(f),
            Self::Bytes(value) => write!(f, "[{} bytes]", value.len()),
            Self::Array(elements) => elements.fmt(f),
            Self::Object(members) => members.fmt(f),
            Self::Secret(_) => f.write_str("[secret]"),
            Self::Output(output) => output.fmt(f),
            Self::Resource(reference) => reference.fmt(f),
            Self::Asset(asset) => asset.fmt(f),
            Self::Archive(archive) => archive.fmt(f),
            Self::Unknown(_) => f.write_str("[unknown]"),
        }
    }
}

impl fmt::Debug for OutputValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value: &dyn fmt::Debug = match &self.value {
            Some(_) if self.secret => &Value::Secret(Box::default()),
            Some(value) => value,
            None => &Value::UNKNOWN,
        };
        f.debug_struct("Output")
            .field("value", value)
            .field("secret", &self.secret)
            .field("dependencies", &self.dependencies)
            .finish()
    }
}
