//! Tests of connections that fail, break or have unexpected contents.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, LOCATION};
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use netmgr_transport::{Client, Error, ErrorKind, Get, Reply};
use netmgr_types::{Credentials, TlsSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;

use crate::support::{
    Authority, assert_report, connection, fast, get, get_https, https, listen, manager, server_config,
    trusting,
};

/// Reads a request up to its end, which for requests without a body is a blank line.
async fn read_request(stream: &mut TcpStream) {
    let mut seen = Vec::new();
    while !seen.ends_with(b"\r\n\r\n") && stream.read_buf(&mut seen).await.unwrap_or(0) > 0 {
        // A TLS client sends no blank line.
        if seen.starts_with(b"\x16\x03") {
            break;
        }
    }
}

/// A server that replies to every request with `answer` and closes the connection. Returns the port.
pub(crate) async fn raw(answer: &'static [u8]) -> u16 {
    listen(move |mut stream| async move {
        read_request(&mut stream).await;
        let _gone_when_tls = stream.write_all(answer).await;
    })
    .await
}

async fn get_http(port: u16) -> Result<Reply, Error> {
    get(connection("http", "127.0.0.1", port, TlsSettings::default())).await
}

#[tokio::test]
async fn a_refused_connection_is_reported() {
    // Bound, so that nothing else gets the port, but not listening.
    let closed = TcpSocket::new_v4().unwrap();
    closed.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let port = closed.local_addr().unwrap().port();
    let error = get_http(port).await.unwrap_err();
    assert!(error.failure().unsent);
    assert_report!(error);
}

#[tokio::test]
async fn a_host_name_that_does_not_resolve_is_reported() {
    // A label of more than 63 characters fails in the resolver without a network request.
    let name = "m".repeat(64);
    let error = get(connection("http", &name, 80, TlsSettings::default()))
        .await
        .unwrap_err();
    let message = error.to_string();
    assert!(message.contains("the host name cannot be resolved"), "{message}");
}

#[tokio::test]
async fn a_reset_connection_is_reported() {
    let port = listen(|mut stream| async move {
        read_request(&mut stream).await;
        // Closing without lingering sends a reset.
        stream.set_zero_linger().unwrap();
    })
    .await;
    let error = get_http(port).await.unwrap_err();
    assert_report!(error);
}

#[tokio::test]
async fn a_body_shorter_than_promised_is_a_broken_connection() {
    let port = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"results\": [").await;
    let error = get_http(port).await.unwrap_err();
    assert_report!(error);
}

#[tokio::test]
async fn a_broken_connection_is_repeated_on_a_new_one() {
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let port = listen(move |mut stream| {
        let first = counted.fetch_add(1, Ordering::SeqCst) == 0;
        async move {
            read_request(&mut stream).await;
            let answer: &[u8] = match first {
                true => b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
                false => b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
            };
            stream.write_all(answer).await.unwrap();
        }
    })
    .await;
    let mut connection = connection("http", "127.0.0.1", port, TlsSettings::default());
    // Without a login, so that each connection is an attempt.
    connection.credentials = Credentials::Certificate;
    connection.retry.max_retries = 1;
    assert_eq!(get(connection).await.unwrap().body, "{}");
    assert_eq!(connections.load(Ordering::SeqCst), 2);
}

/// Sends a request, with a retry, to a server that sends `first` on its first connection and a complete reply
/// on others, and closes each connection after the reply. Returns the body and the number of connections.
async fn repeated_after(first: &'static [u8]) -> (Result<Reply, Error>, usize) {
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let port = listen(move |mut stream| {
        let is_first = counted.fetch_add(1, Ordering::SeqCst) == 0;
        async move {
            read_request(&mut stream).await;
            let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
            let answer: &[u8] = if is_first { first } else { whole };
            stream.write_all(answer).await.unwrap();
        }
    })
    .await;
    let mut connection = connection("http", "127.0.0.1", port, TlsSettings::default());
    // Without a login, so that each connection is an attempt.
    connection.credentials = Credentials::Certificate;
    connection.retry.max_retries = 1;
    (get(connection).await, connections.load(Ordering::SeqCst))
}

