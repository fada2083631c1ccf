use super::*;

#[test]
fn every_documented_form_is_read() {
    for (text, base_url) in [
        ("mgr.example.com", "https://mgr.example.com"),
        ("MGR.Example.com", "https://mgr.example.com"),
        ("mgr", "https://mgr"),
        ("mgr_1.example.com.", "https://mgr_1.example.com."),
        ("192.0.2.10", "https://192.0.2.10"),
        ("https://mgr.example.com", "https://mgr.example.com"),
        ("HTTPS://mgr.example.com", "https://mgr.example.com"),
        ("mgr.example.com:8443", "https://mgr.example.com:8443"),
        ("[2001:db8::1]", "https://[2001:db8::1]"),
        ("[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
        ("2001:DB8:0::1", "https://[2001:db8::1]"),
        ("https://2001:db8::1/p", "https://[2001:db8::1]/p"),
        ("mgr.example.com/", "https://mgr.example.com"),
        (
            "https://proxy/vmc/reverse-proxy/a/",
            "https://proxy/vmc/reverse-proxy/a",
        ),
        ("proxy//a//b", "https://proxy/a/b"),
        ("  mgr.example.com\n", "https://mgr.example.com"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("HTTP://127.8.9.1", "http://127.8.9.1"),
        ("http://[::1]:1/x", "http://[::1]:1/x"),
        ("http://::1", "http://[::1]"),
    ] {
        let host: Host = text.parse().unwrap();
        assert_eq!(host.base_url(), base_url, "{text}");
        assert_eq!(host.to_string(), base_url, "{text}");
        assert_eq!(Host::parse(base_url).unwrap(), host, "{text}");
    }
}

#[test]
fn parts_are_kept_apart() {
    assert_eq!(
        Host::parse("[2001:db8::1]:8443/a/b/").unwrap(),
        Host {
            scheme: "https",
            name: "2001:db8::1".to_owned(),
            port: Some(8443),
            prefix: "/a/b".to_owned(),
        }
    );
    assert_eq!(
        Host::parse("[2001:db8::1]:8443/a").unwrap().authority(),
        "[2001:db8::1]:8443"
    );
}

#[test]
fn other_texts_are_refused_with_the_reason() {
    let name = |text: &str| InvalidHost::Name(text.to_owned());
    let port = |text: &str| InvalidHost::Port(text.to_owned());
    for (text, expected) in [
        ("", InvalidHost::Empty),
        ("  ", InvalidHost::Empty),
        ("https://", InvalidHost::Empty),
        ("https:///a", InvalidHost::Empty),
        (":443", InvalidHost::Empty),
        ("ftp://mgr", InvalidHost::Scheme("ftp".to_owned())),
        ("http://mgr.example.com", InvalidHost::Unencrypted),
        ("http://127.example.com", InvalidHost::Unencrypted),
        ("http://localhost.example.com", InvalidHost::Unencrypted),
        ("mgr?x=1", InvalidHost::Query),
        ("mgr/a#b", InvalidHost::Query),
        ("mgr example", name("mgr example")),
        ("mgr..example", name("mgr..example")),
        ("mgr\\a", name("mgr\\a")),
        ("münchen.example", name("münchen.example")),
        ("192.0.2.300", name("192.0.2.300")),
        ("10.1", name("10.1")),
        ("[mgr]", name("[mgr]")),
        ("[::1", name("[::1")),
        ("[::1]8", name("[::1]8")),
        ("2001:db8::1:70000", name("2001:db8::1:70000")),
        ("mgr:", port("")),
        ("mgr:0", port("0")),
        ("mgr:+1", port("+1")),
        ("mgr:65536", port("65536")),
        ("mgr:https", port("https")),
        ("mgr/a b", InvalidHost::Prefix("/a b".to_owned())),
    ] {
        assert_eq!(Host::parse(text), Err(expected), "{text}");
    }
}

#[test]
fn a_password_in_the_host_is_refused_without_being_repeated() {
    for text in [
        "https://admin:hunter2@mgr",
        "admin:hunter2@mgr:8443/a",
        "https://admin:hun?ter2@mgr",
        "hunter2://a@b",
        "admin:hunter2/a@mgr",
    ] {
        let error = Host::parse(text).unwrap_err();
        assert_eq!(error, InvalidHost::Userinfo);
        assert!(!error.to_string().contains("hunter2"));
    }
}

proptest::proptest! {
    #[test]
    fn prop_parsing_never_panics_and_what_is_read_reads_back(text in r"\PC{0,24}|(https?://)?[a-z0-9.:\[\]/-]{0,24}") {
        if let Ok(host) = Host::parse(&text) {
            proptest::prop_assert_eq!(Host::parse(&host.base_url()), Ok(host));
        }
    }
}
