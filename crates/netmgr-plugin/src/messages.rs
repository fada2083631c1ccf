//! Messages of a running lookup, and the text of errors.

use std::error::Error;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine_rpc::{EngineLog, LogMessage, Severity};
use netmgr_lookups::{Observer, Progress};
use tokio::sync::Notify;

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
    bell: Notify,
}

impl Queue {
    fn messages(&self) -> MutexGuard<'_, Vec<LogMessage>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        self.queue.is_over.store(true, Ordering::Release);
        self.queue.bell.notify_one();
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
        loop {
            let is_over = self.0.is_over.load(Ordering::Acquire);
            let messages = mem::take(&mut *self.0.messages());
            if !messages.is_empty() {
                Box::pin(send(messages, log)).await;
            } else if is_over {
                return;
            } else {
                self.0.bell.notified().await;
            }
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
        self.queue.bell.notify_one();
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
