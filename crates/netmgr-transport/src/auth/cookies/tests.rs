use super::*;

const SESSION: &str = "JSESSIONID";

fn here() -> Arc<Url> {
    site(&Host::parse("mgr.example.com").unwrap()).unwrap()
}

fn reply<'a>(cookies: impl IntoIterator<Item = &'a str>) -> HeaderMap {
    let headers = cookies
        .into_iter()
        .filter_map(|cookie| HeaderValue::try_from(cookie).ok());
    headers.map(|value| (SET_COOKIE, value)).collect()
}

fn of_login<'a>(cookies: impl IntoIterator<Item = &'a str>) -> Cookies {
    Cookies::of_login(&reply(cookies), SESSION, &here())
}

fn text_at(cookies: &Cookies, path: &str) -> String {
    let header = cookies.header(&path.parse().unwrap());
    header.map_or_else(String::new, |header| header.to_str().unwrap().to_owned())
}

fn text(cookies: &Cookies) -> String {
    text_at(cookies, "/policy/api/v1/infra?x=1")
}

#[test]
fn a_cookie_that_no_request_has_is_ignored_for_a_reason() {
    for (cookie, reason) in [
        ("JSESSIONID=s; Path=/api", None),
        ("JSESSIONID=s; Path=/; Secure", None),
        (
            "JSESSIONID=s; Path=/policy/ui",
            Some(IgnoredCookie::Path("/policy/ui".to_owned())),
        ),
        ("JSESSIONID=s; Max-Age=0", Some(IgnoredCookie::Expired)),
        (
            "JSESSIONID=s; Domain=other.example",
            Some(IgnoredCookie::Domain("other.example".to_owned())),
        ),
    ] {
        let reply = reply([cookie]);
        let has = Cookies::of_login(&reply, SESSION, &here()).has(SESSION);
        let ignored = why_ignored(&reply, SESSION, &here()).filter(|_| !has);
        assert_eq!((has, ignored), (reason.is_none(), reason), "{cookie}");
    }
}

#[test]
fn a_cookie_belongs_to_its_path_and_a_deletion_to_its_own() {
    let mut cookies = of_login(["JSESSIONID=s1; Path=/", "JSESSIONID=; Path=/old; Max-Age=0"]);
    assert!(cookies.has(SESSION));
    assert_eq!(text(&cookies), "JSESSIONID=s1");
    for other in [
        "JSESSIONID=; Path=/old; Max-Age=0",
        "JSESSIONID=s2; Path=/old",
        "JSESSIONID=s2; Path=/; Domain=other.example.com",
        "JSESSIONID=s2; Path=/policy",
    ] {
        assert!(!cookies.update(&reply([other])), "{other}");
        assert_eq!(text(&cookies), "JSESSIONID=s1", "{other}");
    }
    assert!(cookies.update(&reply(["JSESSIONID=s2; path=/; HttpOnly"])));
    assert_eq!(text(&cookies), "JSESSIONID=s2");
    assert!(cookies.update(&reply([
        "JSESSIONID=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"
    ])));
    assert!(!cookies.has(SESSION));
}

#[test]
fn a_cookie_of_another_path_or_host_is_not_sent() {
    let cookies = of_login([
        "JSESSIONID=s1; Path=/; Secure",
        "A=1; Path=/policy",
        "B=1; Path=/api",
        "C=1; Domain=other.example.com",
        "D=1; Domain=example.com",
    ]);
    assert_eq!(text(&cookies), "A=1; D=1; JSESSIONID=s1");
    assert_eq!(text_at(&cookies, "/api/v1/x"), "B=1; D=1; JSESSIONID=s1");
}

#[test]
fn a_cookie_without_a_path_belongs_to_the_whole_host() {
    let mut cookies = of_login(["JSESSIONID=s1"]);
    assert_eq!(text(&cookies), "JSESSIONID=s1");
    assert!(cookies.update(&reply(["JSESSIONID=s2; Path=/"])));
    assert_eq!(text(&cookies), "JSESSIONID=s2");
}

#[test]
fn cookies_of_a_path_prefix_are_those_below_it() {
    let site = site(&Host::parse("proxy.example.com/vmc/nsx").unwrap()).unwrap();
    let set = reply(["JSESSIONID=s1; Path=/vmc", "A=1; Path=/other"]);
    let cookies = Cookies::of_login(&set, SESSION, &site);
    assert_eq!(text_at(&cookies, "/api/v1/x"), "JSESSIONID=s1");
}

