//! What surrounds a value: whether it is secret, known, and what it depends on; and how that passes
//! to values made from it ("engine-plugin" 3.3: unknown if any is, secret if any is, all
//! dependencies).

use std::collections::BTreeSet;

use crate::{Output, Urn, Value};

/// What is known about one or several values together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Any of them is secret.
    pub secret: bool,
    /// Any of them is unknown.
    pub unknown: bool,
    /// What any of them depends on.
    pub dependencies: BTreeSet<Urn>,
}

impl Marks {
    /// Adds what is known about further values.
    pub fn merge(&mut self, other: Self) {
        self.secret |= other.secret;
        self.unknown |= other.unknown;
        self.dependencies.extend(other.dependencies);
    }

    /// Whether there is nothing to say: all plain, known and independent.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// `value`, made from values with these marks, with the same marks on it: unknown instead of
    /// itself if any was unknown, else secret if any was secret; an output when there are
    /// dependencies. Without marks `value` comes back as it is.
    #[must_use]
    pub fn apply(self, value: Value) -> Value {
        match (self.dependencies.is_empty(), self.unknown, self.secret) {
            (true, false, false) => value,
            (true, false, true) => Value::secret(value),
            (true, true, false) => Value::UNKNOWN,
            (true, true, true) => Value::secret(Value::UNKNOWN),
            (false, unknown, secret) => Value::Output(Output {
                value: (!unknown).then(|| Box::new(value)),
                secret,
                dependencies: self.dependencies.into_iter().collect(),
            }),
        }
    }

    /// Strips `value`, adding what was around it and its parts to these marks.
    fn take_from(&mut self, value: Value) -> Value {
        match value {
            Value::Secret(inner) => {
                self.secret = true;
                self.take_from(*inner)
            }
            Value::Output(output) => {
                self.secret |= output.secret;
                self.dependencies.extend(output.dependencies);
                self.take_from(output.value.map_or(Value::UNKNOWN, |value| *value))
            }
            Value::Unknown(kind) => {
                self.unknown = true;
                Value::Unknown(kind)
            }
            Value::Array(elements) => Value::Array(
                elements
                    .into_iter()
                    .map(|element| self.take_from(element))
                    .collect(),
            ),
            Value::Object(members) => Value::Object(
                members
                    .into_iter()
                    .map(|(name, member)| (name, self.take_from(member)))
                    .collect(),
            ),
            value => value,
        }
    }
}

impl Value {
    /// This value without the secrets and outputs in it, at any depth, and what they said of all of
    /// it together. What is unknown stays [`Value::Unknown`]. Assets, archives and references are
    /// left as they are; an identifier that a reference does not know yet is no unknown value.
    ///
    /// ```
    /// use engine_values::{Marks, Value};
    ///
    /// let (bare, marks) = Value::from([("user", "admin".into()), ("password", Value::secret("hunter2"))]).strip();
    /// assert_eq!(bare, Value::from([("user", "admin".into()), ("password", "hunter2".into())]));
    /// assert!(marks.secret && !marks.unknown);
    /// // What is made from it is secret too.
    /// assert_eq!(marks.apply(Value::from("admin:hunter2")), Value::secret("admin:hunter2"));
    /// ```
    #[must_use]
    pub fn strip(self) -> (Value, Marks) {
        let mut marks = Marks::default();
        let value = marks.take_from(self);
        (value, marks)
    }

    /// This value with every output in it, at any depth, written in the older way: as its value, as a
    /// secret or as an unknown. What outputs depend on is lost; [`Value::dependencies`] tells it before.
    #[must_use]
    pub fn without_outputs(self) -> Value {
        match self {
            Self::Output(output) => {
                let value = output
                    .value
                    .map_or(Self::UNKNOWN, |value| value.without_outputs());
                if output.secret { Self::secret(value) } else { value }
            }
            Self::Secret(inner) => Self::secret(inner.without_outputs()),
            Self::Array(elements) => elements.into_iter().map(Self::without_outputs).collect(),
            Self::Object(members) => Self::Object(
                members
                    .into_iter()
                    .map(|(name, member)| (name, member.without_outputs()))
                    .collect(),
            ),
            value => value,
        }
    }

    /// Whether this value, or one inside it, is secret.
    #[must_use]
    pub fn contains_secret(&self) -> bool {
        self.any(&mut |value| match value {
            Value::Secret(_) => true,
            Value::Output(output) => output.secret,
            _ => false,
        })
    }

    /// Whether this value, or one inside it, is unknown. A reference whose identifier is not known
    /// yet does not count: the reference itself is known.
    #[must_use]
    pub fn contains_unknown(&self) -> bool {
        self.any(&mut |value| match value {
            Value::Unknown(_) => true,
            Value::Output(output) => output.value.is_none(),
            _ => false,
        })
    }

    /// Every resource that this value, or one inside it, depends on.
    #[must_use]
    pub fn dependencies(&self) -> BTreeSet<Urn> {
        let mut found = BTreeSet::new();
        self.any(&mut |value| {
            if let Value::Output(output) = value {
                found.extend(output.dependencies.iter().cloned());
            }
            false
        });
        found
    }

    /// Whether `test` holds for this value or one inside it, outermost first.
    fn any(&self, test: &mut dyn FnMut(&Value) -> bool) -> bool {
        test(self)
            || match self {
                Self::Secret(inner) => inner.any(test),
                Self::Output(Output {
                    value: Some(inner), ..
                }) => inner.any(test),
                Self::Array(elements) => elements.iter().any(|element| element.any(test)),
                Self::Object(members) => members.values().any(|member| member.any(test)),
                _ => false,
            }
    }
}
