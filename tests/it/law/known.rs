//! Defects that seeds have found and that are not mended yet. Remove one here when it is mended.

use super::faults::throttle;
use super::program::Program;

/// A request that the lookups would not have sent alone.
const REPEATS: &str = "a throttled wide request is repeated, and then the own requests of its lookups";

/// The known defects, each with a seed that shows it.
pub(super) const DEFECTS: &[(&str, u64)] = &[(REPEATS, 5456)];

/// The known defect because of which lookups cost more than alone.
pub(super) fn explain_cost(program: &Program) -> Option<&'static str> {
    throttle(&program.faults).then_some(REPEATS)
}
