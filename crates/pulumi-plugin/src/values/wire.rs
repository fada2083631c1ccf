//! Conversion between values and trees of plain data: recursion and errors. Envelopes are in
//! [`crate::values::envelope`].

use std::collections::BTreeMap;
use std::fmt;

use crate::values::envelope::{self, DecodeErrorKind, Level};
use crate::values::path::{PropertyPath, Segment};
use crate::values::{Object, Value};

/// Decodes a value from a tree of plain data. `open` decodes one level. The parser of the tree limits its depth.
///
/// Members of an envelope that are null or have their default value count as absent, and unknown members are
/// dropped. Otherwise, [`Value::into_plain`] is the inverse.
///
/// # Errors
/// The path to an envelope that is malformed or of an unknown kind. The error quotes no value.
pub(crate) fn decode<T>(tree: T, open: fn(T) -> Level<T>) -> Result<Value, DecodeError> {
    let level = match open(tree) {
        Level::Null => Level::Null,
        Level::Bool(value) => Level::Bool(value),
        Level::Number(value) => Level::Number(value),
        Level::String(value) => Level::String(value),
        Level::List(elements) => {
            let elements = elements.into_iter().enumerate().map(|(index, element)| {
                decode(element, open).map_err(|error| error.below(Segment::Index(index)))
            });
            Level::List(elements.collect::<Result<_, _>>()?)
        }
        Level::Struct(members) => Level::Struct(decode_object(members, open)?),
    };
    envelope::raise(level).map_err(DecodeError::at_root)
}

/// Decodes the members of a property bag. The bag itself is never an envelope.
///
/// # Errors
/// As [`decode`].
pub(crate) fn decode_object<T>(
    members: BTreeMap<String, T>,
    open: fn(T) -> Level<T>,
) -> Result<Object, DecodeError> {
    let members = members
        .into_iter()
        .map(|(name, member)| match decode(member, open) {
            Ok(value) => Ok((name, value)),
            Err(error) => Err(error.below(Segment::Key(name))),
        });
    members.collect()
}

impl Value {
    /// Encodes the outermost level of the value.
    pub(crate) fn into_plain(self) -> Level<Value> {
        envelope::lower(self)
    }
}

/// Level data that is not a property value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct DecodeError {
    /// Path of the problem from the root.
    pub path: PropertyPath,
    /// The problem.
    #[source]
    pub kind: DecodeErrorKind,
}

impl DecodeError {
    pub(crate) fn at_root(kind: DecodeErrorKind) -> Self {
        Self {
            path: PropertyPath::default(),
            kind,
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
