//! Objects of any type, lists of them, and the objects that refer to one.

use std::time::Duration;

use futures_util::future::join_all;
use netmgr_lookups::ErrorKind::{Ambiguous, InvalidInput, NotFound, Other};
use netmgr_lookups::{Error, ErrorKind, Lookups};
use netmgr_sim::{ApiRequest, CombinedSearches};
use serde_json::{Value, json};

use super::harness::fits_schema;
use super::harness::{Bench, Changed, World, chain};

const OBJECT: &str = "getPolicyObject";
const OBJECTS: &str = "getPolicyObjects";
const REFERENCES: &str = "getPolicyReferences";
const GROUPS: &str = "/infra/domains/default/groups";
const RULES: &str = "/infra/domains/default/security-policies/p/rules";

async fn answer(bench: &Bench, function: &str, input: Value) -> Value {
    let output = bench.answer(function, input).await;
    fits_schema(function, &output).unwrap();
    output
}

/// The kind and the message of a failure without any request.
async fn refused(bench: &Bench, function: &str, input: Value) -> (ErrorKind, String) {
    let said = input.to_string();
    bench.requests();
    let error = bench.failure(function, input).await;
    assert_eq!(bench.requests(), [""; 0], "{said}");
    (error.kind(), chain(&error))
}

/// A member of each object of a list.
fn column<'a>(output: &'a Value, list: &str, member: &str) -> Vec<&'a str> {
    let objects = output[list].as_array().unwrap().iter();
    objects.map(|object| object[member].as_str().unwrap()).collect()
}

fn group(id: &str, tags: Value) -> Value {
    json!({"id": id, "display_name": format!("name {id}"), "tags": tags})
}

/// Groups here, in projects and in another domain.
fn groups() -> World {
    World::local()
        .bare()
        .with("/orgs/default/projects", json!({"id": "dev"}))
        .with(GROUPS, group("b", json!([{"scope": "env", "tag": "prod"}])))
        .with(
            GROUPS,
            group(
                "a",
                json!([{"scope": "env", "tag": "test"}, {"scope": "owner", "tag": "prod"}]),
            ),
        )
        .with(GROUPS, group("a-long", json!([])))
        .with(GROUPS, json!({"id": "going", "marked_for_delete": true}))
        .with(
            "/infra/domains/other/groups",
            group("c", json!([{"scope": "env", "tag": "prod"}])),
        )
        .with(
            "/infra/segments",
            json!({"id": "a", "display_name": "Web", "tags": [{"scope": "env", "tag": "prod"}]}),
        )
        .with(
            "/orgs/default/projects/dev/infra/domains/default/groups",
            group("a", json!([])),
        )
}

#[tokio::test(start_paused = true)]
async fn an_object_is_found_by_its_path_with_one_request() {
    let bench = World::local().start();
    let found = answer(&bench, OBJECT, json!({"path": format!("{GROUPS}/web-servers/")})).await;
    assert_eq!(found["exists"], true);
    assert_eq!(found["id"], "web-servers");
    assert_eq!(found["displayName"], "web-servers");
    assert_eq!(found["description"], "Virtual machines of the web tier");
    assert_eq!(found["path"], format!("{GROUPS}/web-servers"));
    assert_eq!(found["parentPath"], "/infra/domains/default");
    assert_eq!(found["resourceType"], "Group");
    assert_eq!(found["tags"], json!([{"scope": "tier", "tag": "web"}]));
    assert_eq!(found["object"]["expression"][0]["operator"], "EQUALS");
    assert_eq!(found["object"]["_revision"], 0);
    assert_eq!(
        bench.requests(),
        [format!("GET /policy/api/v1{GROUPS}/web-servers")]
    );
}

