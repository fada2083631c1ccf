//! Functions that select one object: by id, by name and by a prefix of the name, regardless of other objects and of the
//! members that a manager omits.

use netmgr_lookups::ErrorKind;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::findings::Findings;
use super::harness::World;
use super::place::Place;
use super::table::{Row, Selection, selecting};

/// A manager with the objects of the tests of this file.
fn world(row: &Row, place: &Place) -> World {
    let mut bodies = vec![
        json!({"id": "one", "display_name": "name", "description": "text", "tags": [{"scope": "s", "tag": "t"}]}),
        json!({"id": "two", "display_name": "name-longer"}),
        json!({"id": "twin-1", "display_name": "twin"}),
        json!({"id": "twin-2", "display_name": "twin"}),
        json!({"id": "unnamed", "display_name": null, "description": null}),
    ];
    if row.is_policy() {
        bodies.push(json!({"id": "going", "display_name": "going", "marked_for_delete": true}));
    }
    if row.has_alien() {
        let mut alien = row.more.alien.clone();
        alien.extend(["id", "display_name"].map(|name| (name.to_owned(), json!("alien"))));
        bodies.push(alien.into());
    }
    let mut world = row.world();
    for body in bodies {
        world = place.add(world, row, body);
    }
    // Only the members that every object has, and null in all others.
    let nulls = row.more.fields.keys().map(|name| (name.clone(), Value::Null));
    let mut nulls: Map<String, Value> = nulls.collect();
    for input in row.more.input.keys() {
        nulls.remove(&heck::AsSnakeCase(input).to_string());
    }
    nulls.retain(|name, _| !row.more.alien.contains_key(name));
    nulls.insert("id".to_owned(), json!("nulls"));
    place.add(world, row, Value::Object(nulls))
}

#[tokio::test(start_paused = true)]
async fn objects_are_selected_by_id_and_name() {
    let mut findings = Findings::default();
    for (row, selection) in selecting() {
        let place = Place::of(row);
        let bench = world(row, &place).start();
        let by = |more: Value| place.input(more);
        let found = findings
            .finds(&bench, row, &place, by(json!({"id": "one"})), "one")
            .await;
        if let Some(output) = found {
            members(&mut findings, row, &place, &output);
        }
        let sparse = findings
            .finds(&bench, row, &place, by(json!({"id": "unnamed"})), "unnamed")
            .await;
        if let Some(output) = sparse.filter(|output| output["displayName"] != "unnamed") {
            findings.add(
                row,
                &json!("unnamed"),
                format!("is called {}", output["displayName"]),
            );
        }
        for (input, id) in [
            (json!({"id": "nulls"}), "nulls"),
            (json!({"displayName": "name"}), "one"),
            (json!({"displayName": "unnamed"}), "unnamed"),
            (
                json!({"id": "one", "displayName": "", "description": null}),
                "one",
            ),
        ] {
            findings.finds(&bench, row, &place, by(input), id).await;
        }
        let prefix = by(json!({"displayName": "name-l"}));
        match selection {
            Selection::Exact | Selection::ExactOrOnly => {
                findings.fails(&bench, row, prefix, ErrorKind::NotFound).await;
            }
            Selection::Prefix | Selection::PrefixOrOnly => {
                findings.finds(&bench, row, &place, prefix, "two").await;
            }
        }
        let mut failing = vec![
            (json!({"id": "ONE"}), ErrorKind::NotFound),
            (json!({"id": "missing"}), ErrorKind::NotFound),
            (json!({"displayName": "missing"}), ErrorKind::NotFound),
            (json!({"displayName": "NAME"}), ErrorKind::NotFound),
            (json!({"displayName": "twin"}), ErrorKind::Ambiguous),
        ];
        let going = row.is_policy().then_some("going");
        for id in going.into_iter().chain(row.has_alien().then_some("alien")) {
            failing.push((json!({ "id": id }), ErrorKind::NotFound));
            failing.push((json!({ "displayName": id }), ErrorKind::NotFound));
        }
        // An input of every call can also be a filter that selects an object.
        let selects = row
            .more
            .input
            .keys()
            .any(|name| row.more.filters.contains_key(name));
        let nothing = match selection {
            Selection::Prefix | Selection::Exact if !selects => ErrorKind::InvalidInput,
            _ => ErrorKind::Ambiguous,
        };
        failing.push((json!({}), nothing));
        if nothing == ErrorKind::InvalidInput {
            failing.push((json!({"description": "text"}), nothing));
        }
        for (input, kind) in failing {
            findings.fails(&bench, row, by(input), kind).await;
        }
    }
    findings.check();
}

