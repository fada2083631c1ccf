//! Modules of the real host in temporary folders.

mod command_line;
mod module;

pub(crate) use command_line::Host;
pub(crate) use module::{Module, install, signal_to};

pub(crate) use crate::engine::support::{manager, serve, until};

/// The host, or an early end of the test `name` with the reason.
macro_rules! host {
    ($name:literal) => {
        match $crate::terraform::support::Host::find($name) {
            Some(host) => host,
            None => return,
        }
    };
}
pub(crate) use host;

/// The first object of every pool of the default inventory.
pub(crate) const POOL: &str = r#"
    data "netmgr_ip_pool" "pool" { display_name = "tep-pool" }
    output "id" { value = data.netmgr_ip_pool.pool.id }
"#;

/// The id of that object.
pub(crate) const POOL_ID: &str = "1d2c3b4a-5968-4778-8695-a4b3c2d10001";
