//! An engine for tests, which records registrations and calls, and answers them with configured results.
//!
//! It can simulate a preview, slow resources (on the clock of the runtime, which tests pause) and failures. Like the
//! engine, it rejects a resource that is registered twice, before its parent, or before one of its dependencies.

mod graph;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::values::{Object, Urn, UrnParts};
use futures_util::FutureExt;
use tokio::time::{Instant, sleep};

use crate::components::registrar::{
    FunctionCall, FunctionResult, LogMessage, MethodCall, MethodResult, Pending, Registrar, RegistrarError,
};
use crate::components::registration::{Registered, Registration};
pub use graph::GraphNode;

type Outputs = dyn Fn(&Registration) -> Object + Send + Sync;
type Results = dyn Fn(&FunctionCall) -> Option<Object> + Send + Sync;
type MethodResults = dyn Fn(&MethodCall) -> Option<Object> + Send + Sync;

/// An engine for tests. Cheap to clone; clones share their record.
///
/// The outputs of a resource are its inputs and those that [`outputs`](Self::outputs) adds. Its id is its
/// name followed by `-id`. In a preview, registered resources have no ids and no added outputs, and calls without a
/// configured result return an unknown result.
#[must_use]
#[derive(Clone)]
pub struct RecordingEngine {
    preview: bool,
    latency: Duration,
    failures: BTreeMap<String, String>,
    lost: BTreeSet<String>,
    outputs: Arc<Outputs>,
    results: Arc<Results>,
    method_results: Arc<MethodResults>,
    record: Arc<Mutex<Recording>>,
}

/// The requests to a [`RecordingEngine`], in order.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// Registrations.
    pub registrations: Vec<Registration>,
    /// Events of registrations.
    pub events: Vec<RegistrationEvent>,
    /// Reads of existing resources, with their identifiers if they are known.
    pub reads: Vec<(Registration, Option<String>)>,
    /// Calls of functions.
    pub calls: Vec<FunctionCall>,
    /// Calls of methods.
    pub method_calls: Vec<MethodCall>,
    /// Stored outputs of components.
    pub outputs: BTreeMap<Urn, Object>,
    /// Messages to the user.
    pub messages: Vec<LogMessage>,
    begun: Option<Instant>,
    admitted: BTreeSet<Urn>,
    answered: BTreeSet<Urn>,
}

/// An event of a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistrationEvent {
    /// The resource.
    pub urn: Urn,
    /// Time since the first registration arrived.
    pub at: Duration,
    /// Cause.
    pub what: EventKind,
}

/// Kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// The registration arrived.
    Arrived,
    /// The registration succeeded.
    Answered,
    /// The registration failed.
    Failed,
    /// The registration was cancelled.
    Abandoned,
}

impl Default for RecordingEngine {
    fn default() -> Self {
        Self {
            preview: false,
            latency: Duration::ZERO,
            failures: BTreeMap::new(),
            lost: BTreeSet::new(),
            outputs: Arc::new(|_| Object::new()),
            results: Arc::new(|_| None),
            method_results: Arc::new(|_| None),
            record: Arc::default(),
        }
    }
}

impl RecordingEngine {
    /// Creates an engine that answers immediately.
    pub fn new() -> Self {
        Self::default()
    }

    /// Simulates a preview of resources that do not exist yet.
    pub fn preview(mut self) -> Self {
        self.preview = true;
        self
    }

    /// Sets the duration of every registration.
    pub fn latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// Makes the registration of a resource fail.
    pub fn fail(mut self, name: &str, reason: &str) -> Self {
        self.failures.insert(name.to_owned(), reason.to_owned());
        self
    }

    /// Fails the resource of this name and continues, as the engine does with `--continue-on-error`.
    pub fn lose(mut self, name: &str) -> Self {
        self.lost.insert(name.to_owned());
        self
    }

    /// Sets outputs of resources in addition to their inputs.
    pub fn outputs(mut self, outputs: impl Fn(&Registration) -> Object + Send + Sync + 'static) -> Self {
        self.outputs = Arc::new(outputs);
        self
    }

