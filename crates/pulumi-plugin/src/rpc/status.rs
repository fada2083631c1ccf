//! Conversion of errors to gRPC status codes, messages and details.

use prost::Message as _;
use prost_types::Any;
use tonic::{Code, Status};

use crate::rpc::InputFailure;
use crate::rpc::error::{Error, MissingKey};
use crate::rpc::generated::{google_rpc, pulumirpc as rpc};

/// The status for an error of any call. Checks have a better form for [`Error::InvalidInput`] and use it
/// before they come here.
pub(crate) fn status(error: Error) -> Status {
    match error {
        Error::Unimplemented => Status::unimplemented(error.to_string()),
        Error::InvalidInput(failures) => invalid_input(failures),
        Error::MissingConfig(keys) => missing_config(keys),
        Error::Cancelled => Status::cancelled(error.to_string()),
        // Not `unknown` and not `internal`, for which the engine assumes that the state of the resource is
        // uncertain.
        Error::Failed(text) => Status::failed_precondition(text),
        Error::Internal(text) => Status::internal(format!(
            "{text}\nThis is a bug in the plugin. Please report it to its authors."
        )),
    }
}

/// All failures are in the message, since engines before 3.134 and direct calls of functions print nothing
/// else. Those that are not sensitive are details too: the engine prints these with the property's value.
fn invalid_input(failures: Vec<InputFailure>) -> Status {
    let sentences: Vec<_> = failures.iter().map(InputFailure::to_string).collect();
    let message = format!("invalid input: {}", sentences.join("; "));
    let shown: Vec<_> = failures
        .into_iter()
        .filter(|failure| !failure.sensitive && !failure.property.is_empty())
        .collect();
    if shown.is_empty() {
        return Status::invalid_argument(message);
    }
    let errors = shown
        .into_iter()
        .map(|failure| rpc::input_properties_error::PropertyError {
            property_path: failure.property.to_string(),
            reason: failure.reason,
        })
        .collect();
    detailed(
        message,
        "InputPropertiesError",
        &rpc::InputPropertiesError { errors },
    )
}

fn missing_config(keys: Vec<MissingKey>) -> Status {
    let message = Error::MissingConfig(keys.clone()).to_string();
    let missing_keys = keys
        .into_iter()
        .map(
            |MissingKey { name, description }| rpc::configure_error_missing_keys::MissingKey {
                name,
                description,
            },
        )
        .collect();
    detailed(
        message,
        "ConfigureErrorMissingKeys",
        &rpc::ConfigureErrorMissingKeys { missing_keys },
    )
}

/// An invalid argument with one detail, which is a protocol message.
fn detailed(message: String, name: &str, detail: &impl prost::Message) -> Status {
    let code = Code::InvalidArgument;
    let envelope = google_rpc::Status {
        code: code.into(),
        message: message.clone(),
        details: vec![Any {
            type_url: format!("type.googleapis.com/pulumirpc.{name}"),
            value: detail.encode_to_vec(),
        }],
    };
    Status::with_details(code, message, envelope.encode_to_vec().into())
}

/// Failures as the answer of a check.
///
/// The engine prints the value of each property named, so a sensitive one is named in its reason only.
pub(crate) fn check_failures(failures: Vec<InputFailure>) -> Vec<rpc::CheckFailure> {
    failures
        .into_iter()
        .map(|failure| {
            if failure.sensitive {
                rpc::CheckFailure {
                    property: String::new(),
                    reason: failure.to_string(),
                }
            } else {
                rpc::CheckFailure {
                    property: failure.property.to_string(),
                    reason: failure.reason,
                }
            }
        })
        .collect()
}
