//! Decisions and the comments that refer to them: `(decision sharing)`, `(decisions limits and retries)`.

use std::collections::BTreeSet;

use super::TextFile;

/// Folder of the decisions.
const FOLDER: &str = "docs/decisions/";

/// References to decisions that do not exist, and decisions that no code refers to.
pub(super) fn findings(files: &[TextFile]) -> Vec<String> {
    let decisions = files
        .iter()
        .filter_map(|file| file.path.strip_prefix(FOLDER)?.strip_suffix(".md"));
    let names: BTreeSet<&str> = decisions.filter(|name| *name != "README").collect();
    let mut findings = Vec::new();
    let mut unused = names.clone();
    for TextFile { path, text } in files.iter().filter(|file| file.is_rust()) {
        for name in references(text) {
            unused.remove(name);
            if !names.contains(name) {
                findings.push(format!(
                    "{path} refers to the decision {name}, which does not exist"
                ));
            }
        }
    }
    findings.extend(
        unused.into_iter().map(|name| {
            format!("no code refers to the decision {name}; delete it or name it where it holds")
        }),
    );
    findings
}

/// The names of decisions in a text.
fn references(text: &str) -> impl Iterator<Item = &str> {
    text.split("(decision").skip(1).flat_map(|rest| {
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        let end = rest.find(')').unwrap_or(0);
        rest[..end]
            .split(" and ")
            .map(str::trim)
            .filter(|name| is_name(name))
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|character| character.is_ascii_lowercase() || character == '-')
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    #[test]
    fn each_reference_exists_and_each_decision_is_referred_to() {
        // Without the word, which would refer to decisions from here.
        let text = "// Why ( limits).\n// Both (s limits and old-one).\n/// ( paging)";
        let files = [
            source("docs/decisions/README.md", ""),
            source("docs/decisions/limits.md", ""),
            source("docs/decisions/paging.md", ""),
            source("docs/decisions/trust.md", ""),
            source("a.rs", &text.replace('(', "(decision")),
        ];
        assert_eq!(
            findings(&files),
            [
                "a.rs refers to the decision old-one, which does not exist",
                "no code refers to the decision trust; delete it or name it where it holds"
            ]
        );
    }
}
