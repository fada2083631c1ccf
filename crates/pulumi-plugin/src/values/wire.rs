//! Conversion between values and trees of plain data: recursion and errors. Envelopes are in
//! [`crate::values::envelope`].

use std::collections::BTreeMap;
use std::fmt;

use crate::values::path::{PropertyPath, Segment};
use crate::values::{Object, Value, envelope};

/// One level of plain data, such as `google.protobuf.Value` and JSON.
///
/// `T` is the type of the next level. `Debug` is not implemented because a level may be part of a secret.
#[derive(Clone, PartialEq)]
pub enum Plain<T> {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A string.
    String(String),
    /// Elements in sequence.
    List(Vec<T>),
    /// Named members.
    Struct(BTreeMap<String, T>),
}

/// How deep values may be nested, envelopes included. Our choice (0240).
pub const DEEPEST: usize = 1_000;

/// Decodes a value from a tree of plain data. `open` decodes one level.
///
/// Members of an envelope that are null or have their default value count as absent, and unknown members are
/// dropped. Otherwise, [`Value::into_plain`] is the inverse.
///
/// # Errors
/// The path to an envelope that is malformed or of an unknown kind, to what `open` cannot read, or to
/// the member in which values are nested deeper than [`DEEPEST`]. The error quotes no value.
pub fn decode<T>(tree: T, open: Open<T>) -> Result<Value, DecodeError> {
    decode_at(tree, open, 1)
}

/// Opens one level of a tree.
pub type Open<T> = fn(T) -> Result<Plain<T>, DecodeErrorKind>;

/// Decodes the members of a property bag. The bag itself is never an envelope.
///
/// # Errors
/// As [`decode`].
pub fn decode_object<T>(members: BTreeMap<String, T>, open: Open<T>) -> Result<Object, DecodeError> {
    decode_members(members, open, 1)
}

// Loops, because chains of iterators take several times the stack for each level.

fn decode_at<T>(tree: T, open: Open<T>, depth: usize) -> Result<Value, DecodeError> {
    if depth > DEEPEST {
        return Err(DecodeError::here(DecodeErrorKind::TooDeep));
    }
    let level = match open(tree).map_err(DecodeError::here)? {
        Plain::Null => Plain::Null,
        Plain::Bool(value) => Plain::Bool(value),
        Plain::Number(value) => Plain::Number(value),
        Plain::String(value) => Plain::String(value),
        Plain::List(elements) => {
            let mut values = Vec::with_capacity(elements.len());
            for (index, tree) in elements.into_iter().enumerate() {
                let value = decode_at(tree, open, depth + 1);
                values.push(value.map_err(|error| error.below(Segment::Index(index)))?);
            }
            Plain::List(values)
        }
        Plain::Struct(members) => Plain::Struct(decode_members(members, open, depth + 1)?),
    };
    envelope::raise(level).map_err(DecodeError::here)
}

fn decode_members<T>(
    members: BTreeMap<String, T>,
    open: Open<T>,
    depth: usize,
) -> Result<Object, DecodeError> {
    let mut object = Object::new();
    for (name, tree) in members {
        match decode_at(tree, open, depth) {
            Ok(value) => object.insert(name, value),
            Err(error) => return Err(error.below(Segment::Key(name))),
        };
    }
    Ok(object)
}

impl Value {
    /// Encodes the outermost level of the value. A transport writes it and continues with the levels below, so
    /// that no second tree of a large value is built.
    #[must_use]
    pub fn into_plain(self) -> Plain<Value> {
        envelope::lower(self)
    }
}

/// Plain data that is not a property value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct DecodeError {
    /// Path of the problem from the root.
    pub path: PropertyPath,
    /// What is wrong with it.
    #[source]
    pub kind: DecodeErrorKind,
}

/// Kind of a [`DecodeError`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// It is not in the form of the transport.
    #[error("unreadable value")]
    Unreadable,
    /// Values are nested deeper than [`DEEPEST`].
    #[error("values are nested more than {DEEPEST} levels deep")]
    TooDeep,
    /// The signature is unknown.
    #[error("unrecognized signature of a special value")]
    UnknownSignature,
    /// A member that the envelope must have is absent.
    #[error("{kind} without {member:?}")]
    Missing {
        /// Kind of value.
        kind: &'static str,
        /// The member.
        member: &'static str,
    },
    /// A member has the wrong type or form.
    #[error("{kind} whose {member:?} is not {expected}")]
    Malformed {
        /// Kind of value.
        kind: &'static str,
        /// The member.
        member: &'static str,
        /// Description of valid values.
        expected: &'static str,
    },
    /// Members that exclude each other are both present.
    #[error("{kind} with more than one of its contents")]
    Ambiguous {
        /// Kind of value.
        kind: &'static str,
    },
}

impl DecodeError {
    fn here(kind: DecodeErrorKind) -> Self {
        Self {
            path: PropertyPath::default(),
            kind,
        }
    }

    fn below(mut self, segment: Segment) -> Self {
        // The whole way down would be a thousand names.
        if self.kind == DecodeErrorKind::TooDeep {
            self.path = PropertyPath::default();
        }
        self.path.prepend(segment);
        self
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str("malformed property value")
        } else {
            write!(f, "malformed property value at {}", self.path)
        }
    }
}
