//! Tests of the log.

use std::io::{self, Seek as _};
use std::sync::Arc;

use tracing::instrument::WithSubscriber;

use super::*;
use crate::layers::testing::{get, pair, reply};
use crate::{ErrorKind, Failure};

/// The log, at the most detailed level, of a request with secrets in its query and headers.
async fn logged(answer: Result<Response<Bytes>, Error>) -> String {
    let log = Arc::new(tempfile::tempfile().unwrap());
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(Arc::clone(&log))
        .finish();
    let (inner, mut manager) = pair();
    let mut request = get("/api/v1/x?token=hunter2");
    request
        .headers_mut()
        .insert("authorization", "Basic hunter2".parse().unwrap());
    let call = async {
        let attempts = inner.map_request(|request| {
            Span::current().record("attempts", 3);
            request
        });
        let sending = trace(attempts).oneshot(request);
        let serving = async {
            let (_, reply) = manager.next_request().await.unwrap();
            match answer {
                Ok(answer) => reply.send_response(answer),
                Err(error) => reply.send_error(error),
            }
        };
        drop(tokio::join!(sending, serving));
    };
    // With a single subscriber, a thread without one decides for all threads whether an event is enabled.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    call.with_subscriber(subscriber).await;
    (&*log).rewind().unwrap();
    io::read_to_string(&*log).unwrap()
}

#[tokio::test]
async fn a_call_is_reported_by_method_path_attempts_status_and_bytes() {
    let log = logged(Ok(reply(200, r#"{"password":"hunter2"}"#))).await;
    assert!(
        log.contains(
            "request{method=GET path=/api/v1/x attempts=3}: netmgr_transport::layers::trace: \
             answered status=200 bytes=22 elapsed_ms="
        ),
        "{log}"
    );
}

#[tokio::test]
async fn a_failure_is_reported_once() {
    let log = logged(Err(Error::from(ErrorKind::Connect))).await;
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(log.contains("failed elapsed_ms="), "{log}");
}

#[tokio::test]
async fn queries_bodies_and_credentials_never_appear() {
    let failure = Failure {
        body_line: Some("hunter2".to_owned()),
        ..Failure::default()
    };
    for answer in [
        Ok(reply(200, "hunter2")),
        Ok(reply(500, "hunter2")),
        Err(Error::new(ErrorKind::Server, failure)),
    ] {
        let log = logged(answer).await;
        assert!(!log.is_empty());
        assert!(!log.contains("hunter2"), "{log}");
    }
}
