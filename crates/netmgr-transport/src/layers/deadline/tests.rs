use super::*;
use crate::layers::testing::{get, ok, pair};

const DEFAULT: Duration = Duration::from_secs(300);

fn within(deadline: Instant) -> Request<Bytes> {
    let mut request = get("/x");
    CallContext::of_mut(&mut request).deadline = Some(deadline);
    request
}

#[tokio::test(start_paused = true)]
async fn a_call_without_deadline_ends_after_the_default() {
    let (inner, mut manager) = pair();
    let answer = tokio::spawn(deadline(inner, DEFAULT).oneshot(get("/x")));
    let start = Instant::now();
    let (request, _reply) = manager.next_request().await.unwrap();
    assert_eq!(CallContext::of(&request).deadline, Some(start + DEFAULT));
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!(start.elapsed(), DEFAULT);
    assert_eq!(
        error.to_string(),
        "deadline exceeded: request: no usable response within 300.0 s; try again later or increase the deadline"
    );
}

#[tokio::test(start_paused = true)]
async fn the_deadline_of_the_request_wins() {
    let (inner, mut manager) = pair();
    let start = Instant::now();
    let request = within(start + Duration::from_secs(5));
    let answer = tokio::spawn(deadline(inner, DEFAULT).oneshot(request));
    let _pending = manager.next_request().await.unwrap();
    assert!(matches!(&answer.await.unwrap(), Err(error) if error.kind() == ErrorKind::Deadline));
    assert_eq!(start.elapsed(), Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn the_last_failure_is_the_cause() {
    let (inner, mut manager) = pair();
    let answer = tokio::spawn(deadline(inner, DEFAULT).oneshot(get("/x")));
    let (request, _reply) = manager.next_request().await.unwrap();
    let context = CallContext::of(&request);
    for _ in 0..2 {
        context.start_attempt();
        context.sent();
    }
    context.failed(Error::new(
        ErrorKind::Unavailable,
        Failure::default().reason("restarting"),
    ));
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!(error.failure().attempts, 2);
    let cause = error.failure().source.as_ref().unwrap();
    assert_eq!(cause.to_string(), "manager unavailable: request: restarting");
    assert!(cause.source().is_none());
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_after_the_deadline() {
    let (inner, mut manager) = pair();
    let request = within(Instant::now());
    let error = deadline(inner, DEFAULT).oneshot(request).await.unwrap_err();
    assert!(
        error.to_string().contains("before the request was sent"),
        "{error}"
    );
    assert!(manager.next_request().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_time_passes() {
    let (inner, mut manager) = pair();
    let answer = tokio::spawn(deadline(inner, DEFAULT).oneshot(get("/x")));
    manager.next_request().await.unwrap().1.send_response(ok());
    assert!(answer.await.unwrap().is_ok());
}
