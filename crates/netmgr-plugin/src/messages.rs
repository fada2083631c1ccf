//! Messages of a running lookup, and the text of errors.

use std::error::Error;
use std::future::poll_fn;
use std::mem;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use engine_rpc::{EngineLog, LogMessage, Severity};
use futures_util::FutureExt as _;
use futures_util::future::{Either, select};
use futures_util::task::AtomicWaker;
use netmgr_lookups::{Observer, Progress};

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

/// What happens next to a lookup.
enum Event<T> {
    Found(T),
    Said(Vec<LogMessage>),
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
    pub(crate) async fn during<T>(
        &self,
        log: &EngineLog,
        lookup: &mut (impl Future<Output = T> + Unpin),
    ) -> T {
        loop {
            let found = match poll_fn(|task| self.poll_event(task, lookup)).await {
                Event::Found(found) => Some(found),
                // Boxed, because few lookups have messages (0105).
                Event::Said(messages) => Box::pin(send_during(messages, log, lookup)).await,
            };
            if let Some(found) = found {
                let last = self.take();
                if !last.is_empty() {
                    Box::pin(send(last, log)).await;
                }
                return found;
            }
        }
    }

    fn poll_event<T>(
        &self,
        task: &mut Context<'_>,
        lookup: &mut (impl Future<Output = T> + Unpin),
    ) -> Poll<Event<T>> {
        self.bell.register(task.waker());
        if let Poll::Ready(found) = lookup.poll_unpin(task) {
            return Poll::Ready(Event::Found(found));
        }
        let messages = self.take();
        match messages.is_empty() {
            false => Poll::Ready(Event::Said(messages)),
            true => Poll::Pending,
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

/// Sends messages while the lookup goes on, and returns what it has found, if it has ended meanwhile.
async fn send_during<T>(
    messages: Vec<LogMessage>,
    log: &EngineLog,
    lookup: &mut (impl Future<Output = T> + Unpin),
) -> Option<T> {
    match select(pin!(send(messages, log)), lookup).await {
        Either::Left(_) => None,
        Either::Right((found, sending)) => {
            sending.await;
            Some(found)
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
