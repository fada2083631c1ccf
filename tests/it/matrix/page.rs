//! The page of the documentation with the table of outcomes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use super::bench::Class;
use super::outcome::Outcome;
use super::rules::{Phase, Row};
use super::suite::Pair;
use crate::programs::root;

/// Writes the page instead of comparing it.
const WRITE: &str = "NETMGR_WRITE_FAILURES";

/// Compares `docs/failures.md` with the observed outcomes.
pub(super) fn check(rows: &[Row], pairs: &[Pair]) {
    let page = root().join("docs/failures.md");
    let text = text(rows, pairs);
    if std::env::var_os(WRITE).is_some() {
        fs::write(&page, text).expect("the page can be written");
        return;
    }
    let committed = fs::read_to_string(&page).unwrap_or_default();
    assert!(
        committed == text,
        "docs/failures.md differs from the results; update it with: {WRITE}=1 cargo test -p netmgr-tests --test \
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
# Failures

This page lists the outcomes of lookup functions when the manager fails. The test suite `matrix`, which generates it, calls
the functions of the specification and some that represent the others, each with its example input. The simulated manager
has one fault: in response to every read (\"permanent\") or only to the first one (\"once\"). The number in parentheses is
the maximum number of requests of a call, including logins. Empty cells are not tested. No call exceeds its deadline of
300 s; functions that wait for a realization have a `timeout` instead, which is 600 s.

If functions differ, the outcome without a name applies to all others. † means: functions that wait end with
\"wait exceeded\" (≤ 333).
";

/// The page. Consecutive faults with the same outcomes share a row.
fn text(rows: &[Row], pairs: &[Pair]) -> String {
    let mut lines: Vec<(String, [String; 2])> = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let outcomes = [Phase::Lasting, Phase::Once].map(|phase| {
            let of_phase = pairs
                .iter()
                .filter(|pair| pair.row == number && pair.phase == phase);
            cell(&of_phase.collect::<Vec<_>>())
        });
        let name = row.name.replace('|', "\\|");
        match lines.last_mut() {
            Some((names, same)) if *same == outcomes => *names = format!("{names}<br>{name}"),
            _ => lines.push((name, outcomes)),
        }
    }
    let mut text = format!("{HEAD}\n| Faults | Permanent | Once |\n|---|---|---|\n");
    for (names, [permanent, once]) in lines {
        writeln!(text, "| {names} | {permanent} | {once} |").expect("text grows");
    }
    text
}

/// The outcomes of one fault, the most frequent first.
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
    let cell = parts.collect::<Vec<_>>().join("; ");
    cell.replace("; functions that wait: wait exceeded (≤ 333)", " †")
}

/// The functions of a group: the name of their class if they are all of its functions.
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
