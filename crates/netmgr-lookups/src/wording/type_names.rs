//! The vocabulary of types: the words that name a function, or one of the manager's types of objects.
//!
//! All of them follow from the functions and the kinds of objects that they read, so that a new function needs no entry. Words are compared
//! without case, `-` and `_`. A spelling of a token always keeps its meaning. A shorter word means the policy API. If
//! several functions claim a word with equal rank, none of them gets it.

use std::collections::HashMap;
use std::collections::hash_map;
use std::sync::LazyLock;

use heck::ToKebabCase as _;
use netmgr_types::similar;

use crate::contract::registry::FunctionEntry;
use crate::finding::object_kind::ObjectKind;
use crate::functions::subjects::OF_SUBJECTS;
use crate::wording::nouns;

/// Words that only say which API or which kind of object an older name is about.
const QUALIFIERS: [&str; 3] = ["policy", "logical", "ns"];
/// Words without which the name of a router is short: `tier0`.
const ROUTERS: [&str; 2] = ["gateway", "router"];

/// The claim of a function to a word. The least one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    /// Whether the word is the plural of one of this kind.
    is_plural: bool,
    kind: WordKind,
}

/// Kind of a word, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WordKind {
    /// A spelling of the function.
    Spelling,
    /// The name of a function of the policy API without `policy`.
    WithoutApi,
    /// A short word for a function of the policy API.
    PolicyWord,
    /// A short word for an older function.
    OlderWord,
    /// The manager's type of the objects.
    ResourceType,
}

/// Functions by the words for them.
pub(crate) struct TypeNames(HashMap<String, Option<(Claim, &'static FunctionEntry)>>);

/// The functions whose objects can be listed, by the words for them.
pub(crate) static COLLECTIONS: LazyLock<TypeNames> = LazyLock::new(|| TypeNames::of(listed()));

fn listed() -> impl Iterator<Item = &'static FunctionEntry> {
    OF_SUBJECTS.iter().filter(|entry| entry.is_listed())
}

/// The name of a function as words: `policy-edge-cluster` of `getPolicyEdgeCluster`.
#[must_use]
pub fn function_words(name: &str) -> String {
    name.strip_prefix("get").unwrap_or(name).to_kebab_case()
}

impl FunctionEntry {
    /// The manager's type of the objects that it selects: `PolicyEdgeCluster`. A collection with objects of several
    /// types has its own name, such as `lb-app-profiles`.
    #[must_use]
    pub fn resource_type(&self) -> Option<&'static str> {
        let own = self.kinds().next().filter(|_| self.is_listed());
        own.map(ObjectKind::type_name)
    }
}

/// Types of the objects in collections that functions only list.
const OF_COLLECTIONS: [(&str, &[&str]); 8] = [
    ("cluster-configs", &["IdsClusterConfig"]),
    ("intrusion-service-gateway-policies", &["IdsGatewayPolicy"]),
    ("intrusion-service-policies", &["IdsSecurityPolicy"]),
    (
        "lb-app-profiles",
        &["LBFastTcpProfile", "LBFastUdpProfile", "LBHttpProfile"],
    ),
    (
        "lb-monitor-profiles",
        &[
            "LBHttpMonitorProfile",
            "LBHttpsMonitorProfile",
            "LBIcmpMonitorProfile",
            "LBPassiveMonitorProfile",
            "LBTcpMonitorProfile",
            "LBUdpMonitorProfile",
        ],
    ),
    (
        "lb-persistence-profiles",
        &[
            "LBCookiePersistenceProfile",
            "LBGenericPersistenceProfile",
            "LBSourceIpPersistenceProfile",
        ],
    ),
    ("rules", &["IdsRule"]),
    ("signature-versions", &["IdsSignatureVersion"]),
];

