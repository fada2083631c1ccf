//! Calls of the methods of a component.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::FutureExt;
use schemars::JsonSchema;
use tokio::sync::mpsc::unbounded_channel;

use crate::components::component::Component;
use crate::components::decode::{Decode, open};
use crate::components::error::{ConstructError, InputProblems};
use crate::components::inherited::Inherited;
use crate::components::method::{MethodEntry, MethodRequest};
use crate::components::options::Dependency;
use crate::components::output::{Output, OutputData};
use crate::components::property::{Properties, depending};
use crate::components::registrar::{FunctionCall, MethodResult, Registrar, SELF};
use crate::components::registration::Registered;
use crate::components::renames::Renames;
use crate::components::resource::{RegisteredResource, Resource};
use crate::components::scope::Scope;
use crate::components::tasks::{QUEUE, run};
use crate::values::{Object, PropertyPath, Urn, Value};

/// A method of a component.
pub trait Method: 'static {
    /// The component.
    type Component: Component;
    /// Its name in camel case.
    const NAME: &'static str;
    /// Description for users, as Markdown.
    const DESCRIPTION: &'static str = "";
    /// Its arguments.
    type Arguments: Decode + JsonSchema + Clone + Send;
    /// Its results.
    type Results: Into<Properties> + JsonSchema;

    /// Runs the method. `this` is the component, with the outputs that it returned when it was constructed. Resources that
    /// the scope registers are children of the component. The scope has no explicit providers, and no information about
    /// former names.
    ///
    /// # Errors
    ///
    /// [`ConstructError::failed`], or [`InputProblems`] for arguments. Any error ends the deployment.
    fn call(
        scope: &Scope,
        this: &Resource,
        arguments: Self::Arguments,
    ) -> Result<Self::Results, ConstructError>;
}

impl MethodEntry {
    /// The entry of `M`.
    pub const fn of<M: Method>() -> Self {
        Self {
            name: M::NAME,
            description: M::DESCRIPTION,
            arguments_schema: |generator| generator.subschema_for::<M::Arguments>(),
            results_schema: |generator| generator.subschema_for::<M::Results>(),
            call: |registrar, request| call_method::<M>(registrar, request).boxed(),
        }
    }
}

/// Calls a method and waits for everything that it registers.
///
/// # Errors
///
/// [`ConstructError::InvalidInput`] for invalid arguments; otherwise the first failure.
pub async fn call_method<M: Method>(
    registrar: Arc<dyn Registrar>,
    request: MethodRequest,
) -> Result<MethodResult, ConstructError> {
    let mut arguments = request.arguments;
    let this = urn_of(arguments.remove(SELF).unwrap_or_default())?;
    let mut problems = InputProblems::new();
    let arguments = Value::Object(depending(arguments, &request.argument_dependencies));
    let arguments = M::Arguments::decode(&arguments, &PropertyPath::default(), &mut problems);
    let Some(arguments) = arguments.filter(|_| problems.is_empty()) else {
        return Err(ConstructError::InvalidInput(problems));
    };
    let name = this
        .parts()
        .map(|parts| parts.name.to_owned())
        .unwrap_or_default();
    let (tasks, queue) = unbounded_channel();
    let scope = Scope {
        registrar: Arc::clone(&registrar),
        tasks: tasks.clone(),
        preview: request.preview,
        config: Arc::new(request.config),
        urn: Output::known(this.clone()),
        inherited: Inherited::default(),
        providers: BTreeMap::new(),
        packages: M::Component::PACKAGES,
        renames: Arc::new(Renames::of(&name, &[])),
        name: name.clone(),
        after: Dependency::default(),
        doors: Vec::new(),
        children: Arc::default(),
    };
    let this = Resource {
        token: M::Component::TOKEN.to_owned(),
        registered: Output::later(state_of(
            registrar,
            M::Component::TOKEN,
            name.clone(),
            this,
            request.preview,
        )),
        name,
        custom: false,
        version: None,
        provider: None,
        inherited: Inherited::default(),
    };
    let results = QUEUE.scope(tasks, async {
        let results: Properties = M::call(&scope, &this, arguments)?.into();
        run(queue).await?;
        results.resolve().await
    });
    let results = results.await?;
    Ok(MethodResult {
        values: results.values,
        dependencies: results.dependencies,
    })
}

/// Returns the URN in the reference to the component.
fn urn_of(this: Value) -> Result<Urn, ConstructError> {
    match open(&this).value {
        Some(Value::Resource(reference)) => Ok(reference.urn.clone()),
        _ => {
            let mut problems = InputProblems::new();
            problems.add(SELF, "must be a reference to the component");
            Err(problems.into())
        }
    }
}

/// Requests the outputs of the component from the engine.
async fn state_of(
    registrar: Arc<dyn Registrar>,
    token: &'static str,
    name: String,
    urn: Urn,
    preview: bool,
) -> Result<OutputData<Arc<RegisteredResource>>, ConstructError> {
    let call = FunctionCall {
        token: "pulumi:pulumi:getResource".to_owned(),
        arguments: Object::from([("urn".to_owned(), urn.to_string().into())]),
        ..FunctionCall::default()
    };
    let mut answer = match registrar.call(call.clone()).await {
        Ok(answer) => answer,
        Err(source) => {
            return Err(ConstructError::Call {
                token: call.token,
                source,
            });
        }
    };
    let outputs = match answer.result.remove("state") {
        Some(Value::Object(outputs)) => outputs,
        _ => Object::new(),
    };
    let registered = Registered {
        urn,
        outputs,
        unknown: answer.unknown,
        ..Registered::default()
    };
    let resource = RegisteredResource::new(token, &name, registered, Object::new(), preview);
    Ok(OutputData::known(Arc::new(resource)))
}
