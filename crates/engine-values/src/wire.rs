//! Between values and whatever tree of plain data carries them. The recursion and the errors live
//! here; what an envelope looks like is in [`crate::envelope`].

use std::collections::BTreeMap;
use std::fmt;

use crate::path::{PropertyPath, Segment};
use crate::{Object, Value, envelope};

/// One level of plain data: what `google.protobuf.Value` and JSON have in common.
///
/// `T` is what is one level down. There is no `Debug`, because a level may be the inside of a secret.
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

/// Reads a value from a tree of plain data, given a function that opens one level of it.
///
/// Members of an envelope that are null or have their default value count as absent, and members
/// that the envelope does not have are dropped; everything else survives [`encode`] unchanged.
///
/// # Errors
/// The path to an envelope that is malformed or of an unknown kind. The error quotes no value.
pub fn decode<T>(tree: T, open: fn(T) -> Plain<T>) -> Result<Value, DecodeError> {
    let level = match open(tree) {
        Plain::Null => Plain::Null,
        Plain::Bool(value) => Plain::Bool(value),
        Plain::Number(value) => Plain::Number(value),
        Plain::String(value) => Plain::String(value),
        Plain::List(elements) => Plain::List(
            elements
                .into_iter()
                .enumerate()
                .map(|(index, tree)| decode(tree, open).map_err(|e| e.below(Segment::Index(index))))
                .collect::<Result<_, _>>()?,
        ),
        Plain::Struct(members) => Plain::Struct(decode_object(members, open)?),
    };
    envelope::raise(level).map_err(DecodeError::here)
}

/// Reads the members of a property bag. The bag itself is never an envelope.
///
/// # Errors
/// As [`decode`].
pub fn decode_object<T>(
    members: BTreeMap<String, T>,
    open: fn(T) -> Plain<T>,
) -> Result<Object, DecodeError> {
    members
        .into_iter()
        .map(|(name, tree)| match decode(tree, open) {
            Ok(value) => Ok((name, value)),
            Err(error) => Err(error.below(Segment::Key(name))),
        })
        .collect()
}

/// Writes a value as a tree of plain data, given a function that makes one level of it.
pub fn encode<T>(value: Value, close: fn(Plain<T>) -> T) -> T {
    close(match envelope::lower(value) {
        Plain::Null => Plain::Null,
        Plain::Bool(value) => Plain::Bool(value),
        Plain::Number(value) => Plain::Number(value),
        Plain::String(value) => Plain::String(value),
        Plain::List(elements) => {
            Plain::List(elements.into_iter().map(|value| encode(value, close)).collect())
        }
        Plain::Struct(members) => Plain::Struct(encode_object(members, close)),
    })
}

/// Writes the members of a property bag.
pub fn encode_object<T>(members: Object, close: fn(Plain<T>) -> T) -> BTreeMap<String, T> {
    members
        .into_iter()
        .map(|(name, value)| (name, encode(value, close)))
        .collect()
}

/// Plain data that is no property value: where, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct DecodeError {
    /// Where the problem is, from the top of what was decoded.
    pub path: PropertyPath,
    /// What it is.
    #[source]
    pub problem: Problem,
}

/// What is wrong with an envelope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The signature is none that this crate knows.
    #[error("unrecognized signature of a special value")]
    UnknownSignature,
    /// A member that the envelope must have is absent.
    #[error("{kind} without {member:?}")]
    Missing {
        /// Which kind of value.
        kind: &'static str,
        /// The member.
        member: &'static str,
    },
    /// A member has the wrong type or form.
    #[error("{kind} whose {member:?} is not {expected}")]
    Malformed {
        /// Which kind of value.
        kind: &'static str,
        /// The member.
        member: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// Members that exclude each other are both there.
    #[error("{kind} with more than one of its contents")]
    Ambiguous {
        /// Which kind of value.
        kind: &'static str,
    },
}

impl DecodeError {
    fn here(problem: Problem) -> Self {
        Self {
            path: PropertyPath::default(),
            problem,
        }
    }

    fn below(mut self, segment: Segment) -> Self {
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
