//! Tests of policy paths.

use proptest::prelude::*;

use super::*;

fn refused(text: &str) -> &'static str {
    PolicyPath::parse(text).expect_err(text).0
}

#[test]
fn a_path_has_parts() {
    let path = PolicyPath::parse("/infra/domains/default/groups/web//").unwrap();
    assert_eq!(path.as_str(), "/infra/domains/default/groups/web");
    assert_eq!(
        (path.id(), path.collection(), path.parent()),
        ("web", "/infra/domains/default/groups", "/infra/domains/default")
    );
    assert!(path.is_below("/infra/domains") && path.is_within(path.as_str()));
    assert!(!path.is_below(path.as_str()) && !path.is_within("/infra/domains/def"));
    let root = PolicyPath::parse("/infra").unwrap();
    assert_eq!((root.id(), root.collection(), root.parent()), ("infra", "", ""));
}

fn is_of_pattern(text: &str) -> bool {
    let schema = serde_json::json!({ "pattern": PolicyPath::pattern(&[]) });
    jsonschema::validator_for(&schema).unwrap().is_valid(&text.into())
}

#[test]
fn ids_can_contain_any_letter_that_does_not_end_a_path() {
    for path in [
        "/infra/settings/security/cluster-configs/7f6e:domain-c20",
        "/global-infra/sites/Zürich 2",
        "/orgs/default/projects/a%20b/infra/segments/.hidden",
        "/infra/segments/a..b/ports/...",
    ] {
        assert_eq!(PolicyPath::parse(path).unwrap().as_str(), path);
    }
}

#[test]
fn other_texts_are_refused_with_the_reason() {
    for (text, reason) in [
        ("", "not below"),
        ("/", "not below"),
        ("infra/segments/lab", "not below"),
        ("/infrastructure/segments/lab", "not below"),
        ("/orgs", "not below"),
        ("//sites/default", "not below"),
        ("/infra/segments/a,/infra/segments/b", "several paths"),
        ("/infra/segments/a /orgs/o/projects/p", "several paths"),
        ("/infra//segments/lab", "empty segment"),
        ("/infra/../segments/lab", "`.` or `..`"),
        ("/infra/segments/lab/..", "`.` or `..`"),
        ("/infra/./segments/lab", "`.` or `..`"),
        ("/infra/segments/lab ", "begins or ends with a blank"),
        ("\t/infra/segments/lab", "begins or ends with a blank"),
        ("/infra/segments /lab", "begins or ends with a blank"),
        ("/infra/segments/a\u{7}b", "control character"),
        ("/infra/segments/lab?a=b", "\"?\""),
        ("/infra/segments/lab#a", "\"#\""),
    ] {
        assert!(refused(text).contains(reason), "{text}: {}", refused(text));
        assert!(!is_of_pattern(text), "{text}");
    }
}

proptest! {
    /// A path is made of its parts, and a URL that consists of its segments is below no other one.
    #[test]
    fn prop_a_path_that_is_accepted_is_its_segments(text in "(/(infra|orgs|[a.% ?,]{0,3}|\\PC{0,2})){0,5}/?") {
        if let Ok(path) = PolicyPath::parse(&text) {
            let joined: String = path.segments().flat_map(|segment| ["/", segment]).collect();
            prop_assert_eq!(path.as_str(), joined);
            prop_assert!(path.segments().all(|segment| PolicyPath::check_segment(segment).is_ok()));
            prop_assert!(path.is_within(path.collection()) && path.is_within(path.parent()));
            prop_assert_eq!(PolicyPath::parse(path.as_str()), Ok(path));
        }
        prop_assert_eq!(PolicyPath::parse(&text).is_ok(), is_of_pattern(&text));
    }
}
