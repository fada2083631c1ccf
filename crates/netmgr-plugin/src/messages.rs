//! Messages of a running lookup.

use std::pin::pin;
use std::sync::Arc;

use futures_channel::mpsc::{UnboundedSender, unbounded};
use futures_util::future::{Either, select};
use futures_util::{FutureExt as _, StreamExt as _};
use netmgr_lookups::{Observer, Progress};
use pulumi_plugin::rpc::{EngineLog, LogMessage, Severity, head_start};

use crate::redact::Hidden;

/// The result of a lookup with an observer, whose messages are passed on to the engine, in order and without what is
/// `hidden`. Messages that the engine does not accept do not delay the result.
pub(crate) async fn observed<L: Future>(
    function: &'static str,
    hidden: Arc<Hidden>,
    log: &EngineLog,
    lookup: impl FnOnce(Arc<dyn Observer>) -> L,
) -> L::Output {
    let (queue, mut queued) = unbounded();
    let lookup = lookup(Arc::new(Messages {
        function,
        hidden,
        queue: queue.clone(),
    }));
    let log = log.clone();
    let mut forward = Box::pin(async move {
        while let Some(Some(message)) = queued.next().await {
            log.send(message).await;
        }
    });
    let found = match select(pin!(lookup), &mut forward).await {
        Either::Left((found, _)) => found,
        Either::Right(((), lookup)) => lookup.await,
    };
    // Fails only without a receiver, which is above.
    let _ = queue.unbounded_send(None);
    if forward.as_mut().now_or_never().is_none() {
        head_start(tokio::spawn(forward)).await;
    }
    found
}

/// Queues the messages of one call of `function`.
struct Messages {
    function: &'static str,
    hidden: Arc<Hidden>,
    /// `None` is the end.
    queue: UnboundedSender<Option<LogMessage>>,
}

impl Messages {
    fn put(&self, severity: Severity, text: &str, ephemeral: bool) {
        let text = format!("{}: {}", self.function, self.hidden.hide(text));
        let message = LogMessage {
            ephemeral,
            ..LogMessage::new(severity, text)
        };
        // There is no receiver after the lookup.
        let _ = self.queue.unbounded_send(Some(message));
    }
}

impl Observer for Messages {
    fn warning(&self, message: &str) {
        self.put(Severity::Warning, message, false);
    }

    fn progress(&self, progress: &Progress) {
        self.put(Severity::Info, &progress.to_string(), true);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use pulumi_testing::{FakeEngine, until};
    use tokio::sync::oneshot;

    use super::*;

    async fn start() -> (FakeEngine, EngineLog) {
        let engine = FakeEngine::default();
        let log = EngineLog::at(&engine.serve().await);
        (engine, log)
    }

    fn texts(engine: &FakeEngine) -> Vec<String> {
        let reported = engine.reported.lock().unwrap();
        reported.iter().map(|message| message.message.clone()).collect()
    }

    #[tokio::test]
    async fn messages_of_other_threads_are_passed_on_once_and_in_order() {
        let (engine, log) = start().await;
        let lookup = |observer: Arc<dyn Observer>| {
            let (done, is_done) = oneshot::channel();
            thread::spawn(move || {
                for number in 0..100 {
                    observer.warning(&number.to_string());
                }
                done.send("found").unwrap();
            });
            is_done
        };
        let found = observed("getIpPool", Arc::default(), &log, lookup).await;
        assert_eq!(found, Ok("found"));
        until("passed on", || texts(&engine).len() == 100).await;
        let expected: Vec<_> = (0..100).map(|number| format!("getIpPool: {number}")).collect();
        assert_eq!(texts(&engine), expected);
    }

    #[tokio::test(start_paused = true)]
    async fn an_engine_that_accepts_no_message_does_not_delay_the_result() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let log = EngineLog::at(&silent.local_addr().unwrap().to_string());
        let lookup = async |observer: Arc<dyn Observer>| {
            (0..5).for_each(|number| observer.warning(&number.to_string()));
        };
        let found = observed("getIpPool", Arc::default(), &log, lookup);
        let limit = std::time::Duration::from_millis(200);
        assert_eq!(tokio::time::timeout(limit, found).await, Ok(()));
    }

    #[tokio::test]
    async fn a_message_is_passed_on_while_the_lookup_waits() {
        let (engine, log) = start().await;
        let lookup = async |observer: Arc<dyn Observer>| {
            for text in ["a", "b"] {
                observer.warning(text);
                let expected = format!("getIpPool: {text}");
                until("passed on", || texts(&engine).last() == Some(&expected)).await;
            }
            observer
        };
        let _observer = observed("getIpPool", Arc::default(), &log, lookup).await;
        assert_eq!(texts(&engine).len(), 2);
    }
}
