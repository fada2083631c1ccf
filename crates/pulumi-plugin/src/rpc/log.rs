//! Messages to the user, through the engine. A plugin's own output streams
//! are hidden from the user.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::timeout;
use tonic::transport::Channel;

use crate::components::{LogMessage, Severity};
use crate::rpc::channel;
use crate::rpc::generated::pulumirpc::engine_client::EngineClient;
use crate::rpc::generated::pulumirpc::{LogRequest, LogSeverity};

/// Time after which a message that the engine does not accept is dropped.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time that an answer waits for its messages, so that they usually arrive before it.
const HEAD_START: Duration = Duration::from_millis(100);

/// The engine's log. Cheap to clone; connects when the first message is sent.
///
/// Sending never fails. Messages that cannot be delivered are dropped, so that they do not affect the
/// operation. Before an engine has connected, all messages are dropped.
#[derive(Clone, Default)]
pub struct EngineLog {
    engine: Arc<Mutex<Option<EngineClient<Channel>>>>,
}

impl EngineLog {
    /// Creates the log of the engine at `address` (`host:port`). With an invalid address, all messages are
    /// dropped.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn at(address: &str) -> Self {
        let log = Self::default();
        log.connect(address);
        log
    }

    /// Connects all clones to the engine at `address`.
    pub(crate) fn connect(&self, address: &str) {
        let engine = channel::lazy(address).ok().map(EngineClient::new);
        *self.engine.lock().unwrap_or_else(PoisonError::into_inner) = engine;
    }

    /// Logs an information.
    pub async fn info(&self, text: impl Into<String>) {
        self.send(LogMessage::new(Severity::Info, text)).await;
    }

    /// Logs a warning.
    pub async fn warning(&self, text: impl Into<String>) {
        self.send(LogMessage::new(Severity::Warning, text)).await;
    }

    /// Logs an error.
    pub async fn error(&self, text: impl Into<String>) {
        self.send(LogMessage::new(Severity::Error, text)).await;
    }

    /// Shows a progress message, until the next one.
    pub async fn progress(&self, text: impl Into<String>) {
        self.send(LogMessage {
            ephemeral: true,
            ..LogMessage::new(Severity::Info, text)
        })
        .await;
    }

    /// Sends a message and waits until it has reached the engine, so that consecutive messages arrive in
    /// order. A message that the engine does not accept within ten seconds is dropped.
    pub async fn send(&self, message: LogMessage) {
        let engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(mut engine) = engine {
            let severity = match message.severity {
                Severity::Debug => LogSeverity::Debug,
                Severity::Info => LogSeverity::Info,
                Severity::Warning => LogSeverity::Warning,
                Severity::Error => LogSeverity::Error,
            };
            let request = LogRequest {
                severity: severity.into(),
                message: message.text,
                urn: message.urn.map(String::from).unwrap_or_default(),
                ephemeral: message.ephemeral,
            };
            // Boxed, because every call can send a message and few do. Neither an error nor a lost message can be
            // reported.
            let _ = timeout(PATIENCE, Box::pin(engine.log(request))).await;
        }
    }
}

/// Waits until `messages` are sent, but only briefly, because an engine whose log is slow must not delay an answer. They are
/// sent afterwards in any case.
pub async fn head_start(messages: JoinHandle<()>) {
    let _ = timeout(HEAD_START, messages).await;
}

impl fmt::Debug for EngineLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EngineLog")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_engine_that_does_not_respond_is_not_waited_for_forever() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let log = EngineLog::at(&silent.local_addr().unwrap().to_string());
        let sent = timeout(2 * PATIENCE, log.info("found")).await;
        assert_eq!(sent, Ok(()));
        let messages = tokio::spawn(async move { log.info("found").await });
        assert_eq!(timeout(2 * HEAD_START, head_start(messages)).await, Ok(()));
    }
}
