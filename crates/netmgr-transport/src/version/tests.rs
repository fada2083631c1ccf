use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use tokio::time::{sleep, timeout};

use super::*;
use crate::testing::{client_over, connection};

type Answer = Result<&'static str, Error>;

/// A client whose manager answers `answer(path)` after 10 ms, and the number of its requests.
fn client(
    deployment: Deployment,
    answer: impl Fn(&str) -> Answer + Send + Sync + 'static,
) -> (Client, Arc<AtomicUsize>) {
    let requests = Arc::new(AtomicUsize::new(0));
    let counter = requests.clone();
    let answer = Arc::new(answer);
    let connection = connection().deployment(deployment);
    let client = client_over(connection, move |request| {
        let (counter, answer) = (counter.clone(), answer.clone());
        async move {
            counter.fetch_add(1, Ordering::Relaxed);
            sleep(Duration::from_millis(10)).await;
            answer(request.uri().path()).map(|body| http::Response::new(Bytes::from_static(body.as_bytes())))
        }
    });
    (client, requests)
}

fn local(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> (Client, Arc<AtomicUsize>) {
    client(Deployment::PolicyManager, answer)
}

fn sent(requests: &AtomicUsize) -> usize {
    requests.load(Ordering::Relaxed)
}

const BODY: &str = r#"{"product_version":"9.0.1.0.24952111","node_version":"9.1.0"}"#;

#[tokio::test(start_paused = true)]
async fn the_version_is_read_once_however_many_ask() {
    let (client, requests) = local(|path| {
        assert_eq!(path, "/api/v1/node/version");
        Ok(BODY)
    });
    let versions = join_all((0..64).map(|_| client.version(None))).await;
    assert!(
        versions
            .iter()
            .all(|version| version.as_ref().unwrap().to_string() == "9.0.1.0.24952111")
    );
    client.version(None).await.unwrap();
    assert_eq!(sent(&requests), 1);
}

#[tokio::test(start_paused = true)]
async fn the_nodes_version_stands_in_for_the_products() {
    for body in [
        r#"{"node_version":"3.2.1"}"#,
        r#"{"product_version":"","node_version":"3.2.1"}"#,
        r#"{"product_version":null,"node_version":"3.2.1"}"#,
    ] {
        let (client, _) = local(move |_| Ok(body));
        assert_eq!(client.version(None).await.unwrap().to_string(), "3.2.1");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_without_a_version_is_a_bad_reply() {
    for body in [
        "{}",
        r#"{"product_version":"unknown"}"#,
        r#"{"product_version":"password=hidden-1"}"#,
        "<html>",
    ] {
        let (client, _) = local(move |_| Ok(body));
        let error = client.version(None).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadReply, "{body}");
        let text = error.to_string();
        assert!(text.contains(PATH) && !text.contains("hidden-1"), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_goes_to_all_who_waited_and_is_not_kept() {
    let (client, requests) = local(|_| Err(Error::from(ErrorKind::Unavailable)));
    for version in join_all((0..64).map(|_| client.version(None))).await {
        assert!(matches!(&version, Err(error) if error.kind() == ErrorKind::Unavailable));
    }
    assert_eq!(sent(&requests), 1);
    client.version(None).await.unwrap_err();
    assert_eq!(sent(&requests), 2);
}

#[tokio::test(start_paused = true)]
async fn when_the_requesting_caller_is_dropped_the_others_get_the_answer() {
    let (client, requests) = local(|_| Ok(BODY));
    let first = timeout(Duration::from_millis(5), client.version(None));
    let (first, second) = tokio::join!(first, client.version(None));
    assert!(first.is_err());
    second.unwrap();
    assert_eq!(sent(&requests), 1);
}

#[tokio::test(start_paused = true)]
async fn each_caller_waits_until_its_own_deadline() {
    let (client, requests) = local(|_| Ok(BODY));
    let soon = Instant::now() + Duration::from_millis(5);
    let (hasty, patient) = tokio::join!(client.version(Some(soon)), client.version(None));
    assert!(matches!(&hasty, Err(error) if error.kind() == ErrorKind::Deadline));
    patient.unwrap();
    assert_eq!(sent(&requests), 1);
}

#[tokio::test(start_paused = true)]
async fn a_hosted_cloud_that_refuses_the_request_is_reported_by_its_search() {
    for refusal in [ErrorKind::PermissionDenied, ErrorKind::NotFound] {
        let (client, requests) = client(Deployment::HostedCloud, move |path| match path {
            PATH => Err(refusal.into()),
            "/policy/api/v1/search/query" => Ok(r#"{"results":[]}"#),
            other => panic!("{other}"),
        });
        assert_eq!(client.version(None).await.unwrap().to_string(), "3.0.0");
        client.version(None).await.unwrap();
        assert_eq!(sent(&requests), 2);
    }
    let (client, _) = client(Deployment::HostedCloud, |_| Err(Error::from(ErrorKind::NotFound)));
    assert_eq!(client.version(None).await.unwrap().to_string(), "2.5.0");
}

#[tokio::test(start_paused = true)]
async fn a_hosted_cloud_with_another_trouble_is_not_guessed_at() {
    for trouble in [
        ErrorKind::Unauthenticated,
        ErrorKind::Connect,
        ErrorKind::Deadline,
    ] {
        let (client, requests) = client(Deployment::HostedCloud, move |_| Err(trouble.into()));
        let error = client.version(None).await.unwrap_err();
        assert_eq!(error.kind(), trouble);
        assert_eq!(sent(&requests), 1);
    }
    let (client, _) = client(Deployment::HostedCloud, |path| match path {
        PATH => Err(Error::from(ErrorKind::NotFound)),
        _ => Err(Error::from(ErrorKind::Unavailable)),
    });
    let error = client.version(None).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
}

#[tokio::test(start_paused = true)]
async fn a_local_manager_that_refuses_the_request_is_not_guessed_at() {
    let (client, requests) = local(|_| Err(Error::from(ErrorKind::PermissionDenied)));
    let error = client.version(None).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert_eq!(sent(&requests), 1);
}
