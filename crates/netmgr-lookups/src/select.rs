//! Selection of objects: pure rules over the objects that the manager sent.
//!
//! Source: manager-api A.3 and B.1, lookup-provider section 1.

use netmgr_types::wire::ManagedObject;

use crate::error::{Candidate, LISTED};
use crate::names;
use crate::object::AnyObject;

/// Rule for matching names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRule {
    /// The exact name. If no object has it, an equivalent one: letters with accents may be composed or decomposed.
    Exact,
    /// The same, or else the only name with this prefix.
    ExactOrPrefix,
}

/// Criteria for the wanted object, from the input.
pub struct Choose<T> {
    /// Name and the rule for matching it. `None` matches every object.
    pub name: Option<(String, NameRule)>,
    /// Additional properties that the object must have.
    pub filters: Vec<Filter<T>>,
}

impl<T: 'static> Choose<T> {
    /// The same selection among objects without their type.
    pub(crate) fn untyped(self) -> Choose<AnyObject> {
        let untyped = |filter: Filter<T>| Filter {
            property: filter.property,
            wanted: filter.wanted,
            actual: Box::new(move |object: &AnyObject| {
                object
                    .get()
                    .map_or_else(String::new, |object| (filter.actual)(object))
            }),
            fits: Box::new(move |object: &AnyObject, wanted: &str| {
                object.get().is_some_and(|object| (filter.fits)(object, wanted))
            }),
        };
        Choose {
            name: self.name,
            filters: self.filters.into_iter().map(untyped).collect(),
        }
    }
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
    /// Requested value.
    pub wanted: String,
    /// Value of the object, for messages.
    pub actual: Actual<T>,
    /// Whether the object has the requested value.
    pub fits: Test<T>,
}

type Actual<T> = Box<dyn Fn(&T) -> String + Send + Sync>;
/// Compares an object with a text.
pub(crate) type Test<T> = Box<dyn Fn(&T, &str) -> bool + Send + Sync>;

impl<T> Filter<T> {
    /// Creates a filter for the property with this name.
    pub fn new(
        property: &'static str,
        wanted: impl Into<String>,
        actual: impl Fn(&T) -> String + Send + Sync + 'static,
        fits: impl Fn(&T, &str) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self {
            property,
            wanted: wanted.into(),
            actual: Box::new(actual),
            fits: Box::new(fits),
        }
    }

    /// Whether the object has the requested value.
    pub fn fits(&self, object: &T) -> bool {
        (self.fits)(object, &self.wanted)
    }
}

/// Result of a selection.
#[derive(Debug, PartialEq, Eq)]
pub enum Chosen<T> {
    /// Exactly one object matches.
    One(T),
    /// None.
    None {
        /// Objects that match the name but not the filters.
        excluded: Option<Excluded>,
    },
    /// Several.
    Several {
        /// Whether the objects have the exact name, as opposed to the prefix.
        exact: bool,
        /// The first objects, ordered by name and id.
        found: Vec<Candidate>,
        /// Total number of objects.
        total: usize,
    },
}

/// Objects that match the name but not the filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded {
    /// Whether the objects have the exact name, as opposed to the prefix.
    pub exact: bool,
    /// The first objects, ordered by name and id.
    pub found: Vec<Misfit>,
    /// Total number of objects.
    pub total: usize,
}

/// An object and the first filter that it does not match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// The object.
    pub object: Candidate,
    /// Name of the input property.
    pub property: &'static str,
    /// Value of the input.
    pub wanted: String,
    /// Value of the object.
    pub actual: String,
}

impl<T: ManagedObject> Choose<T> {
    /// Applies the name rule and then the filters, so that an object with a longer name is never selected
    /// instead of one with the exact name. The order of `objects` does not matter.
    pub fn choose(&self, objects: Vec<T>) -> Chosen<T> {
        let (named, exact) = self.named(objects);
        let (fitting, others): (Vec<T>, Vec<T>) = named
            .into_iter()
            .partition(|object| self.filters.iter().all(|filter| filter.fits(object)));
        match only(fitting, exact) {
            Chosen::None { .. } => Chosen::None {
                excluded: self.excluded(&others, exact),
            },
            chosen => chosen,
        }
    }

    /// The objects that match the name, and whether they match exactly.
    fn named(&self, objects: Vec<T>) -> (Vec<T>, bool) {
        let Some((name, rule)) = &self.name else {
            return (objects, false);
        };
        let (exact, others): (Vec<T>, Vec<T>) = objects.into_iter().partition(|object| object.name() == name);
        if !exact.is_empty() {
            return (exact, true);
        }
        let (same, others): (Vec<T>, Vec<T>) = others
            .into_iter()
            .partition(|object| names::is_same(object.name(), name));
        if !same.is_empty() || *rule == NameRule::Exact {
            return (same, true);
        }
        let longer = |object: &T| names::begins(object.name(), name);
        (others.into_iter().filter(longer).collect(), false)
    }

    /// The first of `others`, each with the first filter that it does not match.
    fn excluded(&self, others: &[T], exact: bool) -> Option<Excluded> {
        let misfit = |object: &T| {
            let filter = self.filters.iter().find(|filter| !filter.fits(object))?;
            Some(Misfit {
                object: Candidate::of(object),
                property: filter.property,
                wanted: filter.wanted.clone(),
                actual: (filter.actual)(object),
            })
        };
        let mut found: Vec<Misfit> = others.iter().filter_map(misfit).collect();
        found.sort_by(|a, b| a.object.cmp(&b.object));
        let total = found.len();
        found.truncate(LISTED);
        (total > 0).then_some(Excluded { exact, found, total })
    }

    /// Whether `object` has the exact name and matches all filters.
    pub(crate) fn is_exactly(&self, object: &T) -> bool {
        let named = |(name, _): &(String, NameRule)| object.name() == name;
        self.name.as_ref().is_some_and(named) && self.filters.iter().all(|filter| filter.fits(object))
    }

    /// Whether `object` matches the name, if there is one.
    pub fn name_fits(&self, object: &T) -> bool {
        self.concerns(Some(object.name()))
    }

    /// Whether an object with the name `name` could match. An object without a readable name could.
    pub(crate) fn concerns(&self, name: Option<&str>) -> bool {
        match (name, &self.name) {
            (None, _) | (_, None) => true,
            (Some(name), Some((wanted, NameRule::Exact))) => names::is_same(name, wanted),
            (Some(name), Some((wanted, NameRule::ExactOrPrefix))) => names::begins(name, wanted),
        }
    }
}

/// Selects the only object of `objects`.
fn only<T: ManagedObject>(mut objects: Vec<T>, exact: bool) -> Chosen<T> {
    match objects.len() {
        0 => Chosen::None { excluded: None },
        1 => Chosen::One(objects.remove(0)),
        total => {
            let mut found: Vec<Candidate> = objects.iter().map(Candidate::of).collect();
            found.sort();
            found.truncate(LISTED);
            Chosen::Several { exact, found, total }
        }
    }
}

#[cfg(test)]
mod tests;
