#![doc = include_str!("../README.md")]

mod api;
mod manager;
mod manager_error;
mod server;
mod simulator;

pub use api::{Answer, Call};
pub use manager::{
    CombinedSearches, Endpoint, IndexState, IndexTrouble, Inventory, InventoryError, Manager, ManagerKind,
    ManagerMode, ManagerSettings, NameFilter, Script, ScriptStart,
};
pub use server::Backend;
pub use server::accounts::User;
pub use server::counters::{Counters, LoggedRequest, ServedRequest};
pub use server::fault::{Fault, FaultId, Faults, ParseFaultError};
pub use server::tls::{ClientCertificates, ClientIdentity, ServerCertificate};
pub use simulator::{
    BrokenConnection, DEFAULT_PASSWORD, DEFAULT_USERNAME, Simulator, SimulatorBuilder, StartError,
};
