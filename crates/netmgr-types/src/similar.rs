//! Words of a vocabulary that are similar to one that it lacks, as suggestions: functions, types, options and settings.

use std::collections::BTreeSet;

use heck::ToKebabCase as _;

/// Maximum number of suggestions.
const MOST: usize = 5;
/// Minimum length of a part that is looked for in longer words.
const PART: usize = 3;
/// Maximum length of the words that are compared.
const LONGEST: usize = 80;

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
    let words = BTreeSet::from_iter(words).into_iter().take(MOST);
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
    use super::*;

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
            assert_eq!(similar(given, words), suggested, "{given}");
        }
    }
}
