//! A provider of components: a complete plugin from a list of components.

use std::borrow::Cow;
use std::process::ExitCode;

use crate::components::{
    ComponentEntry, ConstructRequest, Constructed, MethodEntry, MethodRequest, MethodResult,
};
use crate::rpc::component::{call_component_method, construct_component};
use crate::rpc::context::Context;
use crate::rpc::error::Error;
use crate::rpc::monitor::Monitor;
use crate::rpc::program::{About, main};
use crate::rpc::provider::Provider;
use crate::schema::{Package, PackageMeta};

/// Serves a package of components until the engine stops the plugin: the schema, which is generated from their types,
/// their construction and their methods. For the `main` function of a plugin:
///
/// ```no_run
/// # use pulumi_plugin::components::ComponentEntry;
/// # const ALL: &[ComponentEntry] = &[];
/// use pulumi_plugin::{rpc::serve_components, schema::PackageMeta};
///
/// fn main() -> std::process::ExitCode {
///     let package = PackageMeta {
///         description: "Queues that receive events.",
///         ..PackageMeta::new("events", env!("CARGO_PKG_VERSION"))
///     };
///     serve_components(package, ALL)
/// }
/// ```
///
/// The name of the program must be `pulumi-resource-<package>`. See [`main`].
pub fn serve_components(package: PackageMeta<'static>, components: &'static [ComponentEntry]) -> ExitCode {
    let about = About {
        program: &format!("pulumi-resource-{}", package.name),
        version: package.version,
        purpose: package.description,
    };
    main(about, ComponentPackage::new(package, components))
}

/// A provider of components. It has no configuration, and no state between calls.
#[derive(Clone, Copy)]
pub struct ComponentPackage {
    meta: PackageMeta<'static>,
    components: &'static [ComponentEntry],
    schema: Option<&'static str>,
}

impl ComponentPackage {
    /// Creates a package of these components.
    pub const fn new(meta: PackageMeta<'static>, components: &'static [ComponentEntry]) -> Self {
        Self {
            meta,
            components,
            schema: None,
        }
    }

    /// Serves this document as the schema instead of generating one from the types.
    #[must_use]
    pub const fn with_schema(self, schema: &'static str) -> Self {
        Self {
            schema: Some(schema),
            ..self
        }
    }

    fn component(&self, token: &str) -> Result<&'static ComponentEntry, Error> {
        let found = self.components.iter().find(|entry| entry.token == token);
        found.ok_or_else(|| {
            let known: Vec<_> = self.components.iter().map(|entry| entry.token).collect();
            Error::Failed(format!(
                "{token} is not a component of this package; the components are {}",
                known.join(", ")
            ))
        })
    }

    fn method(&self, token: &str) -> Result<&'static MethodEntry, Error> {
        let (component, name) = token.rsplit_once('/').unwrap_or((token, ""));
        let methods = self.component(component)?.methods;
        let found = methods.iter().find(|method| method.name == name);
        found.ok_or_else(|| Error::Failed(format!("{component} has no method {name:?}")))
    }
}

impl Provider for ComponentPackage {
    fn version(&self) -> &str {
        self.meta.version
    }

    fn schema(&self) -> Result<Cow<'_, str>, Error> {
        if let Some(schema) = self.schema {
            return Ok(schema.into());
        }
        let document = Package::of_components(self.meta, self.components).document();
        let document =
            document.map_err(|error| Error::Internal(format!("cannot generate the schema: {error}")))?;
        Ok(document.to_string().into())
    }

    async fn construct(
        &self,
        cx: &Context,
        request: ConstructRequest,
        monitor: Monitor,
    ) -> Result<Constructed, Error> {
        let component = self.component(&request.resource_type)?;
        construct_component(cx, component, request, monitor).await
    }

    async fn call(
        &self,
        cx: &Context,
        request: MethodRequest,
        monitor: Monitor,
    ) -> Result<MethodResult, Error> {
        let method = self.method(&request.token)?;
        call_component_method(cx, method, request, monitor).await
    }
}
