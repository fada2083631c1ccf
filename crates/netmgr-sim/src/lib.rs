//! A simulated network virtualization manager for tests and demonstrations.

mod api;
mod manager;

pub use api::{Answer, Call};
pub use manager::{
    Endpoint, IndexState, IndexTrouble, Inventory, InventoryError, Manager, ManagerKind, ManagerMode,
    ManagerSettings, NameFilter, Script, ScriptStart,
};
