//! Security advisories about the crates in Cargo.lock, found by cargo-deny.
//!
//! Where the public database cannot be reached, cargo-deny reads a copy made from the committed
//! `advisories.tsv`, which has one line per advisory with the versions that it does not concern, and no texts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use time::{Date, OffsetDateTime};
use toml_edit::{DocumentMut, de, table, value};

use crate::{Error, process};

const DATABASE: &str = "https://github.com/RustSec/advisory-db";
const SNAPSHOT: &str = "xtask/advisories.tsv";

/// The first words of the snapshot, followed by the commit and its date.
const HEADER: &str = "# RustSec advisory database at commit";
/// What `kind` is for an advisory about a vulnerability; others are informational.
const VULNERABILITY: &str = "vulnerability";

/// The part of an advisory that decides whether a version is affected.
#[derive(Debug, Deserialize)]
struct File {
    advisory: Advisory,
    versions: Versions,
}

#[derive(Debug, Deserialize)]
struct Advisory {
    id: String,
    package: String,
    informational: Option<String>,
    withdrawn: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Versions {
    #[serde(default)]
    patched: Vec<String>,
    #[serde(default)]
    unaffected: Vec<String>,
}

/// Checks Cargo.lock against the public database or, if it cannot be reached, against the snapshot.
pub(crate) fn check(root: &Path) -> Result<(), Error> {
    if deny(root, &["fetch", "db"]).output()?.status.success() {
        return process::run(&mut deny(root, &["check", "advisories"]));
    }
    let snapshot = fs::read_to_string(root.join(SNAPSHOT))?;
    let date = header(&snapshot)?;
    let age = OffsetDateTime::now_utc().date() - date;
    println!(
        "The advisory database cannot be reached. Its snapshot of {date} is used, which is {} days old.",
        age.whole_days()
    );
    let folder = root.join("target/advisories");
    let repository = write_repository(&folder.join("source"), &snapshot)?;
    let config = write_config(root, &folder)?;
    // cargo-deny accepts only addresses with a host, so Git replaces the address by the folder.
    process::run(
        deny(root, &["--config"])
            .arg(config)
            .args(["check", "advisories"])
            .env("GIT_CONFIG_COUNT", "1")
            .env(
                "GIT_CONFIG_KEY_0",
                format!("url.file://{}.insteadOf", repository.display()),
            )
            .env("GIT_CONFIG_VALUE_0", DATABASE),
    )
}

/// Rewrites the snapshot from a clone of the database.
pub(crate) fn renew(root: &Path, database: &Path) -> Result<(), Error> {
    let git = |arguments: &[&str]| process::output(process::command("git", database).args(arguments));
    let head = git(&["log", "-1", "--format=%H %cs"])?;
    let mut lines = Vec::new();
    for path in git(&["ls-tree", "-r", "--name-only", "HEAD", "crates"])?.lines() {
        if path.ends_with(".md") {
            let text = git(&["show", &format!("HEAD:{path}")])?;
            lines.extend(line(&text).map_err(|error| format!("{path}: {error}"))?);
        }
    }
    lines.sort_unstable();
    let text = format!("{HEADER} {head}{}\n", lines.join("\n"));
    header(&text)?;
    fs::write(root.join(SNAPSHOT), text)?;
    println!("{SNAPSHOT}: {} advisories", lines.len());
    Ok(())
}

fn deny(root: &Path, arguments: &[&str]) -> Command {
    let mut command = process::command("cargo", root);
    command.arg("deny").args(arguments);
    command
}

/// The line of an advisory in the snapshot, or none if the advisory was withdrawn.
fn line(text: &str) -> Result<Option<String>, Error> {
    let (_, rest) = text.split_once("```toml\n").ok_or("no TOML block")?;
    let (block, _) = rest.split_once("\n```").ok_or("the TOML block has no end")?;
    let File { advisory, versions } = de::from_str(block)?;
    let kind = advisory.informational.as_deref().unwrap_or(VULNERABILITY);
    let fields = [
        &advisory.id,
        &advisory.package,
        kind,
        &versions.patched.join(" | "),
        &versions.unaffected.join(" | "),
    ];
    Ok(advisory.withdrawn.is_none().then(|| fields.join("\t")))
}

/// The advisory of a line of the snapshot, in the form of the database.
fn advisory(line: &str) -> Result<(String, String), Error> {
    let fields: Vec<_> = line.split('\t').collect();
    let &[id, package, kind, patched, unaffected] = fields.as_slice() else {
        return Err(format!(
            "{SNAPSHOT}: a line has {} fields instead of 5: {line}",
            fields.len()
        )
        .into());
    };
    let list = |versions: &str| {
        versions
            .split(" | ")
            .filter(|one| !one.is_empty())
            .collect::<toml_edit::Array>()
    };
    let mut document = DocumentMut::new();
    document["advisory"] = table();
    document["versions"] = table();
    document["advisory"]["id"] = value(id);
    document["advisory"]["package"] = value(package);
    document["advisory"]["date"] = value("1970-01-01");
    document["advisory"]["url"] = value(format!("https://rustsec.org/advisories/{id}"));
    if kind != VULNERABILITY {
        document["advisory"]["informational"] = value(kind);
    }
    document["versions"]["patched"] = value(list(patched));
    document["versions"]["unaffected"] = value(list(unaffected));
    let file = format!("crates/{package}/{id}.md");
    Ok((
        file,
        format!("```toml\n{document}```\n\n# Advisory {id}\n\nSee the address.\n"),
    ))
}

/// The date of the snapshot.
fn header(snapshot: &str) -> Result<Date, Error> {
    let parse = || {
        let (_commit, date) = snapshot
            .lines()
            .next()?
            .strip_prefix(HEADER)?
            .trim()
            .split_once(' ')?;
        let (year, rest) = date.split_once('-')?;
        let (month, day) = rest.split_once('-')?;
        let month: u8 = month.parse().ok()?;
        Date::from_calendar_date(year.parse().ok()?, month.try_into().ok()?, day.parse().ok()?).ok()
    };
    parse().ok_or_else(|| format!("{SNAPSHOT}: the first line has to be `{HEADER} <commit> <date>`").into())
}

/// Writes the snapshot as a repository that cargo-deny can fetch, and returns its folder.
fn write_repository(folder: &Path, snapshot: &str) -> Result<PathBuf, Error> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    for line in snapshot.lines().skip(1) {
        let (path, text) = advisory(line)?;
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    let git = |arguments: &[&str]| process::output(process::command("git", folder).args(arguments));
    git(&["init", "--quiet", "--initial-branch=main"])?;
    git(&["add", "."])?;
    // Whatever the user has configured for commits of their own.
    let settings = [
        "user.name=xtask",
        "user.email=xtask@localhost",
        "commit.gpgsign=false",
        "core.hooksPath=/dev/null",
    ];
    let mut commit: Vec<_> = settings.iter().flat_map(|setting| ["-c", setting]).collect();
    commit.extend(["commit", "--quiet", "--message", "Snapshot"]);
    git(&commit)?;
    Ok(folder.to_owned())
}

/// Writes deny.toml with a folder for the database that no other project uses.
fn write_config(root: &Path, folder: &Path) -> Result<PathBuf, Error> {
    let mut config: DocumentMut = fs::read_to_string(root.join("deny.toml"))?.parse()?;
    let databases = folder.join("databases");
    fs::create_dir_all(&databases)?;
    config["advisories"]["db-path"] = value(databases.display().to_string());
    let file = folder.join("deny.toml");
    fs::write(&file, config.to_string())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advisory_keeps_what_decides_whether_a_version_is_affected() {
        let text = "```toml\n[advisory]\nid = \"RUSTSEC-2020-0001\"\npackage = \"a\"\ninformational = \"unsound\"\n\n\
                    [versions]\npatched = [\">= 1.2.3\", \"^0.9\"]\n```\n\n# Title\n";
        let line = line(text).unwrap().unwrap();
        assert_eq!(line, "RUSTSEC-2020-0001\ta\tunsound\t>= 1.2.3 | ^0.9\t");
        let (path, text) = advisory(&line).unwrap();
        assert_eq!(path, "crates/a/RUSTSEC-2020-0001.md");
        assert_eq!(super::line(&text).unwrap().unwrap(), line);
    }

    #[test]
    fn the_committed_snapshot_is_readable() {
        let text = fs::read_to_string(crate::root().join(SNAPSHOT)).unwrap();
        header(&text).unwrap();
        let advisories: Vec<_> = text.lines().skip(1).map(|line| advisory(line).unwrap()).collect();
        assert!(advisories.len() > 1000);
    }
}
