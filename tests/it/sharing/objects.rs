//! The rows of a shared request that decide lookups, and the lookups that they do not decide.

use std::collections::HashSet;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::script::*;

/// Replies to a list that replaces reads of objects.
fn broken_lists() -> Vec<(&'static str, Reply)> {
    vec![
        ("hangs", Reply::Hang),
        ("drips", first_page([pool("z")], 3).after(9)),
        ("is truncated", Reply::Reset),
        ("is refused", Reply::error(403)),
        ("fails", Reply::error(500)),
        ("is down", Reply::error(503)),
        ("is no page", Reply::ok(json!("no page"))),
        ("is missing", Reply::missing()),
        (
            "is shorter than announced",
            Reply::ok(json!({"result_count": 9, "results": []})),
        ),
        (
            "has odd rows",
            page([json!(7), json!({"id": []}), json!({"display_name": "x"})]),
        ),
    ]
}

#[tokio::test(start_paused = true)]
async fn objects_by_id_are_found_whatever_becomes_of_their_list() {
    for (what, list) in broken_lists() {
        let script = Script::new(
            move |target, _| match target.strip_prefix("/api/v1/pools/ip-pools/") {
                Some(id) => Reply::ok(pool(id)),
                None => list.clone(),
            },
        );
        let started = Instant::now();
        let found = script
            .all(POOL, vec![json!({"id": "a"}), json!({"id": "b"})])
            .await;
        for (id, found) in ["a", "b"].iter().zip(found) {
            assert_eq!(found.unwrap_or_else(|error| panic!("{what}: {error}"))["id"], *id);
        }
        assert!(
            started.elapsed().as_secs() < 30,
            "{what}: {:?}",
            started.elapsed()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn objects_by_id_are_found_although_their_list_lacks_paths() {
    let script = Script::new(|target, _| {
        let id = target.strip_prefix("/policy/api/v1/infra/dhcp-server-configs/");
        id.map_or_else(
            || page(["a", "b"].map(|id| json!({"id": id, "resource_type": "DhcpServerConfig"}))),
            |id| Reply::ok(server(id)),
        )
    });
    let found = script
        .all(DHCP, vec![json!({"id": "a"}), json!({"id": "b"})])
        .await;
    for (id, found) in ["a", "b"].iter().zip(found) {
        assert_eq!(found.unwrap()["id"], *id);
    }
}

#[tokio::test(start_paused = true)]
async fn nine_names_and_an_id_are_found_whatever_becomes_of_their_list() {
    for (what, list) in broken_lists() {
        let script = Script::new(move |target, _| {
            if is_search(target) {
                page(searched(target).into_iter().map(server))
            } else if let Some(id) = target.strip_prefix("/policy/api/v1/infra/dhcp-server-configs/") {
                Reply::ok(server(id))
            } else {
                list.clone()
            }
        });
        let mut inputs = named(&NAMES);
        inputs.push(json!({"id": "n1"}));
        for found in script.all(DHCP, inputs).await {
            found.unwrap_or_else(|error| panic!("{what}: {error}"));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_whose_ids_are_equal_is_one_node() {
    let script = Script::new(|target, _| {
        let node = |id: &str| json!({"id": id, "external_id": id, "display_name": "mgr-a", "resource_type": "ClusterNodeConfig"});
        match target.strip_prefix("/api/v1/cluster/nodes/") {
            Some(id) => Reply::ok(node(id)),
            None => page([node("a"), node("b")]),
        }
    });
    let found = script
        .all(
            "getManagerClusterNode",
            vec![json!({"id": "a"}), json!({"id": "b"})],
        )
        .await;
    for found in found {
        found.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn an_id_is_found_beside_a_search_with_more_hits_than_the_window() {
    // The manager does not support the path of the object, so its id is searched.
    let script = Script::new(|target, _| {
        if is_search(target) && target.contains("id:wanted") && !target.contains("OR") {
            page([server("wanted")])
        } else if is_search(target) {
            // The search ends at 50,000 hits, of which one page is sufficient here.
            Reply::ok(json!({"result_count": 60_000, "results": [server("n1")]}))
        } else if is_server_list(target) {
            page([server("n1"), server("wanted")])
        } else {
            Reply::Json(404, json!({}))
        }
    });
    let (by_name, by_id) = tokio::join!(
        script.invoke(DHCP, json!({"displayName": "n1"})),
        script.invoke(DHCP, json!({"id": "wanted"})),
    );
    by_name.unwrap();
    assert_eq!(by_id.unwrap()["id"], "wanted");
}

const PROJECT: &str = "/orgs/default/projects/dev/infra";

/// A project whose list also contains the objects that are shared with it.
fn project(target: &str) -> Reply {
    let own = |id: &str| server_in(PROJECT, id);
    if is_search(target) {
        return page(searched(target).into_iter().flat_map(|id| [server(id), own(id)]));
    }
    match target.split_once("/dhcp-server-configs/") {
        Some((base, id)) if base.ends_with(PROJECT) => Reply::ok(own(id)),
        Some((_, id)) => Reply::ok(server(id)),
        None => page(NAMES.into_iter().flat_map(|id| [server(id), own(id)])),
    }
}

#[tokio::test(start_paused = true)]
async fn in_a_project_shared_objects_are_neither_several_nor_in_the_place_of_its_own() {
    let script = Script::new(|target, _| project(target));
    let in_project = |mut input: Value| {
        input["context"] = json!({"projectId": "dev"});
        input
    };
    let by_name: Vec<Value> = named(&NAMES).into_iter().map(in_project).collect();
    for found in script.all(DHCP, by_name).await {
        assert!(found.unwrap()["path"].as_str().unwrap().starts_with(PROJECT));
    }
    let by_id = ["n1", "n2"].map(|id| in_project(json!({"id": id}))).to_vec();
    for found in script.all(DHCP, by_id).await {
        assert!(found.unwrap()["path"].as_str().unwrap().starts_with(PROJECT));
    }
}

/// A manager with this inventory of DHCP servers, whose index may lag behind.
fn manager(listed: Vec<Value>, indexed: Vec<Value>) -> Script {
    Script::new(move |target, _| {
        let by_id = |id: &str| listed.iter().find(|row| row["id"] == id).cloned();
        if is_search(target) {
            let names = searched(target);
            let is_meant = |row: &&Value| {
                names
                    .iter()
                    .any(|name| row["display_name"].as_str().unwrap().starts_with(name))
            };
            page(indexed.iter().filter(is_meant).cloned())
        } else if is_server_list(target) {
            page(listed.clone())
        } else {
            let id = target.rsplit('/').next().unwrap();
            by_id(id).map_or_else(Reply::missing, Reply::ok)
        }
    })
}

#[tokio::test(start_paused = true)]
async fn lookups_together_find_what_each_finds_alone() {
    let named_row = |id: &str, name: &str| {
        let mut row = server(id);
        row["display_name"] = json!(name);
        row
    };
    let listed = vec![
        named_row("1", "n1"),
        named_row("2", "n1-long"),
        named_row("3", "n2-a"),
        named_row("4", "n2-b"),
        named_row("5", "n3-only"),
        named_row("6", "n4"),
        named_row("7", "n4"),
        json!({"resource_type": "DhcpServerConfig", "id": ["8"], "display_name": ["n5"]}),
        named_row("9", "n6"),
        named_row("n7", "other"),
    ];
    // The index lacks one object and still contains a deleted one.
    let mut indexed = listed.clone();
    indexed.retain(|row| row["id"] != "9" && row["display_name"].is_string());
    indexed.push(named_row("deleted", "n8"));
    let outcome = |found: Result<Value, netmgr_lookups::Error>| match found {
        Ok(found) => found["id"].to_string(),
        Err(error) => format!("{:?}: {error}", error.kind()),
    };
    let mut inputs = named(&NAMES);
    inputs.extend(["1", "4", "n7", "absent"].map(|id| json!({"id": id})));
    inputs.push(json!({"displayName": "n1", "description": "no such description"}));
    let mut alone = Vec::new();
    for input in &inputs {
        let script = manager(listed.clone(), indexed.clone());
        alone.push(outcome(script.invoke(DHCP, input.clone()).await));
    }
    let script = manager(listed, indexed);
    let together: Vec<String> = script
        .all(DHCP, inputs.clone())
        .await
        .into_iter()
        .map(outcome)
        .collect();
    for ((input, together), alone) in inputs.iter().zip(&together).zip(&alone) {
        assert_eq!(together, alone, "{input}");
    }
    assert!(alone.iter().collect::<HashSet<_>>().len() > 10, "{alone:#?}");
}

#[tokio::test(start_paused = true)]
async fn lookups_of_one_name_keep_no_rows_that_merely_begin_with_it() {
    // 100 lookups and 10,000 rows of 1 KB: a gigabyte if each lookup kept them.
    let script = Script::new(|target, _| {
        let at: usize = target
            .split_once("cursor=")
            .map_or(0, |(_, at)| at.split('&').next().unwrap().parse().unwrap());
        let row = |number: usize| {
            let name = if number == 0 {
                "group".to_owned()
            } else {
                format!("group-{number}")
            };
            json!({"resource_type": "NSGroup", "id": number.to_string(), "display_name": name, "description": "x".repeat(1000)})
        };
        let rows: Vec<Value> = (at..at + 1000).map(row).collect();
        let mut body = json!({"result_count": 10_000, "results": rows});
        if at < 9000 {
            body["cursor"] = json!((at + 1000).to_string());
        }
        Reply::ok(body)
    });
    let before = resident();
    let inputs = vec![json!({"displayName": "group"}); 100];
    for found in script.all("getNsGroup", inputs).await {
        assert_eq!(found.unwrap()["id"], "0");
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 200 << 20, "{} MiB", grown >> 20);
}

/// Peak memory of this process in bytes; 0 if it is not known.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kilobytes.unwrap_or_default() << 10
}

#[tokio::test(start_paused = true)]
async fn rows_of_other_trees_and_duplicates_are_no_second_object() {
    let trees = [
        "/orgs/default/projects/dev/infra",
        "/orgs/default/projects/dev2/infra",
        "/infra",
    ];
    let script = Script::new(move |target, _| {
        let rows = NAMES
            .into_iter()
            .flat_map(|id| trees.map(|tree| server_in(tree, id)));
        let twice: Vec<Value> = rows.flat_map(|row| [row.clone(), row]).collect();
        if is_search(target) || target.contains("/dhcp-server-configs?") {
            return page(twice);
        }
        let id = target.rsplit('/').next().unwrap();
        let tree = trees
            .iter()
            .find(|tree| target.contains(&format!("/v1{tree}/")))
            .unwrap();
        Reply::ok(server_in(tree, id))
    });
    let mut inputs = Vec::new();
    for project in [Some("dev"), Some("dev2"), None] {
        for mut input in named(&NAMES)
            .into_iter()
            .chain([json!({"id": "n1"}), json!({"id": "n2"})])
        {
            if let Some(project) = project {
                input["context"] = json!({ "projectId": project });
            }
            inputs.push(input);
        }
    }
    for (found, input) in script.all(DHCP, inputs.clone()).await.into_iter().zip(inputs) {
        let tree = match input["context"]["projectId"].as_str() {
            Some(project) => format!("/orgs/default/projects/{project}/infra/dhcp-server-configs/"),
            None => "/infra/dhcp-server-configs/".to_owned(),
        };
        let found = found.unwrap();
        assert!(
            found["path"].as_str().unwrap().starts_with(&tree),
            "{input}: {found}"
        );
    }
}

/// A list of 80 pools in pages of three, which announces this number of them.
fn small_pages(target: &str, announced: Option<usize>) -> Reply {
    if let Some(id) = target.strip_prefix("/api/v1/pools/ip-pools/") {
        return Reply::ok(pool(id));
    }
    let cursor = target.split_once("cursor=").map_or("0", |(_, rest)| rest);
    let cursor: String = cursor.chars().take_while(char::is_ascii_digit).collect();
    let first: usize = cursor.parse().unwrap();
    let next = first + 3;
    let rows: Vec<Value> = (first..next.min(80))
        .map(|number| pool(&format!("id-{number}")))
        .collect();
    let mut page = json!({"results": rows});
    if let Some(announced) = announced {
        page["result_count"] = json!(announced);
    }
    if next < 80 {
        page["cursor"] = json!(next.to_string());
    }
    Reply::ok(page)
}

#[tokio::test(start_paused = true)]
async fn a_list_in_small_pages_takes_no_more_requests_than_its_objects() {
    for announced in [Some(80), None, Some(3), Some(0)] {
        for count in [2, 5] {
            let script = Script::new(move |target, _| small_pages(target, announced));
            let inputs = (0..count).map(|number| json!({"id": format!("id-{}", 79 - number)}));
            for found in script.all(POOL, inputs.collect()).await {
                found.unwrap();
            }
            let sent = script.sent();
            let pages = sent.iter().filter(|(_, target)| target.contains("/ip-pools?"));
            assert!(pages.count() <= 2 * count, "{announced:?}, {count} ids: {sent:?}");
        }
    }
}

/// A manager on which wide requests hang and an object's path takes so long that its reply looks like the end of an
/// outage.
fn takes_long(target: &str) -> Reply {
    match target.strip_prefix("/policy/api/v1/infra/dhcp-server-configs/") {
        Some(id) => Reply::ok(server(id)).after(2),
        None => Reply::Hang,
    }
}

#[tokio::test(start_paused = true)]
async fn wide_requests_that_hang_cost_a_lookup_ten_seconds_once() {
    let script = Script::new(|target, _| takes_long(target));
    let started = Instant::now();
    let inputs = (0..30).map(|number| json!({"id": format!("id-{number}")}));
    for found in script.all(DHCP, inputs.collect()).await {
        found.unwrap();
    }
    let seconds = started.elapsed().as_secs();
    assert!(seconds < 17, "{seconds} s, {:?}", script.sent());
}

/// The group with this number, each in a project of its own.
fn group(number: usize) -> Value {
    let path = format!("/orgs/default/projects/p{number}/infra/domains/default/groups/g{number}");
    json!({"resource_type": "Group", "id": format!("g{number}"), "display_name": "g", "path": path})
}

#[tokio::test(start_paused = true)]
async fn many_objects_by_id_in_many_collections_are_few_searches() {
    const COUNT: usize = 2000;
    // The index has not seen one of them yet.
    let script = Script::new(|target, _| {
        if is_search(target) {
            let ids = target.split("id:g").skip(1);
            let ids = ids.map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap());
            return page(
                ids.map(|id| group(id.parse().unwrap()))
                    .filter(|group| group["id"] != "g7"),
            );
        }
        match target.rsplit_once("/groups/g") {
            Some((_, number)) => Reply::ok(group(number.parse().unwrap())),
            None => Reply::missing(),
        }
    });
    let input = |number: usize| {
        let project = format!("p{number}");
        json!({"id": format!("g{number}"), "context": {"projectId": project}})
    };
    let started = Instant::now();
    let found = script
        .all("getPolicyGroup", (0..COUNT).map(input).collect())
        .await;
    for (number, found) in found.into_iter().enumerate() {
        assert_eq!(found.unwrap()["path"], group(number)["path"]);
    }
    assert!(script.sent().len() <= 150, "{} requests", script.sent().len());
    assert!(started.elapsed().as_secs() < 3, "{:?}", started.elapsed());
    // Few objects are read at their own paths, which the index does not delay.
    let before = script.sent().len();
    script.all("getPolicyGroup", (0..10).map(input).collect()).await;
    assert_eq!(script.sent().len() - before, 10);
}
