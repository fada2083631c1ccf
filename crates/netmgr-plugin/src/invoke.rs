//! One lookup for the engine: arguments in, result or failure out.

use std::sync::Arc;

use netmgr_lookups::{
    Call, CallInputs, Error as LookupError, FunctionEntry, InvalidProperty, Lookups, Remedy, ResultKind,
    Waits, Words, in_one_clause,
};
use pulumi_plugin::rpc::{Context, Error, InputFailure, InvokeRequest};
use pulumi_plugin::values::{Object, ReferenceId, Value};
use tracing::dispatcher::get_default;
use tracing::instrument::WithSubscriber as _;
use tracing::{Dispatch, Span};

use crate::manager::Manager;
use crate::messages::observed;
use crate::redact::Hidden;

/// Runs a function. `is_update` means that this is certainly not a preview.
///
/// Unknown arguments yield an empty result without a request, because the engine has no unknown results. If an argument
/// is secret, the whole result is secret.
pub(crate) async fn invoke(
    cx: &Context,
    manager: &Manager,
    request: InvokeRequest,
    is_update: bool,
) -> Result<Object, Error> {
    let entry = Lookups::entry(&request.token).map_err(|error| Error::Failed(error.to_string()))?;
    // On the span of the call. The name of a function is never secret, so it is recorded even if arguments are secret.
    Span::current().record("function", entry.spec.name);
    let arguments = plain(request.arguments);
    if arguments.values().any(Value::contains_unknown) {
        return Ok(Object::new());
    }
    // It waits for a state on the manager, and would occupy its slot for a long time.
    if entry.spec.answer == ResultKind::State {
        cx.release_slot();
    }
    // A late call does not begin: its request could log in again after the session has ended.
    if cx.cancellation().is_cancelled() {
        return Err(Error::Cancelled);
    }
    if is_update {
        install_licenses(cx, manager).await?;
    }
    let hidden = Hidden::of(&arguments, &manager.hidden);
    let (arguments, is_secret) = {
        let (arguments, marks) = Value::Object(arguments).strip();
        (arguments.to_json(), marks.secret)
    };
    let invocation = PreparedCall {
        entry,
        arguments: arguments.clone(),
        is_secret,
        hidden,
    };
    let secrets = secret_outputs(entry, &arguments);
    let call = Call::default()
        .cancel(cx.cancellation().clone())
        .waits(match request.preview {
            true => Waits::ReportOnce,
            false => Waits::Wait,
        })
        .confidential(is_secret);
    // The log contains paths with identifiers, and the host.
    let log = if is_secret || manager.hidden.is_in_requests() {
        Dispatch::none()
    } else {
        get_default(Dispatch::clone)
    };
    let hidden = Arc::clone(&invocation.hidden);
    let found = observed(entry.spec.name, hidden, cx.log(), |observer| {
        let call = call.observer(observer);
        manager
            .lookups
            .call_entry(entry, arguments, call)
            .with_subscriber(log)
    });
    let answer = found.await.map_err(|error| invocation.failure(error))?;
    let members = invocation.members(answer.output)?.into_iter();
    let marked = |name: &str, value| match is_secret || secrets.iter().any(|secret| secret == name) {
        true => Value::secret(value),
        false => value,
    };
    Ok(members
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| {
            let value = marked(&name, value);
            (name, value)
        })
        .collect())
}

/// The outputs that an argument makes secret.
fn secret_outputs(entry: &FunctionEntry, arguments: &serde_json::Value) -> Vec<String> {
    let is_secret = |input: String| arguments[input] == true;
    let switches = arguments.as_object().into_iter().flatten();
    // Describing the function takes longer than most calls, so it is only done if an argument can make outputs secret.
    if !switches.into_iter().any(|(_, value)| *value == true) {
        return Vec::new();
    }
    let outputs = entry.describe().outputs.into_iter();
    outputs
        .filter(|output| output.secret_if.clone().is_some_and(is_secret))
        .map(|output| output.name)
        .collect()
}

/// Adds licence keys that the manager lacks, unless all calls are cancelled.
async fn install_licenses(cx: &Context, manager: &Manager) -> Result<(), Error> {
    tokio::select! {
        biased;
        () = cx.cancellation().cancelled() => Err(Error::Cancelled),
        installed = manager.install_licenses() => installed,
    }
}

/// The call, for errors.
struct PreparedCall {
    entry: &'static FunctionEntry,
    arguments: serde_json::Value,
    /// Whether an argument is secret.
    is_secret: bool,
    hidden: Arc<Hidden>,
}

impl PreparedCall {
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
                "{}: the result is not an object",
                self.entry.spec.token()
            ))),
            Err(error) => Err(Error::Internal(format!(
                "{}: {}",
                self.entry.spec.token(),
                in_one_clause(&error, None, &Words::default())
            ))),
        }
    }

    /// The error with its causes and the remedy. The engine adds the function.
    fn described(&self, error: &LookupError) -> String {
        let remedy = error.remedy(&CallInputs::of(self.entry, &self.arguments));
        // A name that is similar to a secret discloses it, and so does a part of it.
        let discloses = |remedy: &Remedy| {
            matches!(
                remedy,
                Remedy::Similar(_) | Remedy::IsId(_) | Remedy::IsPath { .. }
            )
        };
        let remedy = remedy.filter(|remedy| !self.is_secret || !discloses(remedy));
        let remedy = remedy.map(|remedy| remedy.to_string());
        self.hidden.hide(&in_one_clause(error, remedy, &Words::default()))
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
