//! Pairs that do not follow their rule yet. Each is a defect of the product; the suite fails if one is no longer
//! needed.

use super::rules::Phase;

/// A row whose rule is violated while the fault lasts or when it happens once.
pub(super) struct Deviation {
    pub(super) row: &'static str,
    pub(super) phase: Phase,
}

pub(super) const DEVIATIONS: &[Deviation] = &[];
