//! Tests of the settings of proxies and of the tunnel through one. Lookups and `netmgr doctor` are tested with real
//! variables in netmgr-cli.

use tokio::net::TcpListener;

use super::*;

/// Connects through a proxy that answers with `head`, and returns its request and the result.
async fn through_proxy(head: &'static str) -> (String, io::Result<()>) {
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
    let matcher = Matcher::builder()
        .all(format!("http://proxy:hunter2@{address}"))
        .build();
    let proxy_settings = Proxy {
        variable: None,
        intercept: matcher.intercept(&Uri::from_static("https://manager")).unwrap(),
        address: "http://proxy".parse().unwrap(),
    };
    let mut connection = TcpStream::connect(address).await.unwrap();
    let outcome = proxy_settings.tunnel(&mut connection, "2001:db8::1", 443).await;
    drop(connection);
    (proxy.await.unwrap(), outcome)
}

#[tokio::test]
async fn a_tunnel_is_requested_with_the_credentials_of_the_proxy() {
    let (request, outcome) = through_proxy("HTTP/1.1 200 OK\r\nVia: x\r\n\r\n").await;
    outcome.unwrap();
    assert_eq!(
        request,
        "CONNECT [2001:db8::1]:443 HTTP/1.1\r\nHost: [2001:db8::1]:443\r\n\
         Proxy-Authorization: Basic cHJveHk6aHVudGVyMg==\r\n\r\n"
    );
}

#[tokio::test]
async fn the_answer_of_a_proxy_that_refuses_is_the_reason() {
    for (head, reason) in [
        (
            "HTTP/1.1 407 not cHJveHk6aHVudGVyMg== nor hunter2\r\n\r\n",
            "the proxy refused the connection: 407 Proxy Authentication Required",
        ),
        ("SSH-2.0-x\r\n\r\n", "the server is not a proxy"),
    ] {
        let (_, outcome) = through_proxy(head).await;
        assert_eq!(outcome.unwrap_err().to_string(), reason);
    }
    let (_, outcome) = through_proxy("HTTP/1.1 200").await;
    assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn a_setting_that_would_be_read_differently_is_refused() {
    for (value, reason) in [
        ("http://proxy.example:3128", None),
        ("https://proxy.example", None),
        ("HTTP://me:p%40ss%2Fw%20rd@proxy.example:3128/", None),
        ("me:pass@[2001:db8::1]:3128", None),
        ("http://[2001:db8::1]", None),
        ("proxy.example", None),
        ("proxy.example:3128", None),
        ("http://me:p@ss w/rd@proxy.example:3128", Some("blank")),
        ("http://me:a b/c@proxy.example:3128", Some("blank")),
        ("http://my proxy.example:3128", Some("blank")),
        ("http://proxy.example:3128 ", Some("blank")),
        (" ", Some("blank")),
        ("http://proxy.example:3128\n", Some("blank")),
        ("htp://proxy.example:3128", Some("http:// or https://")),
        ("socks5://proxy.example:1080", Some("http:// or https://")),
        (
            "socks5h://me:pass@proxy.example:1080",
            Some("http:// or https://"),
        ),
        ("http://me:a/b@proxy.example:3128", Some("percent-encoded")),
        ("http://me:1/b@proxy.example:3128", Some("percent-encoded")),
        ("http://me:1#b@proxy.example:3128", Some("percent-encoded")),
        ("http://me:1?b@proxy.example:3128", Some("percent-encoded")),
        ("http://me:p@ss@proxy.example:3128", Some("percent-encoded")),
        ("http://127.0.0.1:99999", Some("port")),
        ("http://127.0.0.1:0", Some("port")),
        ("http://127.0.0.1:", Some("port")),
        ("http://127.0.0.1:http", Some("port")),
        ("http://[::1]:-1", Some("port")),
        ("http://me:pass@proxy.example:31 28", Some("blank")),
        ("http://", Some("not the address")),
        ("http://256.1.1.1:3128", Some("not the address")),
        ("http://:3128", Some("not the address")),
        ("http://me:pass@", Some("not the address")),
        ("http://me:p\"ss@proxy.example:3128", Some("not the address")),
    ] {
        let found = usable(OsStr::new(value)).err();
        let is_expected = match reason {
            Some(reason) => found.is_some_and(|found| found.contains(reason)),
            None => found.is_none(),
        };
        assert!(is_expected, "{value}: {found:?}");
    }
}

#[test]
fn an_excluded_host_has_the_port_of_its_entry_if_that_has_one() {
    for (excluded, url, is_excluded) in [
        ("", "https://mgr.example.com", false),
        ("mgr.example.com", "https://mgr.example.com:8443", true),
        ("mgr.example.com:443", "https://mgr.example.com", true),
        ("mgr.example.com:8443", "https://mgr.example.com:8443", true),
        ("mgr.example.com:8443", "https://mgr.example.com", false),
        ("other, .example.com:8443", "https://mgr.example.com:8443", true),
        ("example.com", "https://mgr.example.com", true),
        ("xample.com", "https://mgr.example.com", false),
        ("192.0.2.0/24", "https://192.0.2.7", true),
        ("192.0.2.7:443", "https://192.0.2.7", true),
        ("192.0.2.7:80", "https://192.0.2.7", false),
        ("2001:db8::1", "https://[2001:db8::1]", true),
        ("[2001:db8::1]", "https://[2001:db8::1]", true),
        ("[2001:db8::1]:443", "https://[2001:db8::1]", true),
        ("[2001:db8::1]:80", "https://[2001:db8::1]", false),
        ("a, *", "https://192.0.2.7", true),
        ("*:443", "https://192.0.2.7", true),
        ("*:80", "https://192.0.2.7", false),
    ] {
        let url = Uri::from_static(url);
        assert_eq!(excludes(excluded, &url), is_excluded, "{excluded} for {url}");
    }
}

#[test]
fn loopback_is_known_by_name_and_address() {
    for name in ["localhost", "127.0.0.1", "::1", "[::1]"] {
        assert!(is_loopback(name), "{name}");
    }
    assert!(!is_loopback("mgr.example.com"));
    assert!(!is_loopback("192.0.2.1"));
}
