//! Searches in the index, compared with a scan of all objects.

use std::cell::Cell;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::matcher::fits;
use super::*;

fn index(objects: &[Value]) -> Index {
    let mut index = Index::default();
    for (number, object) in (0..).zip(objects) {
        index.add(number, object);
    }
    index
}

/// The numbers of the matches, and how many objects were examined for them.
fn search(objects: &[Value], query: &str) -> Option<(Vec<u32>, usize)> {
    let query = Query::parse(query).unwrap();
    let examined = Cell::new(0);
    let found = index(objects).search(&query, &|number, queries| {
        examined.set(examined.get() + 1);
        queries.iter().all(|query| fits(query, &objects[number as usize]))
    });
    Some((found?, examined.get()))
}

#[test]
fn only_objects_that_every_part_allows_are_examined() {
    let object = |id: &str, resource_type: &str, path: &str, name: &str| {
        json!({
            "id": id, "resource_type": resource_type, "path": path, "display_name": name,
            "description": "Made for rack 7", "tags": [{"scope": "room", "tag": "blue"}],
        })
    };
    let objects = [
        object("a", "Pool", "/infra/pools/a", "rack one 001"),
        object("b", "Pool", "/infra/pools/b", "rack two 002"),
        object("c", "Host", "/infra/hosts/c", "rack two 0022"),
        object("d", "Host", "/orgs/x/hosts/d", "rack two 0022"),
    ];
    for (query, found) in [
        ("resource_type:pool", Some((&[0, 1][..], 2))),
        ("resource_type:pool AND id:b", Some((&[1], 1))),
        ("display_name:two AND resource_type:host", Some((&[2, 3], 2))),
        (r"resource_type:host AND path:\/infra*", Some((&[2], 1))),
        (r"path:\/orgs\/x\/*", Some((&[3], 1))),
        ("display_name:Rack*", Some((&[0, 1, 2, 3], 4))),
        (r"display_name:rack\ two\ 002*", Some((&[1, 2, 3], 3))),
        ("display_name:rack two 002*", Some((&[1, 2, 3], 3))),
        ("display_name:(rack 002)", Some((&[1], 1))),
        (r#"display_name:"two rack""#, Some((&[], 3))),
        ("0022", Some((&[2, 3], 2))),
        ("blue AND id:a", Some((&[0], 1))),
        ("made AND 7 AND id:(a OR b)", Some((&[0, 1], 2))),
        (
            r"((resource_type:host AND path:\/infra* AND ((display_name:rack two*) OR (display_name:rack one*))) OR (resource_type:pool AND (id:a OR id:z))) AND NOT id:z",
            Some((&[0, 2], 2)),
        ),
        (
            "resource_type:pool AND (tags.tag:blue OR id:a) AND (id:a OR id:b)",
            Some((&[0, 1], 2)),
        ),
        ("id:a OR tags.tag:blue", None),
        ("NOT id:a", None),
        ("display_name:*one", None),
        ("resource_type:none", Some((&[], 0))),
        ("id:?", None),
    ] {
        let found = found.map(|(numbers, examined)| (numbers.to_vec(), examined));
        assert_eq!(search(&objects, query), found, "{query}");
    }
}

/// Values that collide in case, words, beginnings and folders.
fn values() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        r"[abAB01ÄßİéÉ ./()-]{0,8}",
        prop::sample::select(vec![
            "/a/b/c", "/a/b", "/a/bc/d", "/A/b/", "a b", "A-b c", "0 b", "Σas", "..", "a/b", "ab ab",
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        8 => text.prop_map(Value::from),
        1 => (0_u32..12).prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            (prop::sample::select(FIELDS.to_vec()), inner).prop_map(|(field, value)| json!({field: value})),
        ]
    })
}

const FIELDS: [&str; 9] = [
    "resource_type",
    "id",
    "external_id",
    "nsx_id",
    "parent_path",
    "path",
    "display_name",
    "description",
    "other",
];

fn objects() -> impl Strategy<Value = Vec<Value>> {
    let object = prop::collection::btree_map(prop::sample::select(FIELDS.to_vec()), values(), 0..6);
    prop::collection::vec(object.prop_map(|fields| json!(fields)), 1..10)
}

fn queries() -> impl Strategy<Value = String> {
    let word = r"([abAB01ÄßİéÉσ]|\\[ ./()-]){1,5}[*?]?";
    let path = prop::sample::select(vec![
        r"\/a*",
        r"\/a\/*",
        r"\/a\/b*",
        r"\/A\/b\/*",
        r"\/a\/b",
        r"\/*",
        "*",
        r"*\/b",
        "?b",
        r#""a b""#,
        r#""""#,
        r#""/a/b""#,
        "true",
        "1*",
        "null",
    ]);
    let term = prop_oneof![3 => word.prop_map(String::from), 2 => path.prop_map(str::to_owned)];
    let field = prop::sample::select(
        FIELDS
            .iter()
            .map(|field| format!("{field}:"))
            .chain([
                String::new(),
                "*:".to_owned(),
                "other.id:".to_owned(),
                "display_name.other:".to_owned(),
            ])
            .collect::<Vec<_>>(),
    );
    let leaf = (field, term).prop_map(|(field, term)| format!("{field}{term}"));
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            2 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| format!("({})", parts.join(" AND "))),
            2 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| format!("({})", parts.join(" OR "))),
            1 => inner.clone().prop_map(|part| format!("(NOT {part})")),
            1 => (inner.clone(), inner).prop_map(|(one, other)| format!("({one} {other})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn prop_a_search_finds_what_a_scan_finds(objects in objects(), query in queries()) {
        // A group after a field name is a part of the language, too, but not every one is a valid group.
        let Ok(parsed) = Query::parse(&query) else {
            return Err(TestCaseError::reject("not a query"));
        };
        if let Some((found, _)) = search(&objects, &query) {
            let scanned: Vec<u32> = (0..)
                .zip(&objects)
                .filter(|(_, object)| fits(&parsed, object))
                .map(|(number, _)| number)
                .collect();
            prop_assert_eq!(found, scanned, "{}", query);
        }
    }
}
