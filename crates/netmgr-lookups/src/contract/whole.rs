//! Objects with all their members, in addition to the outputs of functions.

use std::sync::OnceLock;

use netmgr_types::InvalidProperty;
use netmgr_types::wire::ManagedObject;
use serde_json::Value;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::registry::{FunctionEntry, OBJECT};
use netmgr_types::sensitive;

/// The answer of a function with the object that it selected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WholeAnswer {
    /// Output of the function.
    pub output: Value,
    /// The object as the manager sent it, without secret members.
    pub object: Value,
}

/// Runs a function. `cx` keeps the object that it selects.
pub(crate) async fn run(
    entry: &FunctionEntry,
    input: Value,
    cx: &LookupContext<'_>,
) -> Result<WholeAnswer, Error> {
    if !entry.is_whole() {
        let reason = "the function does not select an object whose members could be returned";
        return Err(cx.invalid(vec![InvalidProperty::new("", reason)]));
    }
    let output = entry.run(input, cx).await?;
    let selected = cx.selected.as_ref().and_then(OnceLock::get);
    let object = match selected.filter(|_| entry.is_listed()) {
        Some(object) => members(object),
        None => output[OBJECT].clone(),
    };
    Ok(WholeAnswer { output, object })
}

/// The members of an object, without those that hold secrets.
pub(crate) fn members(object: &ManagedObject) -> Value {
    let mut members = Value::Object(object.members().clone());
    sensitive::remove(&mut members);
    members
}
