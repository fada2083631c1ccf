//! Context of a running lookup: reading objects, warnings, waits, and errors with the name of the function.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use netmgr_transport::{Client, Error as RequestError, ErrorKind as RequestErrorKind, Get};
use netmgr_types::{Deployment, InvalidProperty, foreign, sensitive};
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::contract::call::{Call, Progress};
use crate::contract::error::{Candidate, Clues, Error, Place};
use crate::contract::spec::LookupSpec;
use crate::fetch::{Batcher, Caller, Fetch, ReadError};
use crate::finding::read::Scope;
use crate::finding::tree::Tree;
use crate::wording::nouns::{any_of, plural};

/// A call of a lookup function.
pub struct LookupContext<'a> {
    pub(crate) spec: &'static LookupSpec,
    pub(crate) client: &'a Client,
    pub(crate) batcher: &'a Arc<Batcher>,
    /// Facts for planning reads.
    pub(crate) scope: &'a Scope,
    pub(crate) call: &'a Call,
    pub(crate) deadline: Instant,
    /// Counts the lookups, for the log.
    pub(crate) number: u64,
    /// Whether a wide request took too long. See [`Caller`].
    pub(crate) has_waited: AtomicBool,
    /// The functions that replace this one on this kind of manager.
    pub(crate) successors: Vec<&'static str>,
}

