//! Suggestions for mistyped names.

/// Minimum similarity of suggested names (at most 1).
const SIMILAR: f64 = 0.8;
/// Similarity of names that differ in one letter, or in the order of two. For short names, Jaro is much lower.
const TYPO: f64 = 0.85;
/// Minimum length of a text for which all names with a word that begins with it are suggested.
const PART: usize = 3;
/// Maximum number of suggestions of similar names.
const MOST: usize = 3;

/// The names that are most similar to `given`, nearest first.
pub(crate) fn near<'a>(given: &str, names: &[&'a str]) -> Vec<&'a str> {
    let given = given.to_lowercase();
    let mut near: Vec<(f64, &str)> = names
        .iter()
        .map(|name| (similarity(&given, &name.to_lowercase()), *name))
        .filter(|(similarity, _)| *similarity > SIMILAR)
        .collect();
    near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    near.truncate(MOST);
    near.into_iter().map(|(_, name)| name).collect()
}

/// The similarity of two names, from 0 to 1.
fn similarity(one: &str, other: &str) -> f64 {
    let is_typo = one.len() >= PART && one.len() == other.len() && strsim::osa_distance(one, other) == 1;
    let jaro = strsim::jaro(one, other);
    if is_typo { jaro.max(TYPO) } else { jaro }
}

/// A hint that suggests all names with a word that begins with `given`, then similar names; `otherwise` if there are none.
pub(crate) fn hint<T: AsRef<str>>(given: &str, names: &[T], otherwise: &str) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let with_word: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| has_word(name, given))
        .collect();
    let near = match with_word.is_empty() {
        true => near(given, &names),
        false => with_word,
    };
    match near.is_empty() {
        true => otherwise.to_owned(),
        false => did_you_mean(&near),
    }
}

/// Whether a word of `name` begins with `given`, which may contain several words.
fn has_word(name: &str, given: &str) -> bool {
    let (name, given) = (name.to_lowercase(), given.to_lowercase());
    let mut matches = name.match_indices(&given);
    given.len() >= PART
        && matches.any(|(at, _)| !name[..at].ends_with(|letter: char| letter.is_alphanumeric()))
}

/// The question whether one of `names`, which is not empty, was meant.
pub(crate) fn did_you_mean(names: &[&str]) -> String {
    question(names.iter().map(|name| format!("`{name}`")).collect())
}

fn question(names: Vec<String>) -> String {
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("did you mean {} or {last}?", first.join(", ")),
        names => format!("did you mean {}?", names.concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_nearest_first_and_others_are_not() {
        let names = ["lab", "prod-east", "prod-west"];
        assert_eq!(
            hint("prod-est", &names, "-"),
            "did you mean `prod-east` or `prod-west`?"
        );
        assert_eq!(
            hint("PROD", &names, "-"),
            "did you mean `prod-east` or `prod-west`?"
        );
        assert_eq!(did_you_mean(&["a", "b", "c"]), "did you mean `a`, `b` or `c`?");
        assert_eq!(hint("pod", &["lab", "period"], "-"), "-", "it is far off");
        assert_eq!(near("gte", &["get", "types"]), ["get"]);
        assert_eq!(near("vs", &["vm", "segment"]), [""; 0], "it is too short");
        assert_eq!(
            hint("zzz", &names, "the profiles are lab"),
            "the profiles are lab"
        );
    }
}
