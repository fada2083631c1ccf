//! One lookup for the engine: arguments in, result or failure out.

use std::sync::Arc;

use futures_util::future::{BoxFuture, Either, ready};
use netmgr_lookups::{Answer, Call, Entry, Error as LookupError, InvalidProperty, Lookups, Waits};
use pulumi_plugin::rpc::{Context, Error, InputFailure, InvokeRequest, Returned};
use pulumi_plugin::values::{Object, ReferenceId, Value};
use tracing::dispatcher::get_default;
use tracing::instrument::WithSubscriber as _;
use tracing::{Dispatch, Span};

use crate::manager::Manager;
use crate::messages::{Messages, chain};
use crate::redact::Hidden;

/// Runs a function. `update` means that this is certainly no preview.
///
/// Unknown arguments lead to an empty result and no request, since the engine has no unknown results.
/// When an argument is secret, so is all that comes back.
///
/// What is kept while the lookup waits counts a thousand times (0105, 0291).
pub(crate) fn invoke(
    cx: &Context,
    manager: Arc<Manager>,
    request: InvokeRequest,
    update: bool,
) -> impl Future<Output = Result<Returned, Error>> + Send {
    let waits = match request.preview {
        true => Waits::ReportOnce,
        false => Waits::Wait,
    };
    match begin(&manager, request) {
        Ok(Some(begun)) => Either::Left(look_up(cx, manager, begun, waits, update)),
        Ok(None) => Either::Right(ready(Ok(Object::new().into()))),
        Err(error) => Either::Right(ready(Err(error))),
    }
}

/// Runs the lookup of a request. Not async, because an async function keeps its arguments twice (0291).
fn look_up(
    cx: &Context,
    manager: Arc<Manager>,
    begun: Begun,
    waits: Waits,
    update: bool,
) -> impl Future<Output = Result<Returned, Error>> + Send {
    let Begun {
        invocation,
        input,
        is_secret,
    } = begun;
    // It waits for something to happen on the manager, and would keep its turn for long.
    if invocation.entry.spec.answer == Answer::State {
        cx.step_aside();
    }
    let messages = Messages::of(invocation.entry.spec.name, Arc::clone(&invocation.hidden));
    let call = Call::default()
        .cancel(cx.cancellation().clone())
        .waits(waits)
        .confidential(is_secret)
        .observer(Arc::clone(&messages) as _);
    let arguments = Box::new((input, call));
    async move {
        // One that comes too late does not begin: its request could log in again after the session has ended.
        if cx.cancellation().is_cancelled() {
            return Err(Error::Cancelled);
        }
        if update {
            Box::pin(install_licenses(cx, &manager)).await?;
        }
        // The log contains paths with identifiers, and the host.
        let log = if is_secret || manager.hidden.is_in_requests() {
            Dispatch::none()
        } else {
            get_default(Dispatch::clone)
        };
        let lookup = found(&manager, invocation.entry, arguments).with_subscriber(log);
        let found = messages.during(cx.log(), lookup).await;
        let output = found.map_err(|error| invocation.failure(error))?;
        let members = invocation.members(output)?;
        let marked = members
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, marked(value, is_secret)));
        Ok(marked.collect::<Object>().into())
    }
}

/// What the lookup finds. Boxed, because the future would be stored once more in each of the futures around it.
#[allow(
    clippy::boxed_local,
    reason = "inline, the arguments would take their space for as long as the lookup waits"
)]
fn found<'a>(
    manager: &'a Manager,
    entry: &'static Entry,
    arguments: Box<(serde_json::Value, Call)>,
) -> BoxFuture<'a, Result<serde_json::Value, LookupError>> {
    let (input, call) = *arguments;
    Box::pin(manager.lookups.call_entry(entry, input, call))
}

/// What remains of a request.
struct Begun {
    invocation: Box<Invocation>,
    input: serde_json::Value,
    /// Whether an argument is secret.
    is_secret: bool,
}

