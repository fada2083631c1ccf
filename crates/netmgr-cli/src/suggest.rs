//! Suggestions for mistyped names.

/// Similarity from which a name is suggested, of at most 1.
const SIMILAR: f64 = 0.8;
/// Similarity of names that differ in one letter, or in the order of two. By Jaro, they are far apart if they are short.
const TYPO: f64 = 0.85;
/// Shortest text for which all names that contain it are suggested.
const PART: usize = 3;
/// Maximum number of suggestions.
const MOST: usize = 3;

/// The names that are most similar to `given`, nearest first.
pub(crate) fn near<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let given = given.to_lowercase();
    let mut near: Vec<(f64, &str)> = names
        .into_iter()
        .map(|name| (similarity(&given, &name.to_lowercase()), name))
        .filter(|(similarity, _)| *similarity > SIMILAR)
        .collect();
    near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    near.truncate(MOST);
    near.into_iter().map(|(_, name)| name).collect()
}

/// How similar two names are, from 0 to 1.
fn similarity(one: &str, other: &str) -> f64 {
    let is_typo = one.len() >= PART && one.len() == other.len() && strsim::osa_distance(one, other) == 1;
    let jaro = strsim::jaro(one, other);
    if is_typo { jaro.max(TYPO) } else { jaro }
}

/// A hint that suggests all names that contain `given`, then names similar to it; without any, `otherwise`.
pub(crate) fn hint<T: AsRef<str>>(given: &str, names: &[T], otherwise: &str) -> String {
    let names = || names.iter().map(AsRef::as_ref);
    let containing: Vec<&str> = names()
        .filter(|name| given.len() >= PART && name.to_lowercase().contains(&given.to_lowercase()))
        .collect();
    let near = match containing.is_empty() {
        true => near(given, names()),
        false => containing,
    };
    match near.is_empty() {
        true => otherwise.to_owned(),
        false => did_you_mean(near),
    }
}

/// The question whether one of `names` was meant, which are not empty.
pub(crate) fn did_you_mean<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    question(names.into_iter().map(|name| format!("`{name}`")).collect())
}

/// A suggestion of object names, which are quoted as in other messages.
pub(crate) fn did_you_mean_objects(names: &[String]) -> String {
    question(names.iter().map(|name| format!("{name:?}")).collect())
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
        assert_eq!(did_you_mean(["a", "b", "c"]), "did you mean `a`, `b` or `c`?");
        assert_eq!(hint("pod", &["lab", "period"], "-"), "-", "it is far off");
        assert_eq!(near("gte", ["get", "types"]), ["get"]);
        assert_eq!(near("vs", ["vm", "segment"]), [""; 0], "it is too short");
        assert_eq!(
            hint("zzz", &names, "the profiles are lab"),
            "the profiles are lab"
        );
    }
}
