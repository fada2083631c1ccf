//! The subjects of measurement: the plugin as the engine calls it, and the same lookups without sharing.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use futures_util::{StreamExt as _, stream};
use netmgr_lookups::{Call, Lookups};
use netmgr_transport::Client;
use netmgr_types::ProviderConfig;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::time::Instant;

use crate::load::{MeasuredLoad, MeasuredLookup};
use crate::plugin::Plugin;
use crate::process::ProcessUsage;
use crate::simulator::SimulatorProcess;

/// The outcome of a run of lookups.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunOutcome {
    /// From the configuration to the last answer.
    pub(crate) seconds: f64,
    /// Lookups that failed.
    pub(crate) failed: usize,
    /// Lookups that were answered with another object.
    pub(crate) wrong: usize,
    /// The first failure.
    pub(crate) first_failure: Option<String>,
    /// Before the configuration.
    pub(crate) before: ProcessUsage,
    /// After the last answer.
    pub(crate) after: ProcessUsage,
    /// Size of the answers as JSON.
    pub(crate) answer_bytes: usize,
}

/// Number of concurrent lookups.
pub(crate) type Parallel = usize;

/// Runs lookups through the plugin, as the engine does.
pub(crate) async fn plugin(
    program: &Path,
    simulator: &SimulatorProcess,
    session: bool,
    lookups: &[MeasuredLookup],
    parallel: Parallel,
) -> RunOutcome {
    let plugin = Plugin::start_program(program, []).await;
    let variable = |name: &str| simulator.environment()[name].clone();
    let settings = json!({
        "host": variable("NETMGR_HOST"),
        "username": variable("NETMGR_USERNAME"),
        "password": variable("NETMGR_PASSWORD"),
        "ca": std::fs::read_to_string(variable("NETMGR_CA_FILE")).unwrap(),
        "sessionAuth": session,
    });
    let id = plugin.process.id().unwrap();
    let before = ProcessUsage::of(id);
    let start = Instant::now();
    plugin.configure(settings).await.unwrap();
    let invoke =
        async |lookup: &MeasuredLookup| match plugin.invoke(lookup.function, lookup.input.clone()).await {
            Ok(Ok(output)) => Ok(output),
            Ok(Err(failures)) => Err(format!("{failures:?}")),
            Err(status) => Err(status.message().to_owned()),
        };
    let mut outcome = run(lookups, parallel, invoke).await;
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome.before = before;
    outcome.after = ProcessUsage::of(id);
    outcome
}

/// Runs a command of the command line, which prints a line for each object. With `lookups`, they are its input, and its
/// lines have to be their answers in the same order.
pub(crate) async fn command(
    program: &Path,
    simulator: &SimulatorProcess,
    arguments: &[&str],
    lookups: Option<&[MeasuredLookup]>,
) -> RunOutcome {
    let mut input = tempfile::NamedTempFile::new().unwrap();
    for lookup in lookups.unwrap_or_default() {
        let line = json!({"function": lookup.function, "input": lookup.input});
        writeln!(input, "{line}").unwrap();
    }
    let start = Instant::now();
    let mut process = tokio::process::Command::new(program)
        .args(arguments)
        .envs(simulator.environment())
        .stdin(std::fs::File::open(input.path()).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let id = process.id().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut outcome = RunOutcome::default();
    let mut expected = lookups.unwrap_or_default().iter();
    while let Some(line) = lines.next_line().await.unwrap() {
        // Its memory is released when it ends, so it is read from time to time.
        if outcome.answer_bytes == 0
            || outcome.answer_bytes >> 16 != (outcome.answer_bytes + line.len()) >> 16
        {
            let usage = ProcessUsage::of(id);
            // The last lines may be read after its end.
            if usage.peak_mib > 0.0 {
                outcome.after = usage;
            }
        }
        outcome.answer_bytes += line.len();
        let Some(lookup) = expected.next() else { continue };
        let answer: Value = serde_json::from_str(&line).unwrap();
        if answer["output"]["id"] != lookup.id.as_str() {
            outcome.wrong += 1;
            outcome.first_failure.get_or_insert(line);
        }
    }
    outcome.failed = usize::from(!process.wait().await.unwrap().success()) + expected.count();
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome
}

/// Runs lookups in a separate process that calls the library, without sharing requests between them.
pub(crate) async fn alone(
    simulator: &SimulatorProcess,
    load: MeasuredLoad,
    count: usize,
    parallel: Parallel,
) -> RunOutcome {
    let child = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["alone", load.name, &count.to_string(), &parallel.to_string()])
        .envs(simulator.environment())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    serde_json::from_slice(&child.await.unwrap().stdout).unwrap()
}

/// The process behind [`alone`].
pub(crate) async fn be_alone(load: MeasuredLoad, count: usize, parallel: Parallel) -> RunOutcome {
    let before = ProcessUsage::of(std::process::id());
    let start = Instant::now();
    let config = ProviderConfig::default().with_env(|name| std::env::var(name).ok());
    let client = Client::builder(config.unwrap().resolve().unwrap())
        .build()
        .unwrap();
    let call = Call::default();
    let invoke = async |lookup: &MeasuredLookup| {
        // Lookups only share requests within a set, and each lookup is a separate set here. All use one client with its
        // session, its connections and its limits.
        let lookups = Lookups::new(client.clone());
        let output = lookups.invoke(lookup.function, lookup.input.clone(), &call);
        output.await.map_err(|error| error.to_string())
    };
    let mut outcome = run(&load.lookups(count), parallel, invoke).await;
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome.before = before;
    outcome.after = ProcessUsage::of(std::process::id());
    outcome
}

async fn run(
    lookups: &[MeasuredLookup],
    parallel: Parallel,
    invoke: impl AsyncFn(&MeasuredLookup) -> Result<Value, String>,
) -> RunOutcome {
    let invoke = &invoke;
    let answers: Vec<_> = stream::iter(lookups)
        .map(async |lookup| (lookup, invoke(lookup).await))
        .buffer_unordered(parallel)
        .collect()
        .await;
    let mut outcome = RunOutcome::default();
    for (lookup, answer) in answers {
        let failure = match answer {
            Ok(output) => {
                outcome.answer_bytes += output.to_string().len();
                if output["id"] == lookup.id.as_str() {
                    continue;
                }
                outcome.wrong += 1;
                format!("{} {} is answered with {output}", lookup.function, lookup.input)
            }
            Err(reason) => {
                outcome.failed += 1;
                format!("{} {}: {reason}", lookup.function, lookup.input)
            }
        };
        outcome.first_failure.get_or_insert(failure);
    }
    outcome
}
