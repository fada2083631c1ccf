//! The gRPC service of a provider: decodes and guards calls, and encodes results.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tonic::{Request, Response, Status};
use tracing::Instrument as _;

use crate::rpc::InputFailure;
use crate::rpc::bags;
use crate::rpc::context::Context;
use crate::rpc::convert::Malformed;
use crate::rpc::erased::ErasedProvider;
use crate::rpc::error::Error;
use crate::rpc::generated::pulumirpc as rpc;
use crate::rpc::generated::pulumirpc::resource_provider_server::ResourceProvider;
use crate::rpc::messages::InvokeRequest;
use crate::rpc::monitor::Monitor;
use crate::rpc::requests::{FromRpc, call_response, check_response, construct_response, invoke_response};
use crate::rpc::session::EngineSessions;
use crate::rpc::slot::FunctionSlot;
use crate::rpc::status::status;
use crate::rpc::traced;

/// Time for a cancelled call to end before it is dropped.
const GRACE: Duration = Duration::from_millis(50);

/// The gRPC service of a provider.
pub(crate) struct ProviderService {
    provider: Arc<dyn ErasedProvider>,
    sessions: Arc<EngineSessions>,
    /// Slots of functions.
    slots: Arc<Semaphore>,
}

type Answer<T> = Result<Response<T>, Status>;

impl ProviderService {
    pub(crate) fn new(provider: Arc<dyn ErasedProvider>, sessions: Arc<EngineSessions>) -> Self {
        let slots = provider.functions_at_once().min(Semaphore::MAX_PERMITS);
        Self {
            provider,
            sessions,
            slots: Arc::new(Semaphore::new(slots)),
        }
    }

    /// Decodes a request, and runs `call` for it until it ends or shortly after it is cancelled.
    async fn run<R, Q, T, A, F>(&self, request: Request<R>, call: impl FnOnce(Context, Q) -> F) -> Answer<A>
    where
        Q: FromRpc<R>,
        F: Future<Output = Result<T, Error>>,
        A: From<T>,
    {
        let connection = connection(&request);
        let _busy = self.sessions.busy(connection);
        let cx = self.sessions.context(connection);
        let request = Q::from_rpc(request.into_inner()).map_err(malformed)?;
        let ended = guarded(&cx.clone(), call(cx, request)).await;
        Ok(Response::new(ended.map_err(status)?.into()))
    }
}

/// The address of the engine.
fn connection<R>(request: &Request<R>) -> SocketAddr {
    let address = request.extensions().get();
    *address.expect("every request comes over a connection")
}

/// The status for a request that cannot be decoded.
fn malformed(malformed: Malformed) -> Status {
    Status::invalid_argument(format!("the request is malformed: {malformed}"))
}

/// Waits for the end of a call, a panic, or shortly after cancellation.
async fn guarded<T>(cx: &Context, call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let mut call = pin!(AssertUnwindSafe(call).catch_unwind());
    let ended = tokio::select! {
        biased;
        ended = &mut call => Ok(ended),
        () = cx.cancellation().cancelled() => timeout(GRACE, call).await,
    };
    match ended {
        Err(_) => Err(Error::Cancelled),
        Ok(Ok(result)) => result,
        // The panic message was written to stderr. It may contain secrets, so it is not sent.
        Ok(Err(_panic)) => Err(Error::Internal("the plugin panicked".to_owned())),
    }
}

#[tonic::async_trait]
impl ResourceProvider for ProviderService {
    async fn handshake(
        &self,
        request: Request<rpc::ProviderHandshakeRequest>,
    ) -> Answer<rpc::ProviderHandshakeResponse> {
        self.sessions
            .begin(connection(&request), &request.get_ref().engine_address);
        self.run(request, |cx, request| async move {
            self.provider.handshake(&cx, request).await?;
            Ok(self.provider.capabilities())
        })
        .await
    }

    async fn attach(&self, request: Request<rpc::PluginAttach>) -> Answer<()> {
        self.sessions
            .begin(connection(&request), &request.get_ref().address);
        Ok(Response::new(()))
    }

    async fn cancel(&self, request: Request<()>) -> Answer<()> {
        self.sessions.cancel(connection(&request));
        Ok(Response::new(()))
    }

    async fn get_plugin_info(&self, _request: Request<()>) -> Answer<rpc::PluginInfo> {
        Ok(Response::new(rpc::PluginInfo {
            version: self.provider.version().to_owned(),
        }))
    }

    async fn get_schema(&self, request: Request<rpc::GetSchemaRequest>) -> Answer<rpc::GetSchemaResponse> {
        let rpc::GetSchemaRequest {
            version,
            subpackage_name,
            ..
        } = request.get_ref();
        if *version != 0 {
            return Err(Status::invalid_argument(format!(
                "this plugin provides its schema in format version 0, not {version}"
            )));
        }
        if !subpackage_name.is_empty() {
            return Err(Status::invalid_argument(
                "this plugin does not support parameterization",
            ));
        }
        self.run(request, |_, ()| async {
            let schema = self.provider.schema()?.into_owned();
            Ok(rpc::GetSchemaResponse { schema })
        })
        .await
    }

