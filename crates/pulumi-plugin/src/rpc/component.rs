//! Construction of components and calls of their methods through the engine's resource monitor.

use std::sync::Arc;

use crate::components::{
    ConstructError, ConstructRequest, Constructed, Entry, InputFailure, MethodEntry, MethodRequest,
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
    component: &Entry,
    request: ConstructRequest,
    monitor: Monitor,
) -> Result<Constructed, Error> {
    // The span of the call.
    tracing::Span::current().record("component", component.token);
    let inputs = request.inputs.clone();
    until_cancelled(cx, &inputs, (component.construct)(Arc::new(monitor), request)).await
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
    // The span of the call.
    tracing::Span::current().record("method", method.name);
    let arguments = request.arguments.clone();
    until_cancelled(cx, &arguments, (method.call)(Arc::new(monitor), request)).await
}

/// Waits for `work` on these inputs until the call is cancelled.
async fn until_cancelled<T>(
    cx: &Context,
    inputs: &Object,
    work: impl Future<Output = Result<T, ConstructError>>,
) -> Result<T, Error> {
    let outcome = tokio::select! {
        biased;
        () = cx.cancellation().cancelled() => return Err(Error::Cancelled),
        outcome = work => outcome,
    };
    outcome.map_err(|error| match error {
        ConstructError::InvalidInput(problems) => {
            let failures = problems.into_iter().map(|problem| marked(problem, inputs));
            Error::InvalidInput(failures.collect())
        }
        error => Error::failed(&error),
    })
}

/// The engine prints the value of the reported property, so an input that contains a secret is only named in
/// the text.
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
