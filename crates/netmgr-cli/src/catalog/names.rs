//! The names that a function is called by: the spellings of its token, short words and plurals.
//!
//! All of them follow from the names of the functions, so that a new function needs no entry. A spelling of a token
//! always keeps its meaning. A short word means the policy API unless it is the name of an older function. If several
//! functions claim a word with equal rank, none of them gets it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::CatalogFunction;

/// Words that only say which API or which kind of object an older name is about.
const QUALIFIERS: [&str; 3] = ["policy-", "logical-", "ns-"];
/// Words without which the name of a router is short: `tier0`.
const ROUTERS: [&str; 2] = ["-gateway", "-router"];

/// The claim of a function to a name. The least one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    /// Whether the name is the plural of one of this kind.
    is_plural: bool,
    kind: NameKind,
}

/// Kind of a name, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NameKind {
    /// A spelling of the function.
    Spelling,
    /// The name of a function of the policy API without `policy-`.
    WithoutApi,
    /// A short word for a function of the policy API.
    PolicyWord,
    /// A short word for an older function.
    OlderWord,
}

/// Names of functions.
pub(super) struct FunctionNames(HashMap<String, Option<(Claim, &'static CatalogFunction)>>);

impl FunctionNames {
    /// The names of `functions`, among which each is unambiguous.
    pub(super) fn of(functions: Vec<&'static CatalogFunction>) -> Self {
        let mut claims: Vec<(Claim, String, &CatalogFunction)> = Vec::new();
        for function in functions {
            let names = claimed(function).into_iter();
            claims.extend(names.map(|(claim, name)| (claim, name, function)));
        }
        claims.sort_by_key(|(claim, ..)| *claim);
        let mut names = HashMap::new();
        for (claim, name, function) in claims {
            match names.entry(name) {
                Entry::Vacant(free) => {
                    free.insert(Some((claim, function)));
                }
                Entry::Occupied(mut taken) => {
                    let is_rival = |(earlier, other): &(Claim, &CatalogFunction)| {
                        *earlier == claim && other.name != function.name
                    };
                    if taken.get().as_ref().is_some_and(is_rival) {
                        taken.insert(None);
                    }
                }
            }
        }
        Self(names)
    }

    /// The function with this name.
    pub(super) fn find(&self, name: &str) -> Option<&'static CatalogFunction> {
        Some(self.0.get(name)?.as_ref()?.1)
    }

    /// The short words, sorted.
    pub(super) fn short(&self) -> Vec<&str> {
        let names = self.0.iter().filter(|(_, owner)| {
            owner.is_some_and(|(claim, _)| !claim.is_plural && claim.kind != NameKind::Spelling)
        });
        let mut names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// The names of `function` besides the one in help, sorted.
    pub(super) fn aliases(&self, function: &CatalogFunction) -> Vec<String> {
        let names = self.0.iter().filter(|(name, owner)| {
            owner.is_some_and(|(_, owner)| owner.name == function.name) && **name != function.name
        });
        let mut names: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        names.sort();
        names
    }
}

/// The names that a function claims.
fn claimed(function: &CatalogFunction) -> Vec<(Claim, String)> {
    let name = &function.name;
    let spec = &function.entry.spec;
    let without_api = name.strip_prefix("policy-");
    let word = match without_api {
        Some(_) => NameKind::PolicyWord,
        None => NameKind::OlderWord,
    };
    let words = short_words(name).into_iter().map(|short| (word, short));
    let mut singular = vec![(NameKind::Spelling, name.clone())];
    singular.extend(without_api.map(|name| (NameKind::WithoutApi, name.to_owned())));
    singular.extend(words);
    let plurals = singular.iter().filter_map(|(kind, name)| {
        let plural = plural(name)?;
        Some([plural.replace('-', "_"), plural].map(|plural| (true, *kind, plural)))
    });
    let plurals: Vec<_> = plurals.flatten().collect();
    // The last one is the name in Terraform.
    let spellings = [
        format!("get-{name}"),
        spec.name.to_owned(),
        spec.token(),
        name.replace('-', "_"),
    ];
    singular.extend(spellings.map(|spelling| (NameKind::Spelling, spelling)));
    let singular = singular.into_iter().map(|(kind, name)| (false, kind, name));
    let names = singular.chain(plurals);
    names
        .map(|(is_plural, kind, name)| (Claim { is_plural, kind }, name))
        .collect()
}

/// The name without the word before it, and also without the word for a router: `tier0-router` and `tier0` of
/// `logical-tier0-router`.
fn short_words(name: &str) -> Vec<String> {
    let unqualified = QUALIFIERS
        .iter()
        .find_map(|qualifier| name.strip_prefix(qualifier));
    let Some(unqualified) = unqualified else {
        return Vec::new();
    };
    let of_router = ROUTERS.iter().find_map(|router| unqualified.strip_suffix(router));
    [Some(unqualified), of_router]
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect()
}

/// The plural of a name, unless it ends like one.
fn plural(name: &str) -> Option<String> {
    let is_consonant = |letter: char| !"aeiou".contains(letter);
    match name.strip_suffix('y') {
        _ if name.ends_with('s') => None,
        Some(stem) if stem.ends_with(is_consonant) => Some(format!("{stem}ies")),
        _ if ["x", "ch", "sh"].iter().any(|end| name.ends_with(end)) => Some(format!("{name}es")),
        _ => Some(format!("{name}s")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CATALOG, LISTED_NAMES, find};
    use super::*;

    fn found(name: &str) -> Option<&'static str> {
        find(name).map(|function| function.name.as_str())
    }

    #[test]
    fn every_spelling_of_a_token_keeps_its_meaning() {
        for function in CATALOG.iter() {
            let spec = &function.entry.spec;
            let terraform = function.name.replace('-', "_");
            for name in [&function.name, spec.name, &spec.token(), &terraform] {
                assert_eq!(found(name), Some(function.name.as_str()), "{name}");
            }
        }
    }

    #[test]
    fn short_words_mean_the_policy_api_where_no_older_function_has_the_name() {
        assert_eq!(found("edge-cluster"), Some("edge-cluster"));
        assert_eq!(found("edge-node"), Some("policy-edge-node"));
        assert_eq!(found("dhcp-server"), Some("policy-dhcp-server"));
        for (word, name) in [
            ("group", "policy-group"),
            ("service", "policy-service"),
            ("segment", "policy-segment"),
            ("tier0", "policy-tier0-gateway"),
        ] {
            assert_eq!(found(word), Some(name), "{word}");
        }
        assert_eq!(found("policy"), None);
    }

    #[test]
    fn plurals_are_names_unless_a_function_has_them() {
        assert_eq!(found("ip-pools"), Some("ip-pool"));
        assert_eq!(found("policy-edge-clusters"), Some("policy-edge-cluster"));
        assert_eq!(found("ns-groups"), Some("ns-groups"));
        // Maps are not listed.
        let listed = LISTED_NAMES.find("ns-groups").unwrap();
        assert_eq!(listed.name, "ns-group");
        assert_eq!(plural("gateway-policy").unwrap(), "gateway-policies");
        assert_eq!(plural("prefix").unwrap(), "prefixes");
        assert_eq!(plural("gateway").unwrap(), "gateways");
        assert_eq!(plural("tags"), None);
    }

    #[test]
    fn a_word_that_two_functions_claim_is_the_name_of_none() {
        let names = FunctionNames::of(CATALOG.iter().collect());
        for (name, owner) in &names.0 {
            let rivals = CATALOG
                .iter()
                .flat_map(claimed)
                .filter(|(_, other)| other == name);
            assert!(owner.is_some() || rivals.count() > 1, "{name}");
        }
    }
}
