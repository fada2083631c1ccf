//! The page of the documentation with the table of outcomes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::bench::Class;
use super::outcome::Outcome;
use super::rules::{Phase, Row};
use super::suite::Pair;

/// Set to write the page instead of comparing it.
const WRITE: &str = "NETMGR_WRITE_FAILURES";

/// Compares `docs/failures.md` with what was seen.
pub(super) fn check(rows: &[Row], pairs: &[Pair]) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/failures.md");
    let text = text(rows, pairs);
    if std::env::var_os(WRITE).is_some() {
        fs::write(&page, text).expect("the page can be written");
        return;
    }
    let committed = fs::read_to_string(&page).unwrap_or_default();
    assert!(
        committed == text,
        "docs/failures.md differs from what was seen; write it anew with: {WRITE}=1 cargo test -p netmgr-tests --test \
         it matrix::suite\n{}",
        first_difference(&committed, &text)
    );
}

fn first_difference(committed: &str, seen: &str) -> String {
    let lines = committed
        .lines()
        .zip(seen.lines())
        .find(|(committed, seen)| committed != seen);
    lines.map_or_else(String::new, |(committed, seen)| {
        format!("committed: {committed}\nseen:      {seen}")
    })
}

const HEAD: &str = "\
# What each failure leads to

Every lookup function was called with the input of its example while the simulated manager made one fault: at every read
while it lasts, or at the first read alone when it happens once. The table lists how the calls ended and the most
requests that one call may send, logins included. No call takes longer than its deadline of 300 s. A function that waits
for a realization has its `timeout` instead, 600 s in these calls.

Where functions differ, the outcome without a name is that of all others.

This page is written by the test suite `matrix` of the workspace. Do not edit it.
";

fn text(rows: &[Row], pairs: &[Pair]) -> String {
    let mut text = format!("{HEAD}\n| Fault | While it lasts | When it happens once |\n|---|---|---|\n");
    for (number, row) in rows.iter().enumerate() {
        let cell = |phase| {
            let of_phase = pairs
                .iter()
                .filter(|pair| pair.row == number && pair.phase == phase);
            cell(&of_phase.collect::<Vec<_>>())
        };
        let name = row.name.replace('|', "\\|");
        writeln!(
            text,
            "| {name} | {} | {} |",
            cell(Phase::Lasting),
            cell(Phase::Once)
        )
        .expect("text grows");
    }
    text
}

/// The outcomes of one fault, the commonest first.
fn cell(pairs: &[&Pair]) -> String {
    let mut groups: BTreeMap<&Outcome, Vec<&Pair>> = BTreeMap::new();
    for pair in pairs {
        groups.entry(&pair.course.outcome).or_default().push(pair);
    }
    let mut groups: Vec<(&Outcome, Vec<&Pair>)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.len()));
    let parts = groups.iter().enumerate().map(|(place, (outcome, group))| {
        let most = group.iter().map(|pair| pair.most).max().unwrap_or_default();
        let ending = format!("{outcome} (≤ {most})");
        match place {
            0 => ending,
            _ => format!("{}: {ending}", who(group, pairs)),
        }
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// The functions of a group: as a class where they are a whole one.
fn who(group: &[&Pair], all: &[&Pair]) -> String {
    for (class, name) in [
        (Class::Waits, "functions that wait"),
        (Class::Searches, "functions that search"),
        (Class::Lists, "functions that read lists"),
        (Class::Reads, "functions that read one document"),
    ] {
        let whole = all.iter().filter(|pair| pair.class == class).count();
        if group.iter().all(|pair| pair.class == class) && group.len() == whole {
            return name.to_owned();
        }
    }
    let names: Vec<String> = group.iter().map(|pair| format!("`{}`", pair.function)).collect();
    names.join(", ")
}
