//! Connections that are accepted also after an error.

use std::io;
use std::time::Duration;

/// Time from an error to the next attempt, so that a process without free descriptors does not use up a processor.
const DELAY: Duration = Duration::from_millis(100);

/// The next connection that `accept` returns. After an error, it tries again in 100 ms: a connection may have ended
/// before it was accepted, or the process may have no free descriptor.
pub async fn accepted<T, F>(mut accept: impl FnMut() -> F) -> T
where
    F: Future<Output = io::Result<T>>,
{
    loop {
        match accept().await {
            Ok(connection) => return connection,
            Err(error) => {
                tracing::debug!(%error, "cannot accept a connection");
                tokio::time::sleep(DELAY).await;
            }
        }
    }
}
