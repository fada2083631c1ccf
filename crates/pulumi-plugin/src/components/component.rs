//! Definition of components.

use schemars::JsonSchema;

use crate::components::children::{Child, ChildValues};
use crate::components::decode::Decode;
use crate::components::error::{ConstructError, InputProblems};
use crate::components::method::MethodEntry;
use crate::components::options::Dependency;
use crate::components::property::Properties;
use crate::components::scope::Scope;
use crate::schema::ChildSchemas;

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
    /// Its children that programs can give own values. None by default.
    const CHILDREN: &'static [Child] = &[];
    /// Inputs of the component.
    type Inputs: Decode + Into<Properties> + JsonSchema + Clone + Send;
    /// Outputs of the component.
    type Outputs: Into<Properties> + JsonSchema + Clone;

    /// Checks the inputs before anything is registered, and records all problems. Values that are unknown in a
    /// preview are checked in the update.
    fn check(_name: &str, _inputs: &Self::Inputs, _problems: &mut InputProblems) {}

    /// The own values of the program for [`CHILDREN`](Self::CHILDREN): the input `children`. They are merged over the inputs
    /// of a child just before its registration is sent.
    fn child_values(_inputs: &Self::Inputs) -> Option<&ChildValues> {
        None
    }

    /// The schemas against which own values are checked.
    fn child_schemas() -> Option<&'static ChildSchemas> {
        None
    }

    /// Registers the children.
    ///
    /// # Errors
    ///
    /// [`ConstructError::failed`] for problems that [`check`](Self::check) cannot find, such as missing configuration, or
    /// [`InputProblems`]. The component then fails, and nothing is registered.
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
