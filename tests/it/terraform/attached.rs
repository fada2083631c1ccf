//! A provider that was started by hand: the host finds it by a variable.

use std::process::Stdio;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use super::support::{Module, POOL, POOL_ID, host, manager, signal_to};

#[tokio::test(flavor = "multi_thread")]
async fn two_applies_use_one_process_that_ends_when_it_is_interrupted() {
    let host = host!("two_applies_use_one_process_that_ends_when_it_is_interrupted");
    let manager = manager().await;
    let mut provider = Command::new(host.built("terraform-provider-netmgr"))
        .arg("--debug")
        .envs(manager.env())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(provider.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().unwrap();
    let variable = line.strip_prefix("TF_REATTACH_PROVIDERS='").unwrap();
    let variable = variable.strip_suffix('\'').unwrap();
    let providers: Value = serde_json::from_str(variable).unwrap();
    let own = &providers[format!("{}/netmgr/netmgr", host.registry())];
    assert_eq!(own["Pid"], provider.id().unwrap());

    let mut module = Module::new(host, POOL);
    module.set("TF_REATTACH_PROVIDERS", variable);
    for _ in 0..2 {
        module.run("apply -auto-approve").await.succeeded();
    }
    assert_eq!(module.outputs().await["id"], POOL_ID);
    assert_eq!(module.started(), [""; 0], "the host started a process of its own");

    // Each configuration ends the session of the one before, and the end of the process that of the last.
    signal_to(&provider.id().unwrap().to_string(), "INT");
    assert!(provider.wait().await.unwrap().success());
    let counters = manager.counters();
    assert!(counters.logins > 0);
    assert_eq!(counters.logins, counters.sessions_destroyed);
    let socket = own["Addr"]["String"].as_str().unwrap();
    assert!(!std::path::Path::new(socket).exists());
}
