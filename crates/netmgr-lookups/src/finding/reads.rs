//! Reads of functions, as data: object types with their locations, and single documents. They determine
//! the contents of a recording (decision recordings).

use crate::finding::read::{CollectionPlace, ObjectKind};

/// Path suffixes below which enforcement points list realized objects.
pub(crate) const REALIZED_POINTS: &str = "realized-state/enforcement-points/*";

/// A read of a function.
#[derive(Debug, Clone)]
pub enum FunctionRead {
    /// Objects of a kind.
    Objects {
        /// The kind.
        kind: &'static ObjectKind,
        /// Path suffixes of the parents, if inputs name the parent: `domains/*`.
        parents: Vec<&'static str>,
    },
    /// Objects of several kinds that only the search finds, with a single search.
    Searched(&'static [ObjectKind]),
    /// The document at a path below the host: `/api/v1/cluster`.
    Document(&'static str),
    /// A part of each object whose path has this suffix. It is read by a separate request: `state`.
    Part {
        /// Path suffixes of the objects: `segments/*`.
        of: &'static str,
        /// The part.
        part: &'static str,
    },
}

impl FunctionRead {
    /// Objects of a kind, wherever they are.
    pub(crate) fn of(kind: &'static ObjectKind) -> Self {
        Self::below(kind, &[])
    }

    /// Objects of a kind below parents whose paths have these suffixes.
    pub(crate) fn below(kind: &'static ObjectKind, parents: &[&'static str]) -> Self {
        let parents = parents.to_vec();
        Self::Objects { kind, parents }
    }

    /// A part of each object whose path has this suffix.
    pub(crate) fn part(of: &'static str, part: &'static str) -> Self {
        Self::Part { of, part }
    }
}

/// Reads of a declared function, collected from its inputs.
#[derive(Debug, Default)]
pub(crate) struct InputReads {
    /// Kinds that it reads, its own first.
    kinds: Vec<&'static ObjectKind>,
    parents: Vec<&'static str>,
    also: Vec<FunctionRead>,
}

impl InputReads {
    /// Reads of a function for objects of `kind`.
    pub(crate) fn of(kind: &'static ObjectKind) -> Self {
        Self {
            kinds: vec![kind],
            ..Self::default()
        }
    }

    /// Adds kinds that an input selects.
    pub(crate) fn kinds(&mut self, kinds: &[&'static ObjectKind]) {
        self.kinds.extend(kinds);
    }

    /// Adds path suffixes of parents that an input names.
    pub(crate) fn parents(&mut self, ends: &[&'static str]) {
        self.parents.extend(ends);
    }

    /// Adds reads that do not depend on inputs.
    pub(crate) fn also(&mut self, reads: impl IntoIterator<Item = FunctionRead>) {
        self.also.extend(reads);
    }

    /// The reads. Members of groups are derived from the groups, so they are not separate reads.
    pub(crate) fn finish(self) -> Vec<FunctionRead> {
        let is_derived =
            |kind: &ObjectKind| kind.is_inventory && matches!(kind.place, CollectionPlace::Nested(_));
        let kinds = self.kinds.into_iter().filter(|kind| !is_derived(kind));
        let own = kinds.map(|kind| FunctionRead::below(kind, &self.parents));
        own.chain(self.also).collect()
    }
}
