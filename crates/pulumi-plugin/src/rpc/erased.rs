//! Providers with erased types, so that the server is compiled once and not for each provider.

use std::borrow::Cow;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use crate::components::{ConstructRequest, Constructed, MethodRequest, MethodResult};
use crate::rpc::context::Context;
use crate::rpc::error::Error;
use crate::rpc::messages::{
    Capabilities, CheckRequest, ConfigureRequest, CreateRequest, Created, DeleteRequest, Diff, DiffRequest,
    HandshakeRequest, InvokeRequest, Mapping, ReadRequest, ReadState, UpdateRequest,
};
use crate::rpc::monitor::Monitor;
use crate::rpc::provider::Provider;
use crate::values::Object;

/// Declares [`ErasedProvider`] with these methods of [`Provider`]: first those that return a value, then the calls.
macro_rules! erased {
    (
        $(fn $value:ident() -> $Value:ty;)+
        $(async fn $call:ident($($argument:ident: $Argument:ty),+) -> $Answer:ty;)+
    ) => {
        /// A [`Provider`] with boxed futures.
        pub(crate) trait ErasedProvider: Send + Sync + 'static {
            $(fn $value(&self) -> $Value;)+
            $(fn $call<'a>(
                &'a self,
                cx: &'a Context,
                $($argument: $Argument,)+
            ) -> BoxFuture<'a, Result<$Answer, Error>>;)+
            fn farewell(&self) -> BoxFuture<'_, ()>;
        }

        impl<P: Provider> ErasedProvider for P {
            $(fn $value(&self) -> $Value {
                Provider::$value(self)
            })+
            $(fn $call<'a>(
                &'a self,
                cx: &'a Context,
                $($argument: $Argument,)+
            ) -> BoxFuture<'a, Result<$Answer, Error>> {
                Provider::$call(self, cx, $($argument),+).boxed()
            })+
            fn farewell(&self) -> BoxFuture<'_, ()> {
                Provider::farewell(self).boxed()
            }
        }
    };
}

erased! {
    fn version() -> &str;
    fn capabilities() -> Capabilities;
    fn functions_at_once() -> usize;
    fn schema() -> Result<Cow<'_, str>, Error>;
    fn mappings() -> &[Mapping];
    async fn handshake(request: HandshakeRequest) -> ();
    async fn check_config(request: CheckRequest) -> Object;
    async fn diff_config(request: DiffRequest) -> Diff;
    async fn configure(request: ConfigureRequest) -> ();
    async fn invoke(request: InvokeRequest) -> Object;
    async fn construct(request: ConstructRequest, monitor: Monitor) -> Constructed;
    async fn call(request: MethodRequest, monitor: Monitor) -> MethodResult;
    async fn check(request: CheckRequest) -> Object;
    async fn diff(request: DiffRequest) -> Diff;
    async fn create(request: CreateRequest) -> Created;
    async fn read(request: ReadRequest) -> ReadState;
    async fn update(request: UpdateRequest) -> Object;
    async fn delete(request: DeleteRequest) -> ();
}
