//! Findings in SARIF 2.1.0, the format of code hosts (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/>).

use serde_json::{Value, json};

use super::{FindingKind, WrongReference};

/// The document with all findings.
pub(super) fn document(findings: &[WrongReference]) -> String {
    let rules = FindingKind::ALL.map(|rule| {
        let (name, meaning) = rule.words();
        json!({ "id": name, "shortDescription": { "text": meaning } })
    });
    let results: Vec<Value> = findings.iter().map(result).collect();
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

fn result(finding: &WrongReference) -> Value {
    let text = match finding.suggestion.is_empty() {
        true => finding.what.clone(),
        false => format!("{}; {}", finding.what, finding.suggestion),
    };
    json!({
        "ruleId": finding.rule.name(),
        "level": if finding.rule == FindingKind::Prefix { "warning" } else { "error" },
        "message": { "text": text },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": finding.place.file },
            "region": { "startLine": finding.place.line },
        } }],
    })
}
