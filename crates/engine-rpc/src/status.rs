//! How a failed call is told to the engine: status codes, messages and details
//! ("engine-plugin" 2.8).

use prost::Message as _;
use prost_types::Any;
use tonic::{Code, Status};

use crate::error::{Error, InputFailure, MissingKey};
use crate::generated::{google_rpc, pulumirpc as rpc};

/// The status for an error of any call. Calls that have a better form for [`Error::InvalidInput`]
/// use it before they come here.
pub(crate) fn status(error: Error) -> Status {
    match error {
        Error::Unimplemented => Status::unimplemented(error.to_string()),
        Error::InvalidInput(failures) => invalid_input(failures),
        Error::MissingConfig(keys) => missing_config(keys),
        Error::Cancelled => Status::cancelled(error.to_string()),
        // Not unknown and not internal: for those the engine holds the state of a resource in doubt.
        Error::Failed(text) => Status::failed_precondition(text),
        Error::Internal(text) => Status::internal(format!(
            "{text}\nThis is a bug in the plugin. Please report it to its authors."
        )),
    }
}

/// The engine prints each property with its value, so sensitive ones go into the message.
fn invalid_input(failures: Vec<InputFailure>) -> Status {
    let (hidden, shown): (Vec<_>, Vec<_>) = failures
        .into_iter()
        .partition(|failure| failure.sensitive || failure.property.is_empty());
    let mut message = "invalid input".to_owned();
    if !hidden.is_empty() {
        let sentences: Vec<_> = hidden.iter().map(InputFailure::sentence).collect();
        message = format!("{message}: {}", sentences.join("; "));
    }
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

/// An invalid argument with one detail, which is a message of the engine's.
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

/// Failures as an answer, for the calls that answer with them.
///
/// `shows_values` says whether the engine prints the value of each property named: then a sensitive
/// one is named in its reason only.
pub(crate) fn check_failures(failures: Vec<InputFailure>, shows_values: bool) -> Vec<rpc::CheckFailure> {
    failures
        .into_iter()
        .map(|failure| {
            if failure.sensitive && shows_values {
                rpc::CheckFailure {
                    property: String::new(),
                    reason: failure.sentence(),
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
