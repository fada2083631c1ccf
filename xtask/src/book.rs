//! `cargo xtask book`: checks the pages of the documentation, and builds the book with mdBook.
//!
//! The checks need neither mdBook nor a network: every page is in the table of contents, and every relative link leads
//! to a file and a heading.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::{Error, process};

/// Version of mdBook that builds the book.
const MDBOOK_VERSION: &str = "0.4.52";
/// Folder of the pages.
const FOLDER: &str = "docs";
/// Folder of pages for the package registry, which are not part of the book.
const REGISTRY: &str = "docs/registry";
/// Pages outside of the book whose links are checked, too.
const OTHERS: &[&str] = &["README.md", "ARCHITECTURE.md", "CHANGELOG.md"];

/// Checks the pages, then builds the book in `target/book`.
///
/// # Errors
///
/// Findings of the checks, or mdBook fails.
pub(crate) fn build(root: &Path) -> Result<(), Error> {
    check(root)?;
    let mdbook = mdbook(root)?;
    process::run(Command::new(mdbook).arg("build").current_dir(root))?;
    println!("wrote target/book/index.html");
    Ok(())
}

/// Checks the pages.
///
/// # Errors
///
/// All findings.
pub(crate) fn check(root: &Path) -> Result<(), Error> {
    let pages = read_pages(root)?;
    let mut findings = links(root, &pages);
    findings.extend(contents(&pages));
    if findings.is_empty() {
        println!("{} pages checked", pages.len());
        return Ok(());
    }
    Err(format!("{} finding(s)\n    {}", findings.len(), findings.join("\n    ")).into())
}

/// The installed mdBook, or else the pinned version, installed into `target/tools`.
fn mdbook(root: &Path) -> Result<PathBuf, Error> {
    let installed = Command::new("mdbook").arg("--version").output();
    if installed.is_ok_and(|output| output.status.success()) {
        return Ok(PathBuf::from("mdbook"));
    }
    let tools = root.join("target/tools");
    let mdbook = tools
        .join("bin")
        .join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    if !mdbook.exists() {
        let mut install = process::command("cargo", root);
        // It runs for seconds, so it is built quickly rather than made fast.
        install.env("CARGO_PROFILE_DEV_DEBUG", "false").args([
            "install",
            "--debug",
            "--locked",
            "--no-default-features",
            "--features",
            "search",
        ]);
        install
            .args(["--version", MDBOOK_VERSION, "mdbook", "--root"])
            .arg(&tools);
        process::run(&mut install)?;
    }
    Ok(mdbook)
}

/// A page: its path below the root, with slashes, and its text.
struct Page {
    path: String,
    text: String,
}

fn read_pages(root: &Path) -> io::Result<Vec<Page>> {
    let mut pages = Vec::new();
    for path in OTHERS {
        pages.push(Page {
            path: (*path).to_owned(),
            text: fs::read_to_string(root.join(path))?,
        });
    }
    collect(&root.join(FOLDER), FOLDER, &mut pages)?;
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(pages)
}

fn collect(folder: &Path, below: &str, pages: &mut Vec<Page>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{below}/{}", entry.file_name().to_string_lossy());
        if path == REGISTRY {
            continue;
        }
        if entry.path().is_dir() {
            collect(&entry.path(), &path, pages)?;
        } else if path.ends_with(".md") {
            let text = fs::read_to_string(entry.path())?;
            pages.push(Page { path, text });
        }
    }
    Ok(())
}

/// Links that lead nowhere, or out of the book.
fn links(root: &Path, pages: &[Page]) -> Vec<String> {
    let mut findings = Vec::new();
    for page in pages {
        for target in targets(&page.text) {
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() {
                page.path.clone()
            } else {
                resolved(&page.path, file)
            };
            let other = pages.iter().find(|other| other.path == path);
            if other.is_none() && !root.join(&path).exists() {
                findings.push(format!(
                    "{}: the link {target} does not lead to a file",
                    page.path
                ));
            } else if page.path.starts_with(FOLDER) && !path.starts_with(FOLDER) {
                findings.push(format!(
                    "{}: the link {target} leads out of the book; use the address of the repository",
                    page.path
                ));
            } else if !heading.is_empty() && other.is_some_and(|page| !anchors(&page.text).contains(heading))
            {
                findings.push(format!(
                    "{}: the link {target} does not lead to a heading",
                    page.path
                ));
            }
        }
    }
    findings
}

