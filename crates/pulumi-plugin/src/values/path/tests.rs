//! Tests of parsing, printing, getting and setting.

use proptest::prelude::*;

use super::*;
use crate::values::OutputValue;

fn parsed(text: &str) -> PropertyPath {
    text.parse().unwrap()
}

#[test]
fn paths_are_read_as_the_engine_reads_them() {
    let cases: [(&str, &[Segment]); 12] = [
        ("", &[]),
        ("root", &["root".into()]),
        (
            r#"root["nested"].x"#,
            &["root".into(), "nested".into(), "x".into()],
        ),
        (
            "root.array[0][1].nested",
            &["root".into(), "array".into(), 0.into(), 1.into(), "nested".into()],
        ),
        (
            r#"["root key with a ."][100]"#,
            &["root key with a .".into(), 100.into()],
        ),
        (
            r#"root["with \"quotes\""]"#,
            &["root".into(), r#"with "quotes""#.into()],
        ),
        (
            "array[*].field",
            &["array".into(), Segment::Wildcard, "field".into()],
        ),
        (
            r#"array["*"].field"#,
            &["array".into(), Segment::Wildcard, "field".into()],
        ),
        ("foo.*.baz", &["foo".into(), Segment::Wildcard, "baz".into()]),
        ("foo-bar/baz", &["foo-bar/baz".into()]),
        ("naïve", &["naïve".into()]),
        ("root.[0]", &["root".into(), 0.into()]),
    ];
    for (text, segments) in cases {
        assert_eq!(parsed(text).segments(), segments, "{text}");
    }
}

#[test]
fn malformed_paths_are_refused() {
    let cases = [
        (".root", NotAPath::LoneDot),
        ("root.", NotAPath::LoneDot),
        ("root..x", NotAPath::LoneDot),
        ("root[", NotAPath::Unclosed),
        ("root[0", NotAPath::Unclosed),
        (r#"root["x"#, NotAPath::Unclosed),
        (r#"root["x""#, NotAPath::Unclosed),
        ("root[x]", NotAPath::Index("x".into())),
        ("root[-1]", NotAPath::Index("-1".into())),
    ];
    for (text, expected) in cases {
        assert_eq!(text.parse::<PropertyPath>(), Err(expected), "{text}");
    }
}

#[test]
fn names_that_need_quotes_get_them() {
    let cases = [
        (
            "proxyIngressConfig.nlbTargetType",
            "proxyIngressConfig.nlbTargetType",
        ),
        (r#"tags["a.b"]"#, r#"tags["a.b"]"#),
        ("tags.foo-bar", r#"tags["foo-bar"]"#),
        ("list[*][3]", "list[*][3]"),
        (r#"["9"]"#, r#"["9"]"#),
    ];
    for (text, printed) in cases {
        assert_eq!(parsed(text).to_string(), printed);
    }
}

#[test]
fn a_printed_path_contains_no_control_characters() {
    let path = PropertyPath::from("tags").join("a\u{1b}[2J\"");
    assert_eq!(path.to_string(), r#"tags["a\u{1b}[2J\""]"#);
}

fn sample() -> Value {
    Value::from([
        ("list", Value::from(vec!["a", "b"])),
        ("config", Value::secret([("password", Value::from("p"))])),
        (
            "pending",
            OutputValue {
                value: None,
                ..OutputValue::default()
            }
            .into(),
        ),
    ])
}

#[test]
fn get_passes_through_secrets_and_keeps_the_one_at_the_end() {
    let root = sample();
    assert_eq!(parsed("config.password").get(&root), Some(&Value::from("p")));
    assert_eq!(
        parsed("config").get(&root),
        root.as_object().unwrap().get("config")
    );
    assert_eq!(PropertyPath::default().get(&root), Some(&root));
}

#[test]
fn get_finds_nothing_where_nothing_is() {
    let root = sample();
    for path in [
        "list[2]",
        "list.a",
        "config[0]",
        "absent",
        "pending.x",
        "list[*]",
        "list[0].x",
    ] {
        assert_eq!(parsed(path).get(&root), None, "{path}");
    }
}

fn segment() -> impl Strategy<Value = Segment> {
    prop_oneof![
        "[a-zA-Z0-9_$.\\[\\]\"é/ -]{0,8}".prop_map(Segment::Key),
        (0usize..1000).prop_map(Segment::Index),
        Just(Segment::Wildcard),
    ]
}

proptest! {
    #[test]
    fn prop_a_printed_path_is_read_back(segments in proptest::collection::vec(segment(), 0..6)) {
        let path: PropertyPath = segments.into_iter().collect();
        prop_assert_eq!(path.to_string().parse(), Ok(path));
    }

    #[test]
    fn prop_no_text_upsets_the_reader(text in ".{0,40}") {
        let _ = text.parse::<PropertyPath>();
    }
}
