use std::sync::{Arc, Mutex};

use netmgr_types::wire::{ApiError, RelatedError};

use super::*;
use crate::testing::{client_over, connection};
use crate::{ErrorKind, Failure};

type Sent = Arc<Mutex<Vec<(String, String)>>>;

const OLD: &str = "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA";
const NEW: &str = "BBBBB-BBBBB-BBBBB-BBBBB-BBBBB";

/// A client with these keys. The manager has the key `OLD` and replies to a new key with `added`.
fn client(keys: &[&str], added: impl Fn() -> Result<(), Error> + Send + Sync + 'static) -> (Client, Sent) {
    let sent = Sent::default();
    let log = sent.clone();
    let added = Arc::new(added);
    let keys: Vec<_> = keys.iter().map(|key| Secret::new(*key)).collect();
    let connection = connection().license_keys(keys);
    let client = client_over(connection, move |request| {
        let line = format!("{} {}", request.method(), request.uri());
        let body = String::from_utf8(request.body().to_vec()).unwrap();
        log.lock().unwrap().push((line, body));
        let list = format!(r#"{{"results":[{{"license_key":"{OLD}","description":"x"}},{{}}]}}"#);
        let answer = if request.method() == http::Method::GET {
            Ok(http::Response::new(list.into()))
        } else {
            added().map(|()| http::Response::new(bytes::Bytes::new()))
        };
        async move { answer }
    });
    (client, sent)
}

#[tokio::test]
async fn only_missing_keys_are_added() {
    let (client, sent) = client(&[OLD, NEW, NEW], || Ok(()));
    assert_eq!(client.install_missing_licenses().await.unwrap(), 1);
    assert_eq!(
        *sent.lock().unwrap(),
        [
            ("GET /api/v1/licenses".to_owned(), String::new()),
            (
                "POST /api/v1/licenses".to_owned(),
                format!(r#"{{"license_key":"{NEW}"}}"#)
            ),
        ]
    );
}

#[tokio::test]
async fn present_keys_write_nothing() {
    let (client, sent) = client(&[OLD], || Ok(()));
    assert_eq!(client.install_missing_licenses().await.unwrap(), 0);
    assert_eq!(sent.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn without_keys_nothing_is_sent() {
    let (client, sent) = client(&[], || Ok(()));
    assert_eq!(client.install_missing_licenses().await.unwrap(), 0);
    assert!(sent.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_refused_key_is_not_part_of_the_failure() {
    let (client, _) = client(&[NEW], || {
        let text = Some(format!("key {NEW} is not valid"));
        Err(Error::new(
            ErrorKind::Rejected,
            Failure {
                api: Some(ApiError {
                    error_message: text.clone(),
                    details: text.clone(),
                    related_errors: vec![RelatedError {
                        error_message: text.clone(),
                        details: text.clone(),
                        ..RelatedError::default()
                    }],
                    ..ApiError::default()
                }),
                body_line: text,
                ..Failure::default()
            },
        ))
    });
    let error = client.install_missing_licenses().await.unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(text.contains("key [redacted] is not valid"), "{text}");
    assert!(!text.contains(NEW), "{text}");
}
