//! Suggestions for mistyped names.

use netmgr_lookups::{any_of, similar};

/// The error of a word that a vocabulary does not contain, with a hint.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub(crate) struct UnknownWord {
    pub(crate) what: String,
    pub(crate) hint: String,
}

/// A hint that suggests similar names; `otherwise` if there are none.
pub(crate) fn hint<T: AsRef<str>>(given: &str, names: &[T], otherwise: &str) -> String {
    match similar(given, names).as_slice() {
        [] => otherwise.to_owned(),
        similar => did_you_mean(similar),
    }
}

/// The question whether one of `names`, which is not empty, was meant.
pub(crate) fn did_you_mean<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    format!("did you mean {}?", any_of(&names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_others_are_not() {
        let names = ["lab", "prod-east", "prod-west"];
        assert_eq!(
            hint("PROD", &names, "-"),
            "did you mean `prod-east` or `prod-west`?"
        );
        assert_eq!(did_you_mean(&["a", "b", "c"]), "did you mean `a`, `b` or `c`?");
        assert_eq!(
            hint("zzz", &names, "the profiles are lab"),
            "the profiles are lab"
        );
    }
}
