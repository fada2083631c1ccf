//! Wire types, lookup inputs and outputs, and configuration of the netmgr lookup provider.

mod connection;
mod host;
pub mod number;
mod secret;
pub mod shapes;
mod version;
pub mod wire;

pub use connection::{
    ClientIdentity, CloudGrant, CloudHeaders, CloudLogin, Connection, Credentials, Deployment, Login,
    LoginScheme, Pem, PemSource, RetrySettings, TlsSettings,
};
pub use host::Host;
pub use secret::Secret;
pub use version::{ManagerVersion, NotAVersion};
