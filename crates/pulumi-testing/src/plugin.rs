//! A plugin as a process.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::{Client, FakeEngine, connect};

/// A running plugin.
pub struct Plugin {
    /// The process. It is killed when this is dropped.
    pub process: Child,
    /// The client of the engine.
    pub client: Client,
    /// The engine that it logs to.
    pub engine: FakeEngine,
}

impl Plugin {
    /// Starts a plugin with an engine, whose address is its last argument. Sends nothing.
    pub async fn start(mut command: Command) -> Self {
        let engine = FakeEngine::default();
        command.arg(engine.serve().await);
        let (process, port) = launch(command).await;
        Self {
            process,
            client: connect(port).await,
            engine,
        }
    }
}

/// Starts a plugin with the given command and reads its port. The process is killed when it is dropped.
pub async fn launch(mut command: Command) -> (Child, u16) {
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    stdout.read_line(&mut line).await.unwrap();
    (process, line.trim().parse().unwrap())
}
