//! Names of objects that are similar to a name that no object has, as suggestions.
//!
//! They are collected from the rows of a list that is read anyway. [`similar`] suggests words of a vocabulary: functions,
//! types, options and settings.

use std::collections::BTreeSet;

use heck::ToKebabCase as _;

/// Maximum number of suggestions.
const MOST: usize = 3;
/// Maximum number of suggested words.
const MOST_WORDS: usize = 5;
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

/// The words of a vocabulary that `given` may stand for, nearest first, at most five: with a typing error, with a part
/// that begins with it or with its singular, or with a typing error in their last parts.
pub fn similar<'a, T: AsRef<str>>(given: &str, words: &'a [T]) -> Vec<&'a str> {
    let given = given.to_kebab_case();
    let singular = given.strip_suffix('s').filter(|singular| singular.len() >= PART);
    let words = words.iter().map(AsRef::as_ref).filter_map(|word: &str| {
        let known = word.to_kebab_case();
        let given = std::iter::once(&*given).chain(singular);
        let unlike = given.filter_map(|given| unlikeness(given, &known)).min()?;
        Some((unlike, known.len(), word))
    });
    let words = BTreeSet::from_iter(words).into_iter().take(MOST_WORDS);
    words.map(|(.., word)| word).collect()
}

/// How unlike a word is to what was given; `None` if it is not similar. Both consist of parts: `display-name`.
fn unlikeness(given: &str, word: &str) -> Option<usize> {
    if given.len() < PART || given.len() > LONGEST {
        return None;
    }
    // Most functions have this prefix, so it makes none of them similar.
    let own = given.strip_prefix("policy-").unwrap_or(given);
    let edits = (own.len() / 5).max(1);
    let typo = |word: &str| Some(strsim::osa_distance(given, word)).filter(|distance| *distance <= edits);
    // A short word is a whole part: `all` does not begin `allow`.
    let ends = |at: usize| {
        given.len() > PART || word[at + given.len()..].starts_with('-') || word.len() == at + given.len()
    };
    let begins = |(at, _): (usize, &str)| (at == 0 || word[..at].ends_with('-')) && ends(at);
    let begins_part = word.match_indices(given).any(begins);
    let last = || {
        let parts = given.split('-').count();
        let (at, _) = word.rmatch_indices('-').nth(parts - 1)?;
        let last = &word[at + 1..];
        typo(last).filter(|_| given.len() > PART && given.as_bytes()[0] == last.as_bytes()[0])
    };
    // `hostname` for `host`, and `name-contains` for `contains`.
    let is_end = || given.strip_suffix(word).is_some_and(|first| first.ends_with('-'));
    let is_longer =
        || word.len() > PART && (given.starts_with(word) || is_end()) && word.len() * 2 >= given.len();
    typo(word)
        .or((own == word).then_some(1))
        .or(begins_part.then_some(LONGEST))
        .or_else(|| last().map(|distance| LONGEST + distance))
        .or_else(|| is_longer().then_some(LONGEST * 2))
}

#[cfg(test)]
mod tests {
    use super::{similar as similar_words, *};

    #[test]
    fn words_are_suggested_for_typing_errors_and_parts_and_nothing_that_is_far_off() {
        for (given, words, suggested) in [
            (
                "prod-est",
                &["lab", "prod-east", "prod-west"][..],
                &["prod-east", "prod-west"][..],
            ),
            ("gte", &["get", "types"], &["get"]),
            ("Segmnt", &["Segment", "Rule"], &["Segment"]),
            (
                "egde-cluster",
                &["edge-node", "policy-edge-cluster"],
                &["policy-edge-cluster"],
            ),
            (
                "certs",
                &["certificate", "policy-certificate", "ns-group"],
                &["certificate", "policy-certificate"],
            ),
            ("name", &["display-name", "rename"], &["display-name"]),
            ("policy-vpc", &["policy-vm", "policy-vms"], &[]),
            ("policy-vpc", &["policy-vm", "vpc"], &["vpc"]),
            ("policy-segmnt", &["policy-segment"], &["policy-segment"]),
            ("displayname", &["display-name"], &["display-name"]),
            ("hostname", &["host", "hub"], &["host"]),
            (
                "pool",
                &["a-pool", "b-pool", "c-pool", "d-pool", "e-pool", "f-pool"],
                &["a-pool", "b-pool", "c-pool", "d-pool", "e-pool"],
            ),
            ("timeout", &["remote-auth", "entity-type"], &[]),
            ("project", &["profile", "prefix"], &[]),
            ("vs", &["vm", "segment"], &[]),
            ("pod", &["lab", "period"], &[]),
            ("all", &["allow-unverified-ssl"], &[]),
            ("tag", &["tag-scope", "stage"], &["tag-scope"]),
            ("ha-profile", &["qos-profile"], &[]),
            ("name-contains", &["contains", "name"], &["contains"]),
        ] {
            assert_eq!(similar_words(given, words), suggested, "{given}");
        }
    }

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
