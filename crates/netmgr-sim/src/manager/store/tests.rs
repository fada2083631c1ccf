//! Searches while objects change, compared with a scan of all objects.

use proptest::prelude::*;
use serde_json::json;

use super::super::kinds::TreePath;
use super::*;

const COLLECTION: [&str; 2] = ["infra", "certificates"];

fn certificates() -> &'static CollectionKind {
    let segments = COLLECTION.map(str::to_owned);
    CollectionKind::of(&TreePath::of(&segments).unwrap()).unwrap()
}

/// A change of an object.
#[derive(Debug, Clone)]
struct Change {
    id: u8,
    /// `None` deletes it.
    name: Option<String>,
    after: u64,
    lag: u64,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = (0_u8..4, prop::option::of("[aAbB 1]{0,4}"), 0_u64..4, 0_u64..4);
    let change = change.prop_map(|(id, name, after, lag)| Change { id, name, after, lag });
    prop::collection::vec(change, 0..12)
}

proptest! {
    #[test]
    fn prop_a_search_shows_what_was_indexed_by_then(changes in changes(), word in "[ab1]{1,2}[*]?", later in 0_u64..4) {
        let mut now = Instant::now();
        let mut store = Store::default();
        // The versions of each object, with the times at which the index shows them.
        let mut history: BTreeMap<String, Vec<(Instant, Option<Value>)>> = BTreeMap::new();
        for change in changes {
            now += Duration::from_secs(change.after);
            let lag = Duration::from_secs(change.lag);
            let path = format!("/infra/certificates/{}", change.id);
            let body = change.name.map(|name| json!({"id": change.id.to_string(), "display_name": name}));
            store.put(&path, certificates(), body.clone().map(Arc::new), now, lag);
            history.entry(path).or_default().push((now + lag, body));
        }
        now += Duration::from_secs(later);
        for query in [format!("display_name:{word}"), word.clone(), format!("id:({word} OR 0 OR 1)"), "*".to_owned()] {
            let Ok(query) = Query::parse(&query) else { continue };
            let mut found: Vec<(String, Value)> = store
                .search(&query, now, |_, _| true)
                .map(|shown| (shown.path, Value::clone(shown.body)))
                .collect();
            found.sort_by(|(one, _), (other, _)| one.cmp(other));
            let scanned: Vec<(String, Value)> = history
                .iter()
                .filter_map(|(path, versions)| {
                    let (_, shown) = versions.iter().rev().find(|(at, _)| *at <= now)?;
                    Some((path.clone(), shown.clone()?))
                })
                .filter(|(_, body)| fits(&query, body))
                .collect();
            prop_assert_eq!(found, scanned);
        }
    }
}
