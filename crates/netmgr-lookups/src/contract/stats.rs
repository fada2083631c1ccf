//! Counters of lookups.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use netmgr_transport::Traffic;

/// Counters of the lookups of a [`crate::Lookups`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Number of lookups.
    pub lookups: u64,
    /// Number of reads that were answered by a request of another lookup.
    pub shared: u64,
    /// Number of pages of lists and searches.
    pub pages: u64,
    /// Requests and bytes of the client.
    pub traffic: Traffic,
}

/// The counters behind [`Stats`].
#[derive(Debug, Default)]
pub(crate) struct LookupCounters {
    lookups: AtomicU64,
    shared: AtomicU64,
    pages: AtomicU64,
}

impl LookupCounters {
    /// Counts a lookup and returns its number.
    pub(crate) fn lookup(&self) -> u64 {
        self.lookups.fetch_add(1, Relaxed) + 1
    }

    /// Counts a request that `reads` reads share.
    pub(crate) fn shared(&self, reads: usize) {
        self.shared.fetch_add(reads.saturating_sub(1) as u64, Relaxed);
    }

    pub(crate) fn page(&self) {
        self.pages.fetch_add(1, Relaxed);
    }

    pub(crate) fn read(&self, traffic: Traffic) -> Stats {
        Stats {
            lookups: self.lookups.load(Relaxed),
            shared: self.shared.load(Relaxed),
            pages: self.pages.load(Relaxed),
            traffic,
        }
    }
}
