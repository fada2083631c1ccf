//! Construction of components: checks the inputs, builds the component, registers it and its children, and waits for all
//! of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::values::{Object, PropertyPath, ProviderReference, Urn, Value};
use tokio::sync::mpsc::unbounded_channel;

use crate::components::children::{self, Door};
use crate::components::component::{Component, door};
use crate::components::config::Config;
use crate::components::decode::Decode;
use crate::components::error::{ConstructError, FailedResources, InputProblems};
use crate::components::options::Dependency;
use crate::components::output::{Output, OutputData};
use crate::components::property::{Properties, depending};
use crate::components::registrar::Registrar;
use crate::components::registration::ChildPackage;
use crate::components::registration::{Registration, ResourceOptions};
use crate::components::renames::Renames;
use crate::components::rules;
use crate::components::scope::Scope;
use crate::components::tasks::{QUEUE, run};

/// A request to construct a component.
#[derive(Debug, Clone, Default)]
pub struct ConstructRequest {
    /// Type token of the component.
    pub resource_type: String,
    /// Logical name.
    pub name: String,
    /// The parent, if any.
    pub parent: Option<Urn>,
    /// Whether this is a preview.
    pub preview: bool,
    /// The stack's configuration.
    pub config: Config,
    /// The inputs, unchecked.
    pub inputs: Object,
    /// For each input, the resources that it depends on.
    pub input_dependencies: BTreeMap<String, BTreeSet<Urn>>,
    /// Explicit dependencies of the component.
    pub dependencies: BTreeSet<Urn>,
    /// Explicit providers by package name.
    pub providers: BTreeMap<String, ProviderReference>,
    /// The resource whose deletion also deletes this one.
    pub deleted_with: Option<Urn>,
    /// Other options. The engine passes some of them to the children.
    pub options: ResourceOptions,
}

/// A component with all its children registered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Constructed {
    /// The component.
    pub urn: Urn,
    /// Its outputs, which are also stored in the state.
    pub state: Object,
    /// For each output, the resources that it depends on.
    pub state_dependencies: BTreeMap<String, BTreeSet<Urn>>,
}

/// Constructs a component.
///
/// If a child fails and the deployment continues, the resources and outputs that depend on it fail, and all others are
/// registered. Any other failure cancels all waiting registrations, as does dropping the returned future.
///
/// # Errors
///
/// [`ConstructError::InvalidInput`] before anything is registered; [`ConstructError::Incomplete`] if resources or outputs
/// depend on a child that failed; otherwise the first failure of a child, an output or a call.
pub async fn construct<C: Component>(
    registrar: Arc<dyn Registrar>,
    request: ConstructRequest,
) -> Result<Constructed, ConstructError> {
    let inputs = checked_inputs::<C>(&request)?;
    let door = Arc::new(door::<C>(&request.name, &inputs));
    let build = Box::new(|scope: &Scope| Ok(C::build(scope, inputs)?.into()));
    build_component(registrar, request, C::TOKEN, C::PACKAGES, door, build).await
}

/// [`Component::build`] for inputs; returns the outputs.
type Build<'a> = Box<dyn FnOnce(&Scope) -> Result<Properties, ConstructError> + Send + 'a>;

/// Builds the component, which sends nothing, and then registers it and its children.
async fn build_component(
    registrar: Arc<dyn Registrar>,
    request: ConstructRequest,
    token: &'static str,
    packages: &'static [ChildPackage],
    door: Arc<Door>,
    build: Build<'_>,
) -> Result<Constructed, ConstructError> {
    let component = {
        let (registrar, request) = (Arc::clone(&registrar), request.clone());
        Output::later(async move {
            let urn = register_component(&*registrar, token, &request).await?;
            Ok(OutputData::known(urn))
        })
    };
    let inherited = request.options.inherited(Vec::new());
    let renames = Renames::of(&request.name, &request.options.aliases);
    let (tasks, queue) = unbounded_channel();
    let scope = Scope {
        registrar,
        tasks: tasks.clone(),
        preview: request.preview,
        name: request.name,
        config: Arc::new(request.config),
        urn: component.clone(),
        inherited,
        providers: request
            .providers
            .into_iter()
            .map(|(name, p)| (name, Output::known(p)))
            .collect(),
        packages,
        renames: Arc::new(renames),
        after: Dependency::default(),
        doors: vec![Arc::clone(&door)],
        children: Arc::default(),
    };
    let stored = QUEUE.scope(tasks, async {
        let outputs = build(&scope)?;
        door.close()?;
        component.resolve().await?;
        run(queue).await?;
        scope.store_outputs(outputs).resolve().await
    });
    let stored = stored.await?.value.expect("outputs as a whole are known");
    let urn = component.resolve().await?.value.expect("a URN is always known");
    Ok(Constructed {
        urn,
        state: stored.values.clone(),
        state_dependencies: stored.dependencies.clone(),
    })
}

fn checked_inputs<C: Component>(request: &ConstructRequest) -> Result<C::Inputs, ConstructError> {
    let given = Value::Object(depending(request.inputs.clone(), &request.input_dependencies));
    let mut problems = InputProblems::new();
    let inputs = C::Inputs::decode(&given, &PropertyPath::default(), &mut problems);
    let mut others = InputProblems::new();
    if let Some(inputs) = &inputs {
        C::check(&request.name, inputs, &mut others);
    }
    // Wrong types and the reasons of the component are more specific than the rules of the schema.
    let mut broken = rules::check::<C::Inputs>(&given);
    broken.remove(&problems);
    broken.remove(&others);
    problems.append(broken);
    problems.append(others);
    if let Some(inputs) = &inputs {
        // Without other problems, the component is built, and its children are part of the check.
        if let Some(values) = C::child_values(inputs).filter(|_| !problems.is_empty()) {
            children::check(C::CHILDREN, C::child_schemas(), values, &mut problems);
        }
    }
    match inputs {
        Some(inputs) if problems.is_empty() => Ok(inputs),
        _ => Err(ConstructError::InvalidInput(problems)),
    }
}

/// Registers the component itself, with the inputs of the program.
async fn register_component(
    registrar: &dyn Registrar,
    token: &str,
    request: &ConstructRequest,
) -> Result<Urn, ConstructError> {
    let mut property_dependencies = request.input_dependencies.clone();
    for name in request.inputs.keys() {
        property_dependencies.entry(name.clone()).or_default();
    }
    let registration = Registration {
        token: token.to_owned(),
        name: request.name.clone(),
        custom: false,
        remote: false,
        parent: request.parent.clone(),
        inputs: request.inputs.clone(),
        property_dependencies,
        dependencies: request.dependencies.clone(),
        provider: None,
        providers: request.providers.clone(),
        deleted_with: request.deleted_with.clone(),
        options: request.options.clone(),
    };
    match registrar.register(registration).await {
        Ok(registered) if registered.failed => Err(ConstructError::Incomplete(FailedResources::of(
            token,
            &request.name,
        ))),
        Ok(registered) => Ok(registered.urn),
        Err(source) => Err(ConstructError::Registration {
            token: token.to_owned(),
            name: request.name.clone(),
            source,
        }),
    }
}

#[cfg(test)]
mod tests;
