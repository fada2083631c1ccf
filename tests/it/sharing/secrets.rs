//! Lookups with secret arguments: no error of another lookup quotes their requests.

use std::time::Duration;

use netmgr_lookups::{Call, Error, Lookups};
use serde_json::json;

use super::script::*;

fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(below) = cause {
        text.push_str(&format!(": {below}"));
        cause = below.source();
    }
    text
}

async fn by_id(lookups: &Lookups, id: &str, call: &Call) -> Result<serde_json::Value, Error> {
    lookups.invoke(POOL, json!({"id": id}), call).await
}

#[tokio::test(start_paused = true)]
async fn an_outage_quotes_the_request_of_no_lookup_with_secret_arguments_to_another() {
    let failures = [
        Reply::error(502),
        Reply::error(503),
        Reply::Later(503, "1"),
        Reply::Refused,
        Reply::Reset,
    ];
    for reply in failures {
        for max_retries in [0_u32, 4] {
            let reply = reply.clone();
            let change = move |config: &mut netmgr_types::ProviderConfig| {
                *config = config.clone().session_auth(false).max_retries(max_retries);
            };
            let script = Script::with(change, move |_, _| reply.clone());
            let (secret, open) = (Call::default().confidential(true), Call::default());
            let first = by_id(&script.lookups, "s3cret-1", &secret);
            let others = async {
                tokio::time::sleep(Duration::from_millis(60)).await;
                tokio::join!(
                    by_id(&script.lookups, "open-1", &open),
                    by_id(&script.lookups, "open-2", &open),
                    by_id(&script.lookups, "s3cret-2", &secret),
                )
            };
            let (first, (one, two, other)) = tokio::join!(first, others);
            first.unwrap_err();
            for error in [one, two] {
                let text = chain(&error.unwrap_err());
                assert!(!text.contains("s3cret"), "{max_retries}: {text}");
            }
            let text = chain(&other.unwrap_err());
            assert!(!text.contains("s3cret-1"), "{max_retries}: {text}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_rejected_login_quotes_the_request_of_no_other_lookup() {
    for status in [401, 403] {
        let script = Script::new(move |target, _| {
            Reply::Json(
                status,
                json!({"error_code": 403, "error_message": format!("no access to {target}")}),
            )
        });
        let secret = Call::default().confidential(true);
        by_id(&script.lookups, "s3cret-1", &secret).await.unwrap_err();
        let error = by_id(&script.lookups, "open-1", &Call::default())
            .await
            .unwrap_err();
        let text = chain(&error);
        assert!(!text.contains("s3cret"), "{text}");
        assert_eq!(script.sent().len(), 1);
    }
}