#[tokio::test]
async fn a_body_without_length_that_is_cut_off_is_repeated() {
    for first in [
        &b"HTTP/1.1 200 OK\r\n\r\n{\"results\": [{\"id\": \"a"[..],
        b"HTTP/1.1 200 OK\r\n\r\n{\"results\": [1, 2",
        b"HTTP/1.0 200 OK\r\n\r\n",
        b"HTTP/1.1 503 Service Unavailable\r\n\r\n{\"error_code\": ",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{}",
    ] {
        let (reply, connections) = repeated_after(first).await;
        let shown = String::from_utf8_lossy(first);
        assert_eq!(reply.unwrap().body, "{}", "{shown}");
        assert_eq!(connections, 2, "{shown}");
    }
}

#[tokio::test]
async fn a_whole_body_without_length_is_not_repeated() {
    for (first, is_ok) in [
        (&b"HTTP/1.1 200 OK\r\n\r\n{\"results\": []}"[..], true),
        (b"HTTP/1.1 200 OK\r\n\r\n<html>Welcome", true),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", false),
        (b"HTTP/1.1 404 Not Found\r\n\r\n{\"error_code\": 1}", false),
    ] {
        let (reply, connections) = repeated_after(first).await;
        let shown = String::from_utf8_lossy(first);
        assert_eq!((reply.is_ok(), connections), (is_ok, 1), "{shown}");
    }
}

#[tokio::test]
async fn a_page_of_a_proxy_is_named_by_its_title() {
    let authority = Authority::new("Lab CA");
    let config = server_config(&authority.server(), None, &["h2"]);
    let port = https(config, |_| {
        let page = "<html>\n<head><title>502 Bad Gateway</title></head></html>";
        let mut reply = Response::new(Bytes::from_static(page.as_bytes()));
        *reply.status_mut() = http::StatusCode::BAD_GATEWAY;
        reply
    })
    .await;
    let error = get_https(port, trusting(&authority)).await.unwrap_err();
    assert_report!(error);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let authority = Authority::new("Lab CA");
    let elsewhere = manager(&authority.server(), None).await;
    let config = server_config(&authority.server(), None, &["h2"]);
    let port = https(config, move |_| {
        let mut reply = Response::new(Bytes::new());
        *reply.status_mut() = http::StatusCode::TEMPORARY_REDIRECT;
        let target = format!("https://127.0.0.1:{elsewhere}/api/v1/node/version?secret=hunter2");
        reply.headers_mut().insert(LOCATION, target.parse().unwrap());
        reply
    })
    .await;
    let error = get_https(port, trusting(&authority)).await.unwrap_err();
    assert_report!(error);
}

/// `{"zipped":true}`, compressed.
const ZIPPED: &[u8] = &[
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 170, 202, 44, 40, 72, 77, 81, 178, 42, 41, 42, 77, 173, 5, 0,
    132, 40, 188, 8, 15, 0, 0, 0,
];

#[tokio::test]
async fn a_compressed_body_is_unpacked() {
    let authority = Authority::new("Lab CA");
    for encoding in ["gzip", "GZIP", "Gzip"] {
        let config = server_config(&authority.server(), None, &["h2"]);
        let port = https(config, move |_| {
            let mut reply = Response::new(Bytes::from_static(ZIPPED));
            let headers = reply.headers_mut();
            headers.insert(CONTENT_ENCODING, encoding.parse().unwrap());
            reply
        })
        .await;
        let reply = get_https(port, trusting(&authority)).await.unwrap();
        assert_eq!(reply.body, r#"{"zipped":true}"#, "{encoding}");
    }
}

#[tokio::test]
async fn a_corrupt_gzip_body_is_named_and_a_truncated_one_is_cut_off() {
    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    let answer = |body: &[u8]| -> &'static [u8] { [HEAD, body].concat().leak() };
    let mut corrupt = ZIPPED.to_vec();
    corrupt[12] ^= 0xff;
    for body in [&corrupt[..], b"{\"id\": \"not gzip at all\"}"] {
        let error = get_http(raw(answer(body)).await).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadReply, "{error}");
        assert!(error.to_string().contains("its gzip data is corrupt"), "{error}");
    }
    let capitals = [
        &b"HTTP/1.1 200 OK\r\nContent-Encoding: GZIP\r\n\r\n"[..],
        &corrupt,
    ]
    .concat();
    let error = get_http(raw(capitals.leak()).await).await.unwrap_err();
    assert!(error.to_string().contains("its gzip data is corrupt"), "{error}");
    // Without the checksum at the end, the JSON is complete.
    for length in 1..ZIPPED.len() - 10 {
        let error = get_http(raw(answer(&ZIPPED[..length])).await).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Connect, "{length}: {error}");
        assert!(
            error.to_string().contains("the response was truncated"),
            "{length}: {error}"
        );
    }
}