    /// Sets results of functions. `None` makes the call fail, or its result unknown in a preview.
    pub fn results(
        mut self,
        results: impl Fn(&FunctionCall) -> Option<Object> + Send + Sync + 'static,
    ) -> Self {
        self.results = Arc::new(results);
        self
    }

    /// Sets results of methods. `None` makes the call fail, or its result unknown in a preview.
    pub fn method_results(
        mut self,
        results: impl Fn(&MethodCall) -> Option<Object> + Send + Sync + 'static,
    ) -> Self {
        self.method_results = Arc::new(results);
        self
    }

    /// The requests so far.
    #[must_use]
    pub fn record(&self) -> Recording {
        self.lock().clone()
    }

    /// This engine as a registrar.
    #[must_use]
    pub fn registrar(&self) -> Arc<dyn Registrar> {
        Arc::new(self.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Recording> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers a registration after its latency.
    async fn ended(self, registration: Registration, urn: Urn) -> Result<Registered, RegistrarError> {
        let mut waiting = PendingRegistration {
            recorder: self,
            urn,
            ended: false,
        };
        if !waiting.recorder.latency.is_zero() {
            sleep(waiting.recorder.latency).await;
        }
        if let Some(reason) = waiting.recorder.failures.get(&registration.name).cloned() {
            waiting.end(EventKind::Failed);
            return Err(RegistrarError::Refused { reason });
        }
        waiting.end(EventKind::Answered);
        Ok(waiting.recorder.answer(&registration, waiting.urn.clone()))
    }

    fn answer(&self, registration: &Registration, urn: Urn) -> Registered {
        let mut outputs = registration.inputs.clone();
        let mut id = None;
        if !self.preview {
            outputs.extend((self.outputs)(registration));
            id = registration.custom.then(|| format!("{}-id", registration.name));
        }
        Registered {
            urn,
            id,
            outputs,
            unknown: false,
            dependencies: BTreeMap::new(),
            failed: self.lost.contains(&registration.name),
        }
    }
}

impl Recording {
    /// The registration of this type and name.
    #[must_use]
    pub fn find(&self, token: &str, name: &str) -> Option<&Registration> {
        self.registrations
            .iter()
            .find(|r| r.token == token && r.name == name)
    }

    /// The time from the first registration to the last answer.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.events.iter().map(|event| event.at).max().unwrap_or_default()
    }

    /// The length of the longest chain of registrations that depend on each other through parents,
    /// dependencies and providers. With a fixed latency, it determines the minimum duration.
    #[must_use]
    pub fn critical_path(&self) -> usize {
        let mut depths: BTreeMap<Urn, usize> = BTreeMap::new();
        for registration in &self.registrations {
            let before = registration
                .names()
                .filter_map(|urn| depths.get(urn))
                .max()
                .copied();
            depths.insert(urn_of(registration), before.unwrap_or_default() + 1);
        }
        depths.into_values().max().unwrap_or_default()
    }

    fn note(&mut self, urn: &Urn, what: EventKind) {
        let now = Instant::now();
        let at = now - *self.begun.get_or_insert(now);
        if what == EventKind::Answered {
            self.answered.insert(urn.clone());
        }
        self.events.push(RegistrationEvent {
            urn: urn.clone(),
            at,
            what,
        });
    }

    /// Accepts a registration if the engine would.
    fn admit(&mut self, registration: &Registration, urn: &Urn) -> Result<(), RegistrarError> {
        let refused = |reason| Err(RegistrarError::Refused { reason });
        let own = |urn: &&Urn| urn.as_str().starts_with(PREFIX);
        if let Some(early) = registration
            .names()
            .filter(own)
            .find(|urn| !self.answered.contains(*urn))
        {
            return refused(format!("{urn} was registered before {early} was resolved"));
        }
        if !self.admitted.insert(urn.clone()) {
            return refused(format!("duplicate resource URN '{urn}'"));
        }
        self.note(urn, EventKind::Arrived);
        Ok(())
    }
}

impl Registration {
    /// All resources that must be registered before this one.
    pub fn names(&self) -> impl Iterator<Item = &Urn> {
        let providers = self
            .provider
            .iter()
            .chain(self.providers.values())
            .map(|provider| &provider.urn);
        let properties = self.property_dependencies.values().flatten();
        self.parent
            .iter()
            .chain(&self.dependencies)
            .chain(properties)
            .chain(&self.deleted_with)
            .chain(providers)
    }
}

const PREFIX: &str = "urn:pulumi:test::test::";

/// The URN that the engine would assign.
fn urn_of(registration: &Registration) -> Urn {
    let parent = registration
        .parent
        .as_ref()
        .and_then(|parent| parent.parts().ok());
    let chain = match parent {
        Some(parent) if parent.type_chain != "pulumi:pulumi:Stack" => {
            format!("{}${}", parent.type_chain, registration.token)
        }
        _ => registration.token.clone(),
    };
    let parts = UrnParts {
        stack: "test",
        project: "test",
        type_chain: &chain,
        name: &registration.name,
    };
    Urn::from(parts.to_string())
}

/// Records that a registration was cancelled unless it has completed.
struct PendingRegistration {
    recorder: RecordingEngine,
    urn: Urn,
    ended: bool,
}

impl PendingRegistration {
    fn end(&mut self, what: EventKind) {
        self.ended = true;
        self.recorder.lock().note(&self.urn, what);
    }
}

impl Drop for PendingRegistration {
    fn drop(&mut self) {
        if !self.ended {
            self.end(EventKind::Abandoned);
        }
    }
}

impl Registrar for RecordingEngine {
    fn register(&self, registration: Registration) -> Pending<Registered> {
        let recorder = self.clone();
        async move {
            let urn = urn_of(&registration);
            {
                let mut record = recorder.lock();
                record.admit(&registration, &urn)?;
                record.registrations.push(registration.clone());
            }
            recorder.ended(registration, urn).await
        }
        .boxed()
    }

