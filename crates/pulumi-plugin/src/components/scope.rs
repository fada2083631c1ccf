//! The scope in which a component registers children and calls functions. `tasks` runs its tasks, and `requests` sends
//! the requests.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use crate::values::{ProviderReference, Urn};
use futures_util::FutureExt;
use tokio::sync::mpsc::UnboundedSender;

use crate::components::children::Doors;
use crate::components::config::Config;
use crate::components::error::{ConstructError, FailedResources};
use crate::components::inherited::Inherited;
use crate::components::options::{ChildOptions, Dependency};
use crate::components::output::{Output, OutputData};
use crate::components::property::{Properties, ResolvedProperties};
use crate::components::registrar::{FunctionCall, LogMessage, MethodCall, Registrar, SELF, Severity};
use crate::components::registration::{ChildPackage, Registration};
use crate::components::renames::Renames;
use crate::components::requests;
use crate::components::resource::{CallResult, RegisteredResource, Resource};
use crate::components::tasks::Task;

/// The scope of a component during its construction. Cheap to clone.
///
/// No method blocks. A registration or call returns immediately, and its request is sent when its dependencies are
/// resolved, so that independent children are created concurrently.
#[derive(Clone)]
pub struct Scope {
    pub(crate) registrar: Arc<dyn Registrar>,
    pub(crate) tasks: UnboundedSender<Task>,
    pub(crate) preview: bool,
    pub(crate) name: String,
    pub(crate) config: Arc<Config>,
    pub(crate) urn: Output<Urn>,
    /// Options that children inherit from the component.
    pub(crate) inherited: Inherited,
    pub(crate) providers: BTreeMap<String, Output<ProviderReference>>,
    pub(crate) packages: &'static [ChildPackage],
    pub(crate) renames: Arc<Renames>,
    pub(crate) after: Dependency,
    /// Own values of the program for children.
    pub(crate) doors: Doors,
    pub(crate) children: Arc<Mutex<Vec<Output<Urn>>>>,
}

impl Scope {
    /// The name of the component. Names of children start with it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the component before it was renamed: the name in its first alias with a name; without one, the current name.
    /// For values that must not change with the name.
    pub fn original_name(&self) -> &str {
        self.renames.original_name()
    }

    /// Whether this is a preview, in which nothing is created and outputs of new resources are unknown. Children must not
    /// depend on it, because the preview would differ from the update.
    pub fn preview(&self) -> bool {
        self.preview
    }

    /// A value of the stack's configuration, such as `aws:profile`: the configuration of default providers.
    /// Values other than text are JSON.
    pub fn config(&self, key: &str) -> Option<&str> {
        self.config.values.get(key).map(String::as_str)
    }

    /// Whether the component has an explicit provider for `package`.
    pub fn has_provider(&self, package: &str) -> bool {
        self.providers.contains_key(package)
    }

    /// The resources that the parent component requires to be created before children of this one, see
    /// [`ChildOptions::after`]. This component adds them to the dependencies of children.
    pub fn after(&self) -> &Dependency {
        &self.after
    }

    /// Registers a child that a provider manages, and returns it immediately. Own values of the program for it are merged
    /// over the inputs, see [`Component::CHILDREN`](crate::components::Component::CHILDREN).
    pub fn register(
        &self,
        token: &str,
        name: impl Into<String>,
        inputs: impl Into<Properties>,
        mut options: ChildOptions,
    ) -> Resource {
        let base = Registration {
            token: token.to_owned(),
            name: name.into(),
            custom: true,
            ..Registration::default()
        };
        let inputs = inputs.into();
        let doors = self.doors.iter();
        options
            .overlays
            .extend(doors.filter_map(|door| door.overlay(&base.name, token, &inputs)));
        self.child(base, None, inputs, options)
    }

    /// Registers a component of another package, whose plugin registers its children, and returns it immediately. By
    /// default, it inherits the providers of this component. Resources that depend on it are created after its children.
    pub fn remote(
        &self,
        token: &str,
        name: impl Into<String>,
        inputs: impl Into<Properties>,
        mut options: ChildOptions,
    ) -> Resource {
        let mut providers = self.providers.clone();
        providers.extend(options.providers);
        options.providers = providers.into_iter().collect();
        let base = Registration {
            token: token.to_owned(),
            name: name.into(),
            remote: true,
            ..Registration::default()
        };
        self.child(base, None, inputs.into(), options)
    }

