//! Connections to the engine's services: without TLS, on the loopback interface, opened by the first call.

use tonic::transport::{Channel, Endpoint};

/// Maximum size of messages between the engine and plugins.
pub(crate) const MAX_MESSAGE: usize = 400 * 1024 * 1024;

/// Maximum size of headers, which contain error messages. The default of 16 KiB is too small for the errors
/// of some clouds.
const MAX_HEADERS: u32 = 4 * 1024 * 1024;

/// Creates a connection to `address` (`host:port`), which is opened when it is first used.
pub(crate) fn lazy(address: &str) -> Result<Channel, InvalidAddress> {
    let endpoint = Endpoint::from_shared(format!("http://{address}"))
        .map_err(|_| InvalidAddress(address.to_owned()))?
        .tcp_nodelay(true)
        .http2_max_header_list_size(MAX_HEADERS);
    Ok(endpoint.connect_lazy())
}

/// An invalid address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an address of the form host:port")]
pub(crate) struct InvalidAddress(String);
