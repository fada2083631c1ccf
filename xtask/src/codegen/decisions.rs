//! `docs/decisions/README.md`: the index of the decisions.

use std::path::Path;
use std::{fs, io};

use super::Generated;
use super::markdown::HEADER;
use crate::Error;

/// Folder of the decisions.
const FOLDER: &str = "docs/decisions";

/// A decision.
pub(crate) struct Decision {
    /// Name by which comments refer to it: the file name without the extension.
    pub(crate) name: String,
    pub(super) title: String,
}

/// All decisions by name.
///
/// # Errors
///
/// A file cannot be read or has no title.
pub(crate) fn read(root: &Path) -> Result<Vec<Decision>, Error> {
    let folder = root.join(FOLDER);
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut decisions = Vec::new();
    for entry in entries {
        let file = entry?.file_name().to_string_lossy().into_owned();
        let Some(name) = file.strip_suffix(".md").filter(|name| *name != "README") else {
            continue;
        };
        let text = fs::read_to_string(folder.join(&file))?;
        let title = text.lines().next().and_then(|line| line.strip_prefix("# "));
        decisions.push(Decision {
            title: title
                .ok_or_else(|| format!("{FOLDER}/{file} has no title"))?
                .to_owned(),
            name: name.to_owned(),
        });
    }
    decisions.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(decisions)
}

/// The index.
///
/// # Errors
///
/// The errors of [`read`].
pub(super) fn index(root: &Path) -> Result<Generated, Error> {
    let mut text = format!(
        "{HEADER}\n# Decisions\n\n\
         Each page states a decision that is in effect and not obvious from the code, in at most 250 words. Comments refer \
         to it by name, as in \"(decision sharing)\".\n\n"
    );
    for Decision { name, title } in read(root)? {
        text.push_str(&format!("- [{title}]({name}.md)\n"));
    }
    Ok(Generated {
        path: format!("{FOLDER}/README.md"),
        text,
    })
}
