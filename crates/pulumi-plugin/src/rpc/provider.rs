//! The trait that plugin authors implement. [`crate::rpc::main`] serves it.

use std::borrow::Cow;

use crate::values::Object;

use crate::components::{ConstructRequest, Constructed, MethodRequest, MethodResult};
use crate::rpc::context::Context;
use crate::rpc::error::Error;
use crate::rpc::messages::{
    Capabilities, CheckRequest, ConfigureRequest, CreateRequest, Created, DeleteRequest, Diff, DiffRequest,
    HandshakeRequest, InvokeRequest, Mapping, ReadRequest, ReadState, UpdateRequest,
};
use crate::rpc::monitor::Monitor;

/// A provider plugin.
///
/// Calls are concurrent. Methods that are not implemented return [`Error::Unimplemented`], unless documented
/// otherwise. Implementations can use `async fn`:
///
/// ```
/// use std::borrow::Cow;
///
/// use pulumi_plugin::rpc::{Context, Error, InvokeRequest, Provider};
/// use pulumi_plugin::values::{Object, Value};
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
/// Attaching and cancelling are not calls of this trait: the server stores the engine's address for
/// [`Context::log`], and cancels calls through [`Context::cancellation`]. A call that has not ended within 50
/// ms after that is dropped.
pub trait Provider: Send + Sync + 'static {
    /// Version of the plugin: three numbers, optionally with a leading `v`.
    fn version(&self) -> &str;

    /// Kinds of values that the provider accepts. All by default.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    /// Maximum number of functions that run at once. Further ones wait. Unlimited by default.
    ///
    /// A function that waits for a long time allows another one to start with [`Context::release_slot`].
    fn functions_at_once(&self) -> usize {
        usize::MAX
    }

    /// The package schema as a JSON document.
    ///
    /// # Errors
    /// [`Error::Unimplemented`] by default. Only untyped programs can use a plugin without a schema.
    fn schema(&self) -> Result<Cow<'_, str>, Error> {
        Err(Error::Unimplemented)
    }

    /// Mappings from providers of other tools to this package, with which the engine converts programs. None by default.
    fn mappings(&self) -> &[Mapping] {
        &[]
    }

    /// The handshake of the engine. Accepted by default; engines before 3.143 do not call it.
    ///
    /// # Errors
    /// [`Error::Unimplemented`] makes the engine use the older negotiation; any other error makes it stop the
    /// plugin.
    fn handshake(
        &self,
        _cx: &Context,
        _request: HandshakeRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        async { Ok(()) }
    }

    /// Checks the configuration and returns the part to store in the state, in the form of the program.
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

    /// Compares configurations.
    ///
    /// # Errors
    /// [`Error::Unimplemented`] makes the engine compare the configurations.
    fn diff_config(
        &self,
        _cx: &Context,
        _request: DiffRequest,
    ) -> impl Future<Output = Result<Diff, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Applies the configuration. Called at most once, and not at all if a part of it is unknown. Does nothing by default.
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

    /// Runs a function.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for invalid arguments, other variants for other errors.
    fn invoke(
        &self,
        _cx: &Context,
        _request: InvokeRequest,
    ) -> impl Future<Output = Result<Object, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Constructs a component, which registers itself and its children with the monitor.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for invalid inputs. Any error ends the deployment.
    fn construct(
        &self,
        _cx: &Context,
        _request: ConstructRequest,
        _monitor: Monitor,
    ) -> impl Future<Output = Result<Constructed, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Calls a method of a component.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for invalid arguments. Any error ends the deployment.
    fn call(
        &self,
        _cx: &Context,
        _request: MethodRequest,
        _monitor: Monitor,
    ) -> impl Future<Output = Result<MethodResult, Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Checks the inputs of a resource and returns those to use.
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
    /// [`Error::Internal`] means that the resource may exist; other errors mean that it does not.
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
    /// Any. A resource that does not exist is a state with an empty id, not an error.
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
    /// See [`Provider::create`].
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
    /// Any. The resource then still exists.
    fn delete(
        &self,
        _cx: &Context,
        _request: DeleteRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        async { Err(Error::Unimplemented) }
    }

    /// Called after the last response, before the process ends. The engine waits 5 s in total. Does nothing by default.
    fn farewell(&self) -> impl Future<Output = ()> + Send {
        async {}
    }
}
