//! A plugin as a process: the example `echo`.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::{FakeEngine, until};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tonic::Code;

use crate::engine::{Client, bag, connect, text};

/// A running plugin.
struct Plugin {
    process: Child,
    stdout: BufReader<ChildStdout>,
    client: Client,
}

/// The example, which cargo builds along with the tests.
fn command(arguments: &[&str]) -> Command {
    let tests = std::env::current_exe().unwrap();
    let target = tests.parent().and_then(std::path::Path::parent).unwrap();
    let mut command = Command::new(
        target
            .join("examples")
            .join(format!("echo{}", std::env::consts::EXE_SUFFIX)),
    );
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// Starts the plugin and connects to the port on its first line.
async fn start(arguments: &[&str]) -> Plugin {
    start_command(command(arguments)).await
}

async fn start_command(mut command: Command) -> Plugin {
    let mut process = command
        .spawn()
        .expect("the example is built: cargo build --example echo");
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).await.unwrap();
    let port = line.strip_suffix('\n').and_then(|port| port.parse().ok());
    let client = connect(port.unwrap_or_else(|| panic!("no port line but {line:?}"))).await;
    Plugin {
        process,
        stdout,
        client,
    }
}

impl Plugin {
    /// Waits for the end of the process, which must come soon and without a further word.
    async fn ends(mut self) -> ExitStatus {
        // Waiting would close stdin, which is another reason to end.
        let _held = self.process.stdin.take();
        let status = soon(self.process.wait()).await;
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).await.unwrap();
        self.process
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut rest)
            .await
            .unwrap();
        assert_eq!(rest, "");
        status.unwrap()
    }

    fn signal(&self, signal: &str) {
        let pid = self.process.id().unwrap().to_string();
        let status = std::process::Command::new("kill")
            .args([signal, &pid])
            .status()
            .unwrap();
        assert!(status.success());
    }
}

fn invoke(token: &str) -> rpc::InvokeRequest {
    rpc::InvokeRequest {
        tok: token.into(),
        args: bag([("a", text("b"))]),
        preview: false,
    }
}

#[tokio::test]
async fn the_port_is_the_first_line_whatever_the_arguments() {
    let lines: [&[&str]; 5] = [
        &[],
        &["127.0.0.1:1"],
        &["--logtostderr", "-v=9", "127.0.0.1:1"],
        &["127.0.0.1:1", "--tracing", "tcp://127.0.0.1:9411"],
        &["--from-the-future", "value", "-x"],
    ];
    for arguments in lines {
        let mut plugin = start(arguments).await;
        let info = plugin.client.get_plugin_info(()).await.unwrap().into_inner();
        assert_eq!(info.version, "1.2.3", "{arguments:?}");
        plugin.signal("-TERM");
        assert!(plugin.ends().await.success(), "{arguments:?}");
    }
}

#[tokio::test]
async fn a_function_runs_in_the_process() {
    let mut plugin = start(&["127.0.0.1:1"]).await;
    let answer = plugin
        .client
        .invoke(invoke("echo:index:echo"))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(answer.r#return, bag([("a", text("b"))]));
}

#[tokio::test]
async fn signals_end_the_process_well_even_with_calls_outstanding() {
    for signal in ["-INT", "-TERM"] {
        let engine = FakeEngine::default();
        let plugin = start(&[&engine.serve().await]).await;
        let call = waiting(&plugin, &engine).await;
        plugin.signal(signal);
        assert_eq!(soon(call).await.unwrap().code(), Code::Cancelled);
        assert!(plugin.ends().await.success(), "{signal}");
    }
}

#[tokio::test]
async fn the_process_ends_when_the_engine_closes_stdin() {
    let mut plugin = start(&["127.0.0.1:1"]).await;
    drop(plugin.process.stdin.take());
    assert!(plugin.ends().await.success());
}

#[tokio::test]
async fn a_cancel_does_not_end_the_process() {
    let mut plugin = start(&["127.0.0.1:1"]).await;
    plugin.client.cancel(()).await.unwrap();
    plugin.client.cancel(()).await.unwrap();
    stays(plugin).await;
}

#[tokio::test]
async fn a_plugin_started_by_hand_does_not_care_about_stdin() {
    let mut plugin = start(&[]).await;
    drop(plugin.process.stdin.take());
    stays(plugin).await;
}

#[tokio::test]
async fn an_empty_stdin_is_not_a_closed_one() {
    let mut command = command(&["127.0.0.1:1"]);
    command.stdin(Stdio::null());
    stays(start_command(command).await).await;
}

#[tokio::test]
async fn the_process_ends_with_its_parent_whatever_stdin_is() {
    let plugin = command(&["127.0.0.1:1"]);
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$@\" </dev/null & wait", "sh"]);
    shell
        .arg(plugin.as_std().get_program())
        .args(plugin.as_std().get_args());
    let mut parent = shell.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let mut lines = BufReader::new(parent.stdout.take().unwrap()).lines();
    assert!(lines.next_line().await.unwrap().is_some(), "no port");
    parent.start_kill().unwrap();
    // The plugin has the other end of this pipe.
    assert_eq!(soon(lines.next_line()).await.unwrap(), None);
}

/// Waits for what must come soon.
async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future)
        .await
        .expect("not within a minute")
}

/// Checks that the process goes on answering.
async fn stays(mut plugin: Plugin) {
    let _held = plugin.process.stdin.take();
    let ended = tokio::time::timeout(Duration::from_millis(300), plugin.process.wait()).await;
    assert!(ended.is_err(), "the plugin ended");
    plugin.client.get_plugin_info(()).await.unwrap();
}

#[tokio::test]
async fn the_log_goes_to_the_engine_of_the_argument_the_handshake_or_the_attachment() {
    let [first, second, third] = [
        FakeEngine::default(),
        FakeEngine::default(),
        FakeEngine::default(),
    ];
    let mut plugin = start(&[&first.serve().await]).await;
    waiting(&plugin, &first).await;

    let engine_address = second.serve().await;
    let request = rpc::ProviderHandshakeRequest {
        engine_address,
        ..Default::default()
    };
    plugin.client.handshake(request).await.unwrap();
    waiting(&plugin, &second).await;

    plugin
        .client
        .attach(rpc::PluginAttach {
            address: third.serve().await,
        })
        .await
        .unwrap();
    waiting(&plugin, &third).await;

    for engine in [first, second, third] {
        let reported = engine.reported.lock().unwrap();
        let reported: Vec<_> = reported.iter().map(|m| (&*m.message, m.ephemeral)).collect();
        assert_eq!(reported, [("waiting", true)]);
    }
}

/// Starts a call that lasts until it is cancelled, and waits until the engine has heard of it.
async fn waiting(plugin: &Plugin, engine: &FakeEngine) -> tokio::task::JoinHandle<tonic::Status> {
    let mut client = plugin.client.clone();
    let call = tokio::spawn(async move { client.invoke(invoke("echo:index:wait")).await.unwrap_err() });
    until("logged", || !engine.reported.lock().unwrap().is_empty()).await;
    call
}
