//! Tests of changes: reads return them immediately, the search after the index lag.

use std::time::Duration;

use serde_json::json;

use crate::{Inventory, InventoryError, Manager, ManagerSettings};

use super::support::{column, get, read, search};

const LAG: Duration = Duration::from_secs(5);
const PROFILES: &str = "/infra/bfd-profiles";

fn lagging(inventory: Inventory) -> Manager {
    let settings = ManagerSettings {
        index_lag: LAG,
        ..ManagerSettings::default()
    };
    Manager::new(settings, inventory)
}

fn names(manager: &Manager) -> Vec<String> {
    column(&search(manager, "resource_type:BfdProfile"), "display_name")
}

#[tokio::test(start_paused = true)]
async fn a_new_object_is_read_at_once_and_found_after_the_lag() {
    let manager = lagging(Inventory::empty());
    let path = manager
        .add(PROFILES, json!({"id": "a", "display_name": "a"}))
        .unwrap();
    assert_eq!(path, "/infra/bfd-profiles/a");
    read(&manager, "/policy/api/v1/infra/bfd-profiles/a");
    assert!(names(&manager).is_empty());
    tokio::time::advance(LAG - Duration::from_millis(1)).await;
    assert!(names(&manager).is_empty());
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(names(&manager), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn a_removed_object_lingers_in_the_search() {
    let manager = lagging(Inventory::empty().with(PROFILES, json!({"id": "a", "display_name": "a"})));
    manager.remove("/infra/bfd-profiles/a").unwrap();
    assert_eq!(get(&manager, "/policy/api/v1/infra/bfd-profiles/a").status, 404);
    assert_eq!(names(&manager), ["a"]);
    tokio::time::advance(LAG).await;
    assert!(names(&manager).is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_search_shows_every_version_in_its_time() {
    let manager = lagging(Inventory::empty().with(PROFILES, json!({"id": "a", "display_name": "first"})));
    manager
        .update("/infra/bfd-profiles/a", json!({"display_name": "second"}))
        .unwrap();
    tokio::time::advance(LAG / 2).await;
    manager
        .update("/infra/bfd-profiles/a", json!({"display_name": "third"}))
        .unwrap();
    assert_eq!(names(&manager), ["first"]);
    let read = read(&manager, "/policy/api/v1/infra/bfd-profiles/a");
    assert_eq!(read["display_name"], "third");
    assert_eq!(read["_revision"], 2);
    tokio::time::advance(LAG / 2).await;
    assert_eq!(names(&manager), ["second"]);
    tokio::time::advance(LAG / 2).await;
    assert_eq!(names(&manager), ["third"]);
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let manager = lagging(Inventory::empty());
    assert_eq!(
        manager.add("/infra/unheard-of", json!({})),
        Err(InventoryError::UnknownCollection("/infra/unheard-of".to_owned()))
    );
    assert_eq!(
        manager.add(PROFILES, json!([])),
        Err(InventoryError::NotAnObject(PROFILES.to_owned()))
    );
    assert_eq!(
        manager.add(PROFILES, json!({"id": "a/b"})),
        Err(InventoryError::UnusableId("a/b".to_owned()))
    );
    assert_eq!(
        manager.remove("/infra/bfd-profiles/none"),
        Err(InventoryError::Missing("/infra/bfd-profiles/none".to_owned()))
    );
}

#[test]
fn an_object_without_id_gets_one_from_its_name() {
    let path = |name: &str| {
        let inventory = Inventory::empty().with(PROFILES, json!({"display_name": name}));
        inventory.paths().next().unwrap().to_owned()
    };
    assert_eq!(path("a"), path("a"));
    assert_ne!(path("a"), path("b"));
}

#[test]
fn a_generated_inventory_depends_on_its_seed_alone() {
    let paths = |seed| -> Vec<String> {
        let inventory = Inventory::generated(200, seed);
        inventory.paths().map(str::to_owned).collect()
    };
    let standing = Inventory::default().paths().count();
    assert_eq!(paths(1).len(), standing + 200);
    assert_eq!(paths(1), paths(1));
    assert_ne!(paths(1), paths(2));
}

#[tokio::test(start_paused = true)]
async fn the_next_page_of_a_search_shows_what_has_changed_by_then() {
    let inventory = (0..1500).fold(Inventory::empty(), |inventory, number| {
        inventory.with(PROFILES, json!({"id": number.to_string()}))
    });
    let manager = lagging(inventory);
    let page = |cursor: &str| {
        let url = "/policy/api/v1/search/query?query=resource_type:BfdProfile";
        let page = read(&manager, &format!("{url}{cursor}"));
        let rows = page["results"].as_array().unwrap().len();
        (rows, page["result_count"].as_u64().unwrap())
    };
    assert_eq!(page(""), (1000, 1500));
    assert_eq!(page("&cursor=1000"), (500, 1500));
    manager.remove("/infra/bfd-profiles/7").unwrap();
    assert_eq!(page("&cursor=1000"), (500, 1500));
    tokio::time::advance(LAG).await;
    assert_eq!(page("&cursor=1000"), (499, 1499));
    manager.add(PROFILES, json!({"id": "new"})).unwrap();
    tokio::time::advance(LAG).await;
    assert_eq!(page("&cursor=1000"), (500, 1500));
}
