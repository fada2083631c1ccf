//! Any name is found after creation by exact name, and letters with accents are found in the form in which the manager
//! stores them.

use proptest::prelude::*;
use serde_json::json;

use super::harness::World;

/// A searched kind below the root of a tree, one below a site, and a listed kind.
const KINDS: [(&str, &str); 3] = [
    ("getPolicyDhcpServer", "/infra/dhcp-server-configs"),
    (
        "getPolicyEdgeCluster",
        "/infra/sites/default/enforcement-points/default/edge-clusters",
    ),
    ("getIpPool", "/api/v1/pools/ip-pools"),
];

/// Strings that could break the search language, and any others.
fn name() -> impl Strategy<Value = String> {
    let special = r#"[()\[\]+=&|><!{}^~*?:/\\" ANDORT'%#.,;@$_-]{1,12}"#;
    let words = prop::collection::vec(
        prop::sample::select(vec![
            "AND", "OR", "NOT", "and", "a", "b-c", "&&", "||", "!", "\"", "\\", "*", "(", "",
        ]),
        1..6,
    );
    let blank = prop::sample::select(vec![" ", "  ", "\t", "\n", "\u{a0}", "\u{3000}"]);
    prop_oneof![
        3 => special.prop_map(String::from),
        3 => (words, blank).prop_map(|(words, blank)| words.join(blank)),
        3 => "\\PC{1,20}",
        2 => prop::collection::vec(any::<char>(), 1..12).prop_map(|chars| chars.into_iter().collect()),
    ]
    .prop_filter("an empty name counts as not given", |name: &String| {
        !name.is_empty()
    })
}

/// Searches for objects of all kinds by `name`, among others with similar names.
async fn found_by_exact_name(name: &str, lag: bool) -> Result<(), String> {
    let mut world = World::local().bare();
    if lag {
        world.settings.index_lag = std::time::Duration::from_secs(3600);
    }
    let bench = world.start();
    for (function, collection) in KINDS {
        for (id, name) in [
            ("it", name.to_owned()),
            ("longer", format!("{name}x")),
            ("other", format!("x{name}")),
        ] {
            let body = json!({"id": id, "display_name": name});
            bench
                .manager
                .add(collection, body)
                .map_err(|error| error.to_string())?;
        }
        let found = bench.invoke(function, json!({"displayName": name})).await;
        let found = found.map_err(|error| format!("{function}: {}", super::harness::chain(&error)))?;
        if found["id"] != "it" || found["displayName"] != name {
            return Err(format!("{function} found {found}"));
        }
        let requests = bench.requests();
        if requests.len() > if lag { 2 } else { 1 } {
            return Err(format!("{function} needed {requests:?}"));
        }
    }
    Ok(())
}

fn run(test: impl Future<Output = Result<(), String>>) -> Result<(), TestCaseError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    runtime.block_on(test).map_err(TestCaseError::fail)
}

proptest! {
    #[test]
    fn prop_any_name_survives_creation_and_lookup(name in name()) {
        run(found_by_exact_name(&name, false))?;
    }

    #[test]
    fn prop_any_name_is_found_although_the_index_lacks_it(name in name()) {
        run(found_by_exact_name(&name, true))?;
    }
}

/// The same text composed and decomposed, with a word after it and with a special character of the search language.
const FORMS: [[&str; 2]; 3] = [
    ["caf\u{e9}", "cafe\u{301}"],
    ["\u{c5}ngstr\u{f6}m (lab) 1", "A\u{30a}ngstro\u{308}m (lab) 1"],
    ["\u{2260}", "=\u{338}"],
];

#[tokio::test(start_paused = true)]
async fn a_name_is_found_in_whichever_form_the_manager_keeps_it() {
    for [composed, decomposed] in FORMS {
        for (kept, wanted) in [(composed, decomposed), (decomposed, composed)] {
            let mut world = World::local().bare();
            for (_, collection) in KINDS {
                world = world
                    .with(collection, json!({"id": "it", "display_name": kept}))
                    .with(
                        collection,
                        json!({"id": "other", "display_name": format!("x{kept}")}),
                    );
            }
            let bench = world.start();
            for (function, _) in KINDS {
                let found = bench.answer(function, json!({"displayName": wanted})).await;
                assert_eq!(found["id"], "it", "{function}");
                // In the form that the manager stores.
                assert_eq!(found["displayName"], kept, "{function}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_form_that_was_requested_takes_precedence() {
    for [composed, decomposed] in FORMS {
        let mut world = World::local().bare();
        for (_, collection) in KINDS {
            world = world
                .with(collection, json!({"id": "composed", "display_name": composed}))
                .with(
                    collection,
                    json!({"id": "decomposed", "display_name": decomposed}),
                );
        }
        let bench = world.start();
        for (function, _) in KINDS {
            let (first, second) = tokio::join!(
                bench.answer(function, json!({"displayName": composed})),
                bench.answer(function, json!({"displayName": decomposed})),
            );
            assert_eq!(first["id"], "composed", "{function}");
            assert_eq!(second["id"], "decomposed", "{function}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_search_finds_a_name_in_another_form_without_the_list() {
    let collection = "/infra/dhcp-server-configs";
    let mut world = World::local().bare();
    for number in 0..3000 {
        let body = json!({"id": format!("n{number}"), "display_name": format!("name-{number}")});
        world = world.with(collection, body);
    }
    let bench = world
        .with(collection, json!({"id": "it", "display_name": "cafe\u{301}"}))
        .start();
    let found = bench
        .answer("getPolicyDhcpServer", json!({"displayName": "caf\u{e9}"}))
        .await;
    assert_eq!(found["id"], "it");
    assert!(bench.requests()[0].contains("search"), "{:?}", bench.requests());
}
