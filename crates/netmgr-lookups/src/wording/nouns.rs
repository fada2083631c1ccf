//! Nouns of objects, and lists of names, in sentences.

use std::fmt::Display;

/// The plural of `noun`: `gateway policies`.
pub(crate) fn plural(noun: &str) -> String {
    if let Some((head, others)) = noun.split_once(" of ") {
        return format!("{} of {others}", plural(head));
    }
    let is_consonant = |letter: char| !"aeiou".contains(letter);
    match noun.strip_suffix('y') {
        Some(stem) if stem.ends_with(is_consonant) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A number of objects: `1 page`, `2 policies`.
#[must_use]
pub fn counted<N: Display + From<u8> + PartialEq>(count: N, noun: &str) -> String {
    if count == N::from(1) {
        format!("1 {noun}")
    } else {
        format!("{count} {}", plural(noun))
    }
}

/// Names as alternatives: `a, b or c`.
#[must_use]
pub fn any_of<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names[..] {
        [ref first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_have_plurals() {
        for (one, several) in [
            ("IP pool", "IP pools"),
            ("address", "addresses"),
            ("gateway", "gateways"),
            ("gateway policy", "gateway policies"),
            (
                "cluster of virtual network appliances",
                "clusters of virtual network appliances",
            ),
        ] {
            assert_eq!(plural(one), several);
        }
    }
}
