//! Tests of many calls while the manager or one of its paths is down.

use std::sync::Mutex;

use super::*;

/// A delay of one second, so that times are whole seconds.
fn every_second(max_retries: u32) -> RetrySettings {
    settings(max_retries)
        .min_delay(Duration::from_secs(1))
        .max_delay(Duration::from_secs(1))
}

fn refused() -> Error {
    Error::new(
        ErrorKind::Connect,
        Failure::default().unsent(true).reason("connection refused"),
    )
}

/// A request that the manager received: the time in seconds and the path.
type Seen = (u64, String);

/// Replies to each request with `outcome` of its time and path, and returns the requests.
fn serve(
    mut manager: Manager,
    outcome: impl Fn(Duration, &str) -> Outcome + Send + 'static,
) -> Arc<Mutex<Vec<Seen>>> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    tokio::spawn(async move {
        let start = Instant::now();
        while let Some((request, reply)) = manager.next_request().await {
            let (at, path) = (start.elapsed(), request.uri().path());
            log.lock().unwrap().push((at.as_secs(), path.to_owned()));
            match outcome(at, path) {
                Ok(answer) => reply.send_response(answer),
                Err(error) => reply.send_error(error),
            }
        }
    });
    seen
}

async fn all(service: &impl Inner, paths: impl IntoIterator<Item = String>) -> Vec<Outcome> {
    let calls: Vec<_> = paths
        .into_iter()
        .map(|path| tokio::spawn(service.clone().oneshot(get(&path))))
        .collect();
    let mut outcomes = Vec::new();
    for call in calls {
        outcomes.push(call.await.unwrap());
    }
    outcomes
}

fn paths(count: u32) -> impl Iterator<Item = String> {
    (0..count).map(|number| format!("/{number}"))
}

