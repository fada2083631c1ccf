//! Construction of components and calls of their methods through the engine's resource monitor.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;

use crate::components::{
    ComponentEntry, ConstructError, ConstructRequest, Constructed, InputFailure, MethodEntry, MethodRequest,
    MethodResult,
};
use crate::rpc::context::Context;
use crate::rpc::error::Error;
use crate::rpc::monitor::Monitor;
use crate::values::{Object, Segment, Value};

/// Constructs a component, for implementations of [`Provider::construct`](crate::rpc::Provider::construct).
///
/// Children are registered with `monitor`. When the context is cancelled, all waiting registrations are cancelled.
///
/// # Errors
/// [`Error::InvalidInput`] for invalid inputs, before anything is registered. [`Error::Cancelled`].
/// [`Error::Failed`] for other errors, with the child and the engine's reason.
pub async fn construct_component(
    cx: &Context,
    component: &ComponentEntry,
    request: ConstructRequest,
    monitor: Monitor,
) -> Result<Constructed, Error> {
    // Records the component in the span of the call.
    tracing::Span::current().record("component", component.token);
    let inputs = request.inputs.clone();
    let what = format!("{} {:?}", component.token, request.name);
    until_cancelled(
        cx,
        &what,
        &inputs,
        (component.construct)(Arc::new(monitor), request),
    )
    .await
}

/// Calls a method of a component, for implementations of [`Provider::call`](crate::rpc::Provider::call).
///
/// # Errors
/// As [`construct_component`].
pub async fn call_component_method(
    cx: &Context,
    method: &MethodEntry,
    request: MethodRequest,
    monitor: Monitor,
) -> Result<MethodResult, Error> {
    // Records the method in the span of the call.
    tracing::Span::current().record("method", method.name);
    let arguments = request.arguments.clone();
    until_cancelled(
        cx,
        &request.token.clone(),
        &arguments,
        (method.call)(Arc::new(monitor), request),
    )
    .await
}

/// Waits for `work`, or until the call is cancelled. `what` names the component or method, and `inputs` are the inputs
/// that errors refer to.
async fn until_cancelled<T>(
    cx: &Context,
    what: &str,
    inputs: &Object,
    work: impl Future<Output = Result<T, ConstructError>>,
) -> Result<T, Error> {
    let outcome = tokio::select! {
        biased;
        () = cx.cancellation().cancelled() => return Err(Error::Cancelled),
        outcome = AssertUnwindSafe(work).catch_unwind() => outcome,
    };
    // The panic message was written to stderr. It may contain secrets, so it is not sent.
    let outcome = outcome.map_err(|_panic| Error::Internal(format!("{what} panicked")))?;
    outcome.map_err(|error| match error {
        ConstructError::InvalidInput(problems) => {
            let failures = problems.into_iter().map(|problem| marked(problem, inputs));
            Error::InvalidInput(failures.collect())
        }
        error => Error::failed(&error),
    })
}

/// Marks a failure of an input that contains a secret as sensitive, because the engine prints the values of reported
/// properties.
fn marked(failure: InputFailure, inputs: &Object) -> InputFailure {
    let input = match failure.property.segments().first() {
        Some(Segment::Key(name)) => inputs.get(name),
        _ => None,
    };
    match input.is_some_and(Value::contains_secret) {
        true => failure.sensitive(),
        false => failure,
    }
}