/// Decodes a request, unless an argument is unknown. Not async, so that nothing of the request is kept while the
/// lookup waits.
fn begin(manager: &Manager, request: InvokeRequest) -> Result<Option<Begun>, Error> {
    let entry = Lookups::entry(&request.token).map_err(|error| Error::Failed(error.to_string()))?;
    // That of the call. The name of a function is never secret, so it also stands where arguments are.
    Span::current().record("function", entry.spec.name);
    let arguments = plain(request.arguments);
    if arguments.values().any(Value::contains_unknown) {
        return Ok(None);
    }
    let invocation = Invocation {
        entry,
        inputs: Hidden::describe(&arguments).into(),
        hidden: Hidden::of(&arguments, &manager.hidden),
    };
    let (arguments, marks) = Value::Object(arguments).strip();
    Ok(Some(Begun {
        invocation: Box::new(invocation),
        input: arguments.to_json(),
        is_secret: marks.secret,
    }))
}

fn marked(value: Value, is_secret: bool) -> Value {
    if is_secret { Value::secret(value) } else { value }
}

/// Adds licence keys that the manager lacks, unless all calls are cancelled.
async fn install_licenses(cx: &Context, manager: &Manager) -> Result<(), Error> {
    tokio::select! {
        biased;
        () = cx.cancellation().cancelled() => Err(Error::Cancelled),
        installed = manager.install_licenses() => installed,
    }
}

/// Description of the call for errors.
struct Invocation {
    entry: &'static Entry,
    /// The inputs as JSON, without secrets.
    inputs: Box<str>,
    hidden: Arc<Hidden>,
}

impl Invocation {
    /// Converts the error of a lookup.
    fn failure(&self, error: LookupError) -> Error {
        match error {
            LookupError::Cancelled { .. } => Error::Cancelled,
            LookupError::InvalidInput { problems, .. } => Error::InvalidInput(
                problems
                    .into_iter()
                    .map(|problem| self.input_failure(problem))
                    .collect(),
            ),
            error @ LookupError::Internal { .. } => Error::Internal(self.described(&error)),
            error => Error::Failed(self.described(&error)),
        }
    }

    /// The members of an output, which every function promises to be an object.
    fn members(&self, output: serde_json::Value) -> Result<Object, Error> {
        match Value::from_json(output) {
            Ok(Value::Object(members)) => Ok(members),
            Ok(_) => Err(Error::Internal(format!(
                "{}: the result is no object",
                self.entry.spec.token()
            ))),
            Err(error) => Err(Error::Internal(format!(
                "{}: {}",
                self.entry.spec.token(),
                chain(&error)
            ))),
        }
    }

    fn described(&self, error: &LookupError) -> String {
        let chain = self.hidden.hide(&chain(error));
        format!("{chain} ({} with {})", self.entry.spec.token(), self.inputs)
    }

    fn input_failure(&self, problem: InvalidProperty) -> InputFailure {
        InputFailure::at(problem.property, self.hidden.hide(&problem.reason))
    }
}

/// `arguments` with resources replaced by their identifiers, or by their URN where they have none.
fn plain(arguments: Object) -> Object {
    let plain = arguments
        .into_iter()
        .map(|(name, value)| (name, identifier(value)));
    plain.collect()
}

fn identifier(value: Value) -> Value {
    match value {
        Value::Resource(resource) => match resource.id {
            Some(ReferenceId::Known(id)) => id.into(),
            Some(ReferenceId::Unknown) => Value::UNKNOWN,
            None => String::from(resource.urn).into(),
        },
        Value::Secret(inner) => Value::secret(identifier(*inner)),
        Value::Output(mut output) => {
            output.value = output.value.map(|inner| Box::new(identifier(*inner)));
            Value::Output(output)
        }
        Value::Array(elements) => elements.into_iter().map(identifier).collect(),
        Value::Object(members) => Value::Object(plain(members)),
        other => other,
    }
}
