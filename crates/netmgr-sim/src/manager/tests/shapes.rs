//! Bodies have the fields of the manager's own (manager-api E).

use std::collections::BTreeMap;

use crate::{Inventory, Manager, ManagerKind, ManagerSettings};

use super::support::{default_manager, get, read, refusal, results};

#[test]
fn bodies_have_exactly_the_fields_of_the_samples() {
    let manager = default_manager();
    let shapes: BTreeMap<String, Vec<String>> = serde_json::from_str(include_str!("shapes.json")).unwrap();
    for (url, fields) in shapes {
        let body = read(&manager, &url);
        let served: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(served, fields.iter().collect::<Vec<_>>(), "{url}");
    }
}

#[test]
fn global_objects_have_global_paths() {
    let settings = ManagerSettings {
        kind: ManagerKind::Global,
        ..ManagerSettings::default()
    };
    let manager = Manager::new(settings, Inventory::default());
    let url = "/global-manager/api/v1/global-infra/sites/paris/enforcement-points/default/edge-clusters";
    let cluster = &results(&read(&manager, url))[0];
    assert_eq!(
        cluster["path"],
        "/global-infra/sites/paris/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0101"
    );
    assert_eq!(
        cluster["parent_path"],
        "/global-infra/sites/paris/enforcement-points/default"
    );
}

#[test]
fn a_missing_object_is_named_and_has_a_code() {
    let answer = get(&default_manager(), "/policy/api/v1/infra/bfd-profiles/missing");
    let body = answer.body.unwrap();
    assert_eq!(answer.status, 404);
    assert_eq!(body["httpStatus"], "NOT_FOUND");
    assert_eq!(body["error_code"], 600);
    assert!(
        body["error_message"]
            .as_str()
            .unwrap()
            .contains("/infra/bfd-profiles/missing")
    );
}

#[test]
fn a_missing_api_has_no_code() {
    assert_eq!(
        refusal(&default_manager(), "/policy/api/v1/infra/unheard-of"),
        (404, None)
    );
    assert_eq!(refusal(&default_manager(), "/nothing"), (404, None));
    assert_eq!(
        refusal(&default_manager(), "/policy/api/v1/infra/search/query"),
        (404, None)
    );
}
