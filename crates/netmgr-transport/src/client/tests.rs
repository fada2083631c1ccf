//! Tests of the client.

use std::sync::Mutex;

use netmgr_types::{Credentials, Host};
use tokio::sync::oneshot;

use super::*;
use crate::layers::testing::{Manager, ok, pair, reply};
use crate::testing;

fn connection() -> Connection {
    testing::connection()
        .host(Host::parse("[2001:db8::1]:8443/prefix").unwrap())
        .credentials(Credentials::Certificate)
}

fn client() -> (Client, Manager) {
    let (leaf, manager) = pair();
    let client = Client::builder(connection())
        .leaf(crate::Stack::new(leaf))
        .build()
        .unwrap();
    (client, manager)
}

fn ask(client: &Client) -> tokio::task::JoinHandle<Result<Reply, Error>> {
    let client = client.clone();
    tokio::spawn(async move { client.get(&Get::new("/api/v1/x").query("q", "hunter2")).await })
}

#[tokio::test(start_paused = true)]
async fn a_200_is_the_reply() {
    let (client, mut manager) = client();
    let answer = ask(&client);
    let (request, reply) = manager.next_request().await.unwrap();
    assert_eq!(
        request.uri(),
        "https://[2001:db8::1]:8443/prefix/api/v1/x?q=hunter2"
    );
    reply.send_response(ok());
    let reply = answer.await.unwrap().unwrap();
    assert_eq!(reply.body, "{}");
    assert_eq!(
        reply.request_line.to_string(),
        "GET /prefix/api/v1/x on [2001:db8::1]:8443"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failure_reports_request_attempts_and_time_but_not_the_query() {
    let (client, mut manager) = client();
    let answer = ask(&client);
    for _ in 0..5 {
        let (_, answer) = manager.next_request().await.unwrap();
        tokio::time::sleep(Duration::from_secs(10)).await;
        answer.send_response(reply(502, "<html><title>Bad Gateway</title></html>"));
    }
    let error = answer.await.unwrap().unwrap_err();
    let failure = error.failure();
    assert_eq!(failure.attempts, 5);
    assert!(failure.elapsed >= Duration::from_secs(50));
    let message = error.to_string();
    assert!(
        message.starts_with(
            "manager unavailable: GET /prefix/api/v1/x on [2001:db8::1]:8443 returned 502 Bad Gateway: \
             HTML page \"Bad Gateway\" after 5 attempts in 5"
        ),
        "{message}"
    );
    assert!(!message.contains("hunter2"));
}

#[tokio::test(start_paused = true)]
async fn a_refused_login_shows_no_secret_of_its_body() {
    let cut = format!(
        r#"{{"n": "{}", "password": "h1dden", "user": "x"#,
        "a".repeat(200)
    );
    for (body, shown) in [
        (
            r#"{"password": "h1dden", "user": "x"}"#,
            r#": {"password":"[redacted]","user":"x"}"#,
        ),
        (
            "{\n  \"a\": [{\n    \"access_token\": \"h1dden\"\n  }]\n}",
            r#": {"a":[{"access_token":"[redacted]"}]}"#,
        ),
        (&cut, ": [redacted]"),
        ("user=x&password=h1dden", ": [redacted]"),
        ("Set-Cookie: JSESSIONID=h1dden; Path=/", ": [redacted]"),
        ("Authorization: Bearer h1dden", ": [redacted]"),
        (
            r#"{"error_code": 7, "error_message": "no token=h1dden", "details": {"psk": "h1dden", "a": "b"}}"#,
            r#": [redacted]: {"a":"b","psk":"[redacted]"} (error_code 7)"#,
        ),
        (
            r#"{"password": "p+w &%ä", "user": "x"}"#,
            r#": {"password": "[redacted]", "user": "x"}"#,
        ),
        ("the password is wrong", ": the password is wrong"),
    ] {
        for status in [403, 500] {
            let body = body.to_owned();
            let refused = tower::service_fn(move |_| {
                let reply = reply(status, body.clone());
                async move { Ok(reply) }
            });
            let builder = Client::builder(testing::connection()).leaf(crate::Stack::new(refused));
            let error = builder.build().unwrap().get(&Get::new("/api/v1/x")).await;
            let message = error.unwrap_err().to_string();
            assert!(message.contains("/api/session/create"), "{message}");
            assert!(
                message.contains(shown) && !message.contains("h1dden"),
                "{message}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn another_success_than_200_is_no_usable_answer() {
    let (client, mut manager) = client();
    let answer = ask(&client);
    manager
        .next_request()
        .await
        .unwrap()
        .1
        .send_response(reply(204, ""));
    assert!(matches!(&answer.await.unwrap(), Err(error) if error.kind() == ErrorKind::BadReply));
}

#[tokio::test(start_paused = true)]
async fn the_builders_deadline_bounds_a_request_without_one() {
    let (leaf, mut manager) = pair();
    let client = Client::builder(connection())
        .lookup_deadline(Duration::from_secs(5))
        .leaf(crate::Stack::new(leaf))
        .build()
        .unwrap();
    let answer = ask(&client);
    let _unanswered = manager.next_request().await.unwrap();
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "deadline exceeded: GET /prefix/api/v1/x on [2001:db8::1]:8443: no usable response within 5.0 s; \
         try again later or increase the deadline"
    );
    assert_eq!(error.failure().elapsed, Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_future_drops_its_request() {
    let (sent, is_sent) = oneshot::channel::<()>();
    let (held, is_dropped) = oneshot::channel::<()>();
    let ends = Arc::new(Mutex::new(Some((sent, held))));
    let silent = tower::service_fn(move |_| {
        let (sent, held) = ends.lock().unwrap().take().unwrap();
        sent.send(()).unwrap();
        async move {
            std::future::pending::<()>().await;
            drop(held);
            Ok(ok())
        }
    });
    let client = Client::builder(connection())
        .leaf(crate::Stack::new(silent))
        .build()
        .unwrap();
    let answer = ask(&client);
    is_sent.await.unwrap();
    answer.abort();
    assert!(is_dropped.await.is_err());
}

/// A client with session credentials whose manager accepts the login and replies to everything else with
/// `answer`, and the number of logins.
fn logged_in(
    answer: impl Fn(&Request<Bytes>, usize) -> http::Response<Bytes> + Send + Sync + 'static,
) -> (Client, Arc<Mutex<usize>>) {
    let logins = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&logins);
    let answer = Arc::new(answer);
    let leaf = tower::service_fn(move |request: Request<Bytes>| {
        let mut logins = counted.lock().unwrap();
        let reply = if request.uri().path() == "/api/session/create" {
            *logins += 1;
            http::Response::builder()
                .header("set-cookie", format!("JSESSIONID=5E55I0N{logins}; Path=/"))
                .header("x-xsrf-token", format!("xsrf/{logins}+token"))
                .body(Bytes::new())
                .unwrap()
        } else {
            answer(&request, *logins)
        };
        std::future::ready(Ok(reply))
    });
    let client = Client::builder(testing::connection())
        .leaf(crate::Stack::new(leaf))
        .build()
        .unwrap();
    (client, logins)
}

#[tokio::test(start_paused = true)]
async fn a_200_with_nothing_but_a_redirect_url_renews_the_session() {
    let (client, logins) = logged_in(|_, logins| match logins {
        1 => reply(200, r#"{"redirectUrl":"/login.jsp"}"#),
        _ => ok(),
    });
    client.get(&Get::new("/x")).await.unwrap();
    assert_eq!(*logins.lock().unwrap(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_error_object_in_a_200_is_repeated_and_reported_like_that_error() {
    let (client, _) = logged_in(|request, _| match request.uri().path() {
        "/missing" => reply(200, r#"{"httpStatus":"NOT_FOUND","error_code":600}"#),
        _ => reply(
            200,
            r#"{"httpStatus":"SERVICE_UNAVAILABLE","error_message":"Busy."}"#,
        ),
    });
    let missing = client.get(&Get::new("/missing")).await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound, "{missing}");
    let busy = client.get(&Get::new("/busy")).await.unwrap_err();
    assert_eq!(busy.kind(), ErrorKind::Unavailable, "{busy}");
    assert_eq!(busy.failure().attempts, 5);
}

#[tokio::test(start_paused = true)]
async fn no_failure_shows_a_secret_in_a_form_in_which_it_was_sent() {
    // The password is `p+w &%ä`.
    let echo =
        r#"p+w &%ä p%2Bw%20%26%25%C3%A4 p%2bw+%26%25%c3%a4 p\u002bw \u0026%\u00e4 5E55I0N1 xsrf/1+token"#;
    let bodies = [
        echo.to_owned(),
        format!("<html><title>{echo}</title></html>"),
        serde_json::json!({ "error_message": echo, "details": echo, "related_errors": [{ "details": echo }] })
            .to_string(),
        format!(r#"{{"id": ["{}"]}}"#, echo.replace('\\', "\\\\")),
    ];
    for (status, body) in [200, 302, 400, 500]
        .iter()
        .flat_map(|status| bodies.iter().map(move |body| (*status, body.clone())))
    {
        let (client, _) = logged_in(move |_, _| {
            http::Response::builder()
                .status(status)
                .header(
                    "location",
                    "https://p%2Bw+%26%25%C3%A4@proxy.example.com/5E55I0N1?x=1",
                )
                .header("x-request-id", "xsrf/1+token")
                .body(Bytes::from(body.clone()))
                .unwrap()
        });
        let error = match client.get(&Get::new("/x")).await {
            Ok(reply) => reply.json::<netmgr_types::wire::ManagedObject>().unwrap_err(),
            Err(error) => error,
        };
        let text = format!("{error} {error:?}");
        assert!(text.contains("[redacted]"), "{text}");
        for secret in ["p+w", "p%2", "p\\u", "5E55I0N1", "xsrf/1"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_failure_quotes_is_short_legible_and_no_line_of_ours() {
    let message = format!("Broken.\nerror: \u{1b}[2J\u{202e}forged {}", "x".repeat(8 << 10));
    let related = vec![serde_json::json!({ "error_message": message, "error_code": 1 }); 1000];
    let body = serde_json::json!({ "error_message": message, "related_errors": related }).to_string();
    let (client, _) = logged_in(move |_, _| {
        http::Response::builder()
            .status(409)
            .header("x-request-id", "y".repeat(9000))
            .body(Bytes::from(body.clone()))
            .unwrap()
    });
    let error = client.get(&Get::new("/x")).await.unwrap_err();
    let text = error.to_string();
    assert!(text.len() < 3000, "{} bytes", text.len());
    assert!(
        text.contains("Broken.\n    error: \\u{1b}[2J\\u{202e}forged xxx"),
        "{text}"
    );
    assert!(text.contains("; and 995 more"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn the_clock_of_the_manager_is_that_of_its_last_reply() {
    let (client, mut manager) = client();
    assert_eq!(client.clocks(), None);
    let answer = ask(&client);
    let (_, reply) = manager.next_request().await.unwrap();
    let mut dated = ok();
    let date = http::HeaderValue::from_static("Sun, 06 Nov 1994 08:49:37 GMT");
    dated.headers_mut().insert(header::DATE, date);
    reply.send_response(dated);
    answer.await.unwrap().unwrap();
    let clocks = client.clocks().unwrap();
    let in_1994 = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
    assert_eq!(clocks.manager, in_1994);
    assert!(clocks.ahead().unwrap_err() > Duration::from_secs(30 * 365 * 24 * 3600));
}
