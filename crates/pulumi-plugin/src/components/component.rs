//! Definition of components.

use std::sync::Arc;

use schemars::JsonSchema;

use crate::components::children::{Child, ChildValues, Door};
use crate::components::decode::Decode;
use crate::components::error::{ConstructError, InputProblems};
use crate::components::method::MethodEntry;
use crate::components::options::{ChildOptions, Dependency};
use crate::components::property::Properties;
use crate::components::registration::{ChildPackage, Registration};
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

/// The own values of the program for the children of a component.
pub(crate) fn door<C: Component>(name: &str, inputs: &C::Inputs) -> Door {
    let values = C::child_values(inputs).cloned().unwrap_or_default();
    Door::new(name, C::CHILDREN, C::child_schemas(), values)
}

impl Scope {
    /// Registers a nested component with its children. It inherits the providers of this component by
    /// default. Its inputs are not checked.
    ///
    /// # Errors
    ///
    /// The errors are those of [`Component::build`].
    pub fn component<C: Component>(
        &self,
        name: impl Into<String>,
        inputs: C::Inputs,
        options: ChildOptions,
    ) -> Result<Nested<C::Outputs>, ConstructError> {
        let name = name.into();
        let mut options = options;
        let inherited = self.inherit(&mut options);
        let mut providers = self.providers.clone();
        providers.extend(options.providers.iter().cloned());
        let base = Registration {
            token: C::TOKEN.to_owned(),
            name: name.clone(),
            ..Registration::default()
        };
        let after = std::mem::take(&mut options.after);
        let urn = self
            .answer(base, None, inputs.clone().into(), options)
            .map(|answer| answer.urn.clone());
        let door = Arc::new(door::<C>(&name, &inputs));
        let inner = Scope {
            name,
            urn,
            doors: [Arc::clone(&door)]
                .into_iter()
                .chain(self.doors.clone())
                .collect(),
            inherited,
            providers,
            packages: C::PACKAGES,
            after,
            children: Arc::default(),
            ..self.clone()
        };
        let outputs = C::build(&inner, inputs)?;
        door.close()?;
        let stored = inner.store_outputs(outputs.clone().into());
        self.spawn(stored.settled());
        let mut resources = std::mem::take(&mut *inner.children());
        self.children().extend(resources.iter().cloned());
        resources.push(inner.urn);
        Ok(Nested {
            outputs,
            resources: Dependency(resources),
        })
    }
}