#[tokio::test]
async fn an_answer_without_end_is_given_up() {
    let port = listen(|mut stream| async move {
        read_request(&mut stream).await;
        let _head = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
        while stream.write_all(&[b' '; 1 << 20]).await.is_ok() {}
    })
    .await;
    let error = get_http(port).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadReply, "{error}");
    assert!(
        error.to_string().contains("the response is larger than 64 MiB"),
        "{error}"
    );
}

#[tokio::test]
async fn a_port_that_expects_tls_is_named_as_such() {
    let authority = Authority::new("Lab CA");
    let port = manager(&authority.server(), None).await;
    let error = get_http(port).await.unwrap_err();
    assert_report!(error);
}

#[tokio::test]
async fn an_answer_with_101_headers_is_called_that() {
    let headers: String = (0..101).map(|number| format!("X-{number}: 1\r\n")).collect();
    let answer = format!("HTTP/1.1 200 OK\r\n{headers}\r\n{{}}");
    let error = get_http(raw(answer.leak().as_bytes()).await).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadReply);
    let message = error.to_string();
    assert!(message.contains("has too many headers"), "{message}");
}

async fn silent() -> u16 {
    listen(|mut stream| async move {
        read_request(&mut stream).await;
        std::future::pending().await
    })
    .await
}

#[tokio::test]
async fn a_manager_that_does_not_answer_is_given_up_after_the_attempt_timeout() {
    let client = Client::builder(connection(
        "http",
        "127.0.0.1",
        silent().await,
        TlsSettings::default(),
    ))
    .attempt_timeout(Duration::from_millis(100))
    .build()
    .unwrap();
    let error = client.get(&Get::new("/api")).await.unwrap_err();
    assert!(error.to_string().contains("no response within 0.1 s"), "{error}");
}

/// A TLS server that does not reply on its first connection, and with `is_stuck` does not respond below HTTP
/// either. Returns the port and the number of connections.
async fn silent_on_its_first_connection(
    authority: &Authority,
    protocol: &str,
    is_stuck: bool,
) -> (u16, Arc<AtomicUsize>) {
    let acceptor = TlsAcceptor::from(server_config(&authority.server(), None, &[protocol]));
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let port = listen(move |stream| {
        let is_first = counted.fetch_add(1, Ordering::SeqCst) == 0;
        let acceptor = acceptor.clone();
        async move {
            let stream = acceptor.accept(stream).await.unwrap();
            let (requested, request) = oneshot::channel::<()>();
            let requested = Arc::new(Mutex::new(Some(requested)));
            let service = service_fn(move |_: Request<Incoming>| {
                let _noticed = requested
                    .lock()
                    .unwrap()
                    .take()
                    .map(|requested| requested.send(()));
                async move {
                    match is_first {
                        true => std::future::pending().await,
                        false => Ok::<_, Infallible>(Response::new(Full::new(Bytes::from_static(b"{}")))),
                    }
                }
            });
            let server = auto::Builder::new(TokioExecutor::new());
            let mut serving = std::pin::pin!(server.serve_connection(TokioIo::new(stream), service));
            if is_first && is_stuck {
                tokio::select! {
                    _ = &mut serving => {}
                    _ = request => std::future::pending().await,
                }
            }
            let _ended_by_the_client = serving.await;
        }
    })
    .await;
    (port, connections)
}

