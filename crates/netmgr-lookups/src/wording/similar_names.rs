//! Names of objects that are similar to a name that no object has, as suggestions.
//!
//! They are collected from the rows of a list that is read anyway.

use std::collections::BTreeSet;

/// Maximum number of suggestions.
const MOST: usize = 3;
/// Minimum length of a name for which longer names that contain it are suggested.
const PART: usize = 3;
/// Maximum length of the names that are compared.
const LONGEST: usize = 80;

/// A name that is compared with others, ignoring case.
#[derive(Debug, Clone)]
pub(crate) struct ComparedName {
    lower: String,
    length: usize,
}

impl ComparedName {
    pub(crate) fn new(name: &str) -> Self {
        let lower = name.to_lowercase();
        let length = lower.chars().count();
        Self { lower, length }
    }

    /// Distance between `name` and this name; `None` if they are not similar.
    pub(crate) fn distance(&self, name: &str) -> Option<usize> {
        if self.length > LONGEST || name.len() > LONGEST * 4 {
            return None;
        }
        let name = name.to_lowercase();
        let length = name.chars().count();
        // One edit for every five letters.
        let edits = (self.length / 5).max(1);
        if length.abs_diff(self.length) <= edits && self.length > 1 {
            let distance = strsim::osa_distance(&self.lower, &name);
            if distance <= edits {
                return Some(distance);
            }
        }
        let is_part = self.length >= PART && name.contains(&self.lower);
        is_part.then(|| LONGEST + length - self.length)
    }
}

/// The most similar names so far, regardless of their order.
#[derive(Debug, Clone)]
pub(crate) struct SimilarNames {
    wanted: ComparedName,
    found: BTreeSet<(usize, String)>,
}

impl SimilarNames {
    pub(crate) fn to(name: &str) -> Self {
        Self {
            wanted: ComparedName::new(name),
            found: BTreeSet::new(),
        }
    }

    pub(crate) fn add(&mut self, name: &str) {
        if let Some(distance) = self.wanted.distance(name) {
            self.found.insert((distance, name.to_owned()));
            if self.found.len() > MOST {
                self.found.pop_last();
            }
        }
    }

    /// The names, nearest first. If some of them differ only in case, they are the only suggestions.
    pub(crate) fn into_names(self) -> Vec<String> {
        let is_same = self.found.iter().any(|(distance, _)| *distance == 0);
        let names = self
            .found
            .into_iter()
            .filter(|(distance, _)| *distance == 0 || !is_same);
        names.map(|(_, name)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similar<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let mut similar = SimilarNames::to(wanted);
        names.into_iter().for_each(|name| similar.add(name));
        similar.into_names()
    }

    #[test]
    fn typing_errors_other_cases_and_parts_are_similar_and_nothing_that_is_far_off() {
        for (wanted, name) in [
            ("tep-pol", "tep-pool"),
            ("TEP-Pool", "tep-pool"),
            ("tpe-pool", "tep-pool"),
            ("web", "prod-web-tier"),
            ("caf\u{e9}-1", "caf\u{e9}-2"),
        ] {
            assert_eq!(similar(wanted, [name]), [name], "{wanted}");
        }
        for (wanted, name) in [
            ("tep-pool", "vtep-range-7"),
            ("a", "b"),
            ("", "x"),
            ("db", "prod-db-1"),
            ("blue", "green"),
            ("group-web", "group-db"),
        ] {
            assert_eq!(similar(wanted, [name]), [] as [&str; 0], "{wanted}");
        }
    }

    #[test]
    fn a_name_in_another_case_excludes_other_names() {
        assert_eq!(
            similar("EDGE-1", ["edge-2", "edge-1", "Edge-1"]),
            ["Edge-1", "edge-1"]
        );
    }

    #[test]
    fn the_three_nearest_names_are_kept_whatever_their_order() {
        let names = ["web-100", "web-11", "web-1x", "web-2", "my-web-1"];
        assert_eq!(similar("web-1", names), ["web-11", "web-1x", "web-2"]);
        assert_eq!(
            similar("web-1", names.into_iter().rev()),
            ["web-11", "web-1x", "web-2"]
        );
    }
}
