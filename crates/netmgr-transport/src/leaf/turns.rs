//! Turns of large bodies: few are read at once, and the others wait in the buffers of the system.
//!
//! A plugin reads and decodes on one thread, so that several bodies at once take memory and no less time.

use std::sync::Arc;
use std::time::Duration;

use http::Version;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

/// Large bodies that are read at once.
const AT_ONCE: usize = 2;

/// Bodies up to this length in bytes need no turn.
const SMALL: u64 = 32 << 10;

/// How long a body waits for its turn: a slow one must not hold up others.
const PATIENCE: Duration = Duration::from_millis(100);

/// The turns of a client. Cloning shares them.
#[derive(Clone)]
pub(super) struct Turns(Arc<Semaphore>);

/// The turn of a body, which ends when it is dropped.
pub(super) struct Turn<'a> {
    /// Taken when the body has waited.
    turns: Option<&'a Turns>,
    permit: Option<SemaphorePermit<'a>>,
}

impl Default for Turns {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Turns {
    /// For a body. HTTP/2 reads what arrives in any case, because all replies share a connection.
    pub(super) fn of_body(&self, version: Version) -> Turn<'_> {
        Turn {
            turns: (version != Version::HTTP_2).then_some(self),
            permit: None,
        }
    }
}

impl Turn<'_> {
    /// Waits for the turn if `length`, which was announced or has been read, is large. Without a turn, the body is read
    /// as well.
    pub(super) async fn wait(&mut self, length: u64) {
        if length > SMALL
            && let Some(turns) = self.turns.take()
        {
            self.permit = timeout(PATIENCE, turns.0.acquire())
                .await
                .ok()
                .and_then(Result::ok);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    const LARGE: u64 = SMALL + 1;

    /// The turn of a large body, and how long it waited.
    async fn large(turns: &Turns) -> (Turn<'_>, Duration) {
        let start = Instant::now();
        let mut turn = turns.of_body(Version::HTTP_11);
        turn.wait(LARGE).await;
        (turn, start.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_body_waits_for_its_turn_but_not_for_long() {
        let turns = Turns::default();
        let (first, _) = large(&turns).await;
        let (_second, waited) = large(&turns).await;
        assert_eq!(waited, Duration::ZERO);
        let (mut third, waited) = large(&turns).await;
        assert!(third.permit.is_none() && waited >= PATIENCE);
        drop(first);
        let (fourth, _) = large(&turns).await;
        assert!(fourth.permit.is_some());
        let start = Instant::now();
        third.wait(LARGE).await;
        assert_eq!(start.elapsed(), Duration::ZERO, "a body waits once");
    }

    #[tokio::test(start_paused = true)]
    async fn small_bodies_and_those_of_http2_do_not_wait() {
        let turns = Turns::default();
        let _turns = [large(&turns).await, large(&turns).await];
        let start = Instant::now();
        turns.of_body(Version::HTTP_11).wait(SMALL).await;
        turns.of_body(Version::HTTP_2).wait(LARGE).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
    }
}
