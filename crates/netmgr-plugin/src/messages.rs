//! Messages of a running lookup, and the text of errors.

use std::error::Error;
use std::sync::Arc;

use engine_rpc::{EngineLog, LogMessage, Severity};
use netmgr_lookups::{Observer, Progress};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

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

/// The end at which a lookup speaks. The other one is closed when it is dropped.
pub(crate) struct Speaker {
    function: &'static str,
    hidden: Arc<Hidden>,
    messages: UnboundedSender<Box<LogMessage>>,
}

/// Messages on their way to the engine. Boxed, because a channel has room for 32 of them from the start, and most
/// lookups have none.
pub(crate) struct Messages(UnboundedReceiver<Box<LogMessage>>);

impl Messages {
    /// Messages of one call of `function`, without what is `hidden`.
    pub(crate) fn of(function: &'static str, hidden: Arc<Hidden>) -> (Speaker, Self) {
        let (sender, receiver) = unbounded_channel();
        let speaker = Speaker {
            function,
            hidden,
            messages: sender,
        };
        (speaker, Self(receiver))
    }

    /// Passes them on in order, until the lookup is over.
    pub(crate) async fn pass_on(mut self, log: &EngineLog) {
        while let Some(message) = self.0.recv().await {
            Box::pin(log.send(*message)).await;
        }
    }
}

impl Speaker {
    fn say(&self, severity: Severity, text: &str, ephemeral: bool) {
        let text = format!("{}: {}", self.function, self.hidden.hide(text));
        let message = LogMessage {
            ephemeral,
            ..LogMessage::new(severity, text)
        };
        // The receiver is dropped when the call is cancelled.
        let _ = self.messages.send(Box::new(message));
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
