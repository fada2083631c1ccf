//! The search endpoints: which objects they see, scopes, pages, index trouble.

use serde_json::json;

use crate::{CombinedSearches, IndexState, IndexTrouble, Inventory, Manager, ManagerSettings};

use super::support::{column, default_manager, read, refusal, results, search};

const URL: &str = "/policy/api/v1/search/query";

fn paths(manager: &Manager, query: &str) -> Vec<String> {
    column(&search(manager, query), "path")
}

#[test]
fn the_edge_of_the_examples_stands_beside_longer_names() {
    let query = r"resource_type:PolicyEdgeCluster AND display_name:edge* AND marked_for_delete:false AND path:\/infra*";
    let names = column(&search(&default_manager(), query), "display_name");
    assert_eq!(names.iter().filter(|name| *name == "edge").count(), 1);
    assert!(names.contains(&"edge-2".to_owned()));
    assert!(names.contains(&"EDGE".to_owned()), "the server ignores case");
    assert!(!names.contains(&"edge-old".to_owned()));
    assert!(!names.contains(&"ec-twin".to_owned()));
}

#[test]
fn awkward_names_are_found_once_they_are_escaped() {
    let manager = default_manager();
    for (escaped, id) in [
        (r"IKE \(Key Exchange\)", "bfd-name-1"),
        (r"a\/b", "bfd-name-2"),
        (r#"quote \" here"#, "bfd-name-3"),
        (r"back\\slash", "bfd-name-4"),
        (r"col\:on", "bfd-name-5"),
        ("Zürich Süd 東京", "bfd-name-6"),
        (r"100% \[x\] \{y\} \^\~\*\?", "bfd-name-7"),
        ("AND", "bfd-name-8"),
        (r"x\ NOT\ y", "bfd-name-9"),
    ] {
        let query = format!(r"resource_type:BfdProfile AND display_name:{escaped}* AND path:\/infra*");
        assert_eq!(column(&search(&manager, &query), "id"), [id], "{escaped}");
    }
}

#[test]
fn the_search_does_not_hide_deleted_objects() {
    let manager = default_manager();
    let found = |query: &str| !search(&manager, query).is_empty();
    assert!(found("id:old-cert"));
    assert!(!found("id:old-cert AND marked_for_delete:false"));
}

#[test]
fn the_scope_is_a_prefix_as_it_is_written() {
    let manager = default_manager();
    let find = |scope: &str| {
        paths(
            &manager,
            &format!(r"resource_type:TlsCertificate AND path:{scope} AND id:lb\-cert\-web"),
        )
    };
    assert_eq!(find(r"\/infra*"), ["/infra/certificates/lb-cert-web"]);
    assert_eq!(
        find(r"\/global-infra*"),
        ["/global-infra/certificates/lb-cert-web"]
    );
    assert_eq!(
        find(r"\/orgs\/default\/projects\/dev*"),
        [
            "/orgs/default/projects/dev/infra/certificates/lb-cert-web",
            "/orgs/default/projects/dev/vpcs/web/certificates/lb-cert-web",
            "/orgs/default/projects/dev2/infra/certificates/lb-cert-web",
        ]
    );
    assert_eq!(find(r"\/orgs\/default\/projects\/dev\/*").len(), 2);
    assert_eq!(find("*").len(), 5);
}

#[test]
fn one_id_is_shared_by_several_types() {
    let types = column(
        &search(&default_manager(), r"id:default AND path:\/infra*"),
        "resource_type",
    );
    assert!(types.len() >= 4, "{types:?}");
}

#[test]
fn edge_nodes_are_found_by_node_id_and_cluster() {
    let manager = default_manager();
    let cluster = r"\/infra\/sites\/default\/enforcement\-points\/default\/edge\-clusters\/2b1c0d9e\-8f7a\-4b6c\-9d5e\-4f3a2b1c0001";
    let nodes = |clauses: &str| {
        column(
            &search(
                &manager,
                &format!("resource_type:PolicyEdgeNode AND parent_path:{cluster}{clauses}"),
            ),
            "display_name",
        )
    };
    assert_eq!(nodes(""), ["edge-01", "edge-02"]);
    assert_eq!(nodes(" AND member_index:0"), ["edge-01"]);
    assert_eq!(
        nodes(r" AND nsx_id:6e5d4c3b\-2a19\-4f08\-9e7d\-6c5b4a390002"),
        ["edge-02"]
    );
}

#[test]
fn the_manager_root_searches_manager_objects() {
    let manager = default_manager();
    let count = |root: &str, resource_type: &str| {
        read(
            &manager,
            &format!("{root}/search/query?query=resource_type:{resource_type}"),
        )["result_count"]
            .clone()
    };
    assert_ne!(count("/api/v1", "LogicalRouter"), 0);
    assert_eq!(count("/api/v1", "BfdProfile"), 0);
    assert_eq!(count("/policy/api/v1", "LogicalRouter"), 0);
    assert_ne!(count("/api/v1", "DiscoveredNode"), 0);
    assert_ne!(count("/policy/api/v1", "DiscoveredNode"), 0);
}

#[test]
fn the_cursor_is_an_offset_and_stands_on_the_last_page_too() {
    let inventory = (0..3).fold(Inventory::empty(), |inventory, number| {
        inventory.with("/infra/bfd-profiles", json!({"id": number.to_string()}))
    });
    let manager = Manager::new(ManagerSettings::default(), inventory);
    let page = |cursor: &str| {
        let page = read(
            &manager,
            &format!("{URL}?query=resource_type:BfdProfile&page_size=2{cursor}"),
        );
        (
            results(&page),
            page["result_count"].clone(),
            page["cursor"].clone(),
        )
    };
    let (first, count, cursor) = page("");
    assert_eq!((first.len(), count, cursor), (2, json!(3), json!("2")));
    let (second, count, cursor) = page("&cursor=2");
    assert_eq!((second.len(), count, cursor), (1, json!(3), json!("3")));
    let (third, _, cursor) = page("&cursor=3");
    assert_eq!((third.len(), cursor), (0, json!("3")));
    assert_eq!(column(&[first, second].concat(), "id"), ["0", "1", "2"]);
}

#[test]
fn included_fields_leave_the_others_out() {
    let page = read(
        &default_manager(),
        &format!("{URL}?query=resource_type:BfdProfile&included_fields=id,path"),
    );
    for row in results(&page) {
        assert_eq!(
            row.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["id", "path"]
        );
    }
}

#[test]
fn hits_are_sorted_only_on_request() {
    let manager = default_manager();
    let names = |sort: &str| -> Vec<String> {
        let page = read(
            &manager,
            &format!("{URL}?query=resource_type:PolicyContextProfile{sort}"),
        );
        results(&page)
            .iter()
            .map(|row| row["id"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let sorted = names("&sort_by=id");
    assert!(sorted.is_sorted());
    assert!(!names("").is_sorted());
    let mut falling = names("&sort_by=id&sort_ascending=false");
    falling.reverse();
    assert_eq!(falling, sorted);
}

#[test]
fn bad_searches_are_refused() {
    let manager = default_manager();
    for query in [
        "",
        "query=",
        "query=path:/infra*",
        "query=id:x&cursor=next",
        "query=id:x&page_size=1001",
        "query=id:x&unknown=1",
    ] {
        assert_eq!(refusal(&manager, &format!("{URL}?{query}")).0, 400, "{query}");
    }
}

#[test]
fn index_trouble_is_a_400_with_its_code() {
    let manager = default_manager();
    for (trouble, code) in [
        (IndexTrouble::InProgress, 60508),
        (IndexTrouble::TimedOut, 60514),
        (IndexTrouble::OutOfSync, 60515),
    ] {
        manager.set_index_state(IndexState::Failing(trouble));
        assert_eq!(refusal(&manager, &format!("{URL}?query=id:x")), (400, Some(code)));
    }
    manager.set_index_state(IndexState::Ready);
    read(&manager, &format!("{URL}?query=id:x"));
}

#[test]
fn the_index_of_one_type_fails_for_searches_that_touch_it() {
    let manager = default_manager();
    manager.set_index_state(IndexState::FailingType(
        "Segment".to_owned(),
        IndexTrouble::OutOfSync,
    ));
    let status = |query: &str| refusal(&manager, &format!("{URL}?query={query}"));
    assert_eq!(status("id:x"), (400, Some(60515)), "every index is touched");
    assert_eq!(status("resource_type:Segment"), (400, Some(60515)));
    assert_eq!(status("resource_type:BfdProfile AND id:x"), (200, None));
}

#[test]
fn a_search_of_several_types_touches_the_index_of_each() {
    let manager = default_manager();
    let types = r"resource_type:(BfdProfile OR TlsCertificate) AND path:\/infra*";
    let found = column(&search(&manager, types), "resource_type");
    assert!(found.contains(&"BfdProfile".to_owned()) && found.contains(&"TlsCertificate".to_owned()));
    manager.set_index_state(IndexState::FailingType(
        "TlsCertificate".to_owned(),
        IndexTrouble::OutOfSync,
    ));
    let status = |query: &str| refusal(&manager, &format!("{URL}?query={query}"));
    assert_eq!(status(types), (400, Some(60515)));
    assert_eq!(status("resource_type:(BfdProfile OR Tier0)"), (200, None));
}

#[test]
fn a_manager_may_refuse_alternatives() {
    let manager = default_manager();
    manager.set_combined_searches(CombinedSearches::Refused);
    let status = |query: &str| refusal(&manager, &format!("{URL}?query={query}"));
    assert_eq!(
        status("resource_type:BfdProfile AND (id:a OR id:b)"),
        (400, Some(220))
    );
    assert_eq!(status("resource_type:BfdProfile AND id:a"), (200, None));
    manager.set_combined_searches(CombinedSearches::Answered);
    assert_eq!(status("id:a OR id:b"), (200, None));
}

#[test]
fn a_quoted_path_is_the_whole_value_of_any_member() {
    let group = "/infra/domains/default/groups/web";
    let rules = "/infra/domains/default/security-policies/p/rules";
    let inventory = Inventory::empty()
        .with(rules, json!({"id": "exact", "source_groups": ["ANY", group]}))
        .with(
            rules,
            json!({"id": "below", "deep": [{"scope": format!("{group}/a")}]}),
        )
        .with(rules, json!({"id": "longer", "scope": [format!("{group}-2")]}))
        .with(rules, json!({"id": "text", "notes": format!("see {group}")}));
    let manager = Manager::new(ManagerSettings::default(), inventory);
    let found = |query: &str| {
        let mut ids = column(&search(&manager, query), "id");
        ids.sort();
        ids
    };
    assert_eq!(found(&format!("\"{group}\"")), ["exact"]);
    assert_eq!(found(r"\/infra\/domains\/default\/groups\/web\/*"), ["below"]);
    assert_eq!(
        found(&format!(
            r#"resource_type:(Rule OR Group) AND ("{group}" OR id:text)"#
        )),
        ["exact", "text"]
    );
}

#[test]
fn tags_are_members_with_dots() {
    let tags = |scope: &str, tag: &str| json!([{"scope": scope, "tag": tag}, {"scope": "x", "tag": "y"}]);
    let inventory = Inventory::empty()
        .with("/infra/segments", json!({"id": "a", "tags": tags("env", "prod")}))
        .with("/infra/tier-1s", json!({"id": "b", "tags": tags("env", "test")}));
    let manager = Manager::new(ManagerSettings::default(), inventory);
    assert_eq!(column(&search(&manager, "tags.tag:PROD"), "id"), ["a"]);
    assert_eq!(search(&manager, "tags.scope:env").len(), 2);
    // The members of one tag are not kept together.
    assert_eq!(
        column(&search(&manager, "tags.scope:x AND tags.tag:prod"), "id"),
        ["a"]
    );
    assert_eq!(search(&manager, "resource_type:Tier1 AND tags.tag:prod").len(), 0);
}
