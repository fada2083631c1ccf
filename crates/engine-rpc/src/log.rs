//! Messages to the user, through the engine ("engine-plugin" 1.6). A plugin's own output streams
//! are hidden from the user.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use engine_values::Urn;
use tonic::transport::Channel;

use crate::channel;
use crate::generated::pulumirpc::engine_client::EngineClient;
use crate::generated::pulumirpc::{LogRequest, LogSeverity};

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Shown with the engine's flag `--debug` only.
    Debug,
    /// Good to know.
    Info,
    /// Something to look into.
    Warning,
    /// The operation fails. Return an error as well: the engine does not promise to act on this.
    Error,
}

/// A message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogMessage {
    /// How much it matters.
    pub severity: Severity,
    /// The text.
    pub text: String,
    /// The resource it belongs to.
    pub urn: Option<Urn>,
    /// Whether it is shown while the operation runs and not kept: progress.
    pub ephemeral: bool,
}

/// The engine's log. Cheap to clone; connects when the first message is sent.
///
/// Sending never fails: a message that cannot be delivered is dropped, because the work that it is
/// about must not suffer. Before an engine has introduced itself there is nobody to tell.
#[derive(Clone, Default)]
pub struct EngineLog {
    engine: Arc<Mutex<Option<EngineClient<Channel>>>>,
}

impl EngineLog {
    /// The log of the engine at `address`, written `host:port`. An address that is none gives a log
    /// that drops everything.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn at(address: &str) -> Self {
        let log = Self::default();
        log.connect(address);
        log
    }

    /// Sends everything to the engine at `address` from now on, from every clone.
    pub(crate) fn connect(&self, address: &str) {
        let engine = channel::lazy(address).ok().map(EngineClient::new);
        *self.engine.lock().unwrap_or_else(PoisonError::into_inner) = engine;
    }

    /// Tells the user something good to know.
    pub async fn info(&self, text: impl Into<String>) {
        self.send(LogMessage::new(Severity::Info, text)).await;
    }

    /// Warns the user.
    pub async fn warning(&self, text: impl Into<String>) {
        self.send(LogMessage::new(Severity::Warning, text)).await;
    }

    /// Tells the user that the operation fails.
    pub async fn error(&self, text: impl Into<String>) {
        self.send(LogMessage::new(Severity::Error, text)).await;
    }

    /// Shows the user how things are going, until the next such message.
    pub async fn progress(&self, text: impl Into<String>) {
        self.send(LogMessage {
            ephemeral: true,
            ..LogMessage::new(Severity::Info, text)
        })
        .await;
    }

    /// Sends a message. It has reached the engine when this returns, so messages sent one after the
    /// other arrive in order.
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
            // Nobody is left to tell when this fails.
            let _ = engine.log(request).await;
        }
    }
}

impl LogMessage {
    /// A message that belongs to no resource and is kept.
    #[must_use]
    pub fn new(severity: Severity, text: impl Into<String>) -> Self {
        Self {
            severity,
            text: text.into(),
            urn: None,
            ephemeral: false,
        }
    }
}

impl fmt::Debug for EngineLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EngineLog")
    }
}