#[tokio::test(start_paused = true)]
async fn an_object_is_found_by_its_type() {
    let bench = groups().start();
    let path = format!("{GROUPS}/a");
    for (input, found) in [
        (
            json!({"resourceType": "Group", "id": "b"}),
            "/infra/domains/default/groups/b",
        ),
        // The whole name is compared.
        (json!({"resourceType": "Group", "displayName": "name a"}), &*path),
        (
            json!({"resourceType": "Segment", "displayName": "Web"}),
            "/infra/segments/a",
        ),
        (
            json!({"resourceType": "Group", "id": "a", "context": {"projectId": "dev"}}),
            "/orgs/default/projects/dev/infra/domains/default/groups/a",
        ),
        (
            json!({"resourceType": "Group", "displayName": "name c", "parentPath": "/infra/domains/other"}),
            "/infra/domains/other/groups/c",
        ),
        (
            json!({"resourceType": "Project", "id": "dev"}),
            "/orgs/default/projects/dev",
        ),
    ] {
        assert_eq!(
            answer(&bench, OBJECT, input.clone()).await["path"],
            found,
            "{input}"
        );
    }
    for input in [
        json!({"resourceType": "Group", "displayName": "name"}),
        json!({"resourceType": "Group", "id": "going"}),
        json!({"resourceType": "Group", "id": "c", "parentPath": "/infra/domains/default"}),
        json!({"resourceType": "Segment", "id": "b"}),
    ] {
        let error = bench.failure(OBJECT, input.clone()).await;
        assert_eq!(error.kind(), NotFound, "{input}");
    }
}

