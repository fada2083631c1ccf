//! Connections that fail, break or carry something else than expected.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use http::header::{CONTENT_ENCODING, LOCATION};
use netmgr_transport::{Client, Error, Get, Reply};
use netmgr_types::TlsSettings;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::support::{
    Authority, assert_report, connection, get, get_https, https, listen, manager, server_config, trusting,
};

/// Reads a request up to its end, which for requests without a body is a blank line.
async fn read_request(stream: &mut TcpStream) {
    let mut seen = Vec::new();
    while !seen.ends_with(b"\r\n\r\n") && stream.read_buf(&mut seen).await.unwrap_or(0) > 0 {
        // A client that speaks TLS sends no blank line.
        if seen.starts_with(b"\x16\x03") {
            break;
        }
    }
}

/// A server that answers every request with `answer` and closes the connection; returns the port.
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
async fn a_refused_connection_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let error = get_http(port).await.unwrap_err();
    assert!(error.failure().unwrap().unsent);
    assert_report!(error);
}

#[tokio::test]
async fn a_host_name_that_does_not_resolve_is_told() {
    // A label of more than 63 characters fails in the resolver itself, without asking the network.
    let name = "m".repeat(64);
    let error = get(connection("http", &name, 80, TlsSettings::default()))
        .await
        .unwrap_err();
    let message = error.to_string();
    assert!(message.contains("the host name cannot be resolved"), "{message}");
}

#[tokio::test]
async fn a_reset_connection_is_told() {
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
    connection.retry.max_retries = 1;
    assert_eq!(get(connection).await.unwrap().body, "{}");
    assert_eq!(connections.load(Ordering::SeqCst), 2);
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

#[tokio::test]
async fn a_compressed_body_is_unpacked() {
    // {"zipped":true}
    const GZIP: &[u8] = &[
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 170, 202, 44, 40, 72, 77, 81, 178, 42, 41, 42, 77, 173, 5,
        0, 132, 40, 188, 8, 15, 0, 0, 0,
    ];
    let authority = Authority::new("Lab CA");
    let config = server_config(&authority.server(), None, &["h2"]);
    let port = https(config, |_| {
        let mut reply = Response::new(Bytes::from_static(GZIP));
        reply
            .headers_mut()
            .insert(CONTENT_ENCODING, "gzip".parse().unwrap());
        reply
    })
    .await;
    let reply = get_https(port, trusting(&authority)).await.unwrap();
    assert_eq!(reply.body, r#"{"zipped":true}"#);
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
    assert!(matches!(error, Error::BadReply(_)), "{error}");
    assert!(
        error.to_string().contains("the answer is larger than 64 MiB"),
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
    assert!(error.to_string().contains("no answer within 0.1 s"), "{error}");
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
    assert!(error.failure().unwrap().unsent);
    assert!(
        error.to_string().contains("no connection within 0.1 s"),
        "{error}"
    );
}

/// Answers over TLS with `answer`, then drops the connection without ending TLS.
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
    assert!(matches!(error, Error::NotFound(_)), "{error}");
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
        assert!(matches!(error, Error::Connect(_)), "{error}");
    }
}
