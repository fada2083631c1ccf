//! Requests to the engine, which are sent when all values in them are resolved.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::try_join_all;

use crate::components::error::ConstructError;
use crate::components::options::ChildOptions;
use crate::components::output::{Deferrable, Output, OutputData};
use crate::components::property::{Properties, ResolvedProperties, depending};
use crate::components::registrar::{FunctionCall, MethodCall, MethodResult, Registrar};
use crate::components::registration::Registration;
use crate::components::resource::Outputs;
use crate::values::{Object, ProviderReference, Urn, Value};

/// Sends a call when its arguments are known.
pub(crate) async fn call(
    registrar: Arc<dyn Registrar>,
    caller: Output<Urn>,
    base: FunctionCall,
    arguments: Object,
    provider: Option<Output<ProviderReference>>,
    preview: bool,
) -> Result<OutputData<Arc<Outputs>>, ConstructError> {
    let origin = base.token.clone();
    let call = FunctionCall {
        arguments,
        parent: value_of(Some(&caller)).await?,
        provider: value_of(provider.as_ref()).await?,
        ..base
    };
    match registrar.call(call).await {
        // For a provider with an unknown configuration, the engine returns an empty result.
        Ok(called) if called.unknown || (preview && called.result.is_empty()) => Ok(OutputData::unknown()),
        Ok(called) => {
            let properties = Value::Object(called.result);
            Ok(OutputData::known(Arc::new(Outputs {
                origin,
                properties,
                incomplete: false,
            })))
        }
        Err(source) => Err(ConstructError::Call {
            token: origin,
            source,
        }),
    }
}

/// Sends a call of a method when its arguments are resolved.
pub(crate) async fn call_method(
    registrar: Arc<dyn Registrar>,
    base: MethodCall,
    arguments: Properties,
    provider: Option<Output<ProviderReference>>,
    preview: bool,
) -> Result<OutputData<Arc<Outputs>>, ConstructError> {
    let origin = base.token.clone();
    let ResolvedProperties { values, dependencies } = arguments.resolve().await?;
    let call = MethodCall {
        arguments: values,
        argument_dependencies: dependencies,
        provider: value_of(provider.as_ref()).await?,
        ..base
    };
    match registrar.call_method(call).await {
        Ok(MethodResult { values, dependencies }) => Ok(OutputData::known(Arc::new(Outputs {
            origin,
            properties: Value::Object(depending(values, &dependencies)),
            incomplete: preview,
        }))),
        Err(source) => Err(ConstructError::Call {
            token: origin,
            source,
        }),
    }
}

/// Waits for the dependencies of a registration.
pub(crate) async fn assemble(
    base: Registration,
    parent: &Output<Urn>,
    inputs: &Properties,
    options: ChildOptions,
) -> Result<Registration, ConstructError> {
    let ResolvedProperties {
        values,
        dependencies: property_dependencies,
    } = inputs.resolve().await?;
    let explicit = try_join_all(options.depends_on.iter().map(Output::resolve)).await?;
    let dependencies = explicit
        .into_iter()
        .filter_map(|data| data.value)
        .chain(property_dependencies.values().flatten().cloned())
        .collect();
    let mut providers = BTreeMap::new();
    for (package, provider) in &options.providers {
        providers.extend(
            provider
                .resolve()
                .await?
                .value
                .map(|reference| (package.clone(), reference)),
        );
    }
    let mut registration = Registration {
        parent: value_of(Some(parent)).await?,
        inputs: values,
        property_dependencies,
        dependencies,
        provider: value_of(options.provider.as_ref()).await?,
        providers,
        deleted_with: value_of(options.deleted_with.as_ref()).await?,
        options: options.settings,
        ..base
    };
    for overlay in &options.overlays {
        overlay.apply(&mut registration);
    }
    for transform in &options.transforms {
        transform.apply(&mut registration);
    }
    Ok(registration)
}

/// The value of an optional output.
pub(crate) async fn value_of<T: Deferrable>(output: Option<&Output<T>>) -> Result<Option<T>, ConstructError> {
    match output {
        Some(output) => Ok(output.resolve().await?.value),
        None => Ok(None),
    }
}
