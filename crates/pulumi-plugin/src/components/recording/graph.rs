//! A recorded graph in DOT format.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::values::Urn;

use super::{Recording, urn_of};
use crate::components::registration::Registration;

impl Recording {
    /// The registered resources in Graphviz's DOT format. An arrow points to a dependency; a dotted arrow
    /// points to a parent that is not a dependency otherwise. Components are boxes.
    #[must_use]
    pub fn dot(&self) -> String {
        self.dot_with_names(|registration| registration.name.clone())
    }

    /// [`dot`](Self::dot) with other names of the resources.
    #[must_use]
    pub fn dot_with_names(&self, name: impl Fn(&Registration) -> String) -> String {
        let known: BTreeSet<Urn> = self.registrations.iter().map(urn_of).collect();
        let mut registrations: Vec<_> = self.registrations.iter().collect();
        registrations.sort_by_key(|registration| (&registration.name, &registration.token));
        let mut dot = String::from("digraph {\n  rankdir=RL\n  node [shape=ellipse]\n");
        for registration in registrations {
            let urn = urn_of(registration);
            let kind = registration.token.rsplit(':').next().unwrap_or_default();
            let shape = if registration.custom { "" } else { ", shape=box" };
            let label = format!("{}\n{kind}", name(registration));
            let _ = writeln!(dot, "  {:?} [label={label:?}{shape}]", urn.as_str());
            for (other, style) in edges(registration) {
                if known.contains(other) {
                    let _ = writeln!(dot, "  {:?} -> {:?}{style}", urn.as_str(), other.as_str());
                }
            }
        }
        dot.push_str("}\n");
        dot
    }
}

fn edges(registration: &Registration) -> impl Iterator<Item = (&Urn, &'static str)> {
    let needed: BTreeSet<&Urn> = registration.names().collect();
    let needed_anyway = |urn: &&Urn| registration.dependencies.contains(*urn);
    let parent = registration
        .parent
        .as_ref()
        .filter(|parent| !needed_anyway(parent));
    let solid = needed.into_iter().filter(move |urn| Some(*urn) != parent);
    solid
        .map(|urn| (urn, ""))
        .chain(parent.map(|parent| (parent, " [style=dotted]")))
}
