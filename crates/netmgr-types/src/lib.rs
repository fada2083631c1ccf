//! Wire types, lookup inputs and outputs, and configuration of the netmgr lookup provider.
//!
//! Five foundations that the other crates share, without I/O:
//!
//! - [`ProviderConfig`], the settings as the user writes them, and the checked [`Connection`] they
//!   resolve to;
//! - [`shapes`], the inputs and outputs that several lookups share, with [`number`] and [`schema`]
//!   for the inputs that they do not share;
//! - [`input`], decoding of inputs and settings;
//! - [`wire`], the objects that the manager sends;
//! - [`Secret`], text that cannot be printed, [`foreign`], sanitizing of foreign text, and [`sensitive`], recognition of
//!   secrets.
//!
//! ```
//! use netmgr_types::wire::{ManagedObject, Page};
//! use netmgr_types::{Credentials, ProviderConfig};
//! use serde_json::json;
//!
//! // From settings to a connection; the rest comes from the environment.
//! let variables = |name: &str| (name == "NETMGR_PASSWORD").then(|| "secret".to_owned());
//! let connection = ProviderConfig::from_json(json!({"host": "mgr.example.com:8443", "username": "admin"}))?
//!     .with_env(variables)?
//!     .resolve()?;
//! assert_eq!(connection.host.base_url(), "https://mgr.example.com:8443");
//! assert!(matches!(connection.credentials, Credentials::Session(_)));
//!
//! // All problems are reported at once.
//! let errors = ProviderConfig::default().resolve().unwrap_err();
//! assert_eq!(errors.problems().len(), 3);
//!
//! // A page of a list, decoded row by row.
//! let page: Page<'_> = serde_json::from_str(r#"{"results": [{"id": "web"}], "result_count": 1}"#)?;
//! let group: ManagedObject = serde_json::from_str(page.results[0].get())?;
//! assert_eq!(group.name(), "web");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod connection;
pub mod foreign;
mod host;
pub mod input;
pub mod number;
pub mod object;
mod pem;
mod policy_path;
pub mod schema;
mod secret;
pub mod sensitive;
pub mod shapes;
mod similar;
mod version;
pub mod wire;

pub use config::{ConfigErrors, PartialConfig, ProviderConfig, Unusable};
pub use connection::{
    ClientIdentity, CloudGrant, CloudHeaders, CloudLogin, Connection, Credentials, Deployment, Login,
    LoginScheme, Pem, PemSource, RetrySettings, TlsSettings,
};
pub use host::{Host, InvalidHost};
pub use input::InvalidProperty;
pub use policy_path::{InvalidPath, PolicyPath};
pub use secret::Secret;
pub use similar::similar;
pub use version::{ManagerVersion, NotAVersion};
