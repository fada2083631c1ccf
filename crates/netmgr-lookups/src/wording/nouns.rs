//! Nouns of objects in sentences.

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
