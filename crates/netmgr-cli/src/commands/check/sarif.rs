//! Findings in SARIF 2.1.0, the format of code hosts (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/>).

use std::env;
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::{FindingKind, WrongReference};
use crate::files;

/// Characters that addresses of files contain as escapes.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The document with all findings.
pub(super) fn document(findings: &[WrongReference], path: &Path) -> String {
    let rules = FindingKind::ALL.map(|rule| {
        let (name, meaning) = rule.words();
        json!({ "id": name, "shortDescription": { "text": meaning } })
    });
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, path)).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "netmgr", "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules,
            } },
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

fn result(finding: &WrongReference, path: &Path) -> Value {
    // Addresses begin at the working directory, in which code hosts run this.
    let folder = if path.is_dir() {
        path
    } else {
        files::folder_of(path)
    };
    let here = env::current_dir().unwrap_or_default();
    let folder = folder.strip_prefix(here).unwrap_or(folder);
    let file = folder.join(&finding.place.file);
    let file = file.to_string_lossy();
    let address = utf8_percent_encode(file.trim_start_matches("./"), ESCAPED).to_string();
    let text = match finding.suggestion.is_empty() {
        true => finding.what.clone(),
        false => format!("{}; {}", finding.what, finding.suggestion),
    };
    json!({
        "ruleId": finding.kind.name(),
        "level": if finding.kind == FindingKind::Prefix { "warning" } else { "error" },
        "message": { "text": text },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": address },
            "region": { "startLine": finding.place.line },
        } }],
    })
}
