//! The property value and its parts. Not here: how they look on the wire ([`crate::wire`]) and
//! what secretness does to a result ([`crate::marks`]).

use std::collections::BTreeMap;
use std::fmt;

use crate::{Unknown, Urn};

/// Named property values, in the order of their names.
pub type Object = BTreeMap<String, Value>;

/// One property value, as the engine and its plugins exchange them ("engine-plugin" 3).
///
/// `Debug` prints what is inside a secret as `[secret]`, at any depth.
///
/// Two limits come from the wire, which has no way to escape: a [`Value::String`] whose text is one
/// of the sentinels of [`Unknown`] is unknown to whoever receives it, and a [`Value::Object`] with a
/// member named like the engine's signature key is an envelope.
#[derive(Clone, Default, PartialEq)]
pub enum Value {
    /// No value; the same as an absent member ("engine-plugin" 3.4).
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// Every number is a double; integers beyond 2⁵³ lose precision.
    Number(f64),
    /// Text.
    String(String),
    /// Bytes that are not text. Sent only to a peer that negotiated byte strings.
    Bytes(Vec<u8>),
    /// Values in sequence.
    Array(Vec<Value>),
    /// Named values.
    Object(Object),
    /// A value that must be kept from view.
    Secret(Box<Value>),
    /// A value with what is known about it.
    Output(Output),
    /// A resource.
    Resource(ResourceReference),
    /// A file, or text used as one.
    Asset(Asset),
    /// A collection of files.
    Archive(Archive),
    /// A value that is not known yet.
    Unknown(Unknown),
}

/// A value with what is known about it: whether it is there yet, secret, and what it depends on.
#[derive(Clone, Default, PartialEq)]
pub struct Output {
    /// The value; `None` while it is unknown.
    pub value: Option<Box<Value>>,
    /// Whether it must be kept from view.
    pub secret: bool,
    /// The resources it was made from.
    pub dependencies: Vec<Urn>,
}

/// A reference to a resource ("engine-plugin" 4.8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceReference {
    /// The resource.
    pub urn: Urn,
    /// Its provider's identifier for it; `None` for components, which have none.
    pub id: Option<ReferenceId>,
    /// Version of the package that the resource belongs to.
    pub package_version: Option<String>,
    /// The resource's name. The URN says it too.
    pub name: Option<String>,
    /// The resource's type token. The URN says it too.
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
    /// SHA-256 of the content in hexadecimal, when whoever sent it computed it.
    pub hash: Option<String>,
    /// Where the content is; `None` when it was left out, or is an empty text.
    pub content: Option<AssetContent>,
}

/// Where the content of an asset is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssetContent {
    /// Here.
    Text(String),
    /// In a file of this path.
    Path(String),
    /// At this address.
    Uri(String),
}

/// A collection of files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Archive {
    /// SHA-256 of the content in hexadecimal, when whoever sent it computed it.
    pub hash: Option<String>,
    /// Where the content is; `None` when it was left out.
    pub content: Option<ArchiveContent>,
}

/// Where the content of an archive is.
#[derive(Clone, Debug, PartialEq)]
pub enum ArchiveContent {
    /// Assets and archives by name. Passed on as they came, not checked.
    Assets(Object),
    /// In a file or folder of this path.
    Path(String),
    /// At this address.
    Uri(String),
}

impl Value {
    /// An unknown of no particular type.
    pub const UNKNOWN: Self = Self::Unknown(Unknown::String);

    /// `value` as a secret. What is secret already stays as it is.
    #[must_use]
    pub fn secret(value: impl Into<Value>) -> Self {
        match value.into() {
            Self::Secret(inner) => Self::Secret(inner),
            Self::Output(output) => Self::Output(Output {
                secret: true,
                ..output
            }),
            value => Self::Secret(Box::new(value)),
        }
    }

    /// The value inside any secrets and outputs around it; `None` when it is unknown.
    ///
    /// Only the outside is opened: members of an array or object may still be secret or unknown.
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

impl fmt::Debug for Output {
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
