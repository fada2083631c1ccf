//! Tests of functions that wait: progress and interruption.

use std::io::{BufRead, BufReader, Read as _};
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::support::{
    INTERRUPT, Manager, Run, SilentHost, TERMINATE, assert_shown, assert_takes_less_than, now, program,
    signal,
};

const SLOW: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0011";
const PENDING: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013";

/// A lookup in progress.
fn spawn(manager: &Manager, arguments: &[&str]) -> Child {
    let mut command = manager.program(&["get"]);
    command
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn wait_for(manager: &Manager, id: &str) -> Child {
    let arguments = ["compute-manager-realization", "--delay=0", "-o=json", "--id", id];
    spawn(manager, &arguments)
}

#[test]
fn a_wait_reports_each_new_state_and_then_the_answer() {
    let manager = Manager::start();
    let mut child = wait_for(&manager, SLOW);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(
        child.try_wait().unwrap().is_none(),
        "reported only at the end: {first}"
    );
    let mut shown = first + "\n";
    for line in lines {
        shown.push_str(&(line.unwrap() + "\n"));
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["state"], json!("success"));
    assert_eq!(answer["registrationStatus"], json!("REGISTERED"));
    assert_shown!("progress", shown);
}

/// Ends a lookup with a signal, and returns the elapsed time and the output.
fn end(mut child: Child, by: &str) -> (Duration, String) {
    let asked = now();
    signal(&child, by);
    let status = child.wait().unwrap();
    let took = now() - asked;
    let (mut stdout, mut stderr) = (String::new(), String::new());
    child.stdout.unwrap().read_to_string(&mut stdout).unwrap();
    child.stderr.unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((status.code(), stdout.as_str()), (Some(130), ""), "{stderr}");
    (took, stderr)
}

#[test]
fn ctrl_c_ends_a_wait_at_once() {
    let manager = Manager::start();
    // The fastest of several runs, because a busy machine slows all of them.
    let times = (0..5).map(|_| {
        let mut child = wait_for(&manager, PENDING);
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        stderr.read_line(&mut first).unwrap();
        assert!(first.contains("pending"), "{first}");
        child.stderr = Some(stderr.into_inner());
        let (took, shown) = end(child, INTERRUPT);
        assert_eq!(shown, "error: interrupted\n");
        took
    });
    let best = times.min().unwrap();
    // On a busy machine, all of them can be late.
    let strict = std::env::var_os("NETMGR_TIMES").is_some_and(|times| times == "strict");
    let limit = if strict { 200 } else { 10_000 };
    assert!(best < Duration::from_millis(limit), "{best:?}");
}

#[test]
fn a_lookup_that_gets_no_answer_ends_on_request_too() {
    let manager = Manager::with(&["--fault", "GET * delay=60s"]);
    for by in [INTERRUPT, TERMINATE] {
        let mut child = spawn(&manager, &["manager-info", "-v"]);
        // The log shows that the login is done, so that the lookup is under way.
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        child.stderr = Some(stderr.into_inner());
        let (took, shown) = end(child, by);
        assert!(took < Duration::from_secs(5), "{took:?}");
        assert!(shown.ends_with("error: interrupted\n"), "{shown}");
    }
}

#[test]
fn a_deadline_is_kept_when_the_host_is_silent() {
    let silent = SilentHost::start();
    for session in ["true", "false"] {
        let mut command = program(["get", "manager-info", "--deadline", "1"]);
        command.envs([
            ("NETMGR_HOST", silent.url.as_str()),
            ("NETMGR_USERNAME", "admin"),
            ("NETMGR_PASSWORD", "x"),
            ("NETMGR_SESSION_AUTH", session),
        ]);
        assert_takes_less_than(Duration::from_secs(2), || {
            silent.time(|| assert!(Run::of(&mut command).failure(8).contains("deadline")))
        });
    }
}

#[test]
fn a_deadline_is_kept_when_the_host_is_silent_after_the_login() {
    let silent = ["GET * delay=60s", "* /api/session/destroy delay=60s"];
    let manager = Manager::with(&silent.map(|fault| ["--fault", fault]).concat());
    // Without a deadline, the end of a session may take two seconds.
    assert_takes_less_than(Duration::from_millis(2500), || {
        let mut child = spawn(&manager, &["manager-info", "--deadline=1", "-v"]);
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert!(line.contains("/api/session/create"), "{line}");
        let logged_in = now();
        assert_eq!(child.wait().unwrap().code(), Some(8));
        now() - logged_in
    });
}
