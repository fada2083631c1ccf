//! What a component is: its token, its types, and how it is built. And components as values, for lists.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::construct::{ConstructRequest, Constructed, construct};
use crate::decode::Decode;
use crate::error::{Error, Problems};
use crate::options::Dependency;
use crate::property::Properties;
use crate::registrar::Registrar;
use crate::scope::Scope;

/// A component: a group of resources that a program registers as one.
pub trait Component: 'static {
    /// Type token: `clusterpkg:index:Cluster`.
    const TOKEN: &'static str;
    /// The packages that its children belong to.
    const PACKAGES: &'static [ChildPackage];
    /// What the program gives.
    type Inputs: Decode + Into<Properties> + JsonSchema + Clone + Send;
    /// What the program gets.
    type Outputs: Into<Properties> + JsonSchema + Clone;

    /// Notes everything that is wrong with the inputs, before anything is registered. Values that are unknown
    /// in a preview are checked when they are known.
    fn check(_name: &str, _inputs: &Self::Inputs, _problems: &mut Problems) {}

    /// Registers the children.
    fn build(scope: &Scope, inputs: Self::Inputs) -> Self::Outputs;
}

/// A package that children belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChildPackage {
    /// Its name, the first part of its tokens.
    pub name: &'static str,
    /// The version that children are registered with, without `v`.
    pub version: &'static str,
    /// Where to download its plugin, if not from the usual place.
    pub download_url: Option<&'static str>,
}

/// A component inside another one.
#[derive(Clone)]
pub struct Nested<O> {
    /// Its outputs.
    pub outputs: O,
    /// Everything inside it, for other resources to depend on.
    pub resources: Dependency,
}

impl<O> From<&Nested<O>> for Dependency {
    fn from(nested: &Nested<O>) -> Self {
        nested.resources.clone()
    }
}

/// A component without its types, so that different ones fit into one list.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its type token.
    pub token: &'static str,
    /// The packages that its children belong to.
    pub packages: &'static [ChildPackage],
    /// The schema of its inputs.
    pub inputs_schema: fn(&mut SchemaGenerator) -> Schema,
    /// The schema of its outputs.
    pub outputs_schema: fn(&mut SchemaGenerator) -> Schema,
    /// Constructs it, as [`construct`].
    pub construct: Constructor,
}

/// [`construct`] for one component.
pub type Constructor =
    fn(Arc<dyn Registrar>, ConstructRequest) -> BoxFuture<'static, Result<Constructed, Error>>;

impl Entry {
    /// The entry of `C`.
    pub const fn of<C: Component>() -> Self {
        Self {
            token: C::TOKEN,
            packages: C::PACKAGES,
            inputs_schema: |generator| generator.subschema_for::<C::Inputs>(),
            outputs_schema: |generator| generator.subschema_for::<C::Outputs>(),
            construct: |registrar, request| construct::<C>(registrar, request).boxed(),
        }
    }
}