#[tokio::test]
async fn a_connection_on_which_an_attempt_timed_out_is_not_used_again() {
    let authority = Authority::new("Lab CA");
    let replaced = async |protocol: &str| {
        let (port, connections) = silent_on_its_first_connection(&authority, protocol, false).await;
        let mut connection = connection("https", "127.0.0.1", port, trusting(&authority));
        connection.retry.max_retries = 1;
        let client = Client::builder(connection)
            .attempt_timeout(Duration::from_secs(10))
            .build()
            .unwrap();
        let reply = client.get(&Get::new("/api")).await.unwrap();
        assert_eq!(reply.body, "{}", "{protocol}");
        assert_eq!(connections.load(Ordering::SeqCst), 2, "{protocol}");
    };
    fast(async {
        replaced("h2").await;
        replaced("http/1.1").await;
    })
    .await;
}

#[tokio::test]
async fn a_silent_http2_connection_is_found_by_pings_and_replaced() {
    let authority = Authority::new("Lab CA");
    let (port, connections) = silent_on_its_first_connection(&authority, "h2", true).await;
    let mut connection = connection("https", "127.0.0.1", port, trusting(&authority));
    connection.retry.max_retries = 1;
    let client = Client::builder(connection).build().unwrap();
    let start = Instant::now();
    let reply = fast(async { client.get(&Get::new("/api")).await }).await.unwrap();
    assert_eq!(reply.body, "{}");
    assert_eq!(connections.load(Ordering::SeqCst), 2);
    // One interval until the ping and one for its reply, long before the attempt times out.
    let took = start.elapsed();
    assert!(
        took >= Duration::from_secs(20) && took < Duration::from_secs(25),
        "{took:?}"
    );
}

#[tokio::test]
async fn a_handshake_that_does_not_end_is_given_up_after_the_connect_timeout() {
    let client = Client::builder(connection(
        "https",
        "127.0.0.1",
        silent().await,
        TlsSettings::default(),
    ))
    .connect_timeout(Duration::from_millis(100))
    .build()
    .unwrap();
    let error = client.get(&Get::new("/api")).await.unwrap_err();
    assert!(error.failure().unsent);
    assert!(
        error.to_string().contains("no connection within 0.1 s"),
        "{error}"
    );
}

/// Replies over TLS with `answer`, and closes the connection without a close notification.
async fn dropped_after(answer: &'static [u8]) -> Result<Reply, Error> {
    let authority = Authority::new("Lab");
    let acceptor = TlsAcceptor::from(server_config(&authority.server(), None, &["http/1.1"]));
    let port = listen(move |stream| {
        let acceptor = acceptor.clone();
        async move {
            let mut stream = acceptor.accept(stream).await.unwrap();
            let mut seen = Vec::new();
            while !seen.ends_with(b"\r\n\r\n") && stream.read_buf(&mut seen).await.unwrap() > 0 {}
            stream.write_all(answer).await.unwrap();
            stream.flush().await.unwrap();
        }
    })
    .await;
    get_https(port, trusting(&authority)).await
}

#[tokio::test]
async fn a_whole_body_may_end_with_the_connection() {
    let answer = b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"id\": \"a\"}";
    let body: serde_json::Value = dropped_after(answer).await.unwrap().json().unwrap();
    assert_eq!(body["id"], "a");
    let error = dropped_after(b"HTTP/1.0 404 Not Found\r\n\r\n")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
}

#[tokio::test]
async fn a_body_that_is_not_whole_where_the_connection_ends_is_cut_off() {
    for answer in [
        &b"HTTP/1.0 200 OK\r\n\r\n{\"id\": \"a"[..],
        b"HTTP/1.0 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    ] {
        let error = dropped_after(answer).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Connect, "{error}");
    }
}
