//! Ids and names with any characters: one object, the right one, or none.

use std::error::Error as _;

use netmgr_sim::{Inventory, Manager, ManagerSettings};

use super::support::*;
use super::*;

#[tokio::test]
async fn an_id_that_would_name_another_path_is_refused_and_nothing_is_sent() {
    let manager = started(manager()).await;
    let lookups = lookups(&manager, session());
    for id in [".", ".."] {
        for function in ["getIpPool", "getPolicyCertificate"] {
            let error = call(&lookups, function, json!({"id": id})).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{}", reported(&error));
            assert!(
                reported(&error).contains("cannot be part of a path"),
                "{}",
                reported(&error)
            );
        }
    }
    assert_eq!(manager.counters().total_requests(), 0);
}

#[tokio::test]
async fn an_id_or_name_that_is_too_long_is_refused_and_nothing_is_sent() {
    let manager = started(manager()).await;
    let lookups = lookups(&manager, session());
    for property in ["id", "displayName"] {
        let input = json!({property: "/".repeat(70_000)});
        let error = call(&lookups, "getPolicyCertificate", input).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert!(reported(&error).contains("bytes long"));
        assert!(error.source().unwrap().to_string().len() < 1000);
    }
    assert_eq!(manager.counters().total_requests(), 0);
}

#[tokio::test]
async fn an_id_of_any_characters_is_one_segment() {
    let ids = [
        "a b",
        "a%2Fb",
        "100%",
        "a?b#c",
        "..a",
        "...",
        "%2e%2e",
        "äöü",
        "a+b&c=d;e",
        "~:@!$'()*,",
    ];
    let inventory = ids.into_iter().fold(Inventory::empty(), |inventory, id| {
        let body = json!({"id": id, "display_name": format!("named {id}")});
        inventory
            .with("/infra/certificates", body.clone())
            .with("/api/v1/pools/ip-pools", body)
    });
    for builder in both_protocols() {
        let manager = builder.manager(Manager::new(ManagerSettings::default(), inventory.clone()));
        let manager = started(manager).await;
        let lookups = lookups(&manager, basic());
        for id in ids {
            for function in ["getIpPool", "getPolicyCertificate"] {
                let found = call(&lookups, function, json!({"id": id})).await.unwrap();
                assert_eq!(found["displayName"], format!("named {id}"));
            }
            let name = json!({"displayName": format!("named {id}")});
            let found = call(&lookups, "getPolicyCertificate", name).await.unwrap();
            assert_eq!(found["id"], id);
        }
    }
}
