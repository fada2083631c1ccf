//! What a plugin author writes: the provider, in plain types. Not here: how it is served
//! ([`crate::serve()`]) and what the protocol around it looks like.

use std::borrow::Cow;

use engine_values::Object;

use crate::context::Context;
use crate::error::Error;
use crate::messages::{
    Capabilities, CheckRequest, ConfigureRequest, ConstructRequest, Constructed, CreateRequest, Created,
    DeleteRequest, Diff, DiffRequest, Handshake, InvokeRequest, Mapping, ReadRequest, ReadState,
    UpdateRequest,
};

/// A provider plugin.
///
/// Calls arrive concurrently. What a provider leaves out is answered with [`Error::Unimplemented`],
/// except where said otherwise. Implementations are written as `async fn`:
///
/// ```
/// use std::borrow::Cow;
///
/// use engine_rpc::{Context, Error, InvokeRequest, Provider};
/// use engine_values::{Object, Value};
///
/// struct Greeter;
///
/// impl Provider for Greeter {
///     fn version(&self) -> &str {
///         env!("CARGO_PKG_VERSION")
///     }
///
///     fn schema(&self) -> Result<Cow<'_, str>, Error> {
///         Ok(r#"{"name": "greeter"}"#.into())
///     }
///
///     async fn invoke(&self, cx: &Context, request: InvokeRequest) -> Result<Object, Error> {
///         let Some(name) = request.arguments.get("name").and_then(Value::known) else {
///             return Err(Error::invalid("name", "is required"));
///         };
///         let name = name.as_str().ok_or_else(|| Error::invalid("name", "must be a string"))?;
///         cx.log().info(format!("greeting {name}")).await;
///         Ok(Object::from([("greeting".to_owned(), format!("Hello, {name}").into())]))
///     }
/// }
/// ```
///
/// Attaching and cancelling are no calls of this trait: the server keeps the engine's address for
/// [`Context::log`], and ends what is outstanding through [`Context::cancellation`]. A call that has
/// not ended 50 ms after that is dropped where it waits.
pub trait Provider: Send + Sync + 'static {
    /// Version of the plugin: three numbers, maybe with a leading `v`.
    fn version(&self) -> &str;

    /// What the provider can read. All of it, unless overridden.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    /// How many functions run at once; calls that come meanwhile wait, at next to no cost. Any number
    /// by default.
    ///
    /// A function that waits for long lets another one begin with [`Context::step_aside`].
    fn functions_at_once(&self) -> usize {
        usize::MAX
    }

    /// The package schema, a JSON document.
    ///
    /// # Errors
    /// [`Error::Unimplemented`] by default; a plugin without schema is of use to untyped programs only.
    fn schema(&self) -> Result<Cow<'_, str>, Error> {
        Err(Error::Unimplemented)
    }

    /// What programs of other tools become with this package: one entry per tool and provider of it. None by
    /// default. The engine requests them when it converts a program ("engine-plugin" 2.6).
    fn mappings(&self) -> &[Mapping] {
        &[]
    }

    /// The engine introduces itself. Accepted by default; engines before 3.143 do not call it.
    ///
    /// # Errors
    /// [`Error::Unimplemented`] makes the engine negotiate in the older way; any other error makes it
    /// give up the plugin.
    fn handshake(
        &self,
        _cx: &Context,
        _request: Handshake,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        async { Ok(()) }
    }

    /// Checks configuration and returns what is to be kept of it, in the form the program gave it
    /// ("engine-plugin" 2.2).
    ///
    /// # Errors
    /// [`Error::InvalidInput`] is shown to the user property by property.
    fn check_config(
        &self,
        _cx: &Context,
        _request: CheckRequest,
    ) -> impl Future<Output = Result<Object, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Compares configurations ("engine-plugin" 2.3).
    ///
    /// # Errors
    /// [`Error::Unimplemented`] makes the engine compare by itself.
    fn diff_config(
        &self,
        _cx: &Context,
        _request: DiffRequest,
    ) -> impl Future<Output = Result<Diff, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Takes the configuration; called at most once, and not at all when something in it is unknown
    /// ("engine-plugin" 2.4). Nothing to configure by default.
    ///
    /// # Errors
    /// [`Error::MissingConfig`] is shown to the user key by key.
    fn configure(
        &self,
        _cx: &Context,
        _request: ConfigureRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        async { Ok(()) }
    }

    /// Runs a function ("engine-plugin" 2.5).
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for wrong arguments, any other for everything else.
    fn invoke(
        &self,
        _cx: &Context,
        _request: InvokeRequest,
    ) -> impl Future<Output = Result<Object, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Builds a component ("engine-plugin" 2.7).
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for wrong inputs; any error ends the deployment.
    fn construct(
        &self,
        _cx: &Context,
        _request: ConstructRequest,
    ) -> impl Future<Output = Result<Constructed, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Checks the inputs of a resource and returns those to be used.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] is shown to the user property by property.
    fn check(
        &self,
        _cx: &Context,
        _request: CheckRequest,
    ) -> impl Future<Output = Result<Object, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Compares the inputs of a resource.
    ///
    /// # Errors
    /// Any.
    fn diff(&self, _cx: &Context, _request: DiffRequest) -> impl Future<Output = Result<Diff, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Creates a resource.
    ///
    /// # Errors
    /// [`Error::Internal`] leaves the engine in doubt whether the resource exists; any other says that
    /// it does not.
    fn create(
        &self,
        _cx: &Context,
        _request: CreateRequest,
    ) -> impl Future<Output = Result<Created, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// Any. A resource that does not exist is no error, but a state with an empty identifier.
    fn read(
        &self,
        _cx: &Context,
        _request: ReadRequest,
    ) -> impl Future<Output = Result<ReadState, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Changes a resource and returns its outputs.
    ///
    /// # Errors
    /// As [`Provider::create`].
    fn update(
        &self,
        _cx: &Context,
        _request: UpdateRequest,
    ) -> impl Future<Output = Result<Object, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Deletes a resource.
    ///
    /// # Errors
    /// Any; the resource then still exists.
    fn delete(
        &self,
        _cx: &Context,
        _request: DeleteRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        async { Err(Error::Unimplemented) }
    }
}