#[test]
fn a_secure_cookie_is_not_sent_without_tls_except_to_this_machine() {
    for (host, sent) in [("http://127.0.0.1:80", true), ("mgr", true)] {
        let site = site(&Host::parse(host).unwrap()).unwrap();
        let cookies = Cookies::of_login(&reply(["JSESSIONID=s1; Secure"]), SESSION, &site);
        assert_eq!(text(&cookies).is_empty(), !sent, "{host}");
    }
}

#[test]
fn a_later_reply_changes_values_and_adds_no_cookie() {
    let mut cookies = of_login(["ROUTE=a", "JSESSIONID=1"]);
    cookies.update(&reply(["ROUTE=b", "NEW=x"]));
    assert_eq!(text(&cookies), "JSESSIONID=1; ROUTE=b");
}

#[test]
fn the_cookies_of_a_login_are_bounded_in_number_and_the_session_is_kept() {
    let many: Vec<_> = (0..100).map(|number| format!("c{number}=v")).collect();
    let cookies = of_login(many.iter().map(String::as_str).chain(["JSESSIONID=1"]));
    assert_eq!(cookies.store.iter_unexpired().count(), MOST);
    assert!(cookies.has(SESSION));
}

#[test]
fn the_cookies_of_a_login_are_bounded_in_size() {
    let long = |name: &str, length| format!("{name}={}", "x".repeat(length));
    let (a, b) = (long("A", 5000), long("B", 5000));
    let mut cookies = of_login([a.as_str(), b.as_str(), "JSESSIONID=1"]);
    assert!(cookies.has(SESSION) && cookies.has("A") && !cookies.has("B"));
    assert!(!cookies.update(&reply([long(SESSION, 2000).as_str()])));
    assert!(text(&cookies).contains("JSESSIONID=1"));
    cookies.update(&reply(["JSESSIONID=2"]));
    assert!(text(&cookies).contains("JSESSIONID=2"));
}

/// Whatever a manager sets, the header is short and legible, and later replies add no cookie.
#[test]
fn fuzz_cookies() {
    let words = [
        "JSESSIONID=",
        "ROUTE=",
        "; Path=/",
        "; Path=/policy",
        "; Domain=example.com",
        "; Max-Age=0",
        "; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "=",
        ";",
        "\n",
        "\n\n",
        "\"",
    ];
    fuzz_testing::fuzz("cookies", &words, |input| {
        let input = String::from_utf8_lossy(input);
        let lines: Vec<&str> = input.split('\n').collect();
        // An empty line separates the login from later replies.
        let end = lines.iter().position(|line| line.is_empty());
        let (login, later) = lines.split_at(end.unwrap_or(lines.len()));
        let mut cookies = of_login(login.iter().copied());
        let count = |cookies: &Cookies| cookies.store.iter_unexpired().count();
        let before = count(&cookies);
        for line in later {
            cookies.update(&reply([*line]));
        }
        assert!(count(&cookies) <= before, "a later reply adds cookies");
        let length: usize = cookies.store.iter_unexpired().map(length).sum();
        assert!(before <= MOST && length <= LONGEST);
        let header = cookies.header(&"/policy/api".parse().unwrap());
        if let Some(header) = &header {
            assert!(header.is_sensitive());
        }
        format!("{} {} {}", before.min(3), cookies.has(SESSION), header.is_some())
    });
}

#[test]
fn a_domain_that_is_the_host_names_the_same_cookie() {
    let mut cookies = of_login(["JSESSIONID=s1; Path=/"]);
    assert!(cookies.update(&reply(["JSESSIONID=s2; Path=/; Domain=mgr.example.com"])));
    assert_eq!(text(&cookies), "JSESSIONID=s2");
    assert!(cookies.update(&reply(["JSESSIONID=; Path=/; Max-Age=0"])));
    assert!(!cookies.has(SESSION));
}

#[test]
fn a_secure_cookie_of_a_host_without_tls_is_sent() {
    for host in [
        "http://127.0.0.1:8080",
        "http://127.8.0.1",
        "http://localhost",
        "http://[::1]",
    ] {
        let site = site(&Host::parse(host).unwrap()).unwrap();
        let set = reply(["JSESSIONID=s1; Path=/; Secure; HttpOnly; SameSite=Lax"]);
        let cookies = Cookies::of_login(&set, SESSION, &site);
        assert_eq!(text(&cookies), "JSESSIONID=s1", "{host}");
    }
}

#[test]
fn the_domain_of_an_address_is_the_address() {
    let site = site(&Host::parse("10.0.0.1").unwrap()).unwrap();
    let set = reply(["JSESSIONID=s1; Path=/; Domain=10.0.0.1"]);
    assert_eq!(text(&Cookies::of_login(&set, SESSION, &site)), "JSESSIONID=s1");
}