    /// Reads an existing resource that the stack does not manage, and returns it immediately. `state` contains the
    /// properties that its provider needs in addition to the identifier. Only these options apply: parent, provider,
    /// dependencies, version, download URL and secret outputs.
    ///
    /// The resource is also read in a preview, unless `id` is unknown. The deployment fails if it does not exist.
    pub fn read(
        &self,
        token: &str,
        name: impl Into<String>,
        id: impl Into<Output<String>>,
        state: impl Into<Properties>,
        options: ChildOptions,
    ) -> Resource {
        let base = Registration {
            token: token.to_owned(),
            name: name.into(),
            custom: true,
            ..Registration::default()
        };
        self.child(base, Some(id.into()), state.into(), options)
    }

    /// Completes the options of a child with the options of its package, and registers the child, or reads it if
    /// `existing` is its identifier.
    fn child(
        &self,
        base: Registration,
        existing: Option<Output<String>>,
        inputs: Properties,
        mut options: ChildOptions,
    ) -> Resource {
        let package = self.package_of(&base.token);
        options.settings.version = options.settings.version.or(package.map(|p| p.version.to_owned()));
        let version = options.settings.version.clone();
        if let Some(url) = package.and_then(|p| p.download_url) {
            options.settings.plugin_download_url.get_or_insert(url.to_owned());
        }
        if options.provider.is_none() && !base.token.starts_with("pulumi:providers:") {
            options.provider = package.and_then(|p| self.providers.get(p.name).cloned());
        }
        let (token, name, custom) = (base.token.clone(), base.name.clone(), base.custom);
        let provider = options.provider.clone();
        let inherited = self.inherit(&mut options);
        let answer = self.answer(base, existing, inputs, options);
        Resource {
            token,
            name,
            custom,
            version,
            provider,
            inherited,
            registered: answer,
        }
    }

    /// Calls a function of a package. The call is sent when its result is awaited. If an argument or the
    /// configuration of the provider is unknown, the result is unknown. If an argument is secret, the result
    /// is secret.
    pub fn call(&self, token: &str, arguments: impl Into<Properties>) -> CallResult {
        let package = self.package_of(token);
        let provider = package.and_then(|p| self.providers.get(p.name).cloned());
        let base = FunctionCall {
            token: token.to_owned(),
            version: package.map(|p| p.version.to_owned()),
            plugin_download_url: package.and_then(|p| p.download_url).map(str::to_owned),
            ..FunctionCall::default()
        };
        // Do not capture the scope: it contains children whose inputs may contain this call, and such a cycle
        // would leak their requests if the construction is cancelled.
        let (registrar, caller, preview) = (self.registrar.clone(), self.urn.clone(), self.preview);
        let arguments: Properties = arguments.into();
        let arguments =
            Output::later(async move { arguments.resolve().await.map(ResolvedProperties::into_data) });
        CallResult(arguments.then(move |arguments| {
            Output::later(requests::call(
                registrar, caller, base, arguments, provider, preview,
            ))
        }))
    }

    /// Calls a method of a remote component. The call is sent when its arguments are resolved, even if its result
    /// is not used. Unknown and secret arguments are sent as such.
    pub fn call_method(&self, on: &Resource, name: &str, arguments: impl Into<Properties>) -> CallResult {
        let package = self.package_of(&on.token);
        let base = MethodCall {
            token: format!("{}/{name}", on.token),
            version: on.version.clone(),
            plugin_download_url: package.and_then(|p| p.download_url).map(str::to_owned),
            ..MethodCall::default()
        };
        let arguments = arguments.into().with(SELF, on.clone());
        let (registrar, provider, preview) = (self.registrar.clone(), on.provider.clone(), self.preview);
        let result = Output::later(requests::call_method(
            registrar, base, arguments, provider, preview,
        ));
        self.spawn(result.settled());
        CallResult(result)
    }

    /// Shows information about this component.
    pub fn info(&self, text: impl Into<String>) {
        self.log(Severity::Info, Output::known(Some(text.into())));
    }

    /// Shows a warning about this component.
    pub fn warn(&self, text: impl Into<String>) {
        self.warn_if(Output::known(Some(text.into())));
    }

    /// Shows a warning about this component if `text` resolves to one. The text is also shown if it is marked as secret, so
    /// it must not contain secrets.
    pub fn warn_if(&self, text: Output<Option<String>>) {
        self.log(Severity::Warning, text);
    }