#[tokio::test(start_paused = true)]
async fn an_id_takes_precedence_over_a_name_or_excludes_it() {
    let mut findings = Findings::default();
    for (row, _) in selecting() {
        let place = Place::of(row);
        let bench = world(row, &place).start();
        for (name, value) in [("displayName", "name-longer"), ("description", "other")] {
            let both = place.input(json!({"id": "one", name: value}));
            match row.more.exclusive {
                true => findings.fails(&bench, row, both, ErrorKind::InvalidInput).await,
                false => {
                    findings.finds(&bench, row, &place, both, "one").await;
                }
            }
        }
    }
    findings.check();
}

/// Compares the members of the output of the first object with the table.
fn members(findings: &mut Findings, row: &Row, place: &Place, output: &Value) {
    let path = format!("{}/one", place.collection);
    let mut expected = Map::from_iter([
        ("displayName".to_owned(), json!("name")),
        ("description".to_owned(), json!("text")),
        ("path".to_owned(), json!(path)),
        ("parentPath".to_owned(), output["parentPath"].clone()),
        ("tags".to_owned(), json!([{"scope": "s", "tag": "t"}])),
    ]);
    if row.is_policy() && output.get("parentPath").is_some() {
        let parent = place.collection.rsplit_once('/').map(|(parent, _)| parent);
        expected.insert("parentPath".to_owned(), json!(parent));
    }
    for (name, value) in &row.more.outputs {
        let value = match value.as_str() {
            Some(text) => json!(text.replace("{path}", &path)),
            None => value.clone(),
        };
        expected.insert(name.clone(), value);
    }
    for (name, value) in expected {
        let stated =
            row.outputs.iter().any(|member| member.name == name) || row.more.outputs.contains_key(&name);
        match output.get(&name) {
            Some(found) if *found != value => {
                findings.add(row, &json!(name), format!("is {found}, not {value}"));
            }
            None if stated => findings.add(row, &json!(name), "is missing"),
            _ => {}
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_only_object_is_found_without_id_and_name() {
    let mut findings = Findings::default();
    let or_only = [Selection::PrefixOrOnly, Selection::ExactOrOnly];
    for (row, _) in selecting().filter(|(_, selection)| or_only.contains(selection)) {
        let place = Place::of(row);
        let only = place.add(row.world(), row, json!({"id": "only", "display_name": "name"}));
        let bench = only.start();
        let without = place.input(json!({}));
        findings.finds(&bench, row, &place, without.clone(), "only").await;
        let other = place.input(json!({"description": "other"}));
        findings.fails(&bench, row, other, ErrorKind::NotFound).await;
        let mut none = row.more.alien.clone();
        none.insert("id".to_owned(), json!("going"));
        none.insert("marked_for_delete".to_owned(), row.is_policy().into());
        let mut none = place.add(row.world(), row, none.into());
        if !row.is_policy() && !row.has_alien() {
            none = row.world();
        }
        findings
            .fails(&none.start(), row, without, ErrorKind::NotFound)
            .await;
    }
    findings.check();
}

proptest! {
    // A case runs every function.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 64))]
    #[test]
    fn prop_outputs_fit_their_schema_whatever_the_manager_leaves_out(
        omitted in prop::collection::vec(0..3_u8, 24),
        text in "\\PC{0,8}",
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let mut findings = Findings::default();
        for (row, _) in selecting() {
            let place = Place::of(row);
            // The type is necessary for a search.
            let kept = |name: &String| {
                row.more.alien.contains_key(name) || name == "resource_type" && !place.parent.is_empty()
            };
            let common = ["resource_type", "display_name", "description"].map(str::to_owned);
            let names = common.into_iter().chain(row.more.fields.keys().cloned()).filter(|name| !kept(name));
            let mut body = Map::from_iter([("id".to_owned(), json!("one"))]);
            for (name, omitted) in names.zip(&omitted) {
                let is_text = row.more.fields.get(&name).is_none_or(Value::is_string);
                match omitted {
                    0 => drop(body.insert(name, Value::Null)),
                    1 if is_text && name != "resource_type" => drop(body.insert(name, json!(text))),
                    _ => {}
                }
            }
            for input in row.more.input.keys() {
                body.remove(&heck::AsSnakeCase(input).to_string());
            }
            runtime.block_on(async {
                let bench = place.add(row.world(), row, body.into()).start();
                findings.finds(&bench, row, &place, place.input(json!({"id": "one"})), "one").await;
            });
        }
        findings.check();
    }
}
