//! Wire types, lookup inputs and outputs, and configuration of the netmgr lookup provider.

mod config;
mod connection;
mod host;
pub mod number;
pub mod pem;
mod secret;
pub mod shapes;
mod version;
pub mod wire;

pub use config::{ConfigErrors, ConfigProblem, ProviderConfig};
pub use connection::{
    ClientIdentity, CloudGrant, CloudHeaders, CloudLogin, Connection, Credentials, Deployment, Login,
    LoginScheme, Pem, PemSource, RetrySettings, TlsSettings,
};
pub use host::{Host, InvalidHost};
pub use secret::Secret;
pub use version::{ManagerVersion, NotAVersion};