    /// Shows a message about this component if `text` resolves to one.
    fn log(&self, severity: Severity, text: Output<Option<String>>) {
        let scope = self.clone();
        self.spawn(async move {
            // A message about a failed resource is dropped, because the engine has reported the failure.
            let text = match text.resolve().await {
                Err(ConstructError::Incomplete(_)) => None,
                text => text?.value.flatten(),
            };
            if let Some(text) = text {
                let message = LogMessage {
                    urn: requests::value_of(Some(&scope.urn)).await?,
                    ..LogMessage::new(severity, text)
                };
                // Ignore errors of showing a message.
                let _ = scope.registrar.log(message).await;
            }
            Ok(())
        });
    }

    /// Sends a registration when its dependencies are resolved, or reads an existing resource.
    pub(crate) fn answer(
        &self,
        base: Registration,
        existing: Option<Output<String>>,
        inputs: Properties,
        mut options: ChildOptions,
    ) -> Output<Arc<RegisteredResource>> {
        let (token, name) = (base.token.clone(), base.name.clone());
        options.settings.aliases.extend(self.renames.of_child(&name));
        let (registrar, preview) = (self.registrar.clone(), self.preview);
        let parent = options
            .parent
            .as_ref()
            .map_or_else(|| self.urn.clone(), |parent| parent.urn.clone());
        let own = FailedResources::of(&token, &name);
        let failed = own.clone();
        let is_read = existing.is_some();
        let answer = Output::later(async move {
            let mut registration = requests::assemble(base, &parent, &inputs, options).await?;
            let inputs = registration.inputs.clone();
            let answer = match existing {
                None => registrar.register(registration),
                Some(id) => {
                    let id = id.resolve().await?;
                    registration.dependencies.extend(id.dependencies);
                    registrar.read(registration, id.value)
                }
            };
            match answer.await {
                Ok(registered) if registered.failed => Err(ConstructError::Incomplete(failed)),
                Ok(registered) => Ok(OutputData::known(Arc::new(RegisteredResource::new(
                    &token, &name, registered, inputs, preview,
                )))),
                Err(source) if is_read => Err(ConstructError::Read { token, name, source }),
                Err(source) => Err(ConstructError::Registration { token, name, source }),
            }
        });
        let task = answer.settled();
        self.spawn(async move {
            match task.await {
                // The engine has reported the failure of this resource. Resources that depend on it report it again.
                Err(ConstructError::Incomplete(failed)) if failed == own => Ok(()),
                ended => ended,
            }
        });
        self.children()
            .push(answer.clone().map(|answer| answer.urn.clone()));
        answer
    }

    /// Stores the outputs of the component when all of them are resolved.
    pub(crate) fn store_outputs(&self, outputs: Properties) -> Output<Arc<ResolvedProperties>> {
        let scope = self.clone();
        Output::later(async move {
            let resolved = outputs.resolve().await?;
            let urn = scope.urn.resolve().await?.value.expect("a URN is always known");
            let stored = scope
                .registrar
                .register_outputs(urn.clone(), resolved.values.clone())
                .await;
            stored.map_err(|source| ConstructError::Outputs {
                urn: urn.to_string(),
                source,
            })?;
            Ok(OutputData::known(Arc::new(resolved)))
        })
    }

    /// Completes the options of a child with those that it inherits from its parent, and returns the options that its own
    /// children inherit.
    pub(super) fn inherit(&self, options: &mut ChildOptions) -> Inherited {
        let parent = options.parent.as_ref();
        let inherited = parent.map_or(&self.inherited, |parent| &parent.inherited);
        options.settings.inherit(inherited);
        options.transforms.extend(inherited.transforms.iter().cloned());
        let own = options.settings.inherited(options.transforms.clone());
        match options.protects_itself {
            true => own.protected_as(inherited),
            false => own,
        }
    }

    pub(super) fn spawn(&self, task: impl Future<Output = Result<(), ConstructError>> + Send + 'static) {
        // There is no receiver after the construction has failed.
        let _ = self.tasks.send(task.boxed());
    }

    fn package_of(&self, token: &str) -> Option<&'static ChildPackage> {
        let name = token
            .strip_prefix("pulumi:providers:")
            .or_else(|| token.split(':').next());
        self.packages.iter().find(|package| Some(package.name) == name)
    }

    pub(super) fn children(&self) -> std::sync::MutexGuard<'_, Vec<Output<Urn>>> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