    fn read(&self, registration: Registration, id: Option<String>) -> Pending<Registered> {
        let recorder = self.clone();
        async move {
            let urn = urn_of(&registration);
            {
                let mut record = recorder.lock();
                record.admit(&registration, &urn)?;
                record.reads.push((registration.clone(), id.clone()));
            }
            let mut registered = recorder.clone().ended(registration.clone(), urn).await?;
            // Existing resources are also read in a preview.
            if id.is_some() {
                registered.outputs.extend((recorder.outputs)(&registration));
            }
            Ok(Registered { id, ..registered })
        }
        .boxed()
    }

    fn register_outputs(&self, urn: Urn, outputs: Object) -> Pending<()> {
        let recorder = self.clone();
        async move {
            recorder.lock().outputs.insert(urn, outputs);
            Ok(())
        }
        .boxed()
    }

    fn call(&self, call: FunctionCall) -> Pending<FunctionResult> {
        let recorder = self.clone();
        async move {
            recorder.lock().calls.push(call.clone());
            match (recorder.results)(&call) {
                Some(result) => Ok(FunctionResult {
                    result,
                    unknown: false,
                }),
                // A function of a provider that does not exist yet.
                None if recorder.preview => Ok(FunctionResult {
                    result: Object::new(),
                    unknown: true,
                }),
                None => Err(RegistrarError::Refused {
                    reason: format!("no result is configured for {}", call.token),
                }),
            }
        }
        .boxed()
    }

    fn call_method(&self, call: MethodCall) -> Pending<MethodResult> {
        let recorder = self.clone();
        async move {
            recorder.lock().method_calls.push(call.clone());
            match (recorder.method_results)(&call) {
                Some(values) => Ok(MethodResult {
                    values,
                    ..MethodResult::default()
                }),
                None if recorder.preview => Ok(MethodResult::default()),
                None => Err(RegistrarError::Refused {
                    reason: format!("no result is configured for {}", call.token),
                }),
            }
        }
        .boxed()
    }

    fn log(&self, message: LogMessage) -> Pending<()> {
        let recorder = self.clone();
        async move {
            recorder.lock().messages.push(message);
            Ok(())
        }
        .boxed()
    }
}
