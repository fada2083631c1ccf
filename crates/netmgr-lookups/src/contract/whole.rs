//! Objects with all their members, in addition to the outputs of functions.

use netmgr_types::sensitive;
use netmgr_types::wire::ManagedObject;
use serde_json::Value;

/// The answer of a function with the object that it selected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WholeAnswer {
    /// Output of the function.
    pub output: Value,
    /// The object as the manager sent it, without secret members.
    pub object: Value,
}

/// The members of an object, without those that hold secrets.
pub(crate) fn members(object: &ManagedObject) -> Value {
    let mut members = Value::Object(object.members().clone());
    sensitive::remove(&mut members);
    members
}
