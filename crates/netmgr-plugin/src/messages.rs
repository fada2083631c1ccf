//! Messages of a running lookup, and the text of errors.

use std::error::Error;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use futures_util::task::AtomicWaker;
use netmgr_lookups::{Observer, Progress};
use pulumi_plugin::rpc::{EngineLog, LogMessage, Severity};

use crate::redact::Hidden;

/// The message of an error and of each of its causes.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Messages of one call on their way to the engine.
pub(crate) struct Messages {
    function: &'static str,
    hidden: Arc<Hidden>,
    /// Empty, it takes a tenth of the space of a channel, and most lookups have no message.
    waiting: Mutex<Vec<LogMessage>>,
    /// Rung by each message.
    bell: AtomicWaker,
}

impl Messages {
    /// No messages yet of a call of `function`. They will be without what is `hidden`.
    pub(crate) fn of(function: &'static str, hidden: Arc<Hidden>) -> Arc<Self> {
        Arc::new(Self {
            function,
            hidden,
            waiting: Mutex::default(),
            bell: AtomicWaker::new(),
        })
    }

    /// What `lookup` finds. Until then, passes its messages on in order.
    pub(crate) fn during<'a, L: Future + Unpin>(&'a self, log: &'a EngineLog, lookup: L) -> During<'a, L> {
        During {
            messages: self,
            log,
            lookup,
            sending: None,
            found: None,
        }
    }

    fn take(&self) -> Vec<LogMessage> {
        mem::take(&mut *self.waiting())
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<LogMessage>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, severity: Severity, text: &str, ephemeral: bool) {
        let text = format!("{}: {}", self.function, self.hidden.hide(text));
        let message = LogMessage {
            ephemeral,
            ..LogMessage::new(severity, text)
        };
        self.waiting().push(message);
        self.bell.wake();
    }
}

/// A lookup whose messages are passed on, as a future of its own type, which takes less space than an async function.
pub(crate) struct During<'a, L: Future> {
    messages: &'a Messages,
    log: &'a EngineLog,
    lookup: L,
    /// Messages on their way.
    sending: Option<BoxFuture<'a, ()>>,
    /// What the lookup has found.
    found: Option<Box<L::Output>>,
}

impl<L: Future + Unpin> Future for During<'_, L> {
    type Output = L::Output;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<L::Output> {
        let this = self.get_mut();
        this.messages.bell.register(task.waker());
        if this.found.is_none()
            && let Poll::Ready(found) = this.lookup.poll_unpin(task)
        {
            this.found = Some(Box::new(found));
        }
        loop {
            if let Some(sending) = &mut this.sending {
                ready!(sending.poll_unpin(task));
                this.sending = None;
            }
            let messages = this.messages.take();
            if messages.is_empty() {
                return this
                    .found
                    .take()
                    .map_or(Poll::Pending, |found| Poll::Ready(*found));
            }
            this.sending = Some(Box::pin(send(messages, this.log)));
        }
    }
}

async fn send(messages: Vec<LogMessage>, log: &EngineLog) {
    for message in messages {
        log.send(message).await;
    }
}

impl Observer for Messages {
    fn warning(&self, message: &str) {
        self.say(Severity::Warning, message, false);
    }

    fn progress(&self, progress: &Progress) {
        self.say(Severity::Info, &progress.to_string(), true);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use pulumi_testing::{FakeEngine, until};
    use tokio::sync::oneshot;

    use super::*;

    async fn start() -> (FakeEngine, EngineLog, Arc<Messages>) {
        let engine = FakeEngine::default();
        let log = EngineLog::at(&engine.serve().await);
        (engine, log, Messages::of("getIpPool", Arc::default()))
    }

    fn texts(engine: &FakeEngine) -> Vec<String> {
        let reported = engine.reported.lock().unwrap();
        reported.iter().map(|message| message.message.clone()).collect()
    }

    #[tokio::test]
    async fn messages_of_other_threads_are_passed_on_once_and_in_order() {
        let (engine, log, messages) = start().await;
        let (done, is_done) = oneshot::channel();
        let speaker = Arc::clone(&messages);
        thread::spawn(move || {
            for number in 0..100 {
                speaker.warning(&number.to_string());
            }
            done.send("found").unwrap();
        });
        assert_eq!(messages.during(&log, is_done).await, Ok("found"));
        let expected: Vec<_> = (0..100).map(|number| format!("getIpPool: {number}")).collect();
        assert_eq!(texts(&engine), expected);
    }

    #[tokio::test]
    async fn a_message_is_passed_on_while_the_lookup_waits() {
        let (engine, log, messages) = start().await;
        let (done, is_done) = oneshot::channel();
        let speaker = Arc::clone(&messages);
        let call = tokio::spawn(async move { messages.during(&log, is_done).await });
        for text in ["getIpPool: a", "getIpPool: b"] {
            speaker.warning(text.trim_start_matches("getIpPool: "));
            until("passed on", || {
                texts(&engine).last().is_some_and(|last| last == text)
            })
            .await;
        }
        done.send(()).unwrap();
        call.await.unwrap().unwrap();
        assert_eq!(texts(&engine).len(), 2);
    }
}
