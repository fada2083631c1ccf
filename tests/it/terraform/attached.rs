//! A provider that was started manually: hosts find it by a variable.

use std::fmt::Write as _;
use std::process::Stdio;

use netmgr_sim::{DEFAULT_PASSWORD, DEFAULT_USERNAME, Inventory, Manager, ManagerSettings, Simulator};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::support::{Host, Module, POOL, POOL_ID, host, manager, serve, signal_to, until};
use crate::programs::program;

/// A provider that was started manually.
struct Attached {
    process: Child,
    /// The value of `TF_REATTACH_PROVIDERS`.
    variable: String,
}

impl Attached {
    async fn start(environment: &[(&str, String)]) -> Self {
        let mut process = Command::new(program("terraform-provider-netmgr"))
            .arg("--debug")
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        let variable = line.strip_prefix("TF_REATTACH_PROVIDERS='").unwrap();
        Self {
            process,
            variable: variable.strip_suffix('\'').unwrap().to_owned(),
        }
    }

    fn module(&self, host: &'static Host, text: &str) -> Module {
        let mut module = Module::new(host, text);
        module.set("TF_REATTACH_PROVIDERS", &self.variable);
        module
    }

    /// Interrupts the process, as a terminal does.
    async fn interrupt(mut self) {
        signal_to(&self.process.id().unwrap().to_string(), "INT");
        assert!(self.process.wait().await.unwrap().success());
    }
}

/// A provider block with the alias `alias` for a manager.
fn provider(alias: &str, manager: &Simulator) -> String {
    format!(
        "provider \"netmgr\" {{\n  alias = \"{alias}\"\n  host = \"{}\"\n  username = \"{DEFAULT_USERNAME}\"\n  \
         password = \"{DEFAULT_PASSWORD}\"\n  ca = <<-EOT\n{}\nEOT\n}}\n",
        manager.host(),
        manager.ca_pem().unwrap()
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn two_applies_use_one_process_that_ends_when_it_is_interrupted() {
    let host = host!("two_applies_use_one_process_that_ends_when_it_is_interrupted");
    let manager = manager().await;
    let provider = Attached::start(&manager.env()).await;
    let providers: Value = serde_json::from_str(&provider.variable).unwrap();
    let own = &providers[format!("{}/netmgr/netmgr", host.registry())];
    assert_eq!(own["Pid"], provider.process.id().unwrap());

    let module = provider.module(host, POOL);
    for _ in 0..2 {
        module.run("apply -auto-approve").await.succeeded();
    }
    assert_eq!(module.outputs().await["id"], POOL_ID);
    assert_eq!(module.started(), [""; 0], "the host started another process");
    // Each session ends with the connection of its host.
    until("logged out", || manager.open_sessions() == 0).await;
    provider.interrupt().await;
    let counters = manager.counters();
    assert!(counters.logins > 0);
    assert_eq!(counters.logins, counters.sessions_destroyed);
    let socket = own["Addr"]["String"].as_str().unwrap();
    assert!(!std::path::Path::new(socket).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_alias_is_answered_by_its_own_manager() {
    const POOLS: usize = 20;

    let host = host!("each_alias_is_answered_by_its_own_manager");
    let provider_process = Attached::start(&[]).await;
    let mut text = String::new();
    let mut managers = Vec::new();
    for alias in ["a", "b"] {
        let mut inventory = Inventory::empty();
        for number in 0..POOLS {
            let pool = json!({"id": format!("{alias}-{number}"), "display_name": format!("pool-{number}")});
            inventory.add("/api/v1/pools/ip-pools", pool).unwrap();
        }
        let manager = Manager::new(ManagerSettings::default(), inventory);
        let manager = serve(Simulator::builder().manager(manager)).await;
        text.push_str(&provider(alias, &manager));
        writeln!(
            text,
            "data \"netmgr_ip_pool\" \"{alias}\" {{\n  provider = netmgr.{alias}\n  count = {POOLS}\n  \
             display_name = \"pool-${{count.index}}\"\n}}\n\
             output \"{alias}\" {{ value = data.netmgr_ip_pool.{alias}[*].id }}"
        )
        .unwrap();
        managers.push(manager);
    }
    let module = provider_process.module(host, &text);
    module.run("apply -auto-approve").await.succeeded();
    let outputs = module.outputs().await;
    for alias in ["a", "b"] {
        let expected: Vec<_> = (0..POOLS).map(|number| format!("{alias}-{number}")).collect();
        assert_eq!(outputs[alias], json!(expected));
    }
    provider_process.interrupt().await;
    for manager in managers {
        assert_eq!(manager.open_sessions(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_host_ends_its_own_reads_alone() {
    let host = host!("an_interrupted_host_ends_its_own_reads_alone");
    let provider_process = Attached::start(&[]).await;
    let (first, second) = (manager().await, manager().await);
    let start = |manager: &Simulator| {
        let wait = super::interrupted::wait().replace("\"x\" {", "\"x\" {\n  provider = netmgr.a");
        let module = provider_process.module(host, &format!("{}{wait}", provider("a", manager)));
        let command = module.start("plan");
        (module, command)
    };
    let (_first_module, first_command) = start(&first);
    super::interrupted::waits(&first).await;
    let (_second_module, second_command) = start(&second);
    super::interrupted::waits(&second).await;
    Module::signal(&first_command, "INT");
    let output = first_command.wait_with_output().await.unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("Interrupted"));
    // Its session ends with its connection, while the other host continues to wait.
    until("logged out", || first.open_sessions() == 0).await;
    let polls = second.requests().len();
    until("polled again", || second.requests().len() > polls + 1).await;
    Module::signal(&second_command, "INT");
    second_command.wait_with_output().await.unwrap();
    until("logged out", || second.open_sessions() == 0).await;
    provider_process.interrupt().await;
}
