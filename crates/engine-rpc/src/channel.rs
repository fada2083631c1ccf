//! Connections to the engine's services: plaintext, on loopback, opened by the first call.

use tonic::transport::{Channel, Endpoint};

/// The largest message the engine and its plugins send each other ("engine-plugin" 1.7).
pub(crate) const MAX_MESSAGE: usize = 400 * 1024 * 1024;

/// Room for error messages, which travel as headers. The default of 16 KiB is less than what some
/// clouds have to say.
const MAX_HEADERS: u32 = 4 * 1024 * 1024;

/// A connection to `address`, written `host:port`, opened when it is first used.
pub(crate) fn lazy(address: &str) -> Result<Channel, InvalidAddress> {
    let endpoint = Endpoint::from_shared(format!("http://{address}"))
        .map_err(|_| InvalidAddress(address.to_owned()))?
        .tcp_nodelay(true)
        .http2_max_header_list_size(MAX_HEADERS);
    Ok(endpoint.connect_lazy())
}

/// An address that no connection can be made to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no address of the form host:port")]
pub(crate) struct InvalidAddress(String);
