//! Tests of faults with a client.

use std::error::Error;
use std::io;

use super::*;

async fn with_fault(text: &str) -> Pair {
    Pair::start(echo().fault(text.parse().unwrap())).await
}

#[tokio::test]
async fn a_status_comes_with_headers_and_a_manager_body() {
    let pair = with_fault("GET /api/v1/* status=409 retry-after=7 message=Index_rebuilding count=1").await;
    let response = pair.basic(VERSION).await;
    assert_eq!(response.headers()["retry-after"], "7");
    assert_eq!(response.status(), 409);
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["httpStatus"], "CONFLICT");
    assert_eq!(body["error_message"], "Index rebuilding");
    assert_eq!(pair.basic(VERSION).await.status(), 200);
    assert_eq!(pair.simulator.counters().faults, 1);
}

#[tokio::test]
async fn faults_apply_to_logins_too() {
    let pair = with_fault("POST /api/session/create status=429").await;
    let response = pair.log_in("j_username=admin&j_password=Demo%2BPass%2541").await;
    assert_eq!(refusal(response).await, (429, json!("102")));
    assert_eq!(pair.simulator.counters().logins, 0);
}

#[tokio::test]
async fn pages_of_a_proxy_are_html_and_can_pretend_success() {
    let pair = with_fault("* * body=html").await;
    let response = pair.basic(VERSION).await;
    assert_eq!(response.status(), 200);
    assert!(
        response.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/html")
    );
    assert!(response.text().await.unwrap().starts_with("<html>"));
}

#[tokio::test]
async fn an_empty_error_has_neither_body_nor_type() {
    let pair = with_fault("* * status=502 body=empty").await;
    let response = pair.basic(VERSION).await;
    assert_eq!(response.status(), 502);
    assert!(!response.headers().contains_key("content-type"));
    assert_eq!(response.bytes().await.unwrap().len(), 0);
}

#[tokio::test]
async fn a_wrong_content_type_leaves_the_body_alone() {
    let pair = with_fault("* * content-type=text/plain").await;
    let response = pair.basic(VERSION).await;
    assert_eq!(response.headers()["content-type"], "text/plain");
    assert_eq!(response.json::<Value>().await.unwrap()["path"], VERSION);
}

#[tokio::test]
async fn a_truncated_body_breaks_off_after_its_first_half() {
    for tls in [None, Some(ServerCertificate::Valid)] {
        let mut builder = echo().fault("* * truncate count=1".parse().unwrap());
        builder.tls = tls;
        let pair = Pair::start(builder).await;
        let mut response = pair.basic(VERSION).await;
        assert_eq!(response.status(), 200);
        let length = response.content_length().unwrap();
        let first = response.chunk().await.unwrap().unwrap();
        assert_eq!(first.len() as u64, length / 2);
        assert!(response.chunk().await.is_err());
        assert_eq!(pair.basic(VERSION).await.status(), 200);
    }
}

#[tokio::test]
async fn a_reset_reaches_the_client_as_a_reset() {
    for tls in [None, Some(ServerCertificate::Valid)] {
        let mut builder = echo().fault("* * reset count=1".parse().unwrap());
        builder.tls = tls;
        let pair = Pair::start(builder).await;
        let failure = pair.get(VERSION).send().await.unwrap_err();
        let mut cause: Option<&dyn Error> = Some(&failure);
        let mut kinds = Vec::new();
        while let Some(error) = cause {
            kinds.extend(error.downcast_ref::<io::Error>().map(io::Error::kind));
            cause = error.source();
        }
        assert!(kinds.contains(&io::ErrorKind::ConnectionReset), "{failure:?}");
        assert_eq!(pair.basic(VERSION).await.status(), 200);
        assert_eq!(pair.simulator.counters().connections, 2);
    }
}

#[tokio::test]
async fn a_reset_in_the_body_breaks_off_after_its_first_half() {
    for tls in [None, Some(ServerCertificate::Valid)] {
        let mut builder = echo().fault("* * reset=body count=1".parse().unwrap());
        builder.tls = tls;
        let pair = Pair::start(builder).await;
        // The reset may overtake the first half.
        if let Ok(response) = pair.get(VERSION).send().await {
            assert!(response.bytes().await.is_err());
        }
        assert_eq!(pair.basic(VERSION).await.status(), 200);
    }
}

#[tokio::test]
async fn a_body_without_length_ends_after_its_first_half_as_if_it_were_whole() {
    let pair = Pair::start(echo().tls(ServerCertificate::Valid).http1_only()).await;
    let whole = pair.basic(VERSION).await.bytes().await.unwrap();
    pair.simulator
        .faults()
        .add("* * truncate=unsized".parse().unwrap());
    let response = pair.basic(VERSION).await;
    assert!(!response.headers().contains_key("content-length"));
    assert!(!response.headers().contains_key("transfer-encoding"));
    assert_eq!(response.bytes().await.unwrap(), whole.slice(..whole.len() / 2));
}

#[tokio::test]
async fn a_body_without_length_ends_with_an_error_over_http_2() {
    let pair = Pair::start(echo().tls(ServerCertificate::Valid)).await;
    pair.simulator
        .faults()
        .add("* * truncate=unsized".parse().unwrap());
    let response = pair.basic(VERSION).await;
    assert!(!response.headers().contains_key("content-length"));
    assert!(response.bytes().await.is_err());
}

