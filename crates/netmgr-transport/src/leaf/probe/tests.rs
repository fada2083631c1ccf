//! Tests of the tunnel through a proxy. Handshakes are tested in `tests/it/probe.rs`.

use tokio::net::TcpListener;

use super::*;

/// Connects through a proxy that answers with `head`, and returns its request and the result.
async fn through_proxy(head: &'static str, scheme: &str) -> (String, io::Result<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let proxy = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut request = String::new();
        stream.read_to_string(&mut request).await.unwrap();
        request
    });
    let proxy_settings = Proxy {
        scheme: scheme.to_owned(),
        name: "127.0.0.1".to_owned(),
        port: address.port(),
        authorization: Some(HeaderValue::from_static("Basic cHJveHk6aHVudGVyMg==")),
    };
    let mut connection = TcpStream::connect(address).await.unwrap();
    let outcome = proxy_settings.tunnel(&mut connection, "2001:db8::1", 443).await;
    drop(connection);
    (proxy.await.unwrap(), outcome)
}

#[tokio::test]
async fn a_tunnel_is_requested_with_the_credentials_of_the_proxy() {
    let (request, outcome) = through_proxy("HTTP/1.1 200 OK\r\nVia: x\r\n\r\n", "http").await;
    outcome.unwrap();
    assert_eq!(
        request,
        "CONNECT [2001:db8::1]:443 HTTP/1.1\r\nHost: [2001:db8::1]:443\r\n\
         Proxy-Authorization: Basic cHJveHk6aHVudGVyMg==\r\n\r\n"
    );
}

#[tokio::test]
async fn the_answer_of_a_proxy_that_refuses_is_the_reason() {
    for (head, scheme, reason) in [
        (
            "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
            "http",
            "the proxy refused the connection: HTTP/1.1 407 Proxy Authentication Required",
        ),
        (
            "HTTP/1.1 407 not cHJveHk6aHVudGVyMg== nor proxy:hunter2 nor hunter2 of Proxy-Authorization\r\n\r\n",
            "http",
            "the proxy refused the connection: HTTP/1.1 407 not [redacted]== nor [redacted] nor [redacted] of Proxy-Authorization",
        ),
        ("", "socks5", "proxies with socks5:// are not supported"),
    ] {
        let (_, outcome) = through_proxy(head, scheme).await;
        assert_eq!(outcome.unwrap_err().to_string(), reason);
    }
    let (_, outcome) = through_proxy("HTTP/1.1 200", "http").await;
    assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}
