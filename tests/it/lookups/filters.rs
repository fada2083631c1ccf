//! Inputs that select among objects with the same name: filters, and the parent of the objects.

use netmgr_lookups::{ErrorKind, properties};
use serde_json::{Map, Value, json};

use super::findings::Findings;
use super::place::{PARENT, Place, Tree};
use super::table::{Filter, selecting};

/// Inputs that every function of the table can have.
const COMMON: &[&str] = &["id", "displayName", "description", "context"];
/// Inputs with tests in `single_objects.rs`, and those that have no effect or are only for global managers.
const OTHERS: &[(&str, &str)] = &[
    ("getPolicyGatewayInterface", "edgeClusterPath"),
    ("getPolicyGatewayInterface", "servicePath"),
    ("getPolicyIntrusionServiceGatewayPolicyRule", "domain"),
    ("getPolicyIntrusionServicePolicyRule", "domain"),
    ("getPolicyTier0Gateway", "edgeClusterPath"),
    ("getPolicyTier1Gateway", "edgeClusterPath"),
    ("getPolicyTier1Gateway", "path"),
    ("getPolicyTransportZone", "sitePath"),
];

/// A body with the members of `id`, `name` and `fields`.
fn body(id: &str, name: &str, fields: &Map<String, Value>) -> Value {
    let mut body = fields.clone();
    body.insert("id".to_owned(), json!(id));
    body.insert("display_name".to_owned(), json!(name));
    Value::Object(body)
}

/// `input` with a filter, which replaces an input of the same name that every call has.
fn with(place: &Place, more: Value, filter: &str, value: &Value) -> Value {
    let mut input = place.input(more);
    input[filter] = value.clone();
    input
}

#[test]
fn every_filter_has_an_object_that_fits_and_one_that_differs() {
    let mut findings = Findings::default();
    for (row, _) in selecting() {
        for input in properties(&(row.entry().input_schema)()) {
            let name = input.name.as_str();
            let is_stated = COMMON.contains(&name)
                || OTHERS.contains(&(row.function, name))
                || row.collection.contains(&format!("{{{name}}}"))
                || row.more.input.contains_key(name)
                || row.more.filters.contains_key(name);
            if !is_stated {
                findings.add(row, &json!(name), "is not in `filters` of lookups.json");
            }
        }
    }
    findings.check();
}

#[tokio::test(start_paused = true)]
async fn filters_select_among_objects_with_one_name() {
    let mut findings = Findings::default();
    for (row, _) in selecting() {
        let place = Place::of(row);
        let description = Filter::by_description();
        let filters = row
            .more
            .filters
            .iter()
            .map(|(name, filter)| (name.as_str(), filter));
        for (name, filter) in filters.chain([("description", &description)]) {
            if filter.key {
                let one = place.add(row.world(), row, body("fits", "a", &filter.fits));
                let bench = place.add(one, row, body("differs", "b", &filter.differs)).start();
                let call = |value: &Value| with(&place, json!({"displayName": "b"}), name, value);
                findings
                    .finds(&bench, row, &place, call(&filter.value), "fits")
                    .await;
                findings
                    .fails(&bench, row, call(&json!("missing")), ErrorKind::NotFound)
                    .await;
                continue;
            }
            let mut world = row.world();
            for body in [
                body("fits", "same", &filter.fits),
                body("differs", "same", &filter.differs),
                body("short", "exact", &filter.differs),
                body("long", "exact-longer", &filter.fits),
            ] {
                world = place.add(world, row, body);
            }
            let bench = world.start();
            let call =
                |display_name: &str| with(&place, json!({"displayName": display_name}), name, &filter.value);
            findings.finds(&bench, row, &place, call("same"), "fits").await;
            // The exact name is excluded, and a filter does not turn it into a prefix.
            findings
                .fails(&bench, row, call("exact"), ErrorKind::NotFound)
                .await;
            let required = row
                .inputs
                .iter()
                .any(|input| input.name == name && input.required);
            if !required {
                let without = place.input(json!({"displayName": "same"}));
                match filter.preferred.as_deref() {
                    Some(id) => {
                        findings.finds(&bench, row, &place, without, id).await;
                    }
                    None => findings.fails(&bench, row, without, ErrorKind::Ambiguous).await,
                }
            }
            if filter.alone {
                let alone = with(&place, json!({}), name, &filter.value);
                findings
                    .fails(&bench, row, alone.clone(), ErrorKind::Ambiguous)
                    .await;
                let one = place.add(row.world(), row, body("fits", "a", &filter.fits));
                let bench = place.add(one, row, body("differs", "b", &filter.differs)).start();
                findings.finds(&bench, row, &place, alone, "fits").await;
            }
        }
    }
    findings.check();
}

#[tokio::test(start_paused = true)]
async fn objects_are_found_below_the_parent_that_an_input_names() {
    let mut findings = Findings::default();
    for (row, _) in selecting() {
        let tree = if row.is_global() {
            Tree::Global
        } else {
            Tree::Default
        };
        let places = [PARENT, "one-2"].map(|parent| Place::below(row, tree, parent));
        if places[0].parent.is_empty() || row.more.global.is_some() {
            continue;
        }
        let mut world = row.world();
        for place in &places {
            world = place.add(world, row, json!({"id": "one", "display_name": "name"}));
        }
        world = places[1].add(world, row, json!({"id": "other", "display_name": "other"}));
        let bench = world.start();
        for place in &places {
            for selector in [json!({"id": "one"}), json!({"displayName": "name"})] {
                let mut input = place.input(selector);
                for (name, value) in &place.parent {
                    input[name] = value.clone();
                }
                findings.finds(&bench, row, place, input, "one").await;
            }
        }
        for selector in [json!({"id": "other"}), json!({"displayName": "other"})] {
            let mut input = places[0].input(selector);
            for (name, value) in &places[0].parent {
                input[name] = value.clone();
            }
            findings.fails(&bench, row, input, ErrorKind::NotFound).await;
        }
    }
    findings.check();
}

#[tokio::test(start_paused = true)]
async fn a_path_of_another_kind_of_object_is_refused_before_any_request() {
    let mut findings = Findings::default();
    for (row, _) in selecting() {
        let place = Place::of(row);
        let parents = place.parent.keys().filter(|name| name.ends_with("Path"));
        let filters = row.more.filters.iter();
        let paths = filters.filter(|(_, filter)| {
            filter
                .value
                .as_str()
                .is_some_and(|text| text.starts_with("/infra/"))
        });
        let bench = row.world().start();
        for name in parents.chain(paths.map(|(name, _)| name)) {
            for wrong in ["/infra/domains/default/bogus/one", "one", "/infra/tier-0s"] {
                let mut input = place.input(json!({"displayName": "name"}));
                input[name] = json!(wrong);
                findings.fails(&bench, row, input, ErrorKind::InvalidInput).await;
            }
        }
    }
    findings.check();
}
