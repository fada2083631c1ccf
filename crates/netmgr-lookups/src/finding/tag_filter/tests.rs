//! Tests of conditions on tags.

use super::*;

#[test]
fn scope_and_tag_can_each_be_left_open() {
    let tag = |scope: &str, tag: &str| Tag {
        scope: scope.to_owned(),
        tag: tag.to_owned(),
    };
    for (text, found, fits) in [
        ("env:prod:eu", tag("env", "prod:eu"), true),
        ("env:prod:eu", tag("env:prod", "eu"), true),
        ("env:prod:eu", tag("env", "eu"), false),
        ("env:", tag("env", "prod"), true),
        ("azure:region:", tag("azure:region", "west"), true),
        ("azure:region:", tag("azure", "region:"), true),
        ("azure:region:", tag("azure", "region"), false),
        (":prod:eu", tag("env", "prod:eu"), true),
        ("env:prod", tag("env", "prod:eu"), false),
        ("Env:", tag("env", "prod"), false),
        ("prod", tag("env", "prod:eu"), false),
        ("prod", tag("env", "prod"), true),
    ] {
        let filter: TagFilter = text.parse().unwrap();
        let tags = [found];
        let is_met = filter.meanings().iter().any(|meaning| meaning.fits(&tags));
        assert_eq!(is_met, fits, "{text} {tags:?}");
    }
    assert!(":".parse::<TagFilter>().is_err() && "".parse::<TagFilter>().is_err());
}

#[test]
fn a_note_names_the_meanings_that_were_met() {
    let filter: TagFilter = "site:north:web".parse().unwrap();
    let last = filter.meanings().last();
    assert_eq!(
        filter.note(|met| Some(*met) == last).unwrap(),
        r#""site:north:web" matches scope "site:north" with tag "web""#
    );
    assert_eq!(filter.note(|_| false), None);
    assert_eq!("site:north".parse::<TagFilter>().unwrap().note(|_| true), None);
}