/// Pages that are missing in the table of contents. The table itself is generated.
fn contents(pages: &[Page]) -> Vec<String> {
    let summary = format!("{FOLDER}/SUMMARY.md");
    missing(
        pages,
        &summary,
        &format!("{FOLDER}/"),
        "the table of contents in xtask/src/codegen/summary.rs",
    )
}

fn missing(pages: &[Page], list: &str, folder: &str, name: &str) -> Vec<String> {
    let listed: BTreeSet<String> = pages
        .iter()
        .filter(|page| page.path == list)
        .flat_map(|page| {
            targets(&page.text)
                .into_iter()
                .map(|target| resolved(list, &target))
        })
        .collect();
    pages
        .iter()
        .filter(|page| page.path.starts_with(folder) && page.path != list && !listed.contains(&page.path))
        .map(|page| format!("{} is missing in {name}", page.path))
        .collect()
}

/// Targets of relative links outside of code.
fn targets(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code || line.starts_with("    ") {
            continue;
        }
        // Odd parts are code spans.
        for part in line.split('`').step_by(2) {
            for rest in part.split("](").skip(1) {
                let target = rest.split(')').next().unwrap_or_default();
                if !target.contains("://") && !target.is_empty() {
                    found.push(target.to_owned());
                }
            }
        }
        // The text of a link may be a code span, which splits the link.
        for rest in line.split("`](").skip(1) {
            let target = rest.split(')').next().unwrap_or_default();
            if !target.contains("://") && !found.iter().any(|known| known == target) {
                found.push(target.to_owned());
            }
        }
    }
    found
}

/// `target` as seen from the page at `from`.
fn resolved(from: &str, target: &str) -> String {
    let mut path: Vec<_> = from.split('/').collect();
    path.pop();
    for component in Path::new(target).components() {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name.to_str().unwrap_or_default()),
            _ => {}
        }
    }
    path.join("/")
}

/// Anchors of the headings, as GitHub and mdBook derive them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, text: &str) -> Page {
        Page {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_link_leads_to_a_page_and_a_heading() {
        let pages = [
            page(
                "docs/a.md",
                "[b](sub/b.md#two-words) [web](https://example.com/x.md) `[no](link.md)`\n",
            ),
            page(
                "docs/sub/b.md",
                "# B\n\n## Two words\n\n[`a`](../a.md)\n```\n[no](link.md)\n```\n",
            ),
        ];
        assert_eq!(links(Path::new("/nonexistent"), &pages), [""; 0]);
    }

    #[test]
    fn a_link_without_file_or_heading_is_found() {
        let pages = [page("docs/a.md", "[b](b.md) [c](#none)\n")];
        assert_eq!(
            links(Path::new("/nonexistent"), &pages),
            [
                "docs/a.md: the link b.md does not lead to a file",
                "docs/a.md: the link #none does not lead to a heading"
            ]
        );
    }

    #[test]
    fn a_link_out_of_the_book_is_found() {
        let pages = [
            page("docs/a.md", "[readme](../README.md)\n"),
            page("README.md", "# R\n"),
        ];
        assert_eq!(
            links(Path::new("/nonexistent"), &pages),
            ["docs/a.md: the link ../README.md leads out of the book; use the address of the repository"]
        );
    }

    #[test]
    fn a_page_outside_of_the_table_of_contents_is_found() {
        let pages = [
            page("docs/SUMMARY.md", "- [A](a.md)\n"),
            page("docs/a.md", "# A\n"),
            page("docs/b.md", "# B\n"),
        ];
        assert_eq!(
            contents(&pages),
            ["docs/b.md is missing in the table of contents in xtask/src/codegen/summary.rs"]
        );
    }
}
