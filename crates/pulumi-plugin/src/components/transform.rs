//! Changes of registrations before they are sent.

use std::sync::Arc;

use crate::components::registration::{Registration, ResourceOptions};
use crate::values::Object;

/// A change of registrations, see [`ChildOptions::transform`](crate::components::ChildOptions::transform).
#[derive(Clone)]
pub(crate) struct Transform(Arc<dyn Fn(&mut Transformed<'_>) + Send + Sync>);

/// A registration that a transform can change.
#[derive(Debug)]
#[non_exhaustive]
pub struct Transformed<'a> {
    /// Type token of the resource.
    pub token: &'a str,
    /// Its logical name.
    pub name: &'a str,
    /// Its inputs, with marks of secret and unknown values.
    pub inputs: &'a mut Object,
    /// Its options.
    pub options: &'a mut ResourceOptions,
}

impl Transform {
    pub(crate) fn new(change: impl Fn(&mut Transformed<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(change))
    }

    /// Applies the change.
    pub(crate) fn apply(&self, registration: &mut Registration) {
        (self.0)(&mut Transformed {
            token: &registration.token,
            name: &registration.name,
            inputs: &mut registration.inputs,
            options: &mut registration.options,
        });
    }
}