impl LookupContext<'_> {
    /// Rejects a function that the manager is too old for. The version is only requested if the function has
    /// a minimum version.
    pub(crate) async fn admit(&self) -> Result<(), Error> {
        self.admit_until(self.deadline).await
    }

    /// Like [`Self::admit`], with an explicit deadline.
    pub(crate) async fn admit_until(&self, deadline: Instant) -> Result<(), Error> {
        let Some(minimum) = self.spec.minimum_version(self.scope.deployment) else {
            return Ok(());
        };
        let version = Box::pin(self.client.version(Some(deadline))).await;
        let version =
            version.map_err(|error| Error::request_failed(self.spec.name, "the manager version", error))?;
        if version >= minimum {
            return Ok(());
        }
        let reason = format!("it has version {version}, but the function requires {minimum} or later");
        Err(Error::Unsupported {
            function: self.spec.name,
            reason,
            source: None,
        })
    }

    /// Reads the object at a fixed path.
    pub(crate) async fn one<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        self.admit().await?;
        let reply = self.fetch().path(Get::new(path)).await;
        match reply.and_then(|reply| reply.json()) {
            Ok(object) => Ok(object),
            Err(error) => Err(self
                .refused(self.spec.noun, format!("the {}", self.spec.noun), error.into())
                .await),
        }
    }

    /// Reads the object that `what` describes at its path.
    pub(crate) async fn get<T: DeserializeOwned>(&self, what: String, get: Get) -> Result<T, Error> {
        self.admit().await?;
        let reply = self.fetch().path(get).await;
        let failed = match reply.and_then(|reply| reply.json()) {
            Ok(object) => return Ok(object),
            Err(error) => error,
        };
        match failed.kind() {
            RequestErrorKind::NotFound if failed.names_an_object() => {
                Err(self.not_found(format!("there is no {what}"), None, Some(failed)))
            }
            RequestErrorKind::NotFound => Err(self.no_api(self.spec.noun, failed).await),
            _ => Err(Error::request_failed(
                self.spec.name,
                format!("the {what}"),
                failed,
            )),
        }
    }

    pub(crate) fn fetch(&self) -> Fetch<'_> {
        self.fetch_until(self.deadline)
    }

    /// The requests of this call, with another deadline.
    pub(crate) fn fetch_until(&self, deadline: Instant) -> Fetch<'_> {
        Fetch {
            batcher: self.batcher,
            caller: Caller {
                lookup: self.number,
                deadline,
                confidential: self.call.confidential,
                has_waited: &self.has_waited,
                observer: self.call.observer.as_ref(),
            },
        }
    }

    /// Sanitizes text of the manager or the user for errors, logs and warnings.
    pub(crate) fn sanitized(&self, text: &str) -> String {
        self.client.sanitized(text)
    }

    /// Sanitizes text like [`Self::sanitized`], in quotes.
    pub(crate) fn quoted(&self, text: &str) -> String {
        self.sanitized(&format!("{text:?}"))
    }

    /// Text that the manager stores, such as a name, without secrets.
    pub(crate) fn stored(&self, text: &str) -> String {
        sensitive::redacted(&self.client.redacted(text)).to_owned()
    }

    /// `candidate` for errors, without secrets. `Display` sanitizes the rest, so that names stay as they are stored.
    pub(crate) fn sanitized_candidate(&self, candidate: &Candidate) -> Candidate {
        Candidate {
            name: self.stored(&candidate.name),
            id: self.client.redacted(&candidate.id),
            path: candidate.path.as_ref().map(|path| self.client.redacted(path)),
        }
    }

    /// Reports a warning to the observer. The foreign text in it is [sanitized](Self::sanitized).
    pub(crate) fn warn(&self, message: &str) {
        let message = &*foreign::sanitized(message);
        tracing::debug!(function = self.spec.name, message, "warning");
        if let Some(observer) = &self.call.observer {
            observer.warning(message);
        }
    }

    /// Reports the progress of a wait to the observer.
    pub(crate) fn progress(&self, progress: &Progress) {
        if let Some(observer) = &self.call.observer {
            observer.progress(&Progress {
                what: foreign::sanitized(&progress.what),
                state: foreign::sanitized(&progress.state),
                ..progress.clone()
            });
        }
    }

    pub(crate) fn invalid(&self, problems: Vec<InvalidProperty>) -> Error {
        Error::InvalidInput {
            function: self.spec.name,
            problems,
        }
    }

    /// The error for a state that is a failure. The foreign text in it is [sanitized](Self::sanitized).
    pub(crate) fn realization_failed(&self, what: String, state: String, reason: String) -> Error {
        Error::RealizationFailed {
            function: self.spec.name,
            what,
            state: foreign::sanitized(&state),
            reason: foreign::sanitized(&reason),
        }
    }

    /// The error for an object that is missing. The foreign text in it is [sanitized](Self::sanitized).
    pub(crate) fn not_found(
        &self,
        what: String,
        incomplete: Option<String>,
        missing: Option<RequestError>,
    ) -> Error {
        Error::NotFound {
            function: self.spec.name,
            what: foreign::sanitized(&what),
            incomplete: incomplete.map(|why| foreign::sanitized(&why)),
            clues: Box::default(),
            source: missing,
        }
    }

    /// The error for several objects. The foreign text in it is [sanitized](Self::sanitized).
    pub(crate) fn ambiguous(
        &self,
        what: String,
        found: Vec<Candidate>,
        total: usize,
        incomplete: Option<String>,
        selector: Option<String>,
    ) -> Error {
        Error::Ambiguous {
            function: self.spec.name,
            what: foreign::sanitized(&what),
            found: found
                .iter()
                .map(|candidate| self.sanitized_candidate(candidate))
                .collect(),
            total,
            incomplete: incomplete.map(|why| foreign::sanitized(&why)),
            selector,
        }
    }

    /// Converts a failed read to an error of this function.
    pub(crate) async fn refused(&self, noun: &str, what: String, refused: ReadError) -> Error {
        match refused {
            ReadError::Request(error) => Error::request_failed(self.spec.name, what, error),
            ReadError::NoApi(error) => self.no_api(noun, error).await,
        }
    }

    /// The error of a path at which the manager has no API, because it is misspelt. `similar` are names of collections.
    pub(crate) fn no_api_at(
        &self,
        path: &str,
        tree: &Tree,
        source: Option<RequestError>,
        similar: Vec<String>,
    ) -> Error {
        let api = match tree {
            Tree::Global => "API of a global manager",
            _ => "API",
        };
        let what = format!("the manager has no {api} at {}", self.sanitized(path));
        // A proxy's response does not show that the path is misspelt.
        if source.as_ref().is_some_and(|source| !source.is_of_manager()) {
            return Error::Unsupported {
                function: self.spec.name,
                reason: what,
                source,
            };
        }
        let clues = Clues {
            similar,
            ..Clues::missing(Place::Collection)
        };
        self.not_found(what, None, source).with_clues(clues)
    }

    /// The error for a manager that does not have the API of the function or of its objects. Requests the manager's
    /// version for the message, and checks whether it is a global manager instead of a local one.
    pub(crate) async fn no_api(&self, noun: &str, source: RequestError) -> Error {
        if self.scope.deployment == Deployment::PolicyManager && Box::pin(self.is_of_global_manager()).await {
            return Error::Unsupported {
                function: self.spec.name,
                reason: "it is a global manager; set `globalManager`".to_owned(),
                source: Some(source),
            };
        }
        let manager = match Box::pin(self.client.version(Some(self.deadline))).await {
            Ok(version) => format!("version {version}"),
            Err(_) => "it".to_owned(),
        };
        let mut reason = format!("{manager} has no API for {}", plural(noun));
        let line = source.failure().request_line.as_ref();
        if line.is_some_and(|line| line.path.starts_with(Tree::Global.root())) {
            reason.push_str(" of a global manager; check `globalManager`");
        }
        let successors = self.successors.iter();
        let successors: Vec<String> = successors.map(|name| format!("`{name}`")).collect();
        if !successors.is_empty() {
            reason.push_str(&format!("; use {} instead", any_of(&successors)));
        }
        Error::Unsupported {
            function: self.spec.name,
            reason,
            source: Some(source),
        }
    }

    /// Whether the manager has the API that only global managers have.
    async fn is_of_global_manager(&self) -> bool {
        let tree = Tree::Global;
        let root = Get::new(tree.root()).policy_path(&tree.base());
        self.fetch().path(root).await.is_ok()
    }
}