/// The type among the manager's types `known` that a word means: a spelling of it, or a word for the function that
/// reads it. A collection in `known` with objects of several types is a type of its own.
///
/// # Errors
///
/// The similar ones, or all types of the collection that the word means.
pub fn type_named(word: &str, known: &[String]) -> Result<String, Vec<String>> {
    let named = |name: &str| known.iter().find(|known| *known == name).cloned();
    let is_type = |name: &str| name.starts_with(char::is_uppercase);
    let spelled = |word: &str| {
        known
            .iter()
            .find(|known| is_type(known) && is_spelling(word, known))
            .cloned()
    };
    let types_of = |word: &str| {
        let mut types = OF_COLLECTIONS.iter();
        types
            .find(|(collection, _)| is_spelling(word, collection))
            .map_or(&[][..], |(_, types)| types)
    };
    let of_collection = |name: &str| {
        named(name).or_else(|| match types_of(name) {
            [only] => named(only),
            _ => None,
        })
    };
    let of_function = |word: &str| of_collection(COLLECTIONS.find(word)?.resource_type()?);
    let found = named(word)
        .filter(|_| is_type(word))
        // If both APIs have the type, a word without `policy` means the policy API.
        .or_else(|| of_function(&format!("policy{word}")))
        .or_else(|| spelled(word))
        .or_else(|| of_function(word))
        .or_else(|| of_collection(word));
    found.ok_or_else(|| {
        let collection = COLLECTIONS.find(word).and_then(FunctionEntry::resource_type);
        let types = types_of(collection.unwrap_or(word)).iter();
        let types: Vec<String> = types.filter_map(|name| named(name)).collect();
        // Its objects have no type, and no other word is meant.
        if collection.is_some() || !types.is_empty() {
            return types;
        }
        let kebab = word.to_kebab_case();
        let types = similar(kebab.strip_prefix("policy-").unwrap_or(&kebab), known);
        if !types.is_empty() {
            return types.into_iter().map(str::to_owned).collect();
        }
        let functions: Vec<String> = listed().map(|entry| function_words(entry.spec.name)).collect();
        let mut types: Vec<String> = similar(word, &functions)
            .into_iter()
            .filter_map(of_function)
            .collect();
        types.dedup();
        types
    })
}

/// Whether `word` is `name` or its plural, or the singular of a plural.
fn is_spelling(word: &str, name: &str) -> bool {
    let (word, name) = (key(word), key(name));
    word == name || plural(&name).as_ref() == Some(&word) || plural(&word) == Some(name)
}

/// A word without case and separators.
fn key(word: &str) -> String {
    let letters = word.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

impl TypeNames {
    /// The words for `functions`, among which each is unambiguous.
    pub(crate) fn of(functions: impl Iterator<Item = &'static FunctionEntry>) -> Self {
        let mut claims: Vec<(Claim, String, &FunctionEntry)> = Vec::new();
        for function in functions {
            claims.extend(
                claimed(function)
                    .into_iter()
                    .map(|(claim, word)| (claim, word, function)),
            );
        }
        claims.sort_by_key(|(claim, ..)| *claim);
        let mut words = HashMap::new();
        for (claim, word, function) in claims {
            match words.entry(word) {
                hash_map::Entry::Vacant(free) => {
                    free.insert(Some((claim, function)));
                }
                hash_map::Entry::Occupied(mut taken) => {
                    let is_rival = |(earlier, other): &(Claim, &FunctionEntry)| {
                        *earlier == claim && other.spec.name != function.spec.name
                    };
                    if taken.get().as_ref().is_some_and(is_rival) {
                        taken.insert(None);
                    }
                }
            }
        }
        Self(words)
    }

    pub(crate) fn find(&self, word: &str) -> Option<&'static FunctionEntry> {
        Some(self.0.get(&key(word))?.as_ref()?.1)
    }
}

/// The words that a function claims.
fn claimed(function: &FunctionEntry) -> Vec<(Claim, String)> {
    let spec = &function.spec;
    let name = key(spec.name.strip_prefix("get").unwrap_or(spec.name));
    let without_api = name.strip_prefix("policy");
    let word = match without_api {
        Some(_) => WordKind::PolicyWord,
        None => WordKind::OlderWord,
    };
    let mut singular = vec![
        (WordKind::Spelling, name.clone()),
        (WordKind::Spelling, key(spec.name)),
    ];
    singular.extend(without_api.map(|name| (WordKind::WithoutApi, name.to_owned())));
    singular.extend(short_words(&name).into_iter().map(|short| (word, short)));
    singular.extend(
        function
            .resource_type()
            .map(|name| (WordKind::ResourceType, key(name))),
    );
    let plurals = singular
        .iter()
        .filter_map(|(kind, word)| Some((true, *kind, plural(word)?)));
    let plurals: Vec<_> = plurals.collect();
    singular.push((WordKind::Spelling, key(&spec.token())));
    let singular = singular.into_iter().map(|(kind, word)| (false, kind, word));
    let words = singular.chain(plurals);
    words
        .map(|(is_plural, kind, word)| (Claim { is_plural, kind }, word))
        .collect()
}

