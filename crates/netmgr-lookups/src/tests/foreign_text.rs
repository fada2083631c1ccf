//! Tests that foreign text is sanitized in all errors, warnings and progress reports.

use std::sync::Arc;

use netmgr_transport::Client;
use netmgr_types::Secret;
use serde_json::{Value, json};

use crate::tests::manager::{RecordedEvents, connection, heard_by, manager, stack};
use crate::{Call, Error, Lookups};

/// Text with terminal escapes, changes of the writing direction, imitated lines and the password `secret`,
/// encoded as in a login.
fn hostile() -> String {
    format!(
        "a\u{1b}[2J\u{202e}\nerror: forged\n s%65cret {}",
        "x".repeat(8 << 10)
    )
}

/// All text that the caller of a lookup receives.
async fn shown(lookups: &Lookups, function: &str, input: Value) -> String {
    let heard = Arc::new(RecordedEvents::default());
    let outcome = lookups.invoke(function, input, &heard_by(&heard)).await;
    let mut text = heard.warnings.lock().unwrap().join("\n");
    for progress in heard.progress.lock().unwrap().iter() {
        text.push_str(&progress.to_string());
    }
    if let Err(error) = outcome {
        if let Error::Ambiguous { found, .. } = &error {
            text.extend(found.iter().map(ToString::to_string));
        }
        text.push_str(&error.to_string());
        let mut cause = std::error::Error::source(&error);
        while let Some(below) = cause {
            text.push_str(&below.to_string());
            cause = below.source();
        }
    }
    text
}

#[tokio::test(start_paused = true)]
async fn no_road_shows_foreign_text_as_it_came() {
    let list = |rows: Value| json!({ "results": rows, "result_count": rows.as_array().map(Vec::len) });
    let object = |id: &str| json!({ "id": id, "display_name": hostile(), "description": hostile() });
    let state = |name: &str| json!({ "state": name, "failure_message": hostile() });
    for (function, input, body) in [
        (
            "getIpPool",
            json!({ "displayName": hostile() }),
            list(json!([object("1"), object(&hostile())])),
        ),
        (
            "getIpPool",
            json!({ "displayName": hostile(), "description": "x" }),
            list(json!([object("1")])),
        ),
        (
            "getIpPool",
            json!({ "displayName": "x" }),
            list(json!([{ "display_name": "x", "id": [hostile()] }])),
        ),
        (
            "getNsGroups",
            json!({}),
            list(json!([object("1"), object(&hostile())])),
        ),
        ("getIpPool", json!({ "id": "1" }), json!({ "id": [hostile()] })),
        (
            "getComputeManagerRealization",
            json!({ "id": "1" }),
            state(&hostile()),
        ),
        (
            "getComputeManagerRealization",
            json!({ "id": "1", "timeout": 5 }),
            state("in_progress"),
        ),
        (
            "getManagementCluster",
            json!({}),
            json!({ "cluster_id": "c", "nodes": [{ "fqdn": hostile() }] }),
        ),
    ] {
        let body = body.to_string();
        let lookups = manager(move |_| (200, body.clone()));
        let text = shown(&lookups, function, input.clone()).await;
        let context = format!("{function}: {text}");
        assert!(!text.is_empty(), "{context}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{context}");
        assert!(
            !text.contains("\nerror") && !text.contains("s%65cret"),
            "{context}"
        );
        assert!(text.len() < 16 << 10, "{} bytes of {context}", text.len());
    }
}

#[tokio::test]
async fn words_of_ours_stay_if_they_are_the_password_and_quoted_text_does_not() {
    for password in ["display", "pool", "decoded", "incomplete"] {
        let rows = json!([{ "id": "1", "display_name": "lab", "description": [password] }]);
        let body = json!({ "results": rows, "result_count": 2 }).to_string();
        let connection = connection(|config| config.password = Some(Secret::new(password)));
        let lookups = Lookups::new(Client::new(connection, stack(move |_| (200, body.clone()))));
        let wanted = format!("lab {password}");
        let error = lookups
            .invoke("getIpPool", json!({ "displayName": wanted }), &Call::default())
            .await
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "getIpPool: no IP pool has display name \"lab [redacted]\" (the answer may be incomplete: the manager \
             announced 2 objects but sent 1)",
            "{password}"
        );
    }
}
