#![doc = include_str!("../README.md")]

mod api;
mod manager;
mod manager_error;
mod server;
mod simulator;

pub use api::{ApiRequest, ApiResponse, Backend};
pub use manager::{
    CombinedSearches, IndexState, IndexTrouble, Inventory, InventoryError, Manager, ManagerAddress,
    ManagerKind, ManagerMode, ManagerSettings, NameFilter, Script, ScriptStart,
};
pub use server::accounts::User;
pub use server::counters::{LoggedRequest, RequestCounters, ServedRequest};
pub use server::fault::{Fault, FaultId, Faults, ParseFaultError};
pub use server::tls::{ClientCertificates, IssuedCertificate, ServerCertificate};
pub use simulator::{
    BrokenConnection, DEFAULT_PASSWORD, DEFAULT_USERNAME, Simulator, SimulatorBuilder, StartError,
};