/// The name without the word before it, and also without the word for a router: `tier0router` and `tier0` of
/// `logicaltier0router`.
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

/// The plural of a word, unless it ends like one.
fn plural(word: &str) -> Option<String> {
    (!word.ends_with('s')).then(|| nouns::plural(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::ALL;

    static FUNCTIONS: LazyLock<TypeNames> = LazyLock::new(|| TypeNames::of(ALL.iter()));

    fn found(word: &str) -> Option<String> {
        FUNCTIONS.find(word).map(|entry| function_words(entry.spec.name))
    }

    #[test]
    fn every_spelling_of_a_token_keeps_its_meaning() {
        for function in ALL.iter() {
            let spec = &function.spec;
            let words = function_words(spec.name);
            for name in [
                &words,
                spec.name,
                &spec.token(),
                &words.replace('-', "_"),
                &spec.name.to_uppercase(),
            ] {
                assert_eq!(found(name).as_ref(), Some(&words), "{name}");
            }
        }
    }

    #[test]
    fn short_words_mean_the_policy_api_where_no_older_function_has_the_name() {
        for (word, name) in [
            ("edge-cluster", "edge-cluster"),
            ("edge-node", "policy-edge-node"),
            ("dhcp-server", "policy-dhcp-server"),
            ("group", "policy-group"),
            ("Group", "policy-group"),
            ("GROUPS", "policy-groups"),
            ("service", "policy-service"),
            ("IpAddressPool", "policy-ip-pool"),
            ("tier0", "policy-tier0-gateway"),
        ] {
            assert_eq!(found(word).as_deref(), Some(name), "{word}");
        }
        assert_eq!(found("policy"), None);
    }

    #[test]
    fn plurals_are_words_unless_a_function_has_them() {
        assert_eq!(found("ip-pools").unwrap(), "ip-pool");
        assert_eq!(found("policy-edge-clusters").unwrap(), "policy-edge-cluster");
        assert_eq!(found("ns-groups").unwrap(), "ns-groups");
        // Maps are not listed.
        assert_eq!(COLLECTIONS.find("ns-groups").unwrap().spec.name, "getNsGroup");
        assert_eq!(plural("gatewaypolicy").unwrap(), "gatewaypolicies");
        assert_eq!(plural("prefix").unwrap(), "prefixes");
        assert_eq!(plural("gateway").unwrap(), "gateways");
        assert_eq!(plural("tags"), None);
    }

    #[test]
    fn a_word_for_a_function_means_the_type_of_its_objects() {
        let known = [
            "EdgeCluster",
            "Group",
            "IpAddressPool",
            "PolicyEdgeCluster",
            "Rule",
            "lb-app-profiles",
        ]
        .map(str::to_owned);
        for (word, type_) in [
            ("Group", "Group"),
            ("group", "Group"),
            ("policy-groups", "Group"),
            ("getPolicyGroup", "Group"),
            ("getPolicyGroups", "Group"),
            ("RULES", "Rule"),
            // The policy API has a type of the same name.
            ("ip-pool", "IpAddressPool"),
            ("edge_cluster", "PolicyEdgeCluster"),
            ("lb-app-profile", "lb-app-profiles"),
            // Both APIs have edge clusters.
            ("edge-cluster", "PolicyEdgeCluster"),
            ("EdgeCluster", "EdgeCluster"),
        ] {
            assert_eq!(type_named(word, &known), Ok(type_.to_owned()), "{word}");
        }
        for (word, similar) in [
            ("Grup", &["Group"][..]),
            ("policy-gruop", &["Group"]),
            ("zzz", &[]),
        ] {
            assert_eq!(
                type_named(word, &known),
                Err(similar.iter().map(ToString::to_string).collect()),
                "{word}"
            );
        }
    }

    #[test]
    fn a_word_that_two_functions_claim_is_the_name_of_none() {
        let names = TypeNames::of(ALL.iter());
        for (word, owner) in &names.0 {
            let rivals = ALL.iter().flat_map(claimed).filter(|(_, other)| other == word);
            assert!(owner.is_some() || rivals.count() > 1, "{word}");
        }
    }
}
