//! Projects, VPCs, objects of the global manager, kinds of managers and versions.

use netmgr_lookups::{ErrorKind, deployment_name};
use netmgr_types::Deployment;
use serde_json::{Value, json};

use super::findings::Findings;
use super::harness::World;
use super::place::{PARENT, Place, Tree};
use super::table::{ROWS, Row, selecting};

const DEPLOYMENTS: [Deployment; 3] = [
    Deployment::PolicyManager,
    Deployment::GlobalManager,
    Deployment::HostedCloud,
];

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
    let mut world = world(row, trees);
    if trees[0] == Tree::Project("dev") && !row.contexts.required {
        let in_vpc = "/orgs/default/projects/dev/vpcs/web/";
        let leaf = row.collection.rsplit('/').next().unwrap_or_default();
        let body = json!({"id": "in-vpc", "display_name": "in-vpc", "resource_type": row.resource_type});
        // VPCs have only some collections.
        let _ = world.inventory.add(&format!("{in_vpc}{leaf}"), body);
    }
    let bench = world.start();
    let place = Place::below(row, trees[0], PARENT);
    for (by, value) in BY {
        findings
            .finds(&bench, row, &place, place.input(json!({by: value})), "one")
            .await;
        let others = (1..trees.len()).map(|number| format!("only-{number}"));
        for other in others.chain(["in-vpc".to_owned()]) {
            let stranger = place.input(json!({ by: other }));
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
            let missing = Place::below(row, Tree::Project("missing"), PARENT);
            let input = missing.input(json!({"id": "one"}));
            let bench = world(row, &[dev]).start();
            findings.fails(&bench, row, input, ErrorKind::NotFound).await;
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
            false => refused.extend([json!({}), json!({"fromGlobal": true}), json!({"projectId": ""})]),
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
async fn objects_are_those_of_the_configured_enforcement_point() {
    const FIXED: &str = "getPolicyContainerCluster";
    let mut findings = Findings::default();
    for (row, _) in selecting() {
        let mut place = Place::of(row);
        if !place.collection.contains("enforcement-points/default") || row.function == FIXED {
            continue;
        }
        let at_other = |text: &str| text.replace("enforcement-points/default", "enforcement-points/other");
        place.collection = at_other(&place.collection);
        for parent in place.input.values_mut() {
            *parent = parent.as_str().map_or(Value::Null, |path| at_other(path).into());
        }
        let world = row.world().at_point("other");
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

/// The deployments on which the table states that the function is available.
fn stated(row: &Row) -> impl Fn(Deployment) -> bool {
    |deployment| row.managers.is_empty() || row.managers.contains(&deployment)
}

#[tokio::test(start_paused = true)]
async fn managers_without_the_function_are_refused_before_any_request() {
    let mut findings = Findings::default();
    for row in ROWS.iter() {
        let entry = row.entry();
        let is_stated = stated(row);
        for deployment in DEPLOYMENTS {
            let input = entry.describe().example;
            if entry.spec.availability.includes(deployment) != is_stated(deployment) {
                findings.add(
                    row,
                    &json!(format!("{deployment:?}")),
                    "availability differs from the table",
                );
            } else if !is_stated(deployment) {
                let bench = World::of(deployment).bare().start();
                let text = bench
                    .fails(row.function, input.clone(), ErrorKind::Unsupported)
                    .await;
                let available = row.managers.iter().map(|one| deployment_name(*one));
                if !bench.requests().is_empty() || !available.into_iter().all(|name| text.contains(name)) {
                    findings.add(row, &input, text);
                }
            }
        }
        for manager in &row.more.absent_on {
            let world = match manager.as_str() {
                "global" => World::global(),
                "cloud" => World::cloud(),
                "no manager mode" => World::without_manager_mode(),
                other => panic!("no manager {other}"),
            };
            let bench = world.start();
            let place = Place::of(row);
            for (by, value) in BY {
                let input = place.input(json!({by: value}));
                findings.fails(&bench, row, input, ErrorKind::Unsupported).await;
            }
        }
    }
    findings.check();
}

#[tokio::test(start_paused = true)]
async fn managers_that_are_too_old_are_refused() {
    let mut findings = Findings::default();
    for row in ROWS.iter() {
        let entry = row.entry();
        let is_stated = stated(row);
        for deployment in DEPLOYMENTS
            .into_iter()
            .filter(|deployment| is_stated(*deployment))
        {
            let since = match row.since_on {
                Some(only) if only != deployment => "",
                _ => row.since,
            };
            let minimum = entry.spec.minimum_version(deployment);
            let minimum = minimum.map_or(String::new(), |version| version.to_string());
            if minimum != since {
                findings.add(row, &json!(since), format!("the function needs {minimum:?}"));
                continue;
            }
            let below = match since {
                "" => continue,
                "3.0.0" => "2.5.2.2.0.17003648",
                "4.0.0" => "3.2.4.1.0.23785884",
                "4.2.0" => "4.1.2.5.0.24165845",
                "9.0.0" => "4.2.3.3.0.25171318",
                "9.1.0" => "9.0.1.0.24952111",
                "9.1.1" => "9.1.0.0.24952111",
                other => panic!("no version below {other}"),
            };
            let bench = World::of(deployment).version(below).bare().start();
            let input = entry.describe().example;
            bench.fails(row.function, input, ErrorKind::Unsupported).await;
            if bench
                .requests()
                .iter()
                .any(|request| request != "GET /api/v1/node/version")
            {
                findings.add(row, &json!(below), "requests more than the version");
            }
        }
    }
    findings.check();
}
