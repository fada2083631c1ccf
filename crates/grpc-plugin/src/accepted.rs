//! Connections that are accepted also after an error.

use std::io;
use std::time::Duration;

/// Time between attempts to accept a connection when the process has no more descriptors.
const NO_DESCRIPTORS: Duration = Duration::from_millis(100);

/// The next connection that `accept` returns. One that ended before it was accepted is passed over, and a process
/// without free descriptors waits for one.
pub async fn accepted<T, F>(mut accept: impl FnMut() -> F) -> T
where
    F: Future<Output = io::Result<T>>,
{
    loop {
        match accept().await {
            Ok(connection) => return connection,
            Err(error) => {
                tracing::debug!(%error, "cannot accept a connection");
                tokio::time::sleep(NO_DESCRIPTORS).await;
            }
        }
    }
}
