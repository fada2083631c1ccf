//! What a running lookup can do: read objects, warn, wait, and fail with its own name on it.

use std::sync::Arc;

use netmgr_transport::{Client, Error as RequestError};
use netmgr_types::ManagerVersion;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::call::{Call, Progress};
use crate::error::{Candidate, Error, Problem};
use crate::executor::{Batch, Executor, Refused};
use crate::lookup::request_failed;
use crate::read::{By, Read, Scope};
use crate::spec::LookupSpec;
use crate::wait::Pollers;
use netmgr_types::wire::Object;

/// One call of one lookup function.
pub struct Context<'a> {
    pub(crate) spec: LookupSpec,
    pub(crate) client: &'a Client,
    pub(crate) scope: &'a Scope,
    pub(crate) pollers: &'a Pollers,
    pub(crate) call: &'a Call,
    pub(crate) deadline: Instant,
}

impl Context<'_> {
    /// The circumstances to plan in.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        self.scope
    }

    /// Refuses a function that the manager is too old for. The version is asked for only when a
    /// lowest one is stated.
    pub(crate) async fn admit(&self) -> Result<(), Error> {
        let Some(minimum) = self.spec.minimum_version(self.scope.deployment) else {
            return Ok(());
        };
        let version = self.version().await?;
        if version >= minimum {
            return Ok(());
        }
        let reason = format!("it has version {version}, and the function needs {minimum} or above");
        Err(Error::Unsupported {
            function: self.spec.name,
            reason,
            source: None,
        })
    }

    /// Reads the objects that `read` asks for.
    pub(crate) async fn find<T: DeserializeOwned + Object>(&self, read: &Read) -> Result<Batch<T>, Error> {
        self.admit().await?;
        match self.executor().find(read).await {
            Ok(batch) => Ok(batch),
            Err(refused) => Err(self.refused(what(read), refused).await),
        }
    }

    /// Reads once more, where the store may have what the search index lacks.
    pub(crate) async fn look_again<T: DeserializeOwned + Object>(
        &self,
        read: &Read,
        first: &Batch<T>,
    ) -> Result<Option<Batch<T>>, Error> {
        match self.executor().look_again(read, first).await {
            Ok(batch) => Ok(batch),
            Err(refused) => Err(self.refused(what(read), refused).await),
        }
    }

    /// Reads the one object at a fixed path.
    pub(crate) async fn one<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        self.admit().await?;
        match self.executor().one(path).await {
            Ok(object) => Ok(object),
            Err(refused) => Err(self.refused(format!("the {}", self.spec.noun), refused).await),
        }
    }

    fn executor(&self) -> Executor<'_> {
        Executor {
            client: self.client,
            deadline: self.deadline,
        }
    }

    /// The manager's version, read at most once per client.
    pub(crate) async fn version(&self) -> Result<ManagerVersion, Error> {
        self.client
            .version(Some(self.deadline))
            .await
            .map_err(|error| request_failed(self.spec.name, "its version".to_owned(), error))
    }

    /// Tells the caller something that does not end the call.
    pub(crate) fn warn(&self, message: &str) {
        tracing::debug!(function = self.spec.name, message, "warning");
        if let Some(observer) = &self.call.observer {
            observer.warning(message);
        }
    }

    /// Tells the caller how a wait goes.
    pub(crate) fn progress(&self, progress: &Progress) {
        if let Some(observer) = &self.call.observer {
            observer.progress(progress);
        }
    }

    pub(crate) fn invalid(&self, problems: Vec<Problem>) -> Error {
        Error::InvalidInput {
            function: self.spec.name,
            problems,
        }
    }

    /// When the call has to be answered.
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The name of the function.
    pub(crate) fn name(&self) -> &'static str {
        self.spec.name
    }

    pub(crate) fn realization_failed(&self, what: String, state: String, reason: String) -> Error {
        Error::RealizationFailed {
            function: self.spec.name,
            what,
            state,
            reason,
        }
    }

    pub(crate) fn internal(&self, reason: &str) -> Error {
        Error::Internal {
            function: self.spec.name,
            reason: reason.to_owned(),
        }
    }

    pub(crate) fn not_found(
        &self,
        what: String,
        incomplete: Option<String>,
        missing: Option<Arc<RequestError>>,
    ) -> Error {
        Error::NotFound {
            function: self.spec.name,
            what,
            incomplete,
            source: missing,
        }
    }

    pub(crate) fn ambiguous(
        &self,
        what: String,
        found: Vec<Candidate>,
        total: usize,
        incomplete: Option<String>,
    ) -> Error {
        Error::Ambiguous {
            function: self.spec.name,
            what,
            found,
            total,
            incomplete,
        }
    }

    /// A refused read as the failure of this function.
    pub(crate) async fn refused(&self, what: String, refused: Refused) -> Error {
        match refused {
            Refused::Request(error) => request_failed(self.spec.name, what, error),
            Refused::NoApi(error) => self.no_api(Arc::new(error)).await,
        }
    }

    /// The failure of a function whose API this manager proves not to have. The manager's version
    /// is asked for, to tell it.
    pub(crate) async fn no_api(&self, source: Arc<RequestError>) -> Error {
        let manager = match self.client.version(Some(self.deadline)).await {
            Ok(version) => format!("version {version}"),
            Err(_) => "it".to_owned(),
        };
        let mut reason = format!("{manager} has no API for {}s", self.spec.noun);
        if let Some(successor) = self.spec.successor {
            reason.push_str(&format!("; use {successor} instead"));
        }
        Error::Unsupported {
            function: self.spec.name,
            reason,
            source: Some(source),
        }
    }
}

/// What a read asks for, in words.
fn what(read: &Read) -> String {
    let noun = read.kind.noun;
    match &read.by {
        By::Id(id) | By::Key { value: id, .. } => format!("the {noun} with id {id:?}"),
        By::Name(name) => format!("{noun}s by display name {name:?}"),
        By::All => format!("all {noun}s"),
    }
}
