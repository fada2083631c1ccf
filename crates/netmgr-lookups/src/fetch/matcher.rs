//! Finds the lookups that a row may concern without looking at each of them.
//!
//! This is only a prefilter: the collectors of the lookups decide.

use std::collections::{BTreeSet, HashMap};

use netmgr_types::wire::RowHead;

use super::need::Need;
use crate::finding::names;
use crate::finding::read::By;
use crate::wording::similar_names::ComparedName;

/// Maximum number of lookups by name that share a request and get suggestions. Every name is compared with all of
/// theirs.
const SUGGESTED: usize = 16;

/// The waiting lookups of a request, by their positions, indexed by the objects that they look for.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    by_id: HashMap<String, Vec<usize>>,
    /// Keyed by the requested name or prefix, in the form given and in Unicode NFC.
    by_name: HashMap<String, Vec<usize>>,
    /// Lengths in bytes of the names in `by_name`.
    lengths: BTreeSet<usize>,
    /// Lookups that any row of their kind may concern.
    any: Vec<usize>,
    /// Lookups that receive suggestions of similar names.
    similar: Vec<(ComparedName, usize)>,
    /// Kind that each lookup looks for; empty if only the collection matters.
    kinds: Vec<&'static str>,
}

impl Matcher {
    pub(super) fn new<'a>(needs: impl IntoIterator<Item = &'a Need>) -> Self {
        let mut matcher = Self::default();
        for (position, need) in needs.into_iter().enumerate() {
            let read = need.read();
            matcher
                .kinds
                .push(read.map_or("", |read| read.kind.resource_type));
            match read.map(|read| &read.by) {
                Some(By::Id(id)) => {
                    matcher.by_id.entry(id.clone()).or_default().push(position);
                }
                Some(By::Name(name)) => {
                    matcher.similar.push((ComparedName::new(name), position));
                    // The name may be an id, which is a clue if nothing has the name.
                    matcher.by_id.entry(name.clone()).or_default().push(position);
                    matcher.insert(name, position);
                    let composed = names::composed(name);
                    if *composed != **name {
                        matcher.insert(&composed, position);
                    }
                }
                _ => matcher.any.push(position),
            }
        }
        if matcher.similar.len() > SUGGESTED {
            matcher.similar.clear();
        }
        matcher
    }

    fn insert(&mut self, name: &str, position: usize) {
        self.lengths.insert(name.len());
        self.by_name.entry(name.to_owned()).or_default().push(position);
    }

    /// The lookups that look for `name` or a prefix of it.
    fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let prefixes = self.lengths.iter().filter_map(|length| name.get(..*length));
        prefixes
            .filter_map(|prefix| self.by_name.get(prefix))
            .flatten()
            .copied()
    }

    /// Puts the lookups that a row may concern into `concerned`: all of them if the row has no name.
    pub(super) fn concerned(&self, head: Option<&RowHead<'_>>, concerned: &mut Vec<usize>) {
        concerned.clear();
        let Some(head) = head.filter(|head| !head.name().is_empty()) else {
            concerned.extend(0..self.kinds.len());
            return;
        };
        let kind = &*head.resource_type;
        let fits = |position: &usize| {
            let wanted = self.kinds[*position];
            wanted.is_empty() || kind.is_empty() || wanted == kind
        };
        let ids = head.ids().filter_map(|id| self.by_id.get(id)).flatten();
        let composed = (!head.name().is_ascii()).then(|| names::composed(head.name()));
        let found = self
            .any
            .iter()
            .chain(ids)
            .copied()
            .chain(self.named(head.name()))
            .chain(composed.iter().flat_map(|name| self.named(name)));
        let similar = self.similar.iter();
        let similar =
            similar.filter_map(|(wanted, position)| wanted.distance(head.name()).map(|_| *position));
        concerned.extend(found.chain(similar).filter(fits));
        // A lookup may be found by two equal ids, or by several forms of its name.
        concerned.sort_unstable();
        concerned.dedup();
    }
}
