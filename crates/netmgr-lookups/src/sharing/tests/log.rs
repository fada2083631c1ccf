//! What the log shows of lookups that share requests.

use std::io;

use tracing::instrument::WithSubscriber as _;
use tracing_subscriber::fmt::MakeWriter;

use super::*;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test(start_paused = true)]
async fn every_lookup_logs_the_round_that_answers_it() {
    let (lookups, _) = manager(|_| (200, pools(["a", "b", "c"])));
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_ansi(false)
        .with_writer(log.clone())
        .finish();
    join_all(["a", "b", "c"].map(|name| pool(&lookups, name)))
        .with_subscriber(subscriber)
        .await;
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    for number in 1..=3 {
        let event = format!("lookup={number} round=1 lookups=3");
        assert!(text.contains(&event), "{event}:\n{text}");
    }
}
