//! Defects that seeds have found and that are not mended yet. Remove one here when it is mended.

use super::program::Program;
use super::world::{Outcome, Run};

/// A known defect.
pub(super) struct Defect {
    pub(super) what: &'static str,
    /// Seeds that show it.
    pub(super) seeds: &'static [u64],
    /// Whether it explains what became of a lookup.
    explains: fn(&Case<'_>) -> bool,
}

/// A lookup that violates the law.
pub(super) struct Case<'a> {
    pub(super) program: &'a Program,
    pub(super) together: &'a Run,
    pub(super) number: usize,
    pub(super) outcome: &'a Outcome,
    pub(super) alone: &'a Outcome,
}

/// What is left when a client is dropped.
pub(super) const LINGERS: &str = "the task of a login that hangs outlives its client";

pub(super) const DEFECTS: &[Defect] = &[Defect {
    what: LINGERS,
    seeds: &[94],
    explains: |_| false,
}];

/// The defect that explains a case.
pub(super) fn explanation(case: &Case<'_>) -> Option<&'static Defect> {
    DEFECTS.iter().find(|defect| (defect.explains)(case))
}
