//! Messages of a running lookup, and the text of errors.

use std::error::Error;
use std::future::poll_fn;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use engine_rpc::{EngineLog, LogMessage, Severity};
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

/// The end at which a lookup speaks.
pub(crate) struct Speaker {
    function: &'static str,
    hidden: Arc<Hidden>,
    queue: Arc<Queue>,
}

/// Messages on their way to the engine.
pub(crate) struct Messages(Arc<Queue>);

/// Messages that wait. Empty, it takes a tenth of the space of a channel, and most lookups have no message.
#[derive(Default)]
struct Queue {
    messages: Mutex<Vec<LogMessage>>,
    is_over: AtomicBool,
    /// Rung by each message, and by the end of the lookup.
    bell: AtomicWaker,
}

impl Queue {
    fn messages(&self) -> MutexGuard<'_, Vec<LogMessage>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The messages that wait, or none at the end of the lookup.
    fn poll_next(&self, task: &Context<'_>) -> Poll<Option<Vec<LogMessage>>> {
        self.bell.register(task.waker());
        let is_over = self.is_over.load(Ordering::Acquire);
        let messages = mem::take(&mut *self.messages());
        match messages.is_empty() {
            false => Poll::Ready(Some(messages)),
            true if is_over => Poll::Ready(None),
            true => Poll::Pending,
        }
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        self.queue.is_over.store(true, Ordering::Release);
        self.queue.bell.wake();
    }
}

impl Messages {
    /// Messages of one call of `function`, without what is `hidden`.
    pub(crate) fn of(function: &'static str, hidden: Arc<Hidden>) -> (Speaker, Self) {
        let queue = Arc::<Queue>::default();
        let speaker = Speaker {
            function,
            hidden,
            queue: Arc::clone(&queue),
        };
        (speaker, Self(queue))
    }

    /// Passes them on in order, until the lookup is over.
    pub(crate) async fn pass_on(self, log: &EngineLog) {
        while let Some(messages) = poll_fn(|task| self.0.poll_next(task)).await {
            Box::pin(send(messages, log)).await;
        }
    }
}

async fn send(messages: Vec<LogMessage>, log: &EngineLog) {
    for message in messages {
        log.send(message).await;
    }
}

impl Speaker {
    fn say(&self, severity: Severity, text: &str, ephemeral: bool) {
        let text = format!("{}: {}", self.function, self.hidden.hide(text));
        let message = LogMessage {
            ephemeral,
            ..LogMessage::new(severity, text)
        };
        self.queue.messages().push(message);
        self.queue.bell.wake();
    }
}

impl Observer for Speaker {
    fn warning(&self, message: &str) {
        self.say(Severity::Warning, message, false);
    }

    fn progress(&self, progress: &Progress) {
        self.say(Severity::Info, &progress.to_string(), true);
    }
}
