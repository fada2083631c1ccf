//! Measures lookups: requests, connections, time and memory, against a simulated manager in another process with
//! 50 ms latency and 100 requests a second (decision measurements). `cargo xtask bench` builds the binaries and runs it; it prints a
//! table and writes `target/bench-lookups.json`. Letters choose scenarios, such as `abe`; default all. A second argument
//! chooses one of the installations of `i` and `j` by its size: `10^6`.
//!
//! | | Scenario |
//! |---|---|
//! | a | 1,000 mixed lookups at once through the plugin |
//! | b | the same, 32 in parallel |
//! | c | the same at once without sharing, in a process that calls the library |
//! | d | maps of 1,000, 10,000 and 100,000 objects |
//! | e | one lookup of a plugin that has just started |
//! | g | 10 to 10,000 lookups at once |
//! | h | one lookup by name among 1,000, 10,000 and 100,000 objects of its kind |
//! | k | 1,000 lookups of 60 kinds at once |
//! | l | 2,000 lookups at once by distinct ids, of 400 collections in 100 projects |
//! | i | installations of 1,000 to 1,000,000 objects: one lookup, 1,000 at once, a map, a list. Only if chosen |
//! | j | a batch of 100,000 lines of the command line in each of these installations. Only if chosen |

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "it prints figures")]

#[path = "../../tests/it/plugin.rs"]
#[allow(dead_code, reason = "tests need more")]
mod plugin;

mod load;
mod process;
mod report;
mod simulator;
mod subject;

use std::path::{Path, PathBuf};

use serde_json::json;

use load::{INSTALLATIONS, LARGE_LOAD, MeasuredLoad, MeasuredLookup, SMALL_LOAD, WIDE_LOAD};
use report::ReportRow;
use simulator::{LATENCY_MS, SimulatorProcess};

/// Default number of lookups.
const LOOKUPS: usize = 1000;

/// Lines of a batch.
const LINES: usize = 100_000;

/// The binaries that are measured.
struct Programs {
    plugin: PathBuf,
    simulator: PathBuf,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["alone", load, count, parallel] = arguments[..] {
        let (count, parallel) = (count.parse().unwrap(), parallel.parse().unwrap());
        let outcome = subject::be_alone(MeasuredLoad::named(load), count, parallel).await;
        println!("{}", json!(outcome));
        return;
    }
    let chosen = arguments.first().copied().unwrap_or("abcdeghkl");
    let target = target();
    let installations: Vec<MeasuredLoad> = INSTALLATIONS
        .into_iter()
        .filter(|load| arguments.get(1).is_none_or(|size| *size == load.name))
        .collect();
    let folder =
        std::env::var_os("NETMGR_BENCH_PROGRAMS").map_or_else(|| target.join("release"), PathBuf::from);
    let programs = Programs {
        plugin: folder.join("pulumi-resource-netmgr"),
        simulator: folder.join("netmgr"),
    };
    let mut rows = Vec::new();
    report::print_head();
    for scenario in chosen.chars() {
        rows.extend(run(scenario, &programs, &installations).await);
    }
    report::write(&rows, &target.join("bench-lookups.json"));
}

