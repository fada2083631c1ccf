//! Unplanned ends: interrupts, killed hosts and killed providers.

use std::io::Write as _;
use std::time::Duration;

use netmgr_sim::Simulator;
use pulumi_testing::within;
use tokio::time::Instant;

use crate::processes::ignores_hangups;

use super::support::{Module, host, manager, signal_to, until};

const PENDING: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013";

/// A read that would take twenty minutes.
pub(super) fn wait() -> String {
    format!(
        "data \"netmgr_compute_manager_realization\" \"x\" {{\n  id      = \"{PENDING}\"\n  delay   = 0\n  \
         timeout = 1200\n}}\n"
    )
}

pub(super) async fn waits(manager: &Simulator) {
    let state = format!("/api/v1/fabric/compute-managers/{PENDING}/state");
    let requested = || manager.requests().iter().any(|request| request.path == state);
    until("requested the state", requested).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_ends_a_wait_and_the_session() {
    let host = host!("an_interrupt_ends_a_wait_and_the_session");
    let manager = manager().await;
    let module = Module::new(host, &wait()).with(&manager);
    let command = module.start("plan");
    waits(&manager).await;
    Module::signal(&command, "INT");
    let output = command.wait_with_output().await.unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(text.contains("Interrupted"), "{text}");
    assert!(!text.contains("did not respond"), "{text}");
    assert_eq!(module.running(), [""; 0]);
    let counters = manager.counters();
    assert_eq!((counters.logins, counters.sessions_destroyed), (1, 1));
}

/// The session ends after the lookups, so its end shows that they have ended.
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_ends_lookups_and_the_session_at_once() {
    let host = host!("an_interrupt_ends_lookups_and_the_session_at_once");
    within(Duration::from_millis(200), async || {
        let manager = manager().await;
        let module = Module::new(host, &wait()).with(&manager);
        let command = module.start("plan");
        waits(&manager).await;
        let interrupted = Instant::now();
        Module::signal(&command, "INT");
        until("logged out", || manager.counters().sessions_destroyed == 1).await;
        let took = interrupted.elapsed();
        command.wait_with_output().await.unwrap();
        took
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_ends_with_a_host_that_is_killed() {
    let host = host!("a_provider_ends_with_a_host_that_is_killed");
    let manager = manager().await;
    let module = Module::new(host, &wait()).with(&manager);
    let mut command = module.start("plan");
    waits(&manager).await;
    assert!(!module.running().is_empty());
    command.start_kill().unwrap();
    command.wait().await.unwrap();
    until("no provider runs", || module.running().is_empty()).await;
    assert_eq!(manager.counters().sessions_destroyed, 1);
    assert_eq!(module.sockets(), Vec::<std::path::PathBuf>::new());
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_closed_terminal_ends_the_host_and_the_session() {
    let host = host!("a_closed_terminal_ends_the_host_and_the_session");
    if ignores_hangups("self") {
        let skipped = "skipped a_closed_terminal_ends_the_host_and_the_session: hangups are ignored here";
        writeln!(std::io::stderr(), "{skipped}").unwrap();
        return;
    }
    let manager = manager().await;
    let module = Module::new(host, &wait()).with(&manager);
    let mut command = module.start("plan");
    waits(&manager).await;
    Module::signal(&command, "HUP");
    command.wait().await.unwrap();
    until("no provider runs", || module.running().is_empty()).await;
    assert_eq!((manager.counters().logins, manager.open_sessions()), (1, 0));
    assert_eq!(module.sockets(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_whose_provider_is_killed_reports_it() {
    let host = host!("a_host_whose_provider_is_killed_reports_it");
    let manager = manager().await;
    let module = Module::new(host, &wait()).with(&manager);
    let command = module.start("plan");
    waits(&manager).await;
    for id in module.running() {
        signal_to(&id, "KILL");
    }
    let output = command.wait_with_output().await.unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    // The report depends on whether the host first notices the end of the process or of the connection.
    let reports = ["Plugin did not respond", "Request cancelled"];
    assert!(reports.iter().any(|report| text.contains(report)), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_of_a_wait_is_in_the_log() {
    let host = host!("progress_of_a_wait_is_in_the_log");
    let manager = manager().await;
    let mut module = Module::new(host, &wait().replace("1200", "1")).with(&manager);
    module.set("TF_LOG_PROVIDER", "INFO");
    let errors = module.run("plan").await.failed();
    assert!(
        errors.contains(&format!("waiting for compute manager {PENDING}: pending")),
        "{errors}"
    );
    assert!(errors.contains("Error: Deadline exceeded"), "{errors}");
}
