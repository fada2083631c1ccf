//! Definition of components, and registry entries for lists of them.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::components::construct::{ConstructRequest, Constructed, construct};
use crate::components::decode::Decode;
use crate::components::error::{ConstructError, InputProblems};
use crate::components::method::MethodEntry;
use crate::components::options::Dependency;
use crate::components::property::Properties;
use crate::components::registrar::Registrar;
use crate::components::scope::Scope;

/// A component: a group of resources that a program registers as one.
pub trait Component: 'static {
    /// Type token: `clusterpkg:index:Cluster`.
    const TOKEN: &'static str;
    /// Description for users, as Markdown.
    const DESCRIPTION: &'static str = "";
    /// Packages of its children.
    const PACKAGES: &'static [ChildPackage];
    /// Its methods. None by default.
    const METHODS: &'static [MethodEntry] = &[];
    /// Inputs of the component.
    type Inputs: Decode + Into<Properties> + JsonSchema + Clone + Send;
    /// Outputs of the component.
    type Outputs: Into<Properties> + JsonSchema + Clone;

    /// Checks the inputs before anything is registered, and records all problems. Values that are unknown in a
    /// preview are checked in the update.
    fn check(_name: &str, _inputs: &Self::Inputs, _problems: &mut InputProblems) {}

    /// Registers the children.
    ///
    /// # Errors
    ///
    /// [`ConstructError::failed`] for problems that [`check`](Self::check) cannot find, such as missing configuration, or
    /// [`InputProblems`]. The component then fails, and none of its children are registered.
    fn build(scope: &Scope, inputs: Self::Inputs) -> Result<Self::Outputs, ConstructError>;
}

/// A package of children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChildPackage {
    /// Its name, the first part of its tokens.
    pub name: &'static str,
    /// The version that children are registered with, without `v`.
    pub version: &'static str,
    /// Download URL of its plugin, if it is not the default.
    pub download_url: Option<&'static str>,
}

/// A nested component.
#[derive(Clone)]
pub struct Nested<O> {
    /// Its outputs.
    pub outputs: O,
    /// All resources in it, for dependencies of other resources.
    pub resources: Dependency,
}

impl<O> From<&Nested<O>> for Dependency {
    fn from(nested: &Nested<O>) -> Self {
        nested.resources.clone()
    }
}

/// A component with erased types, for lists of components.
#[derive(Clone, Copy)]
pub struct Entry {
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
    /// Its methods.
    pub methods: &'static [MethodEntry],
    /// Constructs it, see [`construct`].
    pub construct: Constructor,
}

/// [`construct`] for one component.
pub type Constructor =
    fn(Arc<dyn Registrar>, ConstructRequest) -> BoxFuture<'static, Result<Constructed, ConstructError>>;

impl Entry {
    /// The entry of `C`.
    pub const fn of<C: Component>() -> Self {
        Self {
            token: C::TOKEN,
            description: C::DESCRIPTION,
            packages: C::PACKAGES,
            inputs_schema: |generator| generator.subschema_for::<C::Inputs>(),
            outputs_schema: |generator| generator.subschema_for::<C::Outputs>(),
            methods: C::METHODS,
            construct: |registrar, request| construct::<C>(registrar, request).boxed(),
        }
    }
}
