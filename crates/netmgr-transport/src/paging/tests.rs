use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::FutureExt;
use netmgr_types::wire::ApiError;

use super::*;
use crate::Failure;
use crate::testing::{client_over, connection};

/// Replies to requests in order and records their targets.
#[derive(Clone, Default)]
struct Script {
    answers: Arc<Mutex<VecDeque<Result<&'static str, Error>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Script {
    fn of(answers: impl IntoIterator<Item = Result<&'static str, Error>>) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.into_iter().collect())),
            asked: Arc::default(),
        }
    }

    fn client(&self) -> Client {
        let script = self.clone();
        client_over(connection(), move |request| {
            script.asked.lock().unwrap().push(request.uri().to_string());
            let answer = script
                .answers
                .lock()
                .unwrap()
                .pop_front()
                .expect("one request too many");
            async move { answer.map(|body| http::Response::new(Bytes::from_static(body.as_bytes()))) }
        })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn refused(status: u16, code: i64) -> Error {
    let failure = Failure {
        status: StatusCode::from_u16(status).ok(),
        api: Some(ApiError {
            error_code: Some(code),
            ..ApiError::default()
        }),
        ..Failure::default()
    };
    let kind = match status {
        503 => ErrorKind::Unavailable,
        _ => ErrorKind::Rejected,
    };
    Error::new(kind, failure)
}

const FIRST: &str = r#"{"results":[{"id":"a"},{"id":"b"}],"result_count":3,"cursor":"c 1"}"#;
const LAST: &str = r#"{"results":[{"id":"c"}]}"#;

#[tokio::test]
async fn pages_follow_the_cursor_and_keep_the_parameters() {
    let script = Script::of([Ok(FIRST), Ok(LAST)]);
    let get = Get::new("/api/v1/pools/ip-pools").query("sort_by", "id");
    let (rows, extent) = script.client().pages(get).rows().await.unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!(extent.ending, Some(Ending::NoCursor));
    assert_eq!(
        script.asked(),
        [
            "/api/v1/pools/ip-pools?sort_by=id&page_size=1000",
            "/api/v1/pools/ip-pools?sort_by=id&page_size=1000&cursor=c%201"
        ]
    );
}

#[tokio::test]
async fn nothing_is_asked_before_the_first_call_or_after_the_last_page() {
    let script = Script::of([Ok(LAST)]);
    let mut pager = script.client().pages(Get::new("/list"));
    assert!(script.asked().is_empty());
    assert_eq!(pager.next().await.unwrap().unwrap().len(), 1);
    assert!(pager.next().await.unwrap().is_none());
    assert!(pager.next().await.unwrap().is_none());
    assert_eq!(script.asked().len(), 1);
}

#[tokio::test]
async fn a_search_with_a_cursor_on_its_last_page_costs_no_extra_request() {
    let script = Script::of([
        Ok(r#"{"results":[{"id":"a"},{"id":"b"}],"result_count":3,"cursor":"2"}"#),
        Ok(r#"{"results":[{"id":"c"}],"result_count":3,"cursor":"3"}"#),
    ]);
    let get = Get::new("/policy/api/v1/search/query");
    let (rows, _) = script.client().pages(get).rows().await.unwrap();
    assert_eq!((rows.len(), script.asked().len()), (3, 2));
}

#[tokio::test]
async fn a_list_that_changes_is_read_again_from_its_first_page() {
    const CHANGED: &str = r#"{"results":[{"id":"c"}],"result_count":4,"cursor":"c2"}"#;
    const AGAIN: &str = r#"{"results":[{"id":"b"},{"id":"d"}],"result_count":4,"cursor":"c1"}"#;
    let script = Script::of([Ok(FIRST), Ok(CHANGED), Ok(AGAIN), Ok(LAST)]);
    let (rows, extent) = script.client().pages(Get::new("/list")).rows().await.unwrap();
    let ids: Vec<String> = rows
        .iter()
        .map(|row| row.head().unwrap().id.into_owned())
        .collect();
    assert_eq!(ids, ["a", "b", "c", "d"]);
    assert_eq!((extent.pages, extent.has_changed), (4, false));
    assert_eq!(
        script.asked(),
        [
            "/list?page_size=1000",
            "/list?page_size=1000&cursor=c%201",
            "/list?page_size=1000",
            "/list?page_size=1000&cursor=c1"
        ]
    );
}

#[tokio::test]
async fn a_guessed_cursor_that_is_rejected_ends_the_list() {
    for refusal in [refused(400, 60509), ErrorKind::NotFound.into()] {
        let script = Script::of([Ok(r#"{"results":[{"id":"a"},{"id":"b"}]}"#), Err(refusal)]);
        let get = Get::new("/list").query("page_size", "2");
        let (rows, extent) = script.client().pages(get).rows().await.unwrap();
        assert_eq!((rows.len(), extent.ending), (2, Some(Ending::NoCursor)));
        assert_eq!(script.asked()[1], "/list?page_size=2&cursor=2");
    }
}

#[tokio::test]
async fn an_unpaged_list_is_asked_without_parameters_but_its_cursor_is_followed() {
    let script = Script::of([Ok(FIRST), Ok(LAST)]);
    let get = Get::new("/api/v1/failure-domains").unpaged();
    script.client().pages(get).rows().await.unwrap();
    assert_eq!(
        script.asked(),
        ["/api/v1/failure-domains", "/api/v1/failure-domains?cursor=c%201"]
    );
}

#[tokio::test]
async fn the_callers_page_size_is_kept() {
    let script = Script::of([Ok(LAST)]);
    script
        .client()
        .pages(Get::new("/list").query("page_size", "7"))
        .rows()
        .await
        .unwrap();
    assert_eq!(script.asked(), ["/list?page_size=7"]);
}

#[tokio::test]
async fn a_page_that_is_too_large_is_asked_for_again_in_a_smaller_size_from_the_same_cursor() {
    let script = Script::of([
        Ok(FIRST),
        Err(refused(503, 60576)),
        Err(refused(400, 255)),
        Ok(LAST),
    ]);
    let (rows, _) = script.client().pages(Get::new("/search")).rows().await.unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!(
        script.asked()[1..],
        [
            "/search?page_size=1000&cursor=c%201",
            "/search?page_size=500&cursor=c%201",
            "/search?page_size=250&cursor=c%201"
        ]
    );
}

#[tokio::test]
async fn pages_are_not_asked_for_in_less_than_25_rows() {
    let script = Script::of([Err(refused(400, 255)), Err(refused(400, 255))]);
    let get = Get::new("/search").query("page_size", "30");
    let error = script.client().pages(get).rows().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Rejected);
    assert_eq!(script.asked(), ["/search?page_size=30", "/search?page_size=25"]);
}

#[tokio::test]
async fn an_expired_cursor_is_an_error_and_the_page_can_be_asked_for_again() {
    let script = Script::of([Ok(FIRST), Err(refused(400, 60509)), Ok(LAST)]);
    let mut pager = script.client().pages(Get::new("/search"));
    pager.next().await.unwrap();
    assert!(matches!(&pager.next().await, Err(error) if error.kind() == ErrorKind::Rejected));
    assert!(pager.extent().maybe_incomplete());
    assert_eq!(pager.next().await.unwrap().unwrap().len(), 1);
    assert!(!pager.extent().maybe_incomplete());
}

#[tokio::test]
async fn an_answer_that_is_no_page_is_a_bad_reply() {
    let script = Script::of([Ok("<html>")]);
    let error = script.client().pages(Get::new("/list")).rows().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadReply);
}

#[tokio::test]
async fn a_page_without_results_is_a_bad_reply_that_says_what_came() {
    for body in ["{}", r#"{"redirectUrl":"/login.jsp"}"#, r#"{"error_code":100}"#] {
        let script = Script::of([Ok(body)]);
        let error = script.client().pages(Get::new("/list")).next().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadReply, "{error}");
        let text = error.to_string();
        assert!(
            text.starts_with("unexpected response: GET /list on manager.example returned 200 OK")
                && text.ends_with(body),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_later_page_that_is_not_found_is_no_missing_list() {
    let asked = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let client = client_over(connection(), move |_| {
        let is_later = asked.swap(true, std::sync::atomic::Ordering::Relaxed);
        let (status, body) = match is_later {
            false => (200, r#"{"results":[{"id":"a"}],"result_count":2,"cursor":"x"}"#),
            true => (404, r#"{"error_code":600}"#),
        };
        let reply = http::Response::builder().status(status);
        std::future::ready(Ok(reply.body(Bytes::from_static(body.as_bytes())).unwrap()))
    });
    let mut pages = client.pages(Get::new("/list"));
    assert_eq!(pages.next().await.unwrap().map(|rows| rows.len()), Some(1));
    let error = pages.next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Rejected);
    assert!(
        error.to_string().contains("page 2 of the list was not found"),
        "{error}"
    );
}

/// A client with an endless list: every page has one more object and a new cursor.
fn endless(cursor_length: usize) -> Client {
    let asked = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    client_over(connection(), move |_| {
        let number = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let body = format!(r#"{{"results":[{{"id":"{number}"}}],"cursor":"{number:0cursor_length$}"}}"#);
        std::future::ready(Ok(http::Response::new(Bytes::from(body))))
    })
}

#[tokio::test]
async fn a_list_without_an_end_is_an_error_after_4000_pages_and_stays_one() {
    let mut pages = endless(6).pages(Get::new("/list"));
    let error = loop {
        match pages.next().await {
            Ok(rows) => assert_eq!(rows.unwrap().len(), 1),
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), ErrorKind::BadReply);
    assert_eq!(
        error.to_string(),
        "unexpected response: GET /list on manager.example: the list does not end: 4000 pages with 4000 objects \
         were read; select the object by its id, and check which server responds at host"
    );
    assert!(matches!(&pages.next().await, Err(error) if error.kind() == ErrorKind::BadReply));
}

#[tokio::test]
async fn a_cursor_that_no_url_can_carry_is_a_bad_reply_and_no_wrong_request() {
    let error = endless(40_000).pages(Get::new("/list")).rows().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadReply);
    assert_eq!(
        error.to_string(),
        "unexpected response: GET /list on manager.example returned 200 OK: the cursor of the page has 40000 \
         bytes, which is too long for a URL; check which server responds at host"
    );
}

#[test]
fn a_large_page_is_not_read_on_the_thread_that_serves_other_calls() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(1)
        .build();
    runtime.unwrap().block_on(async {
        // The only other thread is busy.
        let (free, is_free) = std::sync::mpsc::channel::<()>();
        let _busy = tokio::task::spawn_blocking(move || is_free.recv());
        let pages = |length: usize| {
            let row = format!(r#"{{"id":"a","description":"{}"}}"#, "x".repeat(length));
            let body = Bytes::from(format!(r#"{{"results":[{row}]}}"#));
            let client = client_over(connection(), move |_| {
                std::future::ready(Ok(http::Response::new(body.clone())))
            });
            client.pages(Get::new("/list"))
        };
        assert!(pages(1 << 10).next().now_or_never().is_some());
        let mut large = pages(1 << 20);
        let mut next = std::pin::pin!(large.next());
        assert!(next.as_mut().now_or_never().is_none());
        drop(free);
        assert_eq!(next.await.unwrap().unwrap().len(), 1);
    });
}

/// The text of a page, which is counted as long as it is referenced.
struct Held {
    text: String,
    held: Arc<std::sync::atomic::AtomicUsize>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.held.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
    }
}

#[tokio::test]
async fn at_most_two_pages_are_in_memory_at_once() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    let (held, most, asked) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicUsize::new(0)),
    );
    let counters = (Arc::clone(&held), Arc::clone(&most), Arc::clone(&asked));
    let client = client_over(connection(), move |_| {
        let (held, most, asked) = counters.clone();
        let page = asked.fetch_add(1, Ordering::SeqCst);
        most.fetch_max(held.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let cursor = if page < 9 {
            format!(r#","cursor":"page-{page}""#)
        } else {
            String::new()
        };
        let text = format!(r#"{{"results":[{{"id":"{page}"}}]{cursor}}}"#);
        async move { Ok(http::Response::new(Bytes::from_owner(Held { text, held }))) }
    });
    let mut pager = client.pages(Get::new("/api/v1/things"));
    let mut rows = Vec::new();
    // The caller keeps the rows of one page while it requests the next.
    while let Some(page) = pager.next().await.unwrap() {
        rows = page;
    }
    assert_eq!((asked.load(Ordering::SeqCst), rows.len()), (10, 1));
    assert_eq!(most.load(Ordering::SeqCst), 2);
    drop((rows, pager));
    assert_eq!(held.load(Ordering::SeqCst), 0);
}

/// Whatever the pages of a manager contain, a read ends, and yields at most the rows that were sent.
#[test]
fn fuzz_pager() {
    let words = [
        "\"results\":[",
        "\"cursor\":\"",
        "\"result_count\":",
        "{\"id\":\"a\"}",
        "\n",
        "null",
        "\"unique_id\":",
        "\"path\":",
    ];
    fuzz_testing::fuzz("pager", &words, |input| {
        let bodies: Vec<Bytes> = input
            .split(|byte| *byte == b'\n')
            .map(Bytes::copy_from_slice)
            .collect();
        let most = bodies.len() + 3;
        let sent: usize = bodies
            .iter()
            .map(|body| body.iter().filter(|byte| **byte == b',').count() + 1)
            .sum();
        let asked = Arc::new(Mutex::new(0));
        let counter = Arc::clone(&asked);
        let client = client_over(connection(), move |_| {
            let mut asked = counter.lock().unwrap();
            let body = bodies.get(*asked).cloned();
            *asked += 1;
            assert!(*asked <= most, "the read does not end");
            let body = body.unwrap_or_else(|| Bytes::from_static(br#"{"results":[],"result_count":0}"#));
            async move { Ok(http::Response::new(body)) }
        });
        let read = client
            .pages(Get::new("/api/v1/pools/ip-pools"))
            .rows()
            .now_or_never();
        match read.expect("no reply is waited for") {
            Ok((rows, extent)) => {
                assert!(rows.len() <= sent, "{} rows of {sent}", rows.len());
                format!("{:?} {}", extent.ending, rows.is_empty())
            }
            Err(error) => {
                let text = error.to_string();
                assert!(
                    text.len() < 8 << 10 && !text.chars().any(|letter| letter.is_control() && letter != '\n')
                );
                format!(
                    "{:?} {:?}",
                    error.kind(),
                    std::error::Error::source(&error).map(ToString::to_string)
                )
            }
        }
    });
}
