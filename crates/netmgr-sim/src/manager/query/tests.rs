//! The query language: reading and matching together.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::matcher::fits;
use super::{Query, QueryError};

/// The reserved characters of the search language, including the backslash and the quote.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if r#"()[]+-=&|><!{}^~*?:/\""#.contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

fn router() -> Value {
    json!({
        "resource_type": "Tier1", "id": "web-1", "display_name": "Web Router (north)/2",
        "description": "Serves the shop", "path": "/infra/tier-1s/web-1", "member_index": 0,
        "marked_for_delete": false, "tags": [{"scope": "env", "tag": "prod"}, {"scope": "owner", "tag": "ops"}],
    })
}

#[track_caller]
fn matches(query: &str) -> bool {
    fits(&Query::parse(query).unwrap(), &router())
}

#[test]
fn terms_ignore_case() {
    assert!(matches("resource_type:TIER1"));
    assert!(matches("id:WEB-1"));
}

#[test]
fn a_term_without_field_looks_everywhere() {
    assert!(matches("prod"));
    assert!(matches("shop"));
    assert!(!matches("nowhere"));
}

#[test]
fn numbers_and_switches_compare_as_text() {
    assert!(matches("member_index:0"));
    assert!(!matches("member_index:1"));
    assert!(matches("marked_for_delete:false"));
}

#[test]
fn an_absent_field_fits_nothing() {
    assert!(!matches("nsx_id:*"));
    assert!(matches("NOT nsx_id:*"));
}

#[test]
fn nested_fields_are_reached_by_dots() {
    assert!(matches("tags.scope:env AND tags.tag:ops"));
    assert!(!matches("tags.scope:prod"));
}

#[test]
fn text_fields_match_by_word_and_others_as_a_whole() {
    assert!(matches("display_name:router"));
    assert!(matches("display_name:rout*"));
    assert!(!matches("display_name:rout"));
    assert!(!matches("id:web"));
    assert!(matches("id:web*"));
    assert!(!matches(r"path:\/infra"));
    assert!(matches(r"path:\/infra*"));
    assert!(matches(r"path:*\/web-1"));
    assert!(matches("id:web-?"));
    assert!(!matches("id:web-??"));
}

#[test]
fn parentheses_decide_what_operators_join() {
    assert!(matches("(id:none AND id:none) OR member_index:0"));
    assert!(!matches("id:none AND (id:none OR member_index:0)"));
    assert!(matches("NOT id:none AND member_index:0"));
    assert!(!matches("NOT (id:none OR member_index:0)"));
    assert!(matches("id:none || (!id:other && member_index:0)"));
    assert!(matches("+member_index:0 -id:none"));
}

#[test]
fn or_beside_another_operator_needs_parentheses() {
    for query in [
        "id:none AND id:none OR member_index:0",
        "id:none OR id:none AND member_index:0",
        "id:none OR NOT id:other",
        "id:none OR +id:other",
        "display_name:web router OR id:none",
        "display_name:(web router OR shop)",
    ] {
        assert_eq!(Query::parse(query), Err(QueryError::Mixed), "{query}");
    }
    assert!(matches("id:none OR (NOT id:other)"));
    assert!(matches(r"display_name:web\ router* OR id:none"));
    assert!(matches("display_name:(web router) OR id:none"));
}

#[test]
fn several_types_and_names_are_one_query() {
    let query = |name: &str| {
        format!(
            r"marked_for_delete:false AND path:\/infra* AND ((resource_type:Segment AND (display_name:a* OR display_name:b*)) OR (resource_type:Tier1 AND (display_name:x* OR display_name:{name})))"
        )
    };
    assert!(matches(&query(r"Web\ Rou*")));
    assert!(!matches(&query(r"Web\ Out*")));
}

#[test]
fn words_side_by_side_must_all_fit() {
    assert!(matches("display_name:web shop"));
    assert!(!matches("display_name:web nowhere"));
}

#[test]
fn a_group_can_share_its_field() {
    assert!(matches("member_index:(1 OR 0)"));
    assert!(!matches("member_index:(1 OR 2)"));
}

