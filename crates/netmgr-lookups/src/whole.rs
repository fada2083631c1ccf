//! Objects with all their members, in addition to the outputs of functions.

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure};
use netmgr_types::{InvalidProperty, object};
use serde_json::Value;

use crate::context::LookupContext;
use crate::error::Error;
use crate::registry::{Entry, OBJECT};
use crate::sensitive;

/// The answer of a function with the object that it selected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WholeAnswer {
    /// Output of the function.
    pub output: Value,
    /// The object as the manager sent it, without secret members.
    pub object: Value,
}

/// Runs a function. `cx` keeps the text of the object that it selects.
pub(crate) async fn run(entry: &Entry, input: Value, cx: &LookupContext<'_>) -> Result<WholeAnswer, Error> {
    if !entry.is_whole() {
        let reason = "the function does not select an object whose members could be returned";
        return Err(cx.invalid(vec![InvalidProperty::new("", reason)]));
    }
    let output = entry.run(input, cx).await?;
    let object = match entry.is_listed() {
        true => members(cx.text()).map_err(|cause| undecodable(cx, &cause))?,
        false => output[OBJECT].clone(),
    };
    Ok(WholeAnswer { output, object })
}

/// The members of the object with this text, without those that hold secrets.
pub(crate) fn members(text: &[u8]) -> Result<Value, serde_json::Error> {
    let mut members = Value::Object(object::from_slice(text)?);
    sensitive::remove(&mut members);
    Ok(members)
}

fn undecodable(cx: &LookupContext<'_>, cause: &serde_json::Error) -> Error {
    let reason = format!(
        "its other members cannot be decoded: {}",
        cx.shown(&cause.to_string())
    );
    let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(reason));
    Error::request_failed(cx.name(), format!("the {}", cx.spec.noun), source)
}
