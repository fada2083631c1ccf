//! One table per function. The order is that of the registry, file by file.

mod bodies;
mod edges;
mod fabric;
mod manager_mode;
mod policy;

use super::table::Table;

/// Every table.
pub(crate) fn all() -> Vec<Table> {
    [
        bodies::tables(),
        edges::tables(),
        fabric::tables(),
        manager_mode::tables(),
        policy::tables(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
