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
    fn take_from(&mut self, value: &mut Value) {
        match value {
            Value::Secret(inner) => {
                self.secret = true;
                let mut inner = std::mem::take(&mut **inner);
                self.take_from(&mut inner);
                *value = inner;
            }
            Value::Output(output) => {
                self.secret |= output.secret;
                self.dependencies.extend(output.dependencies.drain(..));
                let mut inner = output.value.take().map_or(Value::UNKNOWN, |value| *value);
                self.take_from(&mut inner);
                *value = inner;
            }
            Value::Unknown(_) => self.unknown = true,
            Value::Array(elements) => {
                for element in elements {
                    self.take_from(element);
                }
            }
            Value::Object(members) => {
                for member in members.values_mut() {
                    self.take_from(member);
                }
            }
            _ => {}
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
    pub fn strip(mut self) -> (Value, Marks) {
        let mut marks = Marks::default();
        marks.take_from(&mut self);
        (self, marks)
    }

    /// This value with every output in it, at any depth, written in the older way: as its value, as a
    /// secret or as an unknown. What outputs depend on is lost; [`Value::dependencies`] tells it before.
    #[must_use]
    pub fn without_outputs(mut self) -> Value {
        self.drop_outputs();
        self
    }

    fn drop_outputs(&mut self) {
        match self {
            Self::Output(output) => {
                let mut inner = output.value.take().map_or(Self::UNKNOWN, |value| *value);
                inner.drop_outputs();
                *self = if output.secret { Self::secret(inner) } else { inner };
            }
            Self::Secret(inner) => {
                let mut inner = std::mem::take(&mut **inner);
                inner.drop_outputs();
                *self = Self::secret(inner);
            }
            Self::Array(elements) => {
                for element in elements {
                    element.drop_outputs();
                }
            }
            Self::Object(members) => {
                for member in members.values_mut() {
                    member.drop_outputs();
                }
            }
            _ => {}
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
