//! Selection of objects: pure rules, which are applied to one object at a time.
//!
//! A selection keeps one of the matching objects and the names of a few others, so that ten thousand objects with a
//! common prefix take no more memory than ten.

use std::sync::Arc;

use netmgr_types::wire::ManagedObject;

use crate::contract::error::{Candidate, LISTED};
use crate::finding::names;

/// Rule for matching names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameRule {
    /// The exact name. If no object has it, an equivalent one: letters with accents may be composed or decomposed.
    Exact,
    /// An exact name, otherwise the only name with this prefix.
    ExactOrPrefix,
}

/// Criteria for the wanted object, from the input.
#[derive(Default)]
pub(crate) struct Criteria {
    /// Name and the rule for matching it. `None` matches every object.
    pub(crate) name: Option<(String, NameRule)>,
    /// Additional properties that the object must have.
    pub(crate) filters: Vec<Filter>,
}

/// A property of the input that an object must have.
pub(crate) struct Filter {
    pub(crate) property: String,
    pub(crate) wanted: String,
    /// Value of the object, for messages.
    pub(crate) actual: Box<dyn Fn(&ManagedObject) -> String + Send + Sync>,
    /// Whether the object has the requested value.
    pub(crate) fits: Fits,
}

/// Compares an object with a string.
type Fits = Box<dyn Fn(&ManagedObject, &str) -> bool + Send + Sync>;

impl Filter {
    /// Creates a filter for the property with this name.
    pub(crate) fn new(
        property: impl Into<String>,
        wanted: impl Into<String>,
        actual: impl Fn(&ManagedObject) -> String + Send + Sync + 'static,
        fits: impl Fn(&ManagedObject, &str) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self {
            property: property.into(),
            wanted: wanted.into(),
            actual: Box::new(actual),
            fits: Box::new(fits),
        }
    }

    /// Creates a filter for objects whose value is the requested one.
    pub(crate) fn equal(
        property: impl Into<String>,
        wanted: impl Into<String>,
        actual: impl Fn(&ManagedObject) -> String + Clone + Send + Sync + 'static,
    ) -> Self {
        let own = actual.clone();
        Self::new(property, wanted, actual, move |object, wanted| {
            own(object) == wanted
        })
    }

    /// Creates a filter for objects with a string member that is the requested one.
    pub(crate) fn text(property: impl Into<String>, wanted: impl Into<String>, member: &'static str) -> Self {
        let own = move |object: &ManagedObject| object.text(member).unwrap_or_default().to_owned();
        Self::equal(property, wanted, own)
    }

    /// Whether the object has the requested value.
    pub(crate) fn fits(&self, object: &ManagedObject) -> bool {
        (self.fits)(object, &self.wanted)
    }

    /// Describes that `object` does not have the requested value.
    fn misfit(&self, object: &ManagedObject) -> Misfit {
        Misfit {
            object: Candidate::of(object),
            property: self.property.clone(),
            wanted: self.wanted.clone(),
            actual: (self.actual)(object),
        }
    }
}

impl Criteria {
    /// Adds a filter for a string member, if a value is wanted.
    pub(crate) fn with_text(mut self, property: &str, wanted: Option<&str>, member: &'static str) -> Self {
        self.filters
            .extend(wanted.map(|wanted| Filter::text(property, wanted, member)));
        self
    }

    /// The filters that `object` does not match.
    pub(crate) fn misfits(&self, object: &ManagedObject) -> Vec<Misfit> {
        let others = self.filters.iter().filter(|filter| !filter.fits(object));
        others.map(|filter| filter.misfit(object)).collect()
    }
}

/// Quality of the match of `name`; `None` if it does not match. Every name matches if none is wanted.
fn quality(name: &str, wanted: Option<&(String, NameRule)>) -> Option<Match> {
    let Some((wanted, rule)) = wanted else {
        return Some(Match::Any);
    };
    if name == wanted {
        Some(Match::Exact)
    } else if names::is_same(name, wanted) {
        Some(Match::Equivalent)
    } else if *rule == NameRule::ExactOrPrefix && names::begins(name, wanted) {
        Some(Match::Prefix)
    } else {
        None
    }
}

/// Whether `name` matches the wanted name, if there is one.
pub(crate) fn name_fits(name: &str, wanted: Option<&(String, NameRule)>) -> bool {
    quality(name, wanted).is_some()
}

/// Quality of a name match, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    /// The object has the name.
    Exact,
    /// The object has an equivalent name, in another form of its characters.
    Equivalent,
    /// The name is longer.
    Prefix,
    /// No name is wanted.
    Any,
}

/// Result of a selection.
#[derive(Debug, PartialEq)]
pub(crate) enum Chosen {
    One(Arc<ManagedObject>),
    None {
        /// Objects that match the name but not the filters.
        excluded: Option<Excluded>,
    },
    Several {
        /// Whether the objects have the exact name, as opposed to the prefix.
        exact: bool,
        /// The first objects, ordered by name and id.
        found: Vec<Candidate>,
        total: usize,
    },
}

