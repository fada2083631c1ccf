//! The log of lookups that share requests.

use std::io::{self, Seek as _};

use tracing::instrument::WithSubscriber as _;

use super::*;

/// Returns the log of running `lookups`.
async fn logged(lookups: impl Future) -> String {
    let log = Arc::new(tempfile::tempfile().unwrap());
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_ansi(false)
        .with_writer(Arc::clone(&log))
        .finish();
    // With a single subscriber, a thread without one decides for all threads whether an event is enabled.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    lookups.with_subscriber(subscriber).await;
    (&*log).rewind().unwrap();
    io::read_to_string(&*log).unwrap()
}

#[tokio::test(start_paused = true)]
async fn every_lookup_logs_the_round_that_answers_it() {
    let (lookups, _) = manager(|_| (200, pools(["a", "b", "c"])));
    let text = logged(join_all(["a", "b", "c"].map(|name| pool(&lookups, name)))).await;
    for number in 1..=3 {
        let event = format!("lookup={number} round=1 lookups=3");
        assert!(text.contains(&event), "{event}:\n{text}");
    }
    assert!(text.contains("read a page pages=1 rows=3"), "{text}");
}
