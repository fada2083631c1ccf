//! Choosing among objects: pure rules over what the manager sent.
//!
//! Source: manager-api A.3 and B.1, lookup-provider section 1.

use netmgr_types::wire::ManagedObject;

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
        /// The objects that the name alone would have selected, when filters kept them out.
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

/// Objects of the right name that filters kept out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded {
    /// Whether they have the whole name (or begin with it).
    pub exact: bool,
    /// The first of them by name, then id.
    pub found: Vec<Misfit>,
    /// How many there are.
    pub total: usize,
}

/// An object and the first filter that kept it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// The object.
    pub object: Candidate,
    /// Name of the input property.
    pub property: &'static str,
    /// The value that the input has.
    pub wanted: String,
    /// The value that the object has.
    pub actual: String,
}

impl<T: ManagedObject> Choose<T> {
    /// Applies the name rule, then the filters: an object of exactly the name asked for is never
    /// passed over for a longer name. The order of `objects` does not matter.
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

    /// The objects that the name selects, and whether they have all of it.
    fn named(&self, objects: Vec<T>) -> (Vec<T>, bool) {
        let Some((name, rule)) = &self.name else {
            return (objects, false);
        };
        let (exact, others): (Vec<T>, Vec<T>) = objects.into_iter().partition(|object| object.name() == name);
        if !exact.is_empty() || *rule == NameRule::Exact {
            return (exact, true);
        }
        let longer = |object: &T| object.name().starts_with(name.as_str());
        (others.into_iter().filter(longer).collect(), false)
    }

    /// The first of `others`, each with the first filter that it does not fit.
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
