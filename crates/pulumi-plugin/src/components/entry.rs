//! Components with erased types, for lists of components.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use schemars::{Schema, SchemaGenerator};

use crate::components::children::Child;
use crate::components::component::Component;
use crate::components::construct::{ConstructRequest, Constructed, construct};
use crate::components::error::ConstructError;
use crate::components::method::MethodEntry;
use crate::components::registrar::Registrar;
use crate::components::registration::ChildPackage;

/// A component with erased types, for lists of components.
#[derive(Clone, Copy)]
pub struct ComponentEntry {
    /// Its type token.
    pub token: &'static str,
    /// Description for users, as Markdown.
    pub description: &'static str,
    /// Packages of its children.
    pub packages: &'static [ChildPackage],
    /// The schema of its inputs.
    pub inputs_schema: fn(&mut SchemaGenerator) -> Schema,
    /// The schema of its outputs.
    pub outputs_schema: fn(&mut SchemaGenerator) -> Schema,
    /// Its children that programs can give own values.
    pub children: &'static [Child],
    /// Its methods.
    pub methods: &'static [MethodEntry],
    /// Constructs it, see [`construct`].
    pub construct: Constructor,
}

/// [`construct`] for one component.
pub type Constructor =
    fn(Arc<dyn Registrar>, ConstructRequest) -> BoxFuture<'static, Result<Constructed, ConstructError>>;

impl ComponentEntry {
    /// The entry of `C`.
    pub const fn of<C: Component>() -> Self {
        Self {
            token: C::TOKEN,
            description: C::DESCRIPTION,
            packages: C::PACKAGES,
            inputs_schema: |generator| generator.subschema_for::<C::Inputs>(),
            outputs_schema: |generator| generator.subschema_for::<C::Outputs>(),
            children: C::CHILDREN,
            methods: C::METHODS,
            construct: |registrar, request| construct::<C>(registrar, request).boxed(),
        }
    }
}
