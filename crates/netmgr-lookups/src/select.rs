//! Choosing among objects: pure rules over what the manager sent.
//!
//! Source: manager-api A.3 and B.1, lookup-provider section 1.

use std::collections::BTreeSet;

use netmgr_types::wire::Object;

use crate::error::{Candidate, LISTED};

/// How a name selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRule {
    /// Only the whole name.
    Exact,
    /// The whole name, else the only name that begins with it.
    ExactOrPrefix,
}

/// What the lookup's input says about the object wanted.
pub struct Choose<T> {
    /// Name and the rule for it; none when anything fits.
    pub name: Option<(String, NameRule)>,
    /// Further properties that an object must have.
    pub filters: Vec<Filter<T>>,
}

impl<T> Default for Choose<T> {
    fn default() -> Self {
        Self {
            name: None,
            filters: Vec::new(),
        }
    }
}

/// A property of the input that an object must have.
pub struct Filter<T> {
    /// Name of the input property.
    pub property: &'static str,
    /// The value asked for.
    pub wanted: String,
    /// The object's value, for messages.
    pub actual: fn(&T) -> String,
    /// Whether the object has the value asked for.
    pub fits: fn(&T, &str) -> bool,
}

impl<T> Filter<T> {
    /// Whether the object has the value.
    pub fn fits(&self, object: &T) -> bool {
        (self.fits)(object, &self.wanted)
    }
}

/// The outcome of choosing.
#[derive(Debug, PartialEq, Eq)]
pub enum Chosen<T> {
    /// This one.
    One(T),
    /// None.
    None {
        /// The filter that kept out what the name alone would have selected, when one did.
        excluded: Option<Excluded>,
    },
    /// Several.
    Several {
        /// Whether they have the whole name (or begin with it).
        exact: bool,
        /// The first of them by name, then id.
        found: Vec<Candidate>,
        /// How many there are.
        total: usize,
    },
}

/// A filter that kept every object of the right name out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded {
    /// Name of the input property.
    pub property: &'static str,
    /// The value asked for.
    pub wanted: String,
    /// The values that the objects have.
    pub found: BTreeSet<String>,
}

impl<T: Object> Choose<T> {
    /// Applies the filters, then the name rule. The order of `objects` does not matter.
    pub fn choose(&self, objects: Vec<T>) -> Chosen<T> {
        let (fitting, others): (Vec<T>, Vec<T>) = objects
            .into_iter()
            .partition(|object| self.filters.iter().all(|filter| filter.fits(object)));
        match self.by_name(fitting) {
            Chosen::None { .. } => Chosen::None {
                excluded: self.excluded(&others),
            },
            chosen => chosen,
        }
    }

    fn by_name(&self, objects: Vec<T>) -> Chosen<T> {
        let Some((name, rule)) = &self.name else {
            return only(objects, false);
        };
        let (exact, others): (Vec<T>, Vec<T>) = objects.into_iter().partition(|object| object.name() == name);
        if !exact.is_empty() || *rule == NameRule::Exact {
            return only(exact, true);
        }
        only(
            others
                .into_iter()
                .filter(|object| object.name().starts_with(name.as_str()))
                .collect(),
            false,
        )
    }

    /// The first filter that kept every object of the right name out.
    fn excluded(&self, others: &[T]) -> Option<Excluded> {
        let named: Vec<&T> = others.iter().filter(|object| self.name_fits(*object)).collect();
        self.filters.iter().find_map(|filter| {
            let found: BTreeSet<String> = named
                .iter()
                .filter(|object| !filter.fits(object))
                .map(|object| (filter.actual)(object))
                .collect();
            (!found.is_empty()).then(|| Excluded {
                property: filter.property,
                wanted: filter.wanted.clone(),
                found,
            })
        })
    }

    /// Whether `object` has the whole name and whatever else is asked for.
    pub(crate) fn is_exactly(&self, object: &T) -> bool {
        let named = |(name, _): &(String, NameRule)| object.name() == name;
        self.name.as_ref().is_some_and(named) && self.filters.iter().all(|filter| filter.fits(object))
    }

    /// Whether the name, if any, fits `object`.
    pub fn name_fits(&self, object: &T) -> bool {
        self.concerns(Some(object.name()))
    }

    /// Whether an object called `name` could have been chosen; one without a readable name could.
    pub(crate) fn concerns(&self, name: Option<&str>) -> bool {
        match (name, &self.name) {
            (None, _) | (_, None) => true,
            (Some(name), Some((wanted, NameRule::Exact))) => name == wanted,
            (Some(name), Some((wanted, NameRule::ExactOrPrefix))) => name.starts_with(wanted.as_str()),
        }
    }
}

/// The only one of `objects`, if there is exactly one.
fn only<T: Object>(mut objects: Vec<T>, exact: bool) -> Chosen<T> {
    match objects.len() {
        0 => Chosen::None { excluded: None },
        1 => Chosen::One(objects.remove(0)),
        total => {
            let mut found: Vec<Candidate> = objects
                .iter()
                .map(|object| Candidate {
                    name: object.name().to_owned(),
                    id: object.id().to_owned(),
                    path: object.path().map(str::to_owned),
                })
                .collect();
            found.sort_by(|a, b| (&a.name, &a.id, &a.path).cmp(&(&b.name, &b.id, &b.path)));
            found.truncate(LISTED);
            Chosen::Several { exact, found, total }
        }
    }
}

#[cfg(test)]
mod tests;