/// Objects that match the name but not the filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excluded {
    /// Whether the objects have the exact name, as opposed to the prefix.
    pub(crate) exact: bool,
    /// The first objects, ordered by name and id.
    pub(crate) found: Vec<Misfit>,
    pub(crate) total: usize,
}

/// An object and the first filter that it does not match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misfit {
    pub(crate) object: Candidate,
    pub(crate) property: String,
    pub(crate) wanted: String,
    pub(crate) actual: String,
}

/// The matching objects of a read, of which only the best matches are kept. Their order does not matter.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    best: Option<Match>,
    fitting: FirstMatches<Arc<ManagedObject>>,
    misfits: FirstMatches<Misfit>,
}

impl Selection {
    /// Adds an object regardless of its name and filters. Objects with a matching name take precedence.
    pub(crate) fn add_any(&mut self, object: &Arc<ManagedObject>) {
        self.rank(Match::Any);
        self.fitting.add(Candidate::of(object), Arc::clone(object));
    }

    /// Adds an object if it matches `criteria` and no object matches better. Returns whether its name matches.
    ///
    /// The name is compared before the filters, so that an object with a longer name is never selected instead of one
    /// with the exact name.
    pub(crate) fn add(&mut self, criteria: &Criteria, object: &Arc<ManagedObject>) -> bool {
        let Some(quality) = quality(object.name(), criteria.name.as_ref()) else {
            return false;
        };
        if !self.rank(quality) {
            return true;
        }
        let candidate = Candidate::of(object);
        match criteria.filters.iter().find(|filter| !filter.fits(object)) {
            None => self.fitting.add(candidate, Arc::clone(object)),
            Some(filter) => self.misfits.add(candidate, filter.misfit(object)),
        }
        true
    }

    /// Makes room for an object that matches like this. Returns false if better ones are known.
    fn rank(&mut self, quality: Match) -> bool {
        match self.best {
            Some(best) if best < quality => return false,
            Some(best) if best == quality => {}
            _ => {
                self.fitting.clear();
                self.misfits.clear();
                self.best = Some(quality);
            }
        }
        true
    }

    /// Adds the objects of another source, which may have the same objects.
    pub(crate) fn merge(&mut self, other: Self) {
        let Some(quality) = other.best else { return };
        if self.rank(quality) {
            self.fitting.merge(other.fitting);
            self.misfits.merge(other.misfits);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.best.is_none()
    }

    /// Whether an object has the exact name, byte by byte, and matches all filters.
    pub(crate) fn is_settled(&self) -> bool {
        self.best == Some(Match::Exact) && self.fitting.total > 0
    }

    /// The only object that matches, or why there is none.
    pub(crate) fn choose(self) -> Chosen {
        let exact = matches!(self.best, Some(Match::Exact | Match::Equivalent));
        let total = self.fitting.total;
        let mut found = self.fitting.first;
        if total > 1 {
            return Chosen::Several {
                exact,
                found: found.into_iter().map(|(candidate, _)| candidate).collect(),
                total,
            };
        }
        if let Some((_, object)) = found.pop() {
            return Chosen::One(object);
        }
        let excluded = (self.misfits.total > 0).then(|| Excluded {
            exact,
            total: self.misfits.total,
            found: self.misfits.first.into_iter().map(|(_, misfit)| misfit).collect(),
        });
        Chosen::None { excluded }
    }
}

/// The first of many objects, ordered by name and id, and their number.
#[derive(Debug)]
struct FirstMatches<V> {
    first: Vec<(Candidate, V)>,
    total: usize,
}

impl<V> Default for FirstMatches<V> {
    fn default() -> Self {
        Self {
            first: Vec::new(),
            total: 0,
        }
    }
}

impl<V> FirstMatches<V> {
    fn add(&mut self, candidate: Candidate, value: V) {
        self.total += 1;
        self.insert(candidate, value);
        self.first.truncate(LISTED);
    }

    /// Adds the objects of another sample. Objects in both count once; if there are too many to compare, the larger
    /// sample is assumed to contain the other one.
    fn merge(&mut self, other: Self) {
        let are_complete = self.total == self.first.len() && other.total == other.first.len();
        let larger = self.total.max(other.total);
        for (candidate, value) in other.first {
            self.insert(candidate, value);
        }
        self.total = if are_complete {
            self.first.len()
        } else {
            larger.max(self.first.len())
        };
        self.first.truncate(LISTED);
    }

    /// Inserts an object in its order, and replaces an equal one.
    fn insert(&mut self, candidate: Candidate, value: V) {
        match self.first.binary_search_by(|(known, _)| known.cmp(&candidate)) {
            Ok(at) => self.first[at].1 = value,
            Err(at) => self.first.insert(at, (candidate, value)),
        }
    }

    fn clear(&mut self) {
        self.first.clear();
        self.total = 0;
    }
}

#[cfg(test)]
mod tests;
