//! The objects of a read among which a plan selects.

use std::sync::{Arc, Mutex};

use crate::contract::context::LookupContext;
use crate::contract::error::Clues;
use crate::fetch::{Fetched, Refused};
use crate::finding::objects::Objects;
use crate::finding::plan::Plan;
use crate::finding::read::Read;
use crate::finding::rows::{SharedCollector, Skipped};
use crate::finding::selection::Selection;
use crate::wording::sentences;

/// The objects of a read.
pub(crate) struct Found {
    pub(crate) selection: Selection,
    pub(super) clues: Clues,
    pub(super) skipped: Skipped,
    pub(crate) fetched: Fetched,
}

impl Found {
    pub(super) fn new(objects: &Mutex<Objects>, fetched: Fetched) -> Self {
        let (selection, clues, skipped) = Objects::take(objects);
        Self {
            selection,
            clues,
            skipped,
            fetched,
        }
    }

    /// Reason why objects may be missing, if any.
    pub(super) fn incomplete(&self, cx: &LookupContext<'_>) -> Option<String> {
        self.fetched.incomplete(sentences::skipped(cx, &self.skipped))
    }
}

/// Reads the objects of `read`, from which `plan` selects.
pub(crate) async fn find(
    cx: &LookupContext<'_>,
    read: &Arc<Read>,
    plan: &Arc<Plan>,
) -> Result<Found, Refused> {
    let objects = Objects::of(read, plan);
    let rows: SharedCollector = Arc::clone(&objects) as _;
    let fetched = cx.fetch().find(read, &rows).await?;
    Ok(Found::new(&objects, fetched))
}