#[tokio::test(start_paused = true)]
async fn all_objects_of_a_type_are_found_outside_their_usual_collection_too() {
    let points = "/infra/sites/default/enforcement-points";
    let bench = World::local()
        .bare()
        .with("/infra/segments", json!({"id": "flat"}))
        .with("/infra/tier-1s/t/segments", json!({"id": "below"}))
        .with(&format!("{points}/default/edge-clusters"), json!({"id": "own"}))
        .with(&format!("{points}/other/edge-clusters"), json!({"id": "far"}))
        .start();
    for (kind, ids) in [
        ("Segment", ["flat", "below"]),
        ("PolicyEdgeCluster", ["own", "far"]),
    ] {
        let found = answer(&bench, OBJECTS, json!({"resourceTypes": [kind]})).await;
        assert_eq!(column(&found, "objects", "id"), ids, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_policy_has_its_rules_however_it_is_found() {
    let bench = World::local().start();
    let path = "/infra/domains/default/security-policies/web-to-db";
    let by_path = answer(&bench, OBJECT, json!({"path": path})).await;
    assert_eq!(by_path["object"]["rules"].as_array().unwrap().len(), 2);
    let by_type = json!({"resourceType": "SecurityPolicy", "displayName": "web-to-db"});
    assert_eq!(answer(&bench, OBJECT, by_type).await, by_path);
    // Even if its neighbours are read at the same time.
    let others = ["admin-access", "default-layer3-section", "web-to-db"];
    let together = others.map(|id| {
        bench.invoke(
            OBJECT,
            json!({"path": format!("/infra/domains/default/security-policies/{id}")}),
        )
    });
    assert_eq!(join_all(together).await.pop().unwrap().unwrap(), by_path);
}

#[tokio::test(start_paused = true)]
async fn members_with_secrets_are_only_in_the_object_if_they_are_requested() {
    let secret = json!({"id": "s", "psk": "hunter2", "peer": {"password": "hunter2", "username": "u"}});
    let bench = World::local()
        .bare()
        .with("/infra/segments", secret.clone())
        .start();
    for input in [
        json!({"path": "/infra/segments/s"}),
        json!({"resourceType": "Segment", "id": "s", "includeSensitive": false}),
    ] {
        let found = answer(&bench, OBJECT, input).await;
        assert_eq!(found["object"]["peer"], json!({"username": "u"}));
        assert!(!found.to_string().contains("hunter2"), "{found}");
    }
    let listed = answer(&bench, OBJECTS, json!({"resourceTypes": ["Segment"]})).await;
    assert!(!listed.to_string().contains("hunter2"), "{listed}");
    let input = json!({"path": "/infra/segments/s", "includeSensitive": true});
    let found = answer(&bench, OBJECT, input).await;
    assert_eq!(found["object"]["psk"], secret["psk"]);
    assert_eq!(found["object"]["peer"], secret["peer"]);
}

#[tokio::test(start_paused = true)]
async fn a_missing_object_is_an_error_or_an_answer() {
    let bench = groups().start();
    for input in [
        json!({"path": format!("{GROUPS}/none")}),
        json!({"path": "/infra/domains/none/groups/none"}),
        json!({"resourceType": "Segment", "id": "none"}),
        json!({"resourceType": "Group", "displayName": "none", "context": {"projectId": "dev"}}),
    ] {
        let error = bench.failure(OBJECT, input.clone()).await;
        assert_eq!(error.kind(), NotFound, "{input}");
        let mut input = input;
        input["onMissing"] = json!("null");
        let missing = answer(&bench, OBJECT, input).await;
        assert_eq!(
            missing,
            json!({
                "exists": false, "id": "", "displayName": "", "description": "", "path": "", "parentPath": "",
                "resourceType": "", "tags": [],
            })
        );
    }
    let message = chain(
        &bench
            .failure(OBJECT, json!({"path": format!("{GROUPS}/none")}))
            .await,
    );
    assert!(
        message.contains("there is no object at /infra/domains/default/groups/none"),
        "{message}"
    );
    // An object in a project that does not exist, a collection that does not exist, and an answer that may be
    // incomplete.
    for input in [
        json!({"resourceType": "Group", "id": "a", "context": {"projectId": "dve"}, "onMissing": "null"}),
        json!({"path": "/infra/things/a", "onMissing": "null"}),
    ] {
        assert_eq!(
            bench.failure(OBJECT, input.clone()).await.kind(),
            NotFound,
            "{input}"
        );
    }
    let failing = groups().start_behind(|manager| Changed {
        manager,
        change: |_: &ApiRequest, answer: &mut netmgr_sim::ApiResponse| {
            answer.status = http::StatusCode::INTERNAL_SERVER_ERROR;
            answer.body = None;
        },
    });
    let input = json!({"path": format!("{GROUPS}/none"), "onMissing": "null"});
    assert_eq!(failing.failure(OBJECT, input).await.kind(), Other);
}

#[tokio::test(start_paused = true)]
async fn wrong_inputs_are_refused_before_a_request() {
    let bench = World::local().start();
    for path in [
        "web",
        "infra/segments/a",
        "/api/v1/ns-groups/a",
        "/infra//a",
        "/infra/../a",
        "/infra/segments/.",
        "/orgs",
        "/infrastructure/a",
        "/policy/api/v1/infra/segments/a",
        "/global infra/a",
        "/infra/a\nb",
    ] {
        for (function, input) in [
            (OBJECT, json!({"path": path})),
            (REFERENCES, json!({"path": path})),
            (OBJECTS, json!({"parentPath": path})),
        ] {
            let (kind, message) = refused(&bench, function, input).await;
            assert_eq!(kind, InvalidInput, "{path}");
            assert!(message.contains("must be a policy path"), "{message}");
        }
    }
    for (function, input, reason) in [
        (
            OBJECT,
            json!({}),
            "`path`, or `resourceType` with `id` or `displayName`, is required",
        ),
        (
            OBJECT,
            json!({"resourceType": "Group"}),
            "`id` or `displayName` is required",
        ),
        (OBJECT, json!({"id": "a"}), "`path`, or `resourceType`"),
        (
            OBJECT,
            json!({"path": "/infra/segments/a", "id": "a"}),
            "`id` cannot be combined with `path`",
        ),
        (
            OBJECT,
            json!({"path": "/infra/segments/a", "onMissing": "nothing"}),
            "`onMissing` must be one of",
        ),
        (
            OBJECT,
            json!({"resourceType": "Grop", "id": "a"}),
            "`resourceType` must be a type of policy object; similar types are `Group`",
        ),
        (
            OBJECT,
            json!({"resourceType": "Vpc", "id": "a"}),
            "`context` is required, because each VPC is in a project; for the project default, set `parentPath`",
        ),
        (
            OBJECTS,
            json!({"resourceTypes": ["Group", "Segmnt"]}),
            "`resourceTypes[1]` must be a type of policy object; similar types are `Segment`",
        ),
        (
            OBJECTS,
            json!({"displayName": "a", "namePrefix": "b"}),
            "`namePrefix` cannot be combined with `displayName`",
        ),
        (
            OBJECTS,
            json!({"context": {"projectId": "dev"}, "parentPath": "/infra/domains"}),
            "`parentPath` is not in the `context`",
        ),
        (REFERENCES, json!({"path": ""}), "`path` is required"),
        (
            REFERENCES,
            json!({"path": "/infra/segments/a", "resourceTypes": ["Ruel"]}),
            "similar types are `Rule`",
        ),
        (
            OBJECT,
            json!({"path": "/global-infra/../x"}),
            "must be a policy path",
        ),
    ] {
        let (kind, message) = refused(&bench, function, input.clone()).await;
        assert_eq!(kind, InvalidInput, "{input}");
        assert!(message.contains(reason), "{input}: {message}");
    }
    let global = World::global().start();
    let (_, message) = refused(&global, OBJECT, json!({"path": "/infra/segments/a"})).await;
    assert!(
        message.contains("begin with `/global-infra/` on a global manager"),
        "{message}"
    );
}

#[tokio::test(start_paused = true)]
async fn lookups_of_a_collection_share_its_list_and_those_of_types_a_search() {
    let mut world = World::local().bare();
    for number in 0..60 {
        world = world.with(
            GROUPS,
            json!({"id": format!("g{number}"), "display_name": format!("n{number}")}),
        );
    }
    let bench = world.start();
    let together = |input: fn(usize) -> Value| {
        let bench = &bench;
        async move {
            let found = join_all((0..60).map(|number| bench.invoke(OBJECT, input(number)))).await;
            for (number, found) in found.into_iter().enumerate() {
                assert_eq!(found.unwrap()["path"], format!("{GROUPS}/g{number}"));
            }
            bench.requests()
        }
    };
    let by_path = together(|number| json!({"path": format!("{GROUPS}/g{number}")})).await;
    assert_eq!(by_path.len(), 1, "{by_path:?}");
    let by_name =
        together(|number| json!({"resourceType": "Group", "displayName": format!("n{number}")})).await;
    assert!(by_name.len() <= 3, "{by_name:?}");
    // Their own functions also share them.
    let mixed = (0..20).map(|number| match number % 2 {
        0 => bench.invoke(OBJECT, json!({"path": format!("{GROUPS}/g{number}")})),
        _ => bench.invoke("getPolicyGroup", json!({"id": format!("g{number}")})),
    });
    assert!(join_all(mixed).await.iter().all(Result::is_ok));
    assert_eq!(bench.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn lists_have_the_objects_that_match_sorted_by_path() {
    let bench = groups().start();
    for (input, expected) in [
        (
            json!({"resourceTypes": ["Group"]}),
            &[
                "default/groups/a",
                "default/groups/a-long",
                "default/groups/b",
                "other/groups/c",
            ][..],
        ),
        (
            json!({"resourceTypes": ["Group"], "displayName": "name a"}),
            &["default/groups/a"],
        ),
        (
            json!({"resourceTypes": ["Group"], "namePrefix": "name a"}),
            &["default/groups/a", "default/groups/a-long"],
        ),
        (
            json!({"resourceTypes": ["Group"], "nameContains": "LONG"}),
            &["default/groups/a-long"],
        ),
        (
            json!({"resourceTypes": ["Group"], "tagScope": "env"}),
            &["default/groups/a", "default/groups/b", "other/groups/c"],
        ),
        // The scope and the value of one tag.
        (
            json!({"resourceTypes": ["Group"], "tagScope": "env", "tag": "prod"}),
            &["default/groups/b", "other/groups/c"],
        ),
        (
            json!({"resourceTypes": ["Group"], "tag": "prod"}),
            &["default/groups/a", "default/groups/b", "other/groups/c"],
        ),
        (
            json!({"resourceTypes": ["Group"], "parentPath": "/infra/domains/other"}),
            &["other/groups/c"],
        ),
        (
            json!({"resourceTypes": ["Group"], "context": {"projectId": "dev"}}),
            &["default/groups/a"],
        ),
        (json!({"resourceTypes": ["Group"], "tag": "none"}), &[]),
        (
            json!({"tagScope": "env", "tag": "prod"}),
            &["default/groups/b", "other/groups/c", "segments/a"],
        ),
        (
            json!({"resourceTypes": ["Segment", "Group", "Segment"], "tag": "prod", "tagScope": "env"}),
            &["default/groups/b", "other/groups/c", "segments/a"],
        ),
        (
            json!({"resourceTypes": ["Group"], "parentPath": "/orgs/default"}),
            &["default/groups/a"],
        ),
    ] {
        let output = answer(&bench, OBJECTS, input.clone()).await;
        let paths = column(&output, "objects", "path");
        assert!(paths.is_sorted(), "{paths:?}");
        let paths: Vec<&str> = paths
            .iter()
            .map(|path| {
                path.rsplit_once("/domains/")
                    .map_or_else(|| &path["/infra/".len()..], |(_, end)| end)
            })
            .collect();
        assert_eq!(paths, expected, "{input}");
    }
    let output = answer(&bench, OBJECTS, json!({"displayName": "Web"})).await;
    let web = &output["objects"][0];
    assert_eq!(web["resourceType"], "Segment");
    assert_eq!(web["object"]["tags"], json!([{"scope": "env", "tag": "prod"}]));
    let project = json!({"resourceTypes": ["Group"], "context": {"projectId": "dve"}});
    let message = chain(&bench.failure(OBJECTS, project).await);
    assert!(message.contains("project dve does not exist"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn a_project_has_vpcs_and_what_is_in_them_by_its_types() {
    const VPC: &str = "/orgs/default/projects/dev/vpcs";
    let dev2 = "/orgs/default/projects/dev2/vpcs";
    let bench = groups()
        .with("/orgs/default/projects", json!({"id": "dev2"}))
        .with(VPC, json!({"id": "web"}))
        .with(&format!("{VPC}/web/groups"), group("in-vpc", json!([])))
        .with(&format!("{VPC}/web/subnets"), json!({"id": "front"}))
        .with(dev2, json!({"id": "other"}))
        .start();
    let vpc = format!("{VPC}/web");
    let subnet = format!("{VPC}/web/subnets/front");
    let a = "/orgs/default/projects/dev/infra/domains/default/groups/a".to_owned();
    for (types, expected) in [
        (json!(["Vpc"]), vec![&vpc]),
        (json!(["VpcSubnet"]), vec![&subnet]),
        (json!(["Group"]), vec![&a]),
        (json!(["VpcConnectivityProfile"]), vec![]),
        (Value::Null, vec![&a, &vpc]),
    ] {
        let input = json!({"resourceTypes": types, "context": {"projectId": "dev"}});
        let output = answer(&bench, OBJECTS, input).await;
        assert_eq!(column(&output, "objects", "path"), expected, "{types}");
    }
    let input = json!({"resourceType": "VpcSubnet", "id": "front", "context": {"projectId": "dev"}});
    assert_eq!(answer(&bench, OBJECT, input).await["path"], subnet);
    let (kind, message) = refused(&bench, OBJECTS, json!({"resourceTypes": ["VpcSubnet"]})).await;
    assert_eq!(kind, ErrorKind::InvalidInput);
    assert!(message.contains("each subnet is in a project"), "{message}");
    let project = json!({"resourceTypes": ["VpcSubnet"], "context": {"projectId": "dve"}});
    let message = chain(&bench.failure(OBJECTS, project).await);
    assert!(message.contains("project dve does not exist"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn a_list_of_several_types_is_one_search() {
    let bench = groups().start();
    let input = json!({"resourceTypes": ["Group", "SegmentPort", "Rule"], "tag": "prod"});
    assert_eq!(
        answer(&bench, OBJECTS, input).await["objects"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    assert_eq!(bench.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn inventory_is_listed_by_its_type() {
    let bench = World::local().start();
    let input = json!({"resourceTypes": ["VirtualMachine"], "namePrefix": "web-"});
    let output = answer(&bench, OBJECTS, input).await;
    assert_eq!(column(&output, "objects", "displayName")[0], "web-01");
    assert_eq!(output["objects"][0]["path"], "");
}

#[tokio::test(start_paused = true)]
async fn a_list_is_complete_or_an_error() {
    let bench = groups().start();
    let input = |limit: u32| json!({"resourceTypes": ["Group"], "limit": limit});
    assert_eq!(
        answer(&bench, OBJECTS, input(4)).await["objects"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
    match bench.failure(OBJECTS, input(3)).await {
        Error::Ambiguous {
            what, total, found, ..
        } => {
            assert_eq!((what.as_str(), total), ("4 objects match, but `limit` is 3", 4));
            assert_eq!(found.len(), 4);
        }
        other => panic!("{other}"),
    }
    assert_eq!(bench.failure(OBJECTS, input(0)).await.kind(), Ambiguous);
    // A manager that announces more objects than it sends.
    let losing = groups().start_behind(|manager| Changed {
        manager,
        change: |_: &ApiRequest, answer: &mut netmgr_sim::ApiResponse| {
            let rows = answer
                .body
                .as_mut()
                .and_then(|body| body["results"].as_array_mut());
            rows.map(|rows| rows.pop());
        },
    });
    for (function, input) in [
        (OBJECTS, input(100)),
        (REFERENCES, json!({"path": "/infra/domains/other"})),
    ] {
        let error = losing.failure(function, input).await;
        assert_eq!(error.kind(), Other, "{}", chain(&error));
    }
}

#[tokio::test(start_paused = true)]
async fn references_are_members_with_the_path_or_one_below_it() {
    let used = format!("{GROUPS}/web");
    let bench = World::local()
        .bare()
        .with(GROUPS, json!({"id": "web"}))
        .with(GROUPS, json!({"id": "web2"}))
        .with(GROUPS, json!({"id": "nested", "expression": [{"paths": ["/infra/segments/s", used]}]}))
        .with("/infra/domains/default/security-policies", json!({"id": "p", "scope": [used]}))
        .with(RULES, json!({"id": "r", "source_groups": ["ANY", used], "destination_groups": [used]}))
        .with(RULES, json!({"id": "other", "source_groups": [format!("{GROUPS}/web2")], "notes": format!("not {used}")}))
        .with(RULES, json!({"id": "going", "source_groups": [used], "marked_for_delete": true}))
        .with("/orgs/default/projects/dev/infra/domains/default/security-policies/q/rules", json!({"id": "far", "scope": [used]}))
        .with("/infra/segments", json!({"id": "s"}))
        .with("/infra/segments/s/ports", json!({"id": "port"}))
        .with("/infra/tier-1s", json!({"id": "t", "port": "/infra/segments/s/ports/port"}))
        .start();
    let found = answer(&bench, REFERENCES, json!({"path": used})).await;
    let lines = |found: &Value| -> Vec<String> {
        let references = found["references"].as_array().unwrap().iter();
        let line = |reference: &Value| {
            let (kind, path) = (&reference["resourceType"], reference["path"].as_str().unwrap());
            format!("{path} {} {}", kind.as_str().unwrap(), reference["members"])
        };
        references.map(line).collect()
    };
    assert_eq!(
        lines(&found),
        [
            r#"/infra/domains/default/groups/nested Group ["expression[0].paths[1]"]"#,
            r#"/infra/domains/default/security-policies/p SecurityPolicy ["scope[0]"]"#,
            r#"/infra/domains/default/security-policies/p/rules/r Rule ["destination_groups[0]","source_groups[1]"]"#,
            r#"/orgs/default/projects/dev/infra/domains/default/security-policies/q/rules/far Rule ["scope[0]"]"#,
        ]
    );
    assert_eq!((&found["exists"], &found["path"]), (&json!(true), &json!(used)));
    let types = found["types"].as_array().unwrap();
    assert!(types.len() > 100 && types.contains(&json!("Rule")), "{types:?}");
    let requests = bench.requests();
    assert_eq!(requests.len(), 2, "{requests:?}");
    let mut world = World::local()
        .bare()
        .with(RULES, json!({"id": "r", "scope": [used]}));
    world.settings.combined_searches = CombinedSearches::Refused;
    let refusing = answer(&world.start(), REFERENCES, json!({"path": used})).await;
    assert_eq!(column(&refusing, "references", "id"), ["r"]);
    assert!(
        requests
            .iter()
            .any(|request| request.contains(&format!("\"{used}\""))),
        "{requests:?}"
    );

    let of_type = json!({"path": used, "resourceTypes": ["SecurityPolicy"]});
    let found = answer(&bench, REFERENCES, of_type).await;
    assert_eq!(found["types"], json!(["SecurityPolicy"]));
    assert_eq!(lines(&found).len(), 1);

    // Children of the object, and references to its children.
    let found = answer(&bench, REFERENCES, json!({"path": "/infra/segments/s"})).await;
    assert_eq!(
        lines(&found),
        [
            r#"/infra/domains/default/groups/nested Group ["expression[0].paths[0]"]"#,
            r#"/infra/segments/s/ports/port SegmentPort ["parent_path"]"#,
            r#"/infra/tier-1s/t Tier1 ["port"]"#,
        ]
    );
    let none = bench
        .failure(REFERENCES, json!({"path": "/infra/segments/none"}))
        .await;
    assert_eq!(none.kind(), ErrorKind::NotFound);
}

#[tokio::test(start_paused = true)]
async fn references_of_an_object_that_the_index_lacks_are_a_warning() {
    let mut world = World::local().bare().with(GROUPS, json!({"id": "old"}));
    world.settings.index_lag = Duration::from_secs(3600);
    let bench = world.start();
    bench.manager.add(GROUPS, json!({"id": "new"})).unwrap();
    for (id, warning) in [
        ("old", None),
        (
            "new",
            Some(format!("the search index does not contain {GROUPS}/new")),
        ),
    ] {
        answer(&bench, REFERENCES, json!({"path": format!("{GROUPS}/{id}")})).await;
        let warnings = bench.warnings();
        assert_eq!(warnings.len(), warning.iter().len(), "{warnings:?}");
        assert!(
            warning.is_none_or(|warning| warnings[0].starts_with(&warning)),
            "{warnings:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn references_of_many_objects_share_searches() {
    let mut world = World::local().bare();
    for number in 0..40 {
        world = world.with(GROUPS, json!({"id": format!("g{number}")})).with(
            RULES,
            json!({"id": format!("r{number}"), "source_groups": [format!("{GROUPS}/g{number}")]}),
        );
    }
    let bench = world.start();
    let found = join_all(
        (0..40).map(|number| bench.invoke(REFERENCES, json!({"path": format!("{GROUPS}/g{number}")}))),
    );
    for (number, found) in found.await.into_iter().enumerate() {
        let found = found.unwrap();
        assert_eq!(column(&found, "references", "id"), [format!("r{number}")]);
        assert_eq!(found["exists"], true);
    }
    let requests = bench.requests();
    assert!(requests.len() <= 8, "{requests:?}");
}

#[tokio::test(start_paused = true)]
async fn a_global_manager_answers_as_well() {
    let bench = World::global()
        .with("/global-infra/domains/default/groups", json!({"id": "g"}))
        .with(
            "/global-infra/domains/default/security-policies/p/rules",
            json!({"id": "r", "scope": ["/global-infra/domains/default/groups/g"]}),
        )
        .start();
    let path = "/global-infra/domains/default/groups/g";
    assert_eq!(answer(&bench, OBJECT, json!({"path": path})).await["id"], "g");
    let found = answer(&bench, REFERENCES, json!({"path": path})).await;
    assert_eq!(column(&found, "references", "id"), ["r"]);
}

#[tokio::test(start_paused = true)]
async fn whole_objects_are_the_same_however_they_are_found() {
    let pool =
        json!({"id": "p", "display_name": "pool", "hostname": "h", "auth": {"password": "x", "user": "u"}});
    let bench = World::local()
        .bare()
        .with("/infra/segments", pool.clone())
        .with("/api/v1/pools/ip-pools", pool)
        .start();
    for (function, input) in [
        ("getPolicySegment", json!({"id": "p"})),
        ("getPolicySegment", json!({"displayName": "pool"})),
        ("getPolicySegment", json!({"displayName": "po"})),
        ("getIpPool", json!({"id": "p"})),
        ("getIpPool", json!({"displayName": "pool"})),
    ] {
        let entry = Lookups::entry(function).unwrap();
        let found = bench.lookups.call_entry(entry, input.clone(), bench.call()).await;
        let object = found
            .unwrap_or_else(|error| panic!("{function} {input}: {}", chain(&error)))
            .object();
        assert_eq!(object["hostname"], "h", "{function} {input}");
        assert_eq!(object["auth"], json!({"user": "u"}), "{function} {input}");
    }
}
