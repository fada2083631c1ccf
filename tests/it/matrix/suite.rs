//! Runs every function under every fault and compares.

use std::collections::{BTreeMap, BTreeSet, btree_map};
use std::thread;
use std::time::Duration;

use netmgr_lookups::{ALL, FunctionEntry};
use netmgr_types::Deployment;

use super::bench::{Class, Login, Normal, Shared, course, normal};
use super::faults::rows;
use super::outcome::Course;
use super::page;
use super::rules::{Phase, Row};
use crate::lookups::table::is_specified;

/// The client's own deadline.
const DEADLINE: Duration = Duration::from_secs(300);
/// The `timeout` of the examples of the functions that wait, and the grace period of the last poll.
const WAIT: Duration = Duration::from_secs(600 + 31);

/// Further functions, one for each kind of read: an object, one in a VPC, one below an enforcement point, a list, a
/// single object, a wait, inventory with additional requests, and the manager API.
const FAMILIES: [&str; 8] = [
    "getPolicyGroup",
    "getVpcSubnet",
    "getPolicyTransportZone",
    "getPolicyServices",
    "getPolicyIdpsSettings",
    "getPolicyGatewayInterfaceRealization",
    "getPolicyVm",
    "getTransportZone",
];

/// One function under one fault.
pub(super) struct Pair {
    pub(super) row: usize,
    pub(super) phase: Phase,
    pub(super) function: &'static str,
    pub(super) class: Class,
    pub(super) course: Course,
    /// The maximum number of its requests.
    pub(super) most: u32,
    /// The violated rule, if any.
    wrong: Option<String>,
}

#[test]
fn every_function_ends_well_under_every_fault() {
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names.len(), rows.len(), "two faults have one name");
    // Two threads, because each function uses one core and machines have at least two.
    let entries = ALL
        .iter()
        .filter(|entry| is_specified(entry.spec.name) || FAMILIES.contains(&entry.spec.name));
    let (even, odd): (Vec<_>, Vec<_>) = entries.enumerate().partition(|(number, _)| number % 2 == 0);
    let mut pairs: Vec<Pair> = thread::scope(|scope| {
        let halves = [even, odd].map(|half| scope.spawn(|| run(half, &rows)));
        halves
            .into_iter()
            .flat_map(|half| half.join().expect("panics of calls are outcomes"))
            .collect()
    });
    pairs.sort_by_key(|pair| (pair.row, pair.phase, pair.function));

    let mut findings = Findings::default();
    for pair in &pairs {
        if let Some(wrong) = &pair.wrong {
            findings.add(&rows[pair.row].name, pair, wrong);
        }
    }
    assert!(findings.0.is_empty(), "{}", findings.0.join("\n"));
    page::check(&rows, &pairs);
}

/// The findings, grouped by fault and finding.
#[derive(Default)]
struct Findings(Vec<String>);

impl Findings {
    fn add(&mut self, row: &str, pair: &Pair, wrong: &str) {
        let start = format!("{row} ({:?}): {wrong}: ", pair.phase);
        match self.0.iter_mut().find(|finding| finding.starts_with(&start)) {
            Some(finding) => {
                let end = finding.find('\n').unwrap_or(finding.len());
                finding.insert_str(end, &format!(", {}", pair.function));
            }
            None => self.0.push(format!(
                "{start}{}\n  for example {}",
                pair.function, pair.course.text
            )),
        }
    }
}

fn run(entries: Vec<(usize, &'static FunctionEntry)>, rows: &[Row]) -> Vec<Pair> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build();
    runtime.expect("a runtime starts").block_on(async {
        let manager = Shared::new();
        let mut pairs = Vec::new();
        for (_, entry) in entries {
            let mut known = BTreeMap::new();
            for (number, row) in rows.iter().enumerate() {
                if !row.concerns(entry.spec.name) {
                    continue;
                }
                if row.login == Login::CloudToken
                    && !entry.spec.availability.includes(Deployment::HostedCloud)
                {
                    continue;
                }
                let normal = &*match known.entry(row.login) {
                    btree_map::Entry::Occupied(known) => known.into_mut(),
                    btree_map::Entry::Vacant(free) => free.insert(normal(&manager, entry, row.login).await),
                };
                for phase in row.phases() {
                    pairs.push(pair(&manager, entry, (number, row), phase, normal).await);
                }
            }
        }
        pairs
    })
}

async fn pair(
    manager: &Shared,
    entry: &'static FunctionEntry,
    (number, row): (usize, &Row),
    phase: Phase,
    normal: &Normal,
) -> Pair {
    let deadline = row.deadline.map(Duration::from_secs);
    let course = course(
        manager,
        entry,
        row.login,
        &row.faults(phase),
        deadline,
        &normal.answer,
    )
    .await;
    let rule = row.rule(phase, normal.class, entry.spec.name);
    let most = rule.most(normal);
    let longest = match normal.class {
        Class::Waits => WAIT,
        _ => deadline.unwrap_or(DEADLINE),
    };
    let wrong = if !rule.allows(&course.outcome) {
        Some(format!("{}, expected {}", course.outcome, rule.expected()))
    } else if course.requests > most {
        Some(format!("{} requests, at most {most} expected", course.requests))
    } else if course.logins > rule.most_logins() {
        Some(format!(
            "{} logins, at most {} expected",
            course.logins,
            rule.most_logins()
        ))
    } else if course.time > longest + Duration::from_millis(10) {
        Some(format!("took {:?}, at most {longest:?} expected", course.time))
    } else {
        None
    };
    Pair {
        row: number,
        phase,
        function: entry.spec.name,
        class: normal.class,
        course,
        most,
        wrong,
    }
}
