//! Turns of large bodies: few are read at once, and the others wait in the buffers of the system.
//!
//! A plugin reads and decodes on one thread, so that several bodies at once take memory and no less time (0291).

use std::sync::Arc;
use std::time::Duration;

use http::Version;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Large bodies that are read at once.
const AT_ONCE: usize = 2;

/// Bodies with a length up to this need no turn.
const SMALL: u64 = 32 << 10;

/// How long a body waits for its turn: a slow one must not hold up others.
const PATIENCE: Duration = Duration::from_millis(100);

/// The turns of a client. Cloning shares them.
#[derive(Clone)]
pub(super) struct Turns(Arc<Semaphore>);

impl Default for Turns {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Turns {
    /// Waits for a turn to read a body, which ends when the result is dropped. Without a turn, the body is read as
    /// well.
    ///
    /// HTTP/2 reads what arrives in any case, because all replies share a connection.
    pub(super) async fn wait(&self, version: Version, length: Option<u64>) -> Option<OwnedSemaphorePermit> {
        if version == Version::HTTP_2 || length.is_some_and(|length| length <= SMALL) {
            return None;
        }
        let turn = timeout(PATIENCE, Arc::clone(&self.0).acquire_owned()).await;
        turn.ok().and_then(Result::ok)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    const LARGE: Option<u64> = Some(SMALL + 1);

    #[tokio::test(start_paused = true)]
    async fn a_large_body_waits_for_its_turn_but_not_for_long() {
        let turns = Turns::default();
        let first = turns.wait(Version::HTTP_11, LARGE).await;
        let second = turns.wait(Version::HTTP_11, None).await;
        assert!(first.is_some() && second.is_some());
        let start = Instant::now();
        assert!(turns.wait(Version::HTTP_11, LARGE).await.is_none());
        assert!(start.elapsed() >= PATIENCE);
        drop(first);
        assert!(turns.wait(Version::HTTP_11, LARGE).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn small_bodies_and_those_of_http2_do_not_wait() {
        let turns = Turns::default();
        let _turns = [
            turns.wait(Version::HTTP_11, LARGE).await,
            turns.wait(Version::HTTP_11, LARGE).await,
        ];
        let start = Instant::now();
        assert!(turns.wait(Version::HTTP_11, Some(SMALL)).await.is_none());
        assert!(turns.wait(Version::HTTP_2, LARGE).await.is_none());
        assert_eq!(start.elapsed(), Duration::ZERO);
    }
}
