//! Tests of what `doctor` prints.

use super::*;

fn sample() -> Vec<Finding> {
    vec![
        Finding::ok(DoctorCheck::Settings, "https://mgr.example.com, policy manager"),
        Finding::warn(
            DoctorCheck::Tls,
            "TLS 1.3; the certificate expires in 3 days",
            "renew the manager's certificate",
        )
        .note("certificate of CN=mgr, SHA-256 00:11"),
        Finding::fail(
            DoctorCheck::Login,
            "the manager rejected the login: \u{1b}[31mno",
            "check the user name and the password",
            Exit::Unauthenticated,
        ),
    ]
}

#[test]
fn lines_are_aligned_and_wrapped() {
    let lines = |width| {
        let lines: String = sample().iter().map(|finding| finding.lines(width)).collect();
        anstream::adapter::strip_str(&lines).to_string()
    };
    insta::assert_snapshot!("wide", lines(None));
    insta::assert_snapshot!("narrow", lines(Some(60)));
}

#[test]
fn only_the_status_has_a_colour() {
    let colored = sample()[0].lines(None);
    assert!(
        colored.starts_with("\u{1b}[1m\u{1b}[32mok    \u{1b}[0msettings "),
        "{colored:?}"
    );
}

#[test]
fn the_first_failure_decides_and_the_rest_is_listed() {
    let mut report = DoctorReport {
        findings: Vec::new(),
        words: Words::default(),
        live: false,
    };
    assert_eq!(report.exit(), Exit::Success);
    for finding in sample() {
        report.add(finding).unwrap();
    }
    let late = Finding::fail(DoctorCheck::Role, "x", "y", Exit::PermissionDenied);
    report.add(late).unwrap();
    assert_eq!(report.exit(), Exit::Unauthenticated);
    assert_eq!(
        report.summary(),
        "Not checked after the failure: name resolution, TCP, clock, version, rate limits, search index\n"
    );
    let document = report.document();
    assert_eq!(document["status"], "fail");
    assert_eq!(document["exitCode"], 5);
    assert_eq!(document["notChecked"][0], "nameResolution");
    assert_eq!(document["checks"][1]["action"], "renew the manager's certificate");
}