#[tokio::test]
async fn headers_and_cookies_are_added_and_gzip_is_corrupt() {
    let pair = with_fault("* * padding=20x30 cookie=changing gzip=corrupt count=1").await;
    let response = pair.basic(VERSION).await;
    assert_eq!(response.headers()["x-padding-19"], "x".repeat(30));
    assert_eq!(response.headers()["set-cookie"], "ROUTE=node-1; Path=/");
    // The client unpacks, or tries to.
    let failure = response.bytes().await.unwrap_err();
    assert!(failure.is_decode(), "{failure:?}");
    pair.simulator.faults().add("* * cookie=new".parse().unwrap());
    for number in 1..3 {
        let response = pair.basic(VERSION).await;
        assert_eq!(
            response.headers()["set-cookie"],
            format!("ROUTE{number}=node; Path=/")
        );
    }
}

#[tokio::test]
async fn statuses_come_with_the_bodies_that_managers_send() {
    for (status, code, http_status, sent) in [
        (400, Some("220417"), true, json!(220_417)),
        (401, None, true, json!(401_001)),
        (403, None, false, json!(403)),
        (403, Some("98"), true, json!(98)),
        (404, None, true, json!(600)),
        (429, None, false, json!("102")),
        (500, Some("607"), true, json!(607)),
        (503, None, false, json!(901)),
        (504, None, true, json!(504)),
    ] {
        let code = code.map_or_else(String::new, |code| format!("code={code}"));
        let pair = with_fault(&format!("status={status} {code}")).await;
        let body: Value = pair.basic(VERSION).await.json().await.unwrap();
        assert_eq!(body["error_code"], sent, "{body}");
        assert_eq!(body["httpStatus"].is_string(), http_status, "{body}");
        assert_eq!(
            body["related_errors"].is_array(),
            [400, 500].contains(&status),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_lockout_refuses_the_right_password() {
    let pair = with_fault("POST /api/session/create lockout count=1").await;
    let response = pair.log_in("j_username=admin&j_password=Demo%2BPass%2541").await;
    assert_eq!(refusal(response).await, (403, json!(403)));
}

#[tokio::test]
async fn a_simulator_without_a_socket_serves_the_same() {
    let simulator = echo().start_in_process();
    let request = || {
        let basic = STANDARD.encode(format!("{DEFAULT_USERNAME}:{DEFAULT_PASSWORD}"));
        let request = http::Request::get(format!("https://localhost{VERSION}?a=1"));
        let request = request.header("authorization", format!("Basic {basic}"));
        request.body(bytes::Bytes::new()).unwrap()
    };
    let response = simulator.answer(request()).await.unwrap();
    let body: Value = serde_json::from_slice(response.body()).unwrap();
    assert_eq!(body, json!({ "path": VERSION, "query": [["a", "1"]] }));
    for (text, broken) in [
        ("* * reset count=1", BrokenConnection::BeforeAnswer),
        ("* * reset=body count=1", BrokenConnection::InBody),
        ("* * truncate count=1", BrokenConnection::InBody),
    ] {
        simulator.faults().add(text.parse().unwrap());
        assert_eq!(simulator.answer(request()).await.unwrap_err(), broken, "{text}");
    }
    assert_eq!(simulator.answer(request()).await.unwrap().status(), 200);
    assert_eq!(simulator.counters().total_requests(), 5);
    simulator.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_delay_holds_the_answer_back() {
    let pair = with_fault("* * delay=3s").await;
    let start = tokio::time::Instant::now();
    assert_eq!(pair.basic(VERSION).await.status(), 200);
    assert_eq!(start.elapsed().as_secs(), 3);
}

#[tokio::test]
async fn sessions_are_lost_in_the_middle_of_things() {
    let pair = Pair::start(echo()).await;
    for (fault, code) in [("session-loss", 98), ("node-switch", 403), ("xsrf-change", 98)] {
        let session = pair.session().await;
        let id = pair
            .simulator
            .faults()
            .add(format!("GET * {fault} after=1 count=1").parse().unwrap());
        assert_eq!(session.read(&pair, VERSION).await.status(), 200);
        assert_eq!(
            refusal(session.read(&pair, VERSION).await).await,
            (403, json!(code))
        );
        let session = pair.session().await;
        assert_eq!(session.read(&pair, VERSION).await.status(), 200);
        assert_eq!(pair.simulator.faults().applied(id), 1);
        pair.simulator.faults().remove(id);
    }
}

#[tokio::test]
async fn pages_change_on_their_way_out() {
    let fault = format!("GET {CLUSTERS} cursor=repeat-last duplicates");
    let pair = with_fault(&fault).await;
    let page = async |query: &str| -> Value {
        pair.basic(&format!("{CLUSTERS}{query}"))
            .await
            .json()
            .await
            .unwrap()
    };
    assert_eq!(page("").await["cursor"], "2");
    let last = page("?cursor=4").await;
    assert_eq!(last["results"], json!([{ "id": "1" }, { "id": "4" }]));
    assert_eq!(last["cursor"], "4");
}

#[tokio::test]
async fn requests_that_their_client_gives_up_are_counted() {
    for builder in [echo(), echo().tls(ServerCertificate::Valid)] {
        let pair = Pair::start(builder.fault("GET * delay=1000s".parse().unwrap())).await;
        let request = tokio::spawn(pair.get(VERSION).send());
        while pair.simulator.requests().is_empty() {
            tokio::task::yield_now().await;
        }
        assert_eq!(pair.simulator.counters().abandoned, 0);
        request.abort();
        while pair.simulator.counters().abandoned == 0 {
            tokio::task::yield_now().await;
        }
        assert!(pair.simulator.counters().statuses.is_empty());
    }
}
