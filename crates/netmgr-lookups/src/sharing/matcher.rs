//! Which of many waiters a row may concern, found without looking at each of them.
//!
//! A prefilter: the types of the lookups have the last word (`waiter.rs`).

use std::collections::{BTreeSet, HashMap};

use netmgr_transport::Row;

use super::waiter::{Waiter, Want};
use crate::read::{By, Read};

/// The waiters of a round by what they look for.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    by_id: HashMap<String, Vec<usize>>,
    /// By name or prefix of a name.
    by_name: HashMap<String, Vec<usize>>,
    /// Lengths in bytes of the names in `by_name`.
    lengths: BTreeSet<usize>,
    /// Those that any row of their kind may concern.
    any: Vec<usize>,
    /// Kind that each waiter looks for; empty when the collection alone decides.
    kinds: Vec<&'static str>,
}

impl Matcher {
    pub(super) fn new<'a>(waiters: impl IntoIterator<Item = &'a Waiter>) -> Self {
        let mut matcher = Self::default();
        for (position, waiter) in waiters.into_iter().enumerate() {
            let read = waiter.want.read();
            matcher
                .kinds
                .push(read.map_or("", |read| read.kind.resource_type));
            match (&waiter.want, read.map(|read: &Read| &read.by)) {
                (Want::Object(_) | Want::Rows(_), Some(By::Id(id))) => {
                    matcher.by_id.entry(id.clone()).or_default().push(position);
                }
                (_, Some(By::Name(name))) => {
                    matcher.lengths.insert(name.len());
                    matcher.by_name.entry(name.clone()).or_default().push(position);
                }
                _ => matcher.any.push(position),
            }
        }
        matcher
    }

    /// The waiters that `row` may concern: all of them when nothing names it.
    pub(super) fn concerned(&self, row: &Row) -> Vec<usize> {
        let Some(head) = row.head().filter(|head| !head.name().is_empty()) else {
            return (0..self.kinds.len()).collect();
        };
        let kind = &*head.resource_type;
        let fits = |position: &usize| {
            let wanted = self.kinds[*position];
            wanted.is_empty() || kind.is_empty() || wanted == kind
        };
        let ids = head.ids().filter_map(|id| self.by_id.get(id)).flatten();
        let name = head.name();
        let prefixes = self.lengths.iter().filter_map(|length| name.get(..*length));
        let names = prefixes.filter_map(|prefix| self.by_name.get(prefix)).flatten();
        self.any
            .iter()
            .chain(ids)
            .chain(names)
            .copied()
            .filter(fits)
            .collect()
    }
}
