//! Marks of values: secret, unknown and dependencies, and their propagation to derived values
//! (unknown if any is, secret if any is, all dependencies).

use std::collections::BTreeSet;

use crate::values::{OutputValue, Urn, Value};

/// Combined marks of one or several values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Any of them is secret.
    pub secret: bool,
    /// Any of them is unknown.
    pub unknown: bool,
    /// All dependencies.
    pub dependencies: BTreeSet<Urn>,
}

impl Marks {
    /// Applies the marks to `value`, which was derived from the marked values: it becomes unknown if any was
    /// unknown, otherwise secret if any was secret, and an output if there are dependencies. Without marks,
    /// `value` is returned unchanged.
    #[must_use]
    pub fn apply(self, value: Value) -> Value {
        match (self.dependencies.is_empty(), self.unknown, self.secret) {
            (true, false, false) => value,
            (true, false, true) => Value::secret(value),
            (true, true, false) => Value::UNKNOWN,
            (true, true, true) => Value::secret(Value::UNKNOWN),
            (false, unknown, secret) => Value::from(OutputValue {
                value: (!unknown).then(|| Box::new(value)),
                secret,
                dependencies: self.dependencies.into_iter().collect(),
            }),
        }
    }

    /// Strips `value` and adds its marks and the marks of its parts.
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
    /// Removes secrets and outputs at any depth, and returns their combined marks. Unknown values remain
    /// [`Value::Unknown`]. Assets, archives and references are not changed; an unknown id of a reference does
    /// not count as an unknown value.
    ///
    /// ```
    /// use pulumi_plugin::values::{Marks, Value};
    ///
    /// let (bare, marks) = Value::from([("user", "admin".into()), ("password", Value::secret("hunter2"))]).strip();
    /// assert_eq!(bare, Value::from([("user", "admin".into()), ("password", "hunter2".into())]));
    /// assert!(marks.secret && !marks.unknown);
    /// // Values that are derived from it are secret, too.
    /// assert_eq!(marks.apply(Value::from("admin:hunter2")), Value::secret("admin:hunter2"));
    /// ```
    #[must_use]
    pub fn strip(mut self) -> (Value, Marks) {
        let mut marks = Marks::default();
        marks.take_from(&mut self);
        (self, marks)
    }

    /// Replaces outputs at any depth by their older form: a value, a secret or an unknown. Dependencies are
    /// lost; use [`Value::dependencies`] to obtain them before.
    #[must_use]
    pub fn without_outputs(mut self) -> Value {
        self.drop_outputs();
        self
    }

    /// [`Value::without_outputs`] in place.
    pub(crate) fn drop_outputs(&mut self) {
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

    /// Whether this value, or one inside it, is unknown. A reference with an unknown id does not count,
    /// because the reference itself is known.
    #[must_use]
    pub fn contains_unknown(&self) -> bool {
        self.any(&mut |value| match value {
            Value::Unknown(_) => true,
            Value::Output(output) => output.value.is_none(),
            _ => false,
        })
    }

    /// The dependencies of this value and of those inside it.
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
                Self::Output(output) => output.value.as_ref().is_some_and(|inner| inner.any(test)),
                Self::Array(elements) => elements.iter().any(|element| element.any(test)),
                Self::Object(members) => members.values().any(|member| member.any(test)),
                _ => false,
            }
    }
}