fn message(outcome: Outcome) -> String {
    match outcome {
        Ok(reply) => classify(&reply).to_string(),
        Err(error) => error.to_string(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_lone_call_makes_all_its_200_retries() {
    for outcome in [|| Ok(reply(503, "")), || Err(refused())] {
        assert_eq!(attempts_of(&settings(200), get("/x"), outcome).await.1, 201);
    }
}

#[tokio::test(start_paused = true)]
async fn calls_ride_out_a_restart_of_5_s_with_100_retries() {
    for is_refused in [true, false] {
        let (service, manager) = retrying(&settings(100));
        let seen = serve(manager, move |at, _| match at < Duration::from_secs(5) {
            true if is_refused => Err(refused()),
            true => Ok(reply(503, "")),
            false => Ok(ok()),
        });
        for outcome in all(&service, paths(64)).await {
            assert_eq!(outcome.unwrap().status(), 200);
        }
        // All at once, then one probe every 250 ms, and then all again.
        let sent = seen.lock().unwrap().len();
        assert!(sent < 64 + 40 + 64, "{sent}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_outage_costs_one_request_per_backoff_however_many_calls_wait() {
    for count in [1, 1000] {
        let (service, manager) = retrying(&every_second(9));
        let seen = serve(manager, |_, _| Err(refused()));
        assert_eq!(all(&service, ["/first".to_owned()]).await.len(), 1);
        assert_eq!(seen.lock().unwrap().len(), 10);
        let outcomes = all(&service, paths(count)).await;
        assert!(outcomes.iter().all(Result::is_err));
        let sent: Vec<u64> = seen.lock().unwrap().iter().map(|(at, _)| *at).collect();
        assert_eq!(sent, (0..20).collect::<Vec<_>>(), "{count}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_probe_counts_as_an_attempt_of_every_call_that_waited_for_it() {
    let (service, manager) = retrying(&every_second(2));
    let seen = serve(manager, |_, _| Err(refused()));
    let start = Instant::now();
    let outcomes = all(&service, paths(3)).await;
    assert_eq!(start.elapsed().as_secs(), 2);
    let probes: Vec<String> = seen
        .lock()
        .unwrap()
        .iter()
        .map(|(_, path)| path.clone())
        .collect();
    assert_eq!(probes, ["/0", "/1", "/2", "/0", "/1"]);
    for (outcome, text) in outcomes.into_iter().zip([
        "connection failed: request: connection refused; 1 request of another lookup failed as well after 2 attempts in 0.0 s",
        "connection failed: request: connection refused; 1 request of another lookup failed as well after 2 attempts in 0.0 s",
        "connection failed: request: connection refused; 2 requests of other lookups failed as well",
    ]) {
        assert_eq!(message(outcome), text);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_sent_nothing_says_so_and_quotes_no_other_path_as_its_own() {
    let (service, manager) = retrying(&every_second(1));
    let _seen = serve(manager, |_, _| Err(refused()));
    let _first = all(&service, ["/first".to_owned()]).await;
    let mut outcomes = all(&service, paths(3)).await;
    let error = outcomes.pop().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "connection failed: request: not sent because 2 requests of other lookups failed"
    );
    assert_eq!(error.failure().attempts, 0);
    let cause = error.failure().source.as_ref().unwrap();
    assert_eq!(
        cause.to_string(),
        "connection failed: request: connection refused"
    );
}

#[tokio::test(start_paused = true)]
async fn a_5xx_of_one_path_does_not_hold_up_other_paths() {
    for status in [500, 502, 503, 504] {
        let (service, manager) = retrying(&every_second(20));
        let seen = serve(manager, move |_, path| match path {
            "/broken" => Ok(reply(status, "")),
            _ => Ok(ok()),
        });
        let broken = vec!["/broken".to_owned(); 30];
        let start = Instant::now();
        let failing = tokio::spawn({
            let service = service.clone();
            async move { all(&service, broken).await }
        });
        for _ in 0..10 {
            tokio::time::sleep(Duration::from_millis(1300)).await;
            let asked = Instant::now();
            assert!(all(&service, paths(5)).await.iter().all(Result::is_ok));
            assert_eq!(asked.elapsed(), Duration::ZERO);
        }
        failing.await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 20);
        let broken = seen
            .lock()
            .unwrap()
            .iter()
            .filter(|(_, path)| path == "/broken")
            .count();
        assert_eq!(broken, 30 + 20, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn retry_after_of_one_path_does_not_hold_up_another() {
    let (service, manager) = retrying(&settings(4));
    let _seen = serve(manager, |at, path| match path {
        "/slow" if at < Duration::from_secs(60) => Ok(unavailable_for("60")),
        _ => Ok(ok()),
    });
    let start = Instant::now();
    let slow = tokio::spawn(service.clone().oneshot(get("/slow")));
    tokio::task::yield_now().await;
    assert!(service.oneshot(get("/quick")).await.is_ok());
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert_eq!(slow.await.unwrap().unwrap().status(), 200);
    assert_eq!(start.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn two_failing_paths_do_not_use_up_the_attempts_of_a_third() {
    let (service, manager) = retrying(&every_second(20));
    let _seen = serve(manager, |_, path| match path {
        "/ok" => Ok(ok()),
        _ => Ok(reply(503, "")),
    });
    let failing: Vec<_> = paths(2)
        .map(|path| tokio::spawn(service.clone().oneshot(get(&path))))
        .collect();
    tokio::time::sleep(Duration::from_millis(3500)).await;
    let start = Instant::now();
    let reply = service.oneshot(get("/ok")).await.unwrap();
    assert_eq!(reply.extensions().get::<Attempts>().unwrap().count, 1);
    assert!(start.elapsed() <= Duration::from_secs(1));
    for call in failing {
        assert_eq!(call.await.unwrap().unwrap().status(), 503);
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_failure_holds_up_nothing_else() {
    let (service, mut manager) = retrying(&settings(1));
    let slow = tokio::spawn(service.clone().oneshot(get("/x?query=slow")));
    let (_, unanswered) = manager.next_request().await.unwrap();
    tokio::time::sleep(Duration::from_secs(61)).await;
    let (_, unanswered_again) = manager.next_request().await.unwrap();
    let quick = tokio::spawn(service.oneshot(get("/x?query=quick")));
    manager.next_request().await.unwrap().1.send_response(ok());
    assert!(quick.await.unwrap().is_ok());
    assert!(!slow.is_finished());
    drop((unanswered, unanswered_again));
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_is_dropped_leaves_the_next_to_another_call() {
    let (service, mut manager) = retrying(&every_second(4));
    let first = tokio::spawn(service.clone().oneshot(get("/1")));
    manager.next_request().await.unwrap().1.send_error(refused());
    let second = tokio::spawn(service.oneshot(get("/2")));
    let (probe, _unanswered) = manager.next_request().await.unwrap();
    assert_eq!(probe.uri(), "/1");
    first.abort();
    let (probe, reply) = manager.next_request().await.unwrap();
    assert_eq!(probe.uri(), "/2");
    reply.send_response(ok());
    assert!(second.await.unwrap().is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_call_waits_for_a_probe_only_until_its_deadline() {
    let (service, mut manager) = retrying(&every_second(4));
    let _first = tokio::spawn(service.clone().oneshot(get("/1")));
    manager.next_request().await.unwrap().1.send_error(refused());
    tokio::task::yield_now().await;
    let request = within(get("/2"), Duration::from_millis(500));
    let error = service.oneshot(request).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "connection failed: request: not sent because the manager is down; \
         there is no time for another attempt before the deadline in 0.5 s"
    );
}

#[tokio::test(start_paused = true)]
async fn a_throttled_request_holds_up_no_other() {
    let (service, manager) = retrying(&every_second(4));
    let seen = serve(manager, |_, path| match path {
        "/0" => Ok(reply(429, "")),
        _ => Ok(ok()),
    });
    let start = Instant::now();
    let throttled = tokio::spawn(service.clone().oneshot(get("/0")));
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(service.oneshot(get("/1")).await.is_ok());
    assert_eq!(start.elapsed(), Duration::from_millis(1500));
    assert_eq!(throttled.await.unwrap().unwrap().status(), 429);
    assert_eq!(seen.lock().unwrap().len(), 6);
}
