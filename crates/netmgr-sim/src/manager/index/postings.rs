//! Sets of objects, each a list of numbers in ascending order.

use std::collections::BTreeMap;

/// The objects that have one key. Most keys of a large inventory belong to one object.
#[derive(Debug)]
enum Postings {
    One(u32),
    Many(Vec<u32>),
}

impl Postings {
    fn add(&mut self, number: u32) {
        match self {
            Self::One(only) if *only == number => {}
            Self::One(only) => *self = Self::Many(vec![(*only).min(number), (*only).max(number)]),
            // Objects are numbered as they come, so the new one is nearly always the last.
            Self::Many(numbers) if numbers.last().is_some_and(|last| *last < number) => numbers.push(number),
            Self::Many(numbers) => {
                if let Err(at) = numbers.binary_search(&number) {
                    numbers.insert(at, number);
                }
            }
        }
    }

    fn numbers(&self) -> &[u32] {
        match self {
            Self::One(number) => std::slice::from_ref(number),
            Self::Many(numbers) => numbers,
        }
    }
}

/// Objects by a text, which is searched as a whole or by its beginning.
#[derive(Debug, Default)]
pub(super) struct Keys(BTreeMap<Box<str>, Postings>);

impl Keys {
    pub(super) fn add(&mut self, key: &str, number: u32) {
        match self.0.get_mut(key) {
            Some(postings) => postings.add(number),
            None => drop(self.0.insert(key.into(), Postings::One(number))),
        }
    }

    /// The objects whose key is `key`.
    pub(super) fn whole(&self, key: &str) -> Union<'_> {
        Union::of(self.0.get(key).map(Postings::numbers).into_iter().collect())
    }

    /// The objects whose key begins with `start`.
    pub(super) fn beginning(&self, start: &str) -> Union<'_> {
        let found = self.from(start).take_while(|(key, _)| key.starts_with(start));
        Union::of(found.map(|(_, numbers)| numbers).collect())
    }

    /// The keys from `start` on, in order.
    pub(super) fn from<'a>(&'a self, start: &str) -> impl Iterator<Item = (&'a str, &'a [u32])> + use<'a> {
        let range = (std::ops::Bound::Included(start), std::ops::Bound::Unbounded);
        let keys = self.0.range::<str, _>(range);
        keys.map(|(key, postings)| (&**key, postings.numbers()))
    }
}

/// Several sets together.
#[derive(Debug, Clone)]
pub(super) struct Union<'a> {
    sets: Vec<&'a [u32]>,
    /// The sum of their sizes.
    size: usize,
}

impl<'a> Union<'a> {
    pub(super) fn of(sets: Vec<&'a [u32]>) -> Self {
        let size = sets.iter().map(|set| set.len()).sum();
        Self { sets, size }
    }

    /// What any of `unions` contains.
    pub(super) fn all(unions: impl IntoIterator<Item = Self>) -> Self {
        Self::of(unions.into_iter().flat_map(|union| union.sets).collect())
    }

    fn numbers(&self) -> Vec<u32> {
        let mut numbers = self.sets.concat();
        if self.sets.len() > 1 {
            numbers.sort_unstable();
            numbers.dedup();
        }
        numbers
    }

    fn contains(&self, number: u32) -> bool {
        self.sets.iter().any(|set| set.binary_search(&number).is_ok())
    }
}

/// The objects that all of `unions` contain, in order.
pub(super) fn intersection(unions: &[Union<'_>]) -> Vec<u32> {
    let mut by_size: Vec<&Union<'_>> = unions.iter().collect();
    by_size.sort_by_key(|union| union.size);
    let Some((smallest, others)) = by_size.split_first() else {
        return Vec::new();
    };
    let mut numbers = smallest.numbers();
    for other in others {
        if numbers.len().saturating_mul(other.sets.len()) <= other.size {
            numbers.retain(|number| other.contains(*number));
        } else {
            // Very many small sets, such as those of a short prefix.
            let other = other.numbers();
            numbers.retain(|number| other.binary_search(number).is_ok());
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn prop_the_intersection_is_that_of_sets(
            unions in prop::collection::vec(
                prop::collection::vec(prop::collection::btree_set(0_u32..40, 0..30), 0..5),
                1..4,
            ),
        ) {
            let lists: Vec<Vec<Vec<u32>>> = unions
                .iter()
                .map(|sets| sets.iter().map(|set| set.iter().copied().collect()).collect())
                .collect();
            let made: Vec<Union<'_>> = lists
                .iter()
                .map(|sets| Union::of(sets.iter().map(Vec::as_slice).collect()))
                .collect();
            let in_all = |number: &u32| unions.iter().all(|sets| sets.iter().any(|set| set.contains(number)));
            let expected: Vec<u32> = (0..40).filter(in_all).collect();
            prop_assert_eq!(intersection(&made), expected);
        }

        #[test]
        fn prop_keys_find_what_was_added(added in prop::collection::vec(("[ab/]{0,3}", 0_u32..6), 0..20), wanted in "[ab/]{0,2}") {
            let mut keys = Keys::default();
            for (key, number) in &added {
                keys.add(key, *number);
            }
            let found = |fits: &dyn Fn(&str) -> bool| -> BTreeSet<u32> {
                added.iter().filter(|(key, _)| fits(key)).map(|(_, number)| *number).collect()
            };
            prop_assert_eq!(BTreeSet::from_iter(keys.whole(&wanted).numbers()), found(&|key| key == wanted));
            prop_assert_eq!(
                BTreeSet::from_iter(keys.beginning(&wanted).numbers()),
                found(&|key| key.starts_with(&wanted))
            );
            prop_assert!(keys.from("").all(|(_, numbers)| numbers.is_sorted_by(|one, next| one < next)));
        }
    }
}
