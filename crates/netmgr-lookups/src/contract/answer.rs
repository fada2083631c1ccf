//! Answers of functions: the output, and the object with all of its members.

use std::sync::Arc;

use netmgr_types::sensitive;
use netmgr_types::wire::ManagedObject;
use serde_json::Value;

/// The output that is the object itself.
pub(crate) const OBJECT: &str = "object";

/// The answer of a function, whose output is an `O`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer<O = Value> {
    /// Output of the function.
    pub output: O,
    pub(crate) selected: Option<Arc<ManagedObject>>,
}

impl Answer {
    /// The selected object as the manager sent it, without secret members unless the input requests them. Null if the
    /// function selects no object ([`FunctionEntry::is_whole`](crate::FunctionEntry::is_whole)).
    #[must_use]
    pub fn object(&self) -> Value {
        match &self.selected {
            Some(object) => members(object),
            None => self.output[OBJECT].clone(),
        }
    }
}

/// The members of an object, without those that hold secrets.
pub(crate) fn members(object: &ManagedObject) -> Value {
    let mut members = Value::Object(object.members().clone());
    sensitive::remove(&mut members);
    members
}
