//! Construction of components. `registrar` connects them to the
//! engine.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::components::{self as sdk, Entry};
use crate::values::{Object, Output, Segment, Urn, Value};

use crate::rpc::InputFailure;
use crate::rpc::context::Context;
use crate::rpc::error::Error;
use crate::rpc::messages::{ConstructRequest, Constructed};
use crate::rpc::registrar::MonitorRegistrar;

/// Constructs a component, for implementations of [`Provider::construct`](crate::rpc::Provider::construct).
///
/// Children are registered with the monitor of the request. When the context is cancelled, all waiting
/// registrations are cancelled.
///
/// # Errors
/// [`Error::InvalidInput`] for invalid inputs, before anything is registered. [`Error::Cancelled`].
/// [`Error::Failed`] for other errors, with the child and the engine's reason.
pub async fn construct_component(
    cx: &Context,
    component: &Entry,
    request: ConstructRequest,
) -> Result<Constructed, Error> {
    // The span of the call.
    tracing::Span::current().record("component", component.token);
    let registrar =
        MonitorRegistrar::new(cx.log().clone(), &request).map_err(|error| Error::failed(&error))?;
    let inputs = request.inputs.clone();
    let built = (component.construct)(Arc::new(registrar), asked(request));
    let built = tokio::select! {
        biased;
        () = cx.cancellation().cancelled() => return Err(Error::Cancelled),
        built = built => built,
    };
    built.map(answered).map_err(|error| failed(error, &inputs))
}

/// The request in the words of `components`, with the options that children get from the component.
/// The registrar has all of them as they came.
fn asked(request: ConstructRequest) -> sdk::ConstructRequest {
    let dependencies = request.input_dependencies.into_iter();
    sdk::ConstructRequest {
        name: request.name,
        parent: request.parent,
        preview: request.preview,
        config: request.config.values.into_iter().collect(),
        inputs: request.inputs,
        input_dependencies: dependencies
            .map(|(input, urns)| (input, urns.into_iter().collect()))
            .collect(),
        settings: sdk::Settings {
            protect: request.options.protect,
            retain_on_delete: request.options.retain_on_delete,
            ..sdk::Settings::default()
        },
        providers: request.options.providers,
        ..sdk::ConstructRequest::default()
    }
}

fn answered(constructed: sdk::Constructed) -> Constructed {
    let sdk::Constructed {
        urn,
        state,
        state_dependencies,
    } = constructed;
    Constructed {
        urn,
        state: with_dependencies(state, state_dependencies),
    }
}

/// Adds the dependencies of each property to its value.
fn with_dependencies(state: Object, mut dependencies: BTreeMap<String, BTreeSet<Urn>>) -> Object {
    state
        .into_iter()
        .map(|(name, value)| match dependencies.remove(&name) {
            Some(urns) if !urns.is_empty() => {
                let output = output(value, urns);
                (name, output)
            }
            _ => (name, value),
        })
        .collect()
}

fn output(value: Value, dependencies: BTreeSet<Urn>) -> Value {
    let (value, secret) = match value {
        Value::Secret(inner) => (*inner, true),
        value => (value, false),
    };
    let known = !matches!(value, Value::Unknown(_));
    Value::from(Output {
        value: known.then(|| Box::new(value)),
        secret,
        dependencies: dependencies.into_iter().collect(),
    })
}

fn failed(error: sdk::Error, inputs: &Object) -> Error {
    match error {
        sdk::Error::InvalidInput(problems) => Error::InvalidInput(
            problems
                .into_iter()
                .map(|problem| marked(problem, inputs))
                .collect(),
        ),
        error => Error::failed(&error),
    }
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
