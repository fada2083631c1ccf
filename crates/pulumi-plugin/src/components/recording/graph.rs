//! A recorded graph as a Mermaid flowchart.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::values::Urn;

use super::{Recording, urn_of};
use crate::components::registration::Registration;

/// A resource in a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphNode {
    /// Its label, above its type.
    pub label: String,
    /// Whether it has a dashed border.
    pub dashed: bool,
}

/// The predecessors of resources.
type Predecessors<'a> = BTreeMap<Urn, BTreeSet<&'a Urn>>;

impl Recording {
    /// The registered resources as a Mermaid flowchart. An arrow points to a resource that is created later; arrows that
    /// follow from others are omitted.
    #[must_use]
    pub fn mermaid(&self) -> String {
        self.mermaid_of(|registration| {
            Some(GraphNode {
                label: registration.name.clone(),
                dashed: false,
            })
        })
    }

    /// The resources for which `node` returns a node, as in [`mermaid`](Self::mermaid). Arrows lead past the others.
    #[must_use]
    pub fn mermaid_of(&self, node: impl Fn(&Registration) -> Option<GraphNode>) -> String {
        let before: Predecessors<'_> = self
            .registrations
            .iter()
            .map(|registration| (urn_of(registration), registration.names().collect()))
            .collect();
        let mut registrations: Vec<_> = self.registrations.iter().collect();
        registrations.sort_by_key(|registration| (&registration.name, &registration.token));
        let mut ids = BTreeMap::new();
        let mut taken = BTreeSet::new();
        let mut chart = String::from("flowchart LR\n");
        for registration in registrations {
            let Some(GraphNode { label, dashed }) = node(registration) else {
                continue;
            };
            let kind = registration.token.rsplit(':').next().unwrap_or_default();
            let mut id = registration.name.clone();
            if !taken.insert(id.clone()) {
                id = format!("{id}-{kind}");
            }
            let (label, style) = (
                label.replace('"', "#quot;"),
                if dashed { ":::dashed" } else { "" },
            );
            let _ = writeln!(chart, "    {id}[\"{label}<br/><small>{kind}</small>\"]{style}");
            ids.insert(urn_of(registration), id);
        }
        let mut arrows = BTreeSet::new();
        for (urn, id) in &ids {
            let mut nearest = reached(urn, &before, |other| ids.contains_key(other));
            nearest.retain(|other| ids.contains_key(*other));
            let behind = nearest
                .iter()
                .flat_map(|other| reached(other, &before, |_| false));
            let behind: BTreeSet<&Urn> = behind.collect();
            arrows.extend(nearest.difference(&behind).map(|other| (id, &ids[*other])));
        }
        for (id, other) in arrows {
            let _ = writeln!(chart, "    {other} --> {id}");
        }
        chart.push_str("    classDef dashed stroke-dasharray: 4 3\n");
        chart
    }
}

/// The predecessors of a resource, up to those at which the search ends.
fn reached<'a>(urn: &Urn, before: &Predecessors<'a>, ends: impl Fn(&Urn) -> bool) -> BTreeSet<&'a Urn> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Urn> = before.get(urn).into_iter().flatten().copied().collect();
    while let Some(next) = open.pop() {
        if found.insert(next) && !ends(next) {
            open.extend(before.get(next).into_iter().flatten());
        }
    }
    found
}
