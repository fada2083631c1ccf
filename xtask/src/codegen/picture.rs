//! The picture of a cluster in `README.md`: what is in it and what comes before what, as a Mermaid flowchart.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use clusterpkg_components::ALL;

use super::Generated;
use super::children::{Child, NAME, children};
use super::package::Component;
use crate::Error;

const FILE: &str = "README.md";
const BEGIN: &str = "<!-- A picture of a cluster, by `cargo xtask codegen`. -->\n";
const END: &str = "<!-- End of the picture. -->\n";

/// What is left out: what serves one other child and would hide the rest.
const DETAILS: [&str; 9] = [
    "aws:iam/role:",
    "aws:iam/policy:",
    "aws:iam/rolePolicyAttachment:",
    "aws:eks/accessEntry:",
    "aws:cloudwatch/",
    "aws:sqs/queuePolicy:",
    "kubernetes:core/v1:ServiceAccount",
    "kubernetes:apiextensions.k8s.io/",
    "clusterpkg:",
];

/// `README.md` with the picture in its place.
pub(super) fn file(root: &Path, components: &[Component]) -> Result<Generated, Error> {
    let component = components.first().ok_or("there is no component")?;
    let children = children(&ALL[0], &component.inputs)?;
    let readme = fs::read_to_string(root.join(FILE))?;
    Ok(Generated {
        path: FILE.to_owned(),
        text: spliced(&readme, &flowchart(&children))?,
    })
}

/// `text` with `picture` between the marks.
fn spliced(text: &str, picture: &str) -> Result<String, Error> {
    let missing = || format!("{FILE} has no place for the picture of a cluster");
    let (before, rest) = text.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!(
        "{before}{BEGIN}\n```mermaid\n{picture}```\n\n{END}{after}"
    ))
}

/// Arrows point from what is made first to what is made after it, as far as other arrows do not say so already.
/// What an input can switch off has a broken border.
fn flowchart(children: &[Child]) -> String {
    let mut before: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for child in children {
        let names = child.after.iter().chain(&child.parent).map(String::as_str);
        before
            .entry(&child.name)
            .or_default()
            .extend(names.filter(|name| *name != child.name));
    }
    let shown: Vec<_> = children.iter().filter(|child| is_shown(child)).collect();
    let names: BTreeSet<&str> = shown.iter().map(|child| child.name.as_str()).collect();
    let mut chart = String::from("flowchart LR\n");
    for child in &shown {
        let kind = child.token.rsplit(':').next().unwrap_or_default();
        let optional = if child.only_with.is_empty() {
            ""
        } else {
            ":::optional"
        };
        let (name, label) = (&child.name, label(&child.name));
        let _ = writeln!(
            chart,
            "    {name}[\"{label}<br/><small>{kind}</small>\"]{optional}"
        );
    }
    for child in &shown {
        let direct = nearest(&child.name, &before, &names);
        let further: BTreeSet<&str> = direct.iter().flat_map(|name| all_before(name, &before)).collect();
        for name in direct.difference(&further) {
            let _ = writeln!(chart, "    {name} --> {}", child.name);
        }
    }
    chart.push_str("    classDef optional stroke-dasharray: 4 3\n");
    chart
}

fn is_shown(child: &Child) -> bool {
    !DETAILS.iter().any(|detail| child.token.starts_with(detail))
}

/// A name without that of the component.
fn label(name: &str) -> &str {
    name.strip_prefix(NAME)
        .and_then(|rest| rest.strip_prefix('-'))
        .unwrap_or("control plane")
}

/// The shown ones before `name` with nothing shown between.
fn nearest<'a>(
    name: &str,
    before: &BTreeMap<&str, BTreeSet<&'a str>>,
    shown: &BTreeSet<&str>,
) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<&'a str> = before.get(name).into_iter().flatten().copied().collect();
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        if shown.contains(next) {
            found.insert(next);
        } else {
            open.extend(before.get(next).into_iter().flatten());
        }
    }
    found
}

/// Everything before `name`.
fn all_before<'a>(name: &str, before: &BTreeMap<&str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&'a str> = before.get(name).into_iter().flatten().copied().collect();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(before.get(next).into_iter().flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(name: &str, token: &str, after: &[&str], only_with: &[&str]) -> Child {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Child {
            name: name.to_owned(),
            token: token.to_owned(),
            parent: None,
            after: texts(after),
            only_with: texts(only_with),
        }
    }

    #[test]
    fn arrows_lead_past_details_and_are_not_said_twice() {
        let chart = flowchart(&[
            child("main", "aws:eks/cluster:Cluster", &[], &[]),
            child("main-role", "aws:iam/role:Role", &["main"], &[]),
            child("main-nodes", "aws:eks/nodeGroup:NodeGroup", &["main-role"], &[]),
            child(
                "main-dns",
                "kubernetes:helm.sh/v3:Release",
                &["main", "main-nodes"],
                &["enableDns"],
            ),
        ]);
        let expected = "flowchart LR\n    \
            main[\"control plane<br/><small>Cluster</small>\"]\n    \
            main-nodes[\"nodes<br/><small>NodeGroup</small>\"]\n    \
            main-dns[\"dns<br/><small>Release</small>\"]:::optional\n    \
            main --> main-nodes\n    \
            main-nodes --> main-dns\n    \
            classDef optional stroke-dasharray: 4 3\n";
        assert_eq!(chart, expected);
    }

    #[test]
    fn the_picture_replaces_what_is_between_the_marks() {
        let text = format!("before\n{BEGIN}old\n{END}after\n");
        let expected = format!("before\n{BEGIN}\n```mermaid\nnew\n```\n\n{END}after\n");
        assert_eq!(spliced(&text, "new\n").unwrap(), expected);
        assert!(spliced("no marks", "new\n").is_err());
    }

    #[test]
    fn programs_of_the_readme_are_those_of_the_examples() {
        let readme = include_str!("../../../README.md");
        for example in [
            include_str!("../../../examples/cluster-typescript/index.ts"),
            include_str!("../../../examples/edge-cluster-typescript/index.ts"),
        ] {
            assert!(
                readme.contains(&format!("```typescript\n{example}```")),
                "{example}"
            );
        }
    }
}