    async fn get_mapping(&self, request: Request<rpc::GetMappingRequest>) -> Answer<rpc::GetMappingResponse> {
        let rpc::GetMappingRequest { key, provider } = request.into_inner();
        // Engines that do not list mappings first omit the provider, and compare the provider in the answer.
        let mapping = self
            .provider
            .mappings()
            .iter()
            .find(|mapping| mapping.tool == key && (provider.is_empty() || mapping.provider == provider));
        let answer = mapping.map(|mapping| rpc::GetMappingResponse {
            provider: mapping.provider.to_owned(),
            data: mapping.data.into(),
        });
        // An empty answer means that there is none.
        Ok(Response::new(answer.unwrap_or_default()))
    }

    async fn get_mappings(
        &self,
        request: Request<rpc::GetMappingsRequest>,
    ) -> Answer<rpc::GetMappingsResponse> {
        let key = request.into_inner().key;
        let mappings = self.provider.mappings().iter();
        Ok(Response::new(rpc::GetMappingsResponse {
            providers: mappings
                .filter(|mapping| mapping.tool == key)
                .map(|mapping| mapping.provider.to_owned())
                .collect(),
        }))
    }

    async fn check_config(&self, request: Request<rpc::CheckRequest>) -> Answer<rpc::CheckResponse> {
        self.run(request, |cx, request| async move {
            let checked = self.provider.check_config(&cx, request).await;
            // Secrets are not marked in this call, so any value may be secret.
            let checked = checked.map_err(|error| match error {
                Error::InvalidInput(failures) => {
                    Error::InvalidInput(failures.into_iter().map(InputFailure::sensitive).collect())
                }
                error => error,
            });
            check_response(checked)
        })
        .await
    }

    async fn diff_config(&self, request: Request<rpc::DiffRequest>) -> Answer<rpc::DiffResponse> {
        self.run(request, |cx, request| async move {
            self.provider.diff_config(&cx, request).await
        })
        .await
    }

    async fn configure(&self, request: Request<rpc::ConfigureRequest>) -> Answer<rpc::ConfigureResponse> {
        self.run(request, |cx, request| async move {
            self.provider.configure(&cx, request).await?;
            Ok(self.provider.capabilities())
        })
        .await
    }

    async fn invoke(&self, request: Request<rpc::InvokeRequest>) -> Answer<rpc::InvokeResponse> {
        let span = traced::function(request.metadata());
        self.run(request, |cx, request: InvokeRequest| async move {
            let slot = Arc::clone(&self.slots).acquire_owned().await;
            let cx = cx.in_slot(FunctionSlot::new(slot.expect("the semaphore is never closed")));
            // Invalid arguments are an error: a function that is called without a program shows no failures.
            Ok(invoke_response(self.provider.invoke(&cx, request).await?))
        })
        .instrument(span)
        .await
    }

    async fn construct(&self, request: Request<rpc::ConstructRequest>) -> Answer<rpc::ConstructResponse> {
        let message = request.get_ref();
        let (address, handle) = (
            message.monitor_endpoint.clone(),
            message.stack_trace_handle.clone(),
        );
        let accepts_outputs = message.accepts_output_values;
        let span = traced::component(request.metadata());
        self.run(request, |cx, request| async move {
            let monitor = Monitor::at(&address, &handle, cx.log().clone())?;
            let constructed = self.provider.construct(&cx, request, monitor).await?;
            Ok(construct_response(constructed, accepts_outputs))
        })
        .instrument(span)
        .await
    }

    async fn call(&self, request: Request<rpc::CallRequest>) -> Answer<rpc::CallResponse> {
        let message = request.get_ref();
        let (address, handle) = (
            message.monitor_endpoint.clone(),
            message.stack_trace_handle.clone(),
        );
        let accepts_outputs = message.accepts_output_values;
        let span = traced::method(request.metadata());
        self.run(request, |cx, request| async move {
            let monitor = Monitor::at(&address, &handle, cx.log().clone())?;
            let result = self.provider.call(&cx, request, monitor).await?;
            Ok(call_response(result, accepts_outputs))
        })
        .instrument(span)
        .await
    }

    async fn check(&self, request: Request<rpc::CheckRequest>) -> Answer<rpc::CheckResponse> {
        self.run(request, |cx, request| async move {
            check_response(self.provider.check(&cx, request).await)
        })
        .await
    }

    async fn diff(&self, request: Request<rpc::DiffRequest>) -> Answer<rpc::DiffResponse> {
        self.run(request, |cx, request| async move {
            self.provider.diff(&cx, request).await
        })
        .await
    }

    async fn create(&self, request: Request<rpc::CreateRequest>) -> Answer<rpc::CreateResponse> {
        self.run(request, |cx, request| async move {
            self.provider.create(&cx, request).await
        })
        .await
    }

    async fn read(&self, request: Request<rpc::ReadRequest>) -> Answer<rpc::ReadResponse> {
        self.run(request, |cx, request| async move {
            self.provider.read(&cx, request).await
        })
        .await
    }

    async fn update(&self, request: Request<rpc::UpdateRequest>) -> Answer<rpc::UpdateResponse> {
        self.run(request, |cx, request| async move {
            let properties = self.provider.update(&cx, request).await?;
            Ok(rpc::UpdateResponse {
                properties: bags::write(properties),
            })
        })
        .await
    }

    async fn delete(&self, request: Request<rpc::DeleteRequest>) -> Answer<()> {
        self.run(request, |cx, request| async move {
            self.provider.delete(&cx, request).await
        })
        .await
    }
}
