//! Functions that select one object: by id, by name and by a prefix of the name, regardless of other objects.

use netmgr_lookups::ErrorKind;
use serde_json::{Map, Value, json};

use super::place::Place;
use super::rows::{Row, Selection, selecting};
use crate::lookups::harness::{Bench, World, chain};
use crate::lookups::table::fits_schema;

/// Collects the defects of all functions, so that one run shows all of them.
#[derive(Default)]
pub(super) struct Findings(Vec<String>);

impl Findings {
    pub(super) fn add(&mut self, row: &Row, input: &Value, what: impl Into<String>) {
        self.0.push(format!("{} {input}: {}", row.function, what.into()));
    }

    pub(super) fn check(&self) {
        assert!(self.0.is_empty(), "{}", self.0.join("\n"));
    }

    /// A call that finds the object with this id. The requests are those of the table, and the output matches its
    /// schema.
    pub(super) async fn finds(
        &mut self,
        bench: &Bench,
        row: &Row,
        place: &Place,
        input: Value,
        id: &str,
    ) -> Option<Value> {
        let result = bench.invoke(row.function, input.clone()).await;
        let requests = bench.requests();
        for request in place.strangers(row, &requests) {
            self.add(row, &input, format!("requests {request}"));
        }
        let output = match result {
            Ok(output) => output,
            Err(error) => {
                self.add(
                    row,
                    &input,
                    format!("{}\n    {}", chain(&error), requests.join("\n    ")),
                );
                return None;
            }
        };
        if let Err(error) = fits_schema(row.function, &output) {
            self.add(row, &input, error);
        }
        if output["id"] != id {
            self.add(row, &input, format!("found {}, not {id}", output["id"]));
        }
        let path = format!("{}/{id}", place.collection);
        if row.is_policy() && output.get("path").is_some_and(|found| *found != *path) {
            self.add(row, &input, format!("found {}, not {path}", output["path"]));
        }
        Some(output)
    }

    /// A call that fails with an error of this kind.
    pub(super) async fn fails(&mut self, bench: &Bench, row: &Row, input: Value, kind: ErrorKind) {
        let result = bench.invoke(row.function, input.clone()).await;
        let requests = bench.requests();
        match result {
            Ok(output) => self.add(row, &input, format!("{output}, but {kind:?} was expected")),
            Err(error) if error.kind() != kind => {
                self.add(
                    row,
                    &input,
                    format!("{:?}, not {kind:?}: {}", error.kind(), chain(&error)),
                );
            }
            Err(_) if kind == ErrorKind::InvalidInput && !requests.is_empty() => {
                self.add(
                    row,
                    &input,
                    format!("requested {requests:?} for an input that cannot be used"),
                );
            }
            Err(_) => {}
        }
    }
}

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
    if let Some(alien) = &row.more.alien {
        bodies.push(json!({"id": "alien", "display_name": "alien", "resource_type": alien}));
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
        if row.function != "getTransportNode" {
            findings
                .finds(&bench, row, &place, by(json!({"id": "nulls"})), "nulls")
                .await;
        }
        findings
            .finds(&bench, row, &place, by(json!({"displayName": "name"})), "one")
            .await;
        let prefix = by(json!({"displayName": "name-l"}));
        match selection {
            Selection::Exact => findings.fails(&bench, row, prefix, ErrorKind::NotFound).await,
            Selection::Prefix | Selection::PrefixOrOnly => {
                findings.finds(&bench, row, &place, prefix, "two").await;
            }
        }
        for (input, kind) in [
            (json!({"id": "ONE"}), ErrorKind::NotFound),
            (json!({"id": "missing"}), ErrorKind::NotFound),
            (json!({"displayName": "missing"}), ErrorKind::NotFound),
            (json!({"displayName": "NAME"}), ErrorKind::NotFound),
            (json!({"displayName": "twin"}), ErrorKind::Ambiguous),
            (json!({"displayname": "name"}), ErrorKind::InvalidInput),
            (json!({"displayName": 5}), ErrorKind::InvalidInput),
        ] {
            findings.fails(&bench, row, by(input), kind).await;
        }
        if row.is_policy() {
            findings
                .fails(&bench, row, by(json!({"id": "going"})), ErrorKind::NotFound)
                .await;
            findings
                .fails(
                    &bench,
                    row,
                    by(json!({"displayName": "going"})),
                    ErrorKind::NotFound,
                )
                .await;
        }
        if row.more.alien.is_some() {
            findings
                .fails(&bench, row, by(json!({"id": "alien"})), ErrorKind::NotFound)
                .await;
            findings
                .fails(
                    &bench,
                    row,
                    by(json!({"displayName": "alien"})),
                    ErrorKind::NotFound,
                )
                .await;
        }
        let nothing = match selection {
            Selection::PrefixOrOnly => ErrorKind::Ambiguous,
            // An input of every call can also be a filter that selects an object.
            Selection::Prefix | Selection::Exact if !row.more.input.is_empty() => ErrorKind::Ambiguous,
            Selection::Prefix | Selection::Exact => ErrorKind::InvalidInput,
        };
        findings.fails(&bench, row, by(json!({})), nothing).await;
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
    for (row, _) in selecting().filter(|(_, selection)| *selection == Selection::PrefixOrOnly) {
        let place = Place::of(row);
        let only = place.add(row.world(), row, json!({"id": "only", "display_name": "name"}));
        findings
            .finds(&only.start(), row, &place, place.input(json!({})), "only")
            .await;
        let none = place.add(row.world(), row, json!({"id": "going", "marked_for_delete": row.is_policy(), "node_deployment_info": {"resource_type": "HostNode"}}));
        findings
            .fails(&none.start(), row, place.input(json!({})), ErrorKind::NotFound)
            .await;
    }
    findings.check();
}
