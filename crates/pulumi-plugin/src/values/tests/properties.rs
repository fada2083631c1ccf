//! Properties of every value.

use proptest::prelude::*;

use crate::values::*;

/// A word that proptest puts inside every secret.
const HIDDEN: &str = "hunter2";

fn text() -> impl Strategy<Value = String> {
    "[a-zé0-9 ]{0,6}"
}

fn urn() -> impl Strategy<Value = Urn> {
    text().prop_map(Urn::from)
}

fn optional_text() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(text())
}

fn leaf() -> impl Strategy<Value = Value> {
    let id = prop_oneof![
        "[a-z]{1,4}".prop_map(ReferenceId::Known),
        Just(ReferenceId::Unknown)
    ];
    let reference = (
        urn(),
        proptest::option::of(id),
        optional_text(),
        optional_text(),
        optional_text(),
    )
        .prop_map(
            |(urn, id, package_version, name, resource_type)| ResourceReference {
                urn,
                id,
                package_version,
                name,
                resource_type,
            },
        );
    let content = prop_oneof![
        text().prop_map(AssetContent::Text),
        text().prop_map(AssetContent::Path),
        text().prop_map(AssetContent::Uri),
    ];
    let asset =
        (optional_text(), proptest::option::of(content)).prop_map(|(hash, content)| Asset { hash, content });
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(Value::from),
        proptest::num::f64::NORMAL.prop_map(Value::Number),
        text().prop_map(Value::String),
        proptest::collection::vec(any::<u8>(), 0..4).prop_map(Value::Bytes),
        reference.prop_map(Value::from),
        asset.prop_map(Value::from),
        proptest::sample::select(Unknown::ALL.to_vec()).prop_map(Value::Unknown),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 32, 4, |inner| {
        let members = proptest::collection::btree_map(text(), inner.clone(), 0..4).boxed();
        let content = prop_oneof![
            members.clone().prop_map(ArchiveContent::Assets),
            text().prop_map(ArchiveContent::Path),
            text().prop_map(ArchiveContent::Uri),
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            members.prop_map(Value::Object),
            inner.clone().prop_map(|value| Value::Secret(Box::new(value))),
            Just(Value::Secret(Box::new(HIDDEN.into()))),
            (
                proptest::option::of(inner),
                any::<bool>(),
                proptest::collection::vec(urn(), 0..3)
            )
                .prop_map(|(value, secret, dependencies)| OutputValue {
                    value: value.map(Box::new),
                    secret,
                    dependencies
                }
                .into()),
            (optional_text(), proptest::option::of(content))
                .prop_map(|(hash, content)| Value::from(Archive { hash, content })),
        ]
    })
}

proptest! {
    #[test]
    fn prop_no_value_changes_on_the_wire(value in value()) {
        let wire = value.to_json();
        let back = Value::from_json(wire.clone()).unwrap();
        prop_assert_eq!(&back, &value);
        prop_assert_eq!(back.to_json(), wire);
    }

    #[test]
    fn prop_debug_shows_nothing_of_a_secret(value in value()) {
        let shown = format!("{value:?} {value:#?}");
        prop_assert!(!shown.contains(HIDDEN));
    }

    #[test]
    fn prop_stripping_reports_the_marks_and_removes_them(value in value()) {
        let (bare, marks) = value.clone().strip();
        prop_assert_eq!(marks.secret, value.contains_secret());
        prop_assert_eq!(marks.unknown, value.contains_unknown());
        prop_assert_eq!(&marks.dependencies, &value.dependencies());
        prop_assert!(!bare.contains_secret() && bare.dependencies().is_empty());
        prop_assert_eq!(bare.contains_unknown(), marks.unknown);
    }

    #[test]
    fn prop_without_outputs_nothing_is_revealed(value in value()) {
        let (bare, marks) = value.clone().strip();
        let older = value.without_outputs();
        prop_assert!(older.dependencies().is_empty());
        let (older_bare, older_marks) = older.strip();
        prop_assert_eq!(older_bare, bare);
        prop_assert_eq!((older_marks.secret, older_marks.unknown), (marks.secret, marks.unknown));
    }

    #[test]
    fn prop_applied_marks_are_found_again(marks_of in value()) {
        let (_, marks) = marks_of.strip();
        let (_, found) = marks.clone().apply("result".into()).strip();
        prop_assert_eq!(found, marks);
    }
}
