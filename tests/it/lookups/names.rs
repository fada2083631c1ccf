//! Any name survives creation and lookup by exact name.

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

/// Everything the search language could stumble over, and anything else.
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

/// Looks for objects of all kinds by `name`, among others with similar names.
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
