//! Construction of components through the engine's resource monitor.

use std::sync::Arc;

use crate::components::{ConstructError, ConstructRequest, Constructed, Entry, InputFailure};
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
    let constructed = tokio::select! {
        biased;
        () = cx.cancellation().cancelled() => return Err(Error::Cancelled),
        constructed = (component.construct)(Arc::new(monitor), request) => constructed,
    };
    constructed.map_err(|error| match error {
        ConstructError::InvalidInput(problems) => {
            let failures = problems.into_iter().map(|problem| marked(problem, &inputs));
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