#[test]
fn a_phrase_keeps_its_words_together() {
    assert!(matches(r#"display_name:"web router""#));
    assert!(!matches(r#"display_name:"router web""#));
    assert!(matches(r#"path:"/infra/tier-1s/web-1""#));
}

#[test]
fn escaped_names_are_found_with_and_without_escaped_spaces() {
    assert!(matches(r"display_name:Web Router \(north\)\/2*"));
    assert!(matches(r"display_name:Web\ Router\ \(north\)\/2*"));
    assert!(!matches(r"display_name:Web\ Router\ \(south\)*"));
}

#[test]
fn unescaped_characters_break_the_query() {
    for (query, error) in [
        ("path:/infra", QueryError::Unescaped('/')),
        ("display_name:a:b", QueryError::MissingTerm),
        ("display_name:a]", QueryError::Unescaped(']')),
        ("display_name:a&b", QueryError::Unescaped('&')),
        ("display_name:a~", QueryError::Unescaped('~')),
        ("display_name:6\" rack", QueryError::OpenQuotation),
        ("display_name:a\\", QueryError::DanglingBackslash),
        ("display_name:(a", QueryError::Parenthesis),
        ("display_name:a)", QueryError::Parenthesis),
        ("display_name:", QueryError::MissingTerm),
        ("display_name:OR gate", QueryError::MissingTerm),
        ("a AND", QueryError::MissingTerm),
        ("", QueryError::MissingTerm),
    ] {
        assert_eq!(Query::parse(query), Err(error), "{query}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let query = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(Query::parse(&query), Err(QueryError::TooDeep));
}

#[test]
fn an_object_without_name_is_known_by_its_id() {
    let query = Query::parse("display_name:prof*").unwrap();
    assert!(fits(&query, &json!({"id": "profile"})));
    assert!(fits(&query, &json!({"id": "profile", "display_name": null})));
    assert!(!fits(&query, &json!({"id": "profile", "display_name": "other"})));
}

#[test]
fn only_types_that_every_hit_has_name_the_index() {
    let types = |query: &str| {
        let types = Query::parse(query).unwrap().resource_types();
        types.map(|types| Vec::from_iter(types).join(" "))
    };
    let named = |text: &str| Some(text.to_owned());
    assert_eq!(types("resource_type:Tier1 AND id:a"), named("tier1"));
    assert_eq!(types("resource_type:(Tier1 OR Tier0)"), named("tier0 tier1"));
    assert_eq!(
        types("(resource_type:Tier1 AND id:a) OR (resource_type:Tier0 AND (id:b OR id:c))"),
        named("tier0 tier1")
    );
    assert_eq!(types("resource_type:Tier1 OR id:a"), None);
    assert_eq!(types("NOT resource_type:Tier1"), None);
    assert_eq!(types("resource_type:Tier*"), None);
    assert_eq!(types("id:a"), None);
}

/// A word that stands alone and reads as an operator cannot be searched with spaces left bare.
fn has_operator(name: &str) -> bool {
    name.split_whitespace()
        .any(|word| matches!(word, "AND" | "OR" | "NOT"))
}

proptest! {
    #[test]
    fn prop_any_query_is_read_or_refused(query in any::<String>()) {
        if let Ok(query) = Query::parse(&query) {
            fits(&query, &router());
        }
    }

    #[test]
    fn prop_queries_of_operators_are_read_or_refused(query in r#"[a:()"\\*?!&|+ANDORT/ -]{0,40}"#) {
        if let Ok(query) = Query::parse(&query) {
            fits(&query, &router());
        }
    }

    #[test]
    fn prop_an_escaped_name_finds_its_object(name in r#"\PC{1,40}|[ a-cA-C(){}\[\]"/\\:*?^~&|<>=!+-]{1,20}"#) {
        prop_assume!(!has_operator(&name));
        let query = format!("resource_type:T AND display_name:{}* AND marked_for_delete:false", escape(&name));
        let object = json!({"resource_type": "T", "display_name": name, "marked_for_delete": false});
        prop_assert!(fits(&Query::parse(&query).unwrap(), &object));
        let longer = json!({"resource_type": "T", "display_name": format!("{name}-2"), "marked_for_delete": false});
        prop_assert!(fits(&Query::parse(&query).unwrap(), &longer));
    }

    #[test]
    fn prop_any_name_is_found_with_escaped_spaces(name in any::<String>()) {
        prop_assume!(!name.is_empty());
        let escaped: String = escape(&name)
            .chars()
            .flat_map(|letter| letter.is_whitespace().then_some('\\').into_iter().chain([letter]))
            .collect();
        let object = json!({"display_name": name});
        let query = format!("display_name:{escaped}*");
        prop_assert!(fits(&Query::parse(&query).unwrap(), &object));
    }
}
