//! `docs/decisions/README.md`: the index of the decisions by topic.

use std::path::Path;
use std::{fs, io};

use super::Generated;
use super::markdown::HEADER;
use crate::Error;

/// Folder of the decisions.
const FOLDER: &str = "docs/decisions";

/// Topics with the numbers of their decisions. Other decisions are listed at the end.
const TOPICS: &[(&str, &[u16])] = &[
    ("Workspace and tools", &[1, 2, 3, 4, 103, 121, 191]),
    ("Configuration", &[10, 11, 100, 203]),
    ("Command line", &[5]),
    ("Requests and retries", &[20, 21, 22, 25, 30, 150, 151, 160]),
    (
        "Authentication and trust",
        &[23, 24, 31, 101, 140, 141, 142, 143, 285],
    ),
    ("Secrets and foreign text", &[104, 161, 220, 286]),
    ("Lookups", &[12, 32, 50, 51, 53, 54, 152, 180, 193]),
    ("Simulator", &[40, 43, 45, 190]),
    (
        "Engine and plugins",
        &[60, 61, 62, 63, 64, 65, 105, 106, 107, 120],
    ),
    ("Schemas and SDKs", &[90, 91, 93, 94, 95]),
    ("Clusters", &[70, 71, 77, 79, 80, 122, 130, 132, 200, 201]),
];

/// A decision.
pub(super) struct Decision {
    number: u16,
    /// File name.
    pub(super) file: String,
    /// Title, starting with the number.
    pub(super) title: String,
}

/// All decisions by number.
///
/// # Errors
///
/// A file cannot be read, or its name or title does not start with the number.
pub(super) fn read(root: &Path) -> Result<Vec<Decision>, Error> {
    let folder = root.join(FOLDER);
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut decisions = Vec::new();
    for entry in entries {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if file == "README.md" {
            continue;
        }
        let text = fs::read_to_string(folder.join(&file))?;
        let digits = file.get(..4).unwrap_or_default();
        let title = text.lines().next().and_then(|line| line.strip_prefix("# "));
        let (Ok(number), Some(title)) = (digits.parse(), title) else {
            return Err(format!("{FOLDER}/{file} needs a name NNNN-title.md and a title").into());
        };
        let Some(name) = title.strip_prefix(digits) else {
            return Err(format!("the title of {FOLDER}/{file} must be `# {digits} Title`").into());
        };
        decisions.push(Decision {
            number,
            title: format!("{digits} {}", name.trim_start_matches(':').trim_start()),
            file,
        });
    }
    decisions.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(decisions)
}

/// The index.
///
/// # Errors
///
/// Those of [`read`].
pub(super) fn index(root: &Path) -> Result<Generated, Error> {
    let decisions = read(root)?;
    let mut text = format!(
        "{HEADER}\n# Decisions\n\n\
         Each page explains a decision that is not obvious from the code or the specification. Comments refer to them \
         by number, for example \"Our choice (0020)\".\n\n\
         A new decision is a file `NNNN-title.md` with the title `# NNNN Title`, a status, context, decision and \
         consequences, in half a page. `cargo xtask codegen` adds it to this index; the topics are in \
         `xtask/src/codegen/decisions.rs`.\n"
    );
    for (topic, numbers) in TOPICS {
        section(
            &mut text,
            topic,
            decisions.iter().filter(|one| numbers.contains(&one.number)),
        );
    }
    let is_other = |one: &&Decision| TOPICS.iter().all(|(_, numbers)| !numbers.contains(&one.number));
    section(&mut text, "Other", decisions.iter().filter(is_other));
    Ok(Generated {
        path: format!("{FOLDER}/README.md"),
        text,
    })
}

/// Adds a topic, unless it is empty.
fn section<'a>(text: &mut String, topic: &str, decisions: impl Iterator<Item = &'a Decision>) {
    let lines: String = decisions
        .map(|Decision { title, file, .. }| format!("- [{title}]({file})\n"))
        .collect();
    if !lines.is_empty() {
        text.push_str(&format!("\n## {topic}\n\n{lines}"));
    }
}
