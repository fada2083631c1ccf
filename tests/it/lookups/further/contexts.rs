//! Projects, VPCs, objects of the global manager, kinds of managers and versions.

use netmgr_lookups::ErrorKind;
use netmgr_types::Deployment;
use serde_json::{Value, json};

use super::objects::Findings;
use super::place::{PARENT, Place, Tree};
use super::rows::{ROWS, Row, selecting};
use crate::lookups::harness::World;

const BY: [(&str, &str); 2] = [("id", "one"), ("displayName", "name")];

/// The same object in each of the trees, and one that is in only one tree.
fn world(row: &Row, trees: &[Tree]) -> World {
    let mut world = row.world();
    for (number, tree) in trees.iter().enumerate() {
        let place = Place::below(row, *tree, PARENT);
        world = place.add(world, row, json!({"id": "one", "display_name": "name"}));
        world = place.add(
            world,
            row,
            json!({"id": format!("only-{number}"), "display_name": format!("only-{number}")}),
        );
    }
    world
}

/// Finds the object of the first tree, and no object of the others.
async fn only_in_the_first(findings: &mut Findings, row: &Row, trees: &[Tree]) {
    let bench = world(row, trees).start();
    let place = Place::below(row, trees[0], PARENT);
    for (by, value) in BY {
        findings
            .finds(&bench, row, &place, place.input(json!({by: value})), "one")
            .await;
        for number in 1..trees.len() {
            let stranger = place.input(json!({by: format!("only-{number}")}));
            findings.fails(&bench, row, stranger, ErrorKind::NotFound).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_context_finds_nothing_of_other_tenants() {
    let mut findings = Findings::default();
    for (row, _) in selecting() {
        let has_projects = row.more.projects != Some(Value::Bool(false));
        let (dev, dev2, default) = (
            Tree::Project("dev"),
            Tree::Project("dev2"),
            Tree::Project("default"),
        );
        if row.contexts.vpc {
            let trees = [
                Tree::Vpc("dev", "web"),
                Tree::Vpc("dev", "web2"),
                Tree::Vpc("dev2", "web"),
            ];
            only_in_the_first(&mut findings, row, &trees).await;
        } else if row.contexts.project && row.contexts.required {
            only_in_the_first(&mut findings, row, &[dev, dev2]).await;
        } else if row.contexts.project && has_projects {
            only_in_the_first(&mut findings, row, &[dev, dev2, Tree::Default]).await;
            only_in_the_first(&mut findings, row, &[Tree::Default, dev]).await;
        } else if row.contexts.project {
            let bench = world(row, &[Tree::Default]).start();
            let input = Place::below(row, dev, PARENT).input(json!({"id": "one"}));
            findings.fails(&bench, row, input, ErrorKind::NotFound).await;
        }
        if row.contexts.default_project {
            only_in_the_first(&mut findings, row, &[default, dev]).await;
        }
        if row.contexts.from_global {
            only_in_the_first(&mut findings, row, &[Tree::FromGlobal, Tree::Default]).await;
            only_in_the_first(&mut findings, row, &[Tree::Default, Tree::FromGlobal]).await;
        }
    }
    findings.check();
}

#[tokio::test(start_paused = true)]
async fn contexts_that_a_function_does_not_take_are_refused_before_any_request() {
    let mut findings = Findings::default();
    for row in ROWS.iter() {
        let contexts = &row.contexts;
        let place = Place::of(row);
        let bench = row.world().start();
        let mut refused = vec![
            json!({"projectId": "a/b"}),
            json!({"projectId": "dev", "vpcId": "a/b"}),
            json!({"project": "dev"}),
        ];
        if !contexts.default_project && !contexts.vpc {
            refused.push(json!({"projectId": "default"}));
        }
        if !contexts.vpc {
            refused.push(json!({"projectId": "dev", "vpcId": "web"}));
        }
        if !contexts.project {
            refused.push(json!({"projectId": "dev"}));
        }
        if contexts.vpc {
            refused.push(json!({"projectId": "dev"}));
        }
        match contexts.from_global {
            true => refused.push(json!({"projectId": "dev", "fromGlobal": true})),
            false => refused.extend([json!({"fromGlobal": true}), json!({"projectId": ""})]),
        }
        for context in refused {
            let mut input = place.input(json!({}));
            if row.inputs.iter().any(|input| input.name == "id") {
                input["id"] = json!("one");
            }
            input["context"] = context;
            findings.fails(&bench, row, input, ErrorKind::InvalidInput).await;
        }
        if contexts.required {
            let mut input = place.input(json!({"id": "one"}));
            input.as_object_mut().unwrap().remove("context");
            findings.fails(&bench, row, input, ErrorKind::InvalidInput).await;
        }
    }
    findings.check();
}

#[tokio::test(start_paused = true)]
async fn functions_of_global_managers_find_global_objects() {
    let mut findings = Findings::default();
    for (row, _) in selecting().filter(|(row, _)| row.managers.contains(&Deployment::GlobalManager)) {
        let mut place = Place::below(row, Tree::Global, PARENT);
        if let Some(global) = &row.more.global {
            place.collection.clone_from(&global.collection);
            place.input.extend(global.input.clone());
        }
        let world = World::global().bare();
        let bench = place
            .add(world, row, json!({"id": "one", "display_name": "name"}))
            .start();
        for (by, value) in BY {
            findings
                .finds(&bench, row, &place, place.input(json!({by: value})), "one")
                .await;
        }
    }
    findings.check();
}

#[tokio::test(start_paused = true)]
async fn functions_of_the_hosted_cloud_find_its_objects() {
    let mut findings = Findings::default();
    for (row, _) in selecting().filter(|(row, _)| row.managers.contains(&Deployment::HostedCloud)) {
        let mut place = Place::of(row);
        place.collection = place.collection.replace(
            "enforcement-points/default",
            "enforcement-points/vmc-enforcementpoint",
        );
        let bench = place
            .add(
                World::cloud().bare(),
                row,
                json!({"id": "one", "display_name": "name"}),
            )
            .start();
        for (by, value) in BY {
            findings
                .finds(&bench, row, &place, place.input(json!({by: value})), "one")
                .await;
        }
    }
    findings.check();
}

#[tokio::test(start_paused = true)]
async fn managers_without_the_function_are_refused_before_any_request() {
    let mut findings = Findings::default();
    for row in ROWS.iter().filter(|row| !row.managers.is_empty()) {
        for (deployment, world) in [
            (Deployment::PolicyManager, World::local()),
            (Deployment::GlobalManager, World::global()),
            (Deployment::HostedCloud, World::cloud()),
        ] {
            let available = row.managers.contains(&deployment);
            let entry = row.entry().unwrap();
            let input = entry.describe().example;
            if entry.spec.availability.includes(deployment) != available {
                findings.add(
                    row,
                    &json!(format!("{deployment:?}")),
                    "availability differs from the table",
                );
            } else if !available {
                let bench = world.bare().start();
                findings
                    .fails(&bench, row, input.clone(), ErrorKind::Unsupported)
                    .await;
            }
        }
    }
    findings.check();
}

#[tokio::test(start_paused = true)]
async fn managers_that_are_too_old_are_refused() {
    let mut findings = Findings::default();
    for row in ROWS.iter() {
        let entry = row.entry().unwrap();
        let deployment = if row.is_global() {
            Deployment::GlobalManager
        } else {
            Deployment::PolicyManager
        };
        let minimum = entry
            .spec
            .minimum_version(deployment)
            .map(|version| version.to_string());
        if minimum.clone().unwrap_or_default() != row.since {
            findings.add(row, &json!(row.since), format!("the function needs {minimum:?}"));
            continue;
        }
        let below = match row.since {
            "" => continue,
            "4.0.0" => "3.2.4.1.0.23785884",
            "4.2.0" => "4.1.2.5.0.24165845",
            "9.0.0" => "4.2.3.3.0.25171318",
            "9.1.0" => "9.0.1.0.24952111",
            "9.1.1" => "9.1.0.0.24952111",
            other => panic!("no version below {other}"),
        };
        let bench = World::local().version(below).bare().start();
        let input = entry.describe().example;
        findings.fails(&bench, row, input, ErrorKind::Unsupported).await;
    }
    findings.check();
}
