//! Methods of components with erased types.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use schemars::{Schema, SchemaGenerator};

use crate::components::config::Config;
use crate::components::error::ConstructError;
use crate::components::registrar::{MethodResult, Registrar};
use crate::values::{Object, Urn};

/// A method with erased types, for [`Component::METHODS`](crate::components::Component::METHODS).
#[derive(Clone, Copy)]
pub struct MethodEntry {
    /// Its name.
    pub name: &'static str,
    /// Description for users, as Markdown.
    pub description: &'static str,
    /// The schema of its arguments.
    pub arguments_schema: fn(&mut SchemaGenerator) -> Schema,
    /// The schema of its results.
    pub results_schema: fn(&mut SchemaGenerator) -> Schema,
    /// Calls it, see [`call_method`](crate::components::call_method).
    pub call: MethodCaller,
}

/// [`call_method`](crate::components::call_method) for one method.
pub type MethodCaller =
    fn(Arc<dyn Registrar>, MethodRequest) -> BoxFuture<'static, Result<MethodResult, ConstructError>>;

/// A request to call a method.
#[derive(Debug, Clone, Default)]
pub struct MethodRequest {
    /// Token of the method: `shop:index:Store/open`.
    pub token: String,
    /// The arguments, unchecked, and the component as `__self__`.
    pub arguments: Object,
    /// For each argument, the resources that it depends on.
    pub argument_dependencies: BTreeMap<String, BTreeSet<Urn>>,
    /// Whether this is a preview.
    pub preview: bool,
    /// The stack's configuration.
    pub config: Config,
}
