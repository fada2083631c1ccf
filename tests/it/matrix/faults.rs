//! The faults, each with its rule. Rules follow from the fault: whether it is transient, and which requests it concerns.

use super::bench::{Class, Login};
use super::outcome::*;
use super::rules::{POLLS, Row, Rule, harmless, lasting, passing, refused, repeated};

/// The kind of body of a status.
const PAGE: &str = "body=html";

pub(super) fn rows() -> Vec<Row> {
    [
        statuses(),
        answers(),
        connections(),
        sessions(),
        logins(),
        pages(),
        indexes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Every relevant status, with the manager's body and with a proxy's page.
fn statuses() -> Vec<Row> {
    let bad_request = |name, effect: &str| {
        // A rejected search is repeated once, and then the list is read.
        lasting(name, effect, &[REFUSED]).but(Class::Searches, Rule::of(&[REFUSED]).more(2))
    };
    let missing = |name, effect: &str| {
        // If an API or object may be missing, the search or the list and the version are also read once.
        Row::new(name, effect, Rule::of(&[NOT_FOUND, UNSUPPORTED]).more(3))
    };
    let page_too_large = Rule::of(&[UNAVAILABLE]).attempts(8);
    vec![
        bad_request("400, bad request", "status=400 code=220417"),
        bad_request("400, page of a proxy", &format!("status=400 {PAGE}")),
        refused("401, token rejected", "status=401", &[NO_LOGIN]),
        refused("401, page of a proxy", &format!("status=401 {PAGE}"), &[NO_LOGIN]),
        refused("403, login refused (code 403)", "status=403", &[NO_LOGIN]),
        refused("403, bad XSRF token (code 98)", "status=403 code=98", &[NO_LOGIN]),
        // The specification has the text "Cluster not found" for a missing permission.
        lasting("403, role denied (code 401)", "status=403 code=401", &[DENIED])
            .but_of("getPolicyClusterSecurityConfig", Rule::of(&[NOT_FOUND])),
        lasting(
            "403, role denied, in an error body with odd fields",
            r#"status=403 body={"error_code":"401","error_message":7,"details":["x"],"related_errors":"x"}"#,
            &[DENIED],
        )
        .but_of("getPolicyClusterSecurityConfig", Rule::of(&[NOT_FOUND])),
        lasting("403, no licence (code 505)", "status=403 code=505", &[UNLICENSED]),
        refused(
            "403, page of a proxy",
            &format!("status=403 {PAGE}"),
            &[NO_LOGIN, DENIED, REFUSED],
        )
        .once(Rule::of(&[Right, NO_LOGIN, DENIED, REFUSED]).logins(2).more(2)),
        missing("404, object missing (code 600)", "status=404"),
        missing("404, page of a proxy", &format!("status=404 {PAGE}")),
        missing("404, without a body", "status=404 body=empty"),
        lasting("407, page of a proxy", &format!("status=407 {PAGE}"), &[REFUSED]),
        lasting("408, timeout of the manager", "status=408", &[UNAVAILABLE])
            .waits_may_go_on(&[UNAVAILABLE], 1),
        lasting(
            "408, page of a proxy",
            &format!("status=408 {PAGE}"),
            &[UNAVAILABLE],
        )
        .waits_may_go_on(&[UNAVAILABLE], 1),
        repeated("409, conflict", "status=409", &[REFUSED]),
        repeated("409, page of a proxy", &format!("status=409 {PAGE}"), &[REFUSED]),
        lasting("412, stale revision (code 206)", "status=412", &[REFUSED]),
        passing("429, rate exceeded (code \"102\")", "status=429", &[THROTTLED]),
        passing(
            "429, page of a proxy",
            &format!("status=429 {PAGE}"),
            &[THROTTLED],
        ),
        passing(
            "429, with Retry-After 3 s",
            "status=429 retry-after=3",
            &[THROTTLED],
        ),
        passing("500, general error", "status=500", &[FAILED]),
        passing("500, page of a proxy", &format!("status=500 {PAGE}"), &[FAILED]),
        passing(
            "500, datastore reconfiguring (code 607)",
            "status=500 code=607",
            &[UNAVAILABLE],
        ),
        passing(
            "500, component unreachable (code 98)",
            "status=500 code=98",
            &[UNAVAILABLE],
        ),
        Row::new(
            "500, certificate not trusted (code 99)",
            "status=500 code=99",
            Rule::of(&[NO_LOGIN]).logins(2).attempts(2),
        ),
        lasting("501, page of a proxy", &format!("status=501 {PAGE}"), &[FAILED])
            .waits_may_go_on(&[FAILED], 1),
        passing("502, of the manager", "status=502", &[UNAVAILABLE]),
        passing(
            "502, page of a proxy",
            &format!("status=502 {PAGE}"),
            &[UNAVAILABLE],
        ),
        passing("503, overloaded (code 901)", "status=503", &[UNAVAILABLE]),
        passing(
            "503, page of a proxy",
            &format!("status=503 {PAGE}"),
            &[UNAVAILABLE],
        ),
        passing("503, without a body", "status=503 body=empty", &[UNAVAILABLE]),
        passing(
            "503, with Retry-After 3 s",
            "status=503 retry-after=3",
            &[UNAVAILABLE],
        ),
        Row::new(
            "503, page too large (code 60576)",
            "status=503 code=60576",
            page_too_large,
        )
        .waits_may_go_on(&[UNAVAILABLE], 1)
        .once(Rule::of(&[Right, UNAVAILABLE]).more(1)),
        passing("504, of the manager", "status=504", &[UNAVAILABLE]),
        passing(
            "504, page of a proxy",
            &format!("status=504 {PAGE}"),
            &[UNAVAILABLE],
        ),
        doubtful(
            "302, to a login page",
            "status=302 header=location:/login.jsp",
            REFUSED,
        ),
        doubtful(
            "307, to another node",
            "status=307 header=location:https://node-b.example/api/v1/x?token=1",
            REFUSED,
        ),
    ]
}

/// A reply that may be a login page: the session is verified, and renewed once.
fn doubtful(name: &str, effect: &str, outcome: Outcome) -> Row {
    refused(name, effect, std::slice::from_ref(&outcome)).once(Rule::of(&[outcome]).more(1))
}

/// A successful reply that is not an answer.
fn answers() -> Vec<Row> {
    let not_an_answer = |name, effect: &str| lasting(name, effect, &[UNEXPECTED]);
    vec![
        doubtful("200, page of a proxy", PAGE, UNEXPECTED),
        not_an_answer("200, text", "body=text"),
        not_an_answer("200, without a body", "body=empty"),
        not_an_answer("200, `null`", "body=null"),
        not_an_answer("200, `{}`", "body={}"),
        not_an_answer("200, a different object", r#"body={"name":"x"}"#),
        refused(
            "200, `redirectUrl`",
            r#"body={"redirectUrl":"/login.jsp"}"#,
            &[NO_LOGIN],
        ),
        passing(
            "200, error object (code 607)",
            "status=200 code=607 message=Datastore_reconfiguring",
            &[UNAVAILABLE],
        ),
        not_an_answer("200, corrupt gzip", "gzip=corrupt"),
        harmless("wrong content type", "content-type=text/html", 0),
        harmless("20 long headers", "padding=20x200", 0),
        harmless("a cookie with a changing value", "cookie=changing", 0),
        harmless("a new cookie in each response", "cookie=new", 0),
    ]
}

/// Connections that break or do not respond.
fn connections() -> Vec<Row> {
    let silent = &[NO_CONNECTION, DEADLINE];
    vec![
        passing("reset before the response", "reset", &[NO_CONNECTION]),
        passing("reset in the body", "reset=body", &[NO_CONNECTION]),
        passing("truncated body, with a length", "truncate", &[NO_CONNECTION]),
        passing(
            "truncated body, without a length",
            "truncate=unsized",
            &[NO_CONNECTION],
        ),
        harmless("response after 30 s", "delay=30s", 0),
        passing(
            "response after 61 s, beyond the attempt timeout",
            "delay=61s",
            silent,
        ),
        passing(
            "response after 1000 s, beyond every deadline",
            "delay=1000s",
            silent,
        ),
        Row::new(
            "response after 30 s, with a deadline of 20 s",
            "delay=30s",
            Rule::of(&[DEADLINE]),
        )
        .deadline(20)
        .but(Class::Waits, Rule::of(&[Right])),
    ]
}

/// Sessions and tokens that expire. The limit of requests includes the login that follows.
fn sessions() -> Vec<Row> {
    let unaccepted = |name, effect: &str| refused(name, effect, &[NO_LOGIN]);
    vec![
        unaccepted("session expired", "session-loss"),
        ended(
            "session expired, 302 to a login page",
            "session-loss status=302 header=location:/login.jsp",
            REFUSED,
        ),
        ended(
            "session expired, 200 with a login page",
            "session-loss body=html",
            UNEXPECTED,
        ),
        unaccepted("wrong XSRF token", "xsrf-change"),
        unaccepted("another node responds", "node-switch"),
        unaccepted("cloud: token expired", "token-loss").login(Login::CloudToken),
        unaccepted("cloud: 401", "status=401").login(Login::CloudToken),
        refused(
            "cloud: 403, page of a proxy",
            &format!("status=403 {PAGE}"),
            &[NO_LOGIN, DENIED, REFUSED],
        )
        .login(Login::CloudToken)
        .once(
            Rule::of(&[Right, NO_LOGIN, DENIED, REFUSED, UNSUPPORTED])
                .logins(2)
                .more(2),
        ),
        basic("Basic: 401", "status=401", &[NO_LOGIN]),
        basic("Basic: 403, login refused (code 403)", "status=403", &[NO_LOGIN]),
        basic(
            "Basic: 403, page of a proxy",
            &format!("status=403 {PAGE}"),
            &[NO_LOGIN, DENIED, REFUSED],
        ),
    ]
}

/// A session that ends with a login page instead of a rejection: it is verified, and renewed once.
fn ended(name: &str, effect: &str, outcome: Outcome) -> Row {
    Row::new(name, effect, Rule::of(&[outcome]).logins(2).attempts(2).more(1))
        .once(Rule::of(&[Right]).logins(2).more(2))
}

/// Every request is a login: rejected at most twice, including the confirmation.
fn basic(name: &str, effect: &str, outcomes: &[Outcome]) -> Row {
    Row::new(name, effect, Rule::of(outcomes).logins(0).attempts(0).more(2)).login(Login::Basic)
}

const CREATE: &str = "POST /api/session/create";
const EXCHANGE: &str = "POST /csp/*";

/// Logins that fail.
fn logins() -> Vec<Row> {
    // Only the login is sent.
    let only = |logins| Rule::of(&[NO_LOGIN]).logins(logins).attempts(0);
    let login = |name: &str, effect: &str, rule| {
        Row::on(format!("login: {name}"), &format!("{CREATE} {effect}"), rule)
    };
    // A login that may have been counted is sent four times in three minutes, the last time after a request without the
    // password. A login that was not processed is repeated as often as a read.
    let again = |name: &str, effect: &str, outcomes: &[Outcome], logins| {
        login(
            name,
            effect,
            Rule::of(outcomes).logins(logins).attempts(0).more(7 - logins),
        )
        .waits_may_go_on(outcomes, 16)
        .once(Rule::of(&[Right]).logins(2))
    };
    let exchange = |name: &str, effect: &str, outcomes: &[Outcome], logins| {
        let rule = Rule::of(outcomes).logins(logins).attempts(0);
        Row::on(
            format!("cloud, token exchange: {name}"),
            &format!("{EXCHANGE} {effect}"),
            rule,
        )
        .login(Login::CloudToken)
    };
    let of_a_proxy = &[NO_LOGIN, DENIED, REFUSED];
    vec![
        login("account locked, or wrong password", "lockout", only(1)),
        login("401", "status=401", only(1)),
        login("403 (code 403)", "status=403", only(1)),
        login(
            "403, page of a proxy",
            &format!("status=403 {PAGE}"),
            Rule::of(of_a_proxy).logins(2).attempts(0),
        ),
        login(
            "404",
            "status=404",
            Rule::of(&[NO_LOGIN, REFUSED, NOT_FOUND]).attempts(0),
        ),
        login(
            "200, page of a proxy",
            PAGE,
            Rule::of(&[NO_LOGIN, UNEXPECTED]).attempts(0),
        ),
        login(
            "307",
            "status=307 header=location:/login.jsp",
            Rule::of(&[NO_LOGIN, REFUSED]).attempts(0),
        ),
        again("429", "status=429", &[THROTTLED], 5).waits_may_go_on(&[THROTTLED], POLLS),
        again("500 (code 607)", "status=500 code=607", &[UNAVAILABLE], 4),
        again(
            "502, page of a proxy",
            &format!("status=502 {PAGE}"),
            &[UNAVAILABLE],
            4,
        ),
        again("503", "status=503", &[UNAVAILABLE], 4),
        again("reset", "reset", &[NO_CONNECTION], 4),
        again("response after 61 s", "delay=61s", &[NO_CONNECTION, DEADLINE], 5),
        exchange(
            "400",
            r#"status=400 body={"moduleCode":340,"message":"invalid_grant"}"#,
            &[NO_LOGIN],
            1,
        ),
        exchange("503", "status=503", &[UNAVAILABLE], 5)
            .waits_may_go_on(&[UNAVAILABLE], POLLS)
            .once(Rule::of(&[Right]).logins(2)),
        exchange(
            "502, page of a proxy",
            &format!("status=502 {PAGE}"),
            &[UNAVAILABLE],
            5,
        )
        .waits_may_go_on(&[UNAVAILABLE], POLLS)
        .once(Rule::of(&[Right]).logins(2)),
    ]
}

/// The maximum number of pages of two rows in any list of the examples, and a margin.
const PAGES: u32 = 40;
/// The number of pages after which an endless read is abandoned.
const ENDLESS: u32 = 4000;
/// The requests that a client sends in one second.
const PER_SECOND: u32 = 91;

/// Invalid pages of lists and searches.
fn pages() -> Vec<Row> {
    let paged = |name, effect: &str| harmless(name, &format!("page-size=2 {effect}"), PAGES);
    // A list that changes is read twice. Then a map is an error, and any other answer has a warning.
    let changing = |name: &'static str, effect: &str| {
        Row::new(
            name,
            &format!("page-size=2 {effect}"),
            Rule::of(&[Right, UNEXPECTED]).more(2 * PAGES),
        )
    };
    vec![
        paged("pages of two rows", ""),
        paged("a cursor to an empty page", "cursor=dangling"),
        paged("the last page repeats its cursor", "cursor=repeat-last"),
        // The pages after the second one cannot be reached.
        Row::new(
            "every page repeats its cursor",
            "page-size=2 cursor=repeat",
            Rule::of(&[Right, Part, NOT_FOUND, UNEXPECTED]).more(PAGES),
        )
        .but(Class::Waits, Rule::of(&[Right]))
        .but(Class::Reads, Rule::of(&[Right])),
        Row::new(
            "endless cursors to the same rows",
            "cursor=endless",
            Rule::of(&[Right, UNEXPECTED]).more(PAGES),
        )
        .but(Class::Waits, Rule::of(&[Right]))
        .but(Class::Reads, Rule::of(&[Right])),
        // Each takes thousands of pages, so only two functions are tested.
        Row::new(
            "endless pages of new rows",
            "cursor=growing",
            Rule::of(&[UNEXPECTED]).more(ENDLESS),
        )
        .only(&["getIpPool", "getPolicyCertificate"]),
        Row::new(
            "endless pages of new rows, with a deadline of 1 s",
            "cursor=growing",
            Rule::of(&[DEADLINE]).more(PER_SECOND),
        )
        .deadline(1)
        .but(Class::Waits, Rule::of(&[Right]))
        .but(Class::Reads, Rule::of(&[Right])),
        paged("duplicate rows", "duplicates"),
        paged("count absent", "result-count=absent"),
        paged("count too low", "result-count=too-small"),
        paged("count too high", "result-count=too-big"),
        changing("count that shrinks", "result-count=shrinking"),
        changing("count that grows", "result-count=growing"),
        harmless("a malformed row on every page", "malformed", 1),
    ]
}

/// Faults that only affect the search index. The list has the answer.
fn indexes() -> Vec<Row> {
    let search = |name: &str, effect: &str, rule| {
        let rule: Rule = rule;
        Row::on(
            format!("search: {name}"),
            &format!("GET */search/* {effect}"),
            Rule::of(&[Right]),
        )
        .but(Class::Searches, rule.clone())
        .once(rule)
    };
    // The list of virtual machines ends with an empty page.
    let list = || Rule::of(&[Right]).more(3);
    vec![
        search(
            "the index is still empty",
            r#"body={"results":[],"result_count":0}"#,
            list(),
        ),
        search(
            "index is being rebuilt (code 60508)",
            "status=400 code=60508",
            list(),
        ),
        search("timed out (code 60514)", "status=400 code=60514", list()),
        search(
            "index is out of sync (code 60515)",
            "status=400 code=60515",
            list(),
        ),
        search("query rejected (code 258)", "status=400 code=258", list()),
        search("404", "status=404", list()),
        search("200, `{}`", "body={}", Rule::of(&[Right, UNEXPECTED]).more(2)),
    ]
}
