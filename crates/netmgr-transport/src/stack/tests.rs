//! What the layers do together.

use http::Response;
use netmgr_types::{Connection, Credentials, Host};
use tokio::time::Instant;
use tower::ServiceExt;

use super::*;
use crate::Error;
use crate::layers::Attempts;
use crate::layers::testing::{Manager, get, ok, pair, reply};
use crate::testing::connection;

fn settings() -> Settings {
    let host = Host {
        scheme: "https",
        name: "mgr".to_owned(),
        port: None,
        prefix: "/prefix".to_owned(),
    };
    Settings {
        base: Base::new(&host).unwrap(),
        retry: RetrySettings::default(),
        limits: Limits {
            per_second: 90,
            in_flight: 32,
        },
        attempt_timeout: Duration::from_secs(60),
        lookup_deadline: Duration::from_secs(300),
    }
}

fn over(settings: &Settings) -> (Stack, Manager) {
    let (leaf, manager) = pair();
    // With a client certificate, authentication adds nothing.
    let connection = Connection {
        credentials: Credentials::Certificate,
        ..connection()
    };
    let auth = AuthLayer::try_new(&connection).unwrap();
    let (stack, _) = stack(settings, &auth, BoxCloneSyncService::new(leaf));
    (stack, manager)
}

#[tokio::test(start_paused = true)]
async fn the_leaf_gets_a_url_and_the_caller_the_attempts() {
    let (stack, mut manager) = over(&settings());
    let answer = tokio::spawn(stack.oneshot(get("/api/v1/x?y=1")));
    let (request, first) = manager.next_request().await.unwrap();
    assert_eq!(request.uri(), "https://mgr/prefix/api/v1/x?y=1");
    first.send_response(reply(503, ""));
    manager.next_request().await.unwrap().1.send_response(ok());
    let reply: Response<_> = answer.await.unwrap().unwrap();
    assert_eq!(reply.extensions().get::<Attempts>().unwrap().count, 2);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_the_governor_does_not_use_up_the_attempt() {
    let limits = Limits {
        per_second: 90,
        in_flight: 1,
    };
    let (stack, mut manager) = over(&Settings { limits, ..settings() });
    let calls = [(); 3].map(|()| tokio::spawn(stack.clone().oneshot(get("/x"))));
    for _ in 0..3 {
        let (_, reply) = manager.next_request().await.unwrap();
        tokio::time::sleep(Duration::from_secs(50)).await;
        reply.send_response(ok());
    }
    for call in calls {
        assert!(call.await.unwrap().is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_attempt_is_repeated_and_the_deadline_tells_why_it_ended() {
    let start = Instant::now();
    let (stack, mut manager) = over(&settings());
    let answer = tokio::spawn(stack.oneshot(get("/x")));
    let mut silent = Vec::new();
    while let Some(attempt) = manager.next_request().await {
        silent.push(attempt);
        if answer.is_finished() || silent.len() == 5 {
            break;
        }
    }
    let Err(Error::Deadline(failure)) = answer.await.unwrap() else {
        panic!("not ended by the deadline");
    };
    assert_eq!(start.elapsed().as_secs(), 300);
    assert_eq!((silent.len(), failure.attempts), (5, 5));
    let cause = failure.source.unwrap().to_string();
    assert!(
        cause.starts_with("no connection: GET /prefix/x on mgr: no answer within 60.0 s"),
        "{cause}"
    );
}