async fn run(scenario: char, programs: &Programs, installations: &[MeasuredLoad]) -> Vec<ReportRow> {
    let mut rows = Vec::new();
    let mut add = |row: ReportRow| {
        report::print(&row);
        rows.push(row);
    };
    match scenario {
        'a' => {
            for load in [SMALL_LOAD, LARGE_LOAD] {
                add(programs
                    .lookups('a', "at once", load, LOOKUPS, LOOKUPS, false)
                    .await);
            }
            add(programs
                .lookups('a', "at once, HTTP/2", SMALL_LOAD, LOOKUPS, LOOKUPS, true)
                .await);
        }
        'b' => {
            for load in [SMALL_LOAD, LARGE_LOAD] {
                add(programs
                    .lookups('b', "32 in parallel", load, LOOKUPS, 32, false)
                    .await);
            }
        }
        'c' => {
            for load in [SMALL_LOAD, LARGE_LOAD] {
                let simulator = SimulatorProcess::start(&programs.simulator, &load.inventory(), false);
                let outcome = subject::alone(&simulator, load, LOOKUPS, LOOKUPS).await;
                let counted = simulator.end();
                add(ReportRow::new(
                    'c',
                    "at once, not shared",
                    load.name,
                    LOOKUPS,
                    outcome,
                    &counted,
                ));
            }
        }
        'd' => {
            for count in [1_000, 10_000, 100_000] {
                add(programs
                    .groups('d', format!("map of {count}"), count, load::map())
                    .await);
            }
        }
        'e' => {
            for (what, function, id, session, requests) in COLD {
                let lookup = MeasuredLookup {
                    function,
                    input: match id {
                        "" => json!({}),
                        id => json!({"displayName": id}),
                    },
                    id: match id {
                        "" => "manager-info".to_owned(),
                        _ => "id-05-00007".to_owned(),
                    },
                };
                add(programs.cold(what, lookup, session, requests).await);
            }
        }
        'g' => {
            for count in [10, 100, 1_000, 10_000] {
                add(programs
                    .lookups('g', "at once", SMALL_LOAD, count, count, false)
                    .await);
            }
        }
        'h' => {
            for count in [1_000, 10_000, 100_000] {
                let (id, name) = load::group(count / 2);
                let lookup = MeasuredLookup {
                    function: "getNsGroup",
                    input: json!({"displayName": name}),
                    id,
                };
                add(programs
                    .groups('h', format!("a name among {count}"), count, lookup)
                    .await);
            }
        }
        'k' => {
            add(programs
                .lookups('k', "at once", WIDE_LOAD, LOOKUPS, LOOKUPS, false)
                .await);
        }
        'l' => {
            let simulator = SimulatorProcess::start(&programs.simulator, &LARGE_LOAD.inventory(), false);
            let lookups = LARGE_LOAD.by_id(2 * LOOKUPS);
            let outcome = subject::plugin(&programs.plugin, &simulator, true, &lookups, 2 * LOOKUPS).await;
            let counted = simulator.end();
            let count = lookups.len();
            add(ReportRow::new(
                'l',
                "at once, by id",
                LARGE_LOAD.name,
                count,
                outcome,
                &counted,
            ));
        }
        'i' => {
            for load in installations {
                let inventory = load.inventory();
                println!("  {} objects", load.objects());
                for (what, lookups) in [
                    ("one by name, policy", vec![load.one("getPolicyEdgeCluster")]),
                    ("one by name, manager API", vec![load.one("getNsGroup")]),
                    ("a map", vec![load::map()]),
                    ("at once", load.lookups(LOOKUPS)),
                ] {
                    let simulator = SimulatorProcess::start(&programs.simulator, &inventory, false);
                    let outcome =
                        subject::plugin(&programs.plugin, &simulator, true, &lookups, LOOKUPS).await;
                    add(ReportRow::new(
                        'i',
                        what,
                        load.name,
                        lookups.len(),
                        outcome,
                        &simulator.end(),
                    ));
                }
                let simulator = SimulatorProcess::start(&programs.simulator, &inventory, false);
                let list = ["list", "policy-edge-cluster", "-o", "ndjson"];
                let outcome = subject::command(&programs.simulator, &simulator, &list, None).await;
                println!("  the simulator needs {:.0} MiB", simulator.peak_mib());
                add(ReportRow::new(
                    'i',
                    "a list",
                    load.name,
                    1,
                    outcome,
                    &simulator.end(),
                ));
            }
        }
        'j' => {
            for load in installations {
                let simulator = SimulatorProcess::start(&programs.simulator, &load.inventory(), false);
                let lookups = load.lookups(LINES);
                let outcome =
                    subject::command(&programs.simulator, &simulator, &["batch"], Some(&lookups)).await;
                add(ReportRow::new(
                    'j',
                    "batch",
                    load.name,
                    LINES,
                    outcome,
                    &simulator.end(),
                ));
            }
        }
        other => panic!("there is no scenario {other}"),
    }
    rows
}

/// Cold lookups: description, function, name, whether with a session, and number of sequential requests.
const COLD: [(&str, &str, &str, bool, u64); 3] = [
    ("one, basic", "getIpPool", "kind 05 object 00007 amber", false, 1),
    ("one, session", "getIpPool", "kind 05 object 00007 amber", true, 2),
    ("the version, session", "getManagerInfo", "", true, 2),
];

impl Programs {
    /// Lookups of the mix, with a session.
    async fn lookups(
        &self,
        scenario: char,
        what: &str,
        load: MeasuredLoad,
        count: usize,
        parallel: usize,
        http2: bool,
    ) -> ReportRow {
        let simulator = SimulatorProcess::start(&self.simulator, &load.inventory(), http2);
        let outcome = subject::plugin(&self.plugin, &simulator, true, &load.lookups(count), parallel).await;
        ReportRow::new(scenario, what, load.name, count, outcome, &simulator.end())
    }

    /// One lookup among `count` groups.
    async fn groups(&self, scenario: char, what: String, count: usize, lookup: MeasuredLookup) -> ReportRow {
        let simulator = SimulatorProcess::start(&self.simulator, &load::groups(count), false);
        let outcome = subject::plugin(&self.plugin, &simulator, true, &[lookup], 1).await;
        ReportRow::new(scenario, what, "groups", 1, outcome, &simulator.end())
    }

    /// One lookup of a plugin that has just started.
    async fn cold(&self, what: &str, lookup: MeasuredLookup, session: bool, requests: u64) -> ReportRow {
        let simulator = SimulatorProcess::start(&self.simulator, &SMALL_LOAD.inventory(), false);
        let outcome = subject::plugin(&self.plugin, &simulator, session, &[lookup], 1).await;
        let floor = (requests * LATENCY_MS) as f64 / 1e3;
        ReportRow::new('e', what, SMALL_LOAD.name, 1, outcome, &simulator.end()).floor(floor)
    }
}

/// The folder that cargo builds into.
fn target() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
