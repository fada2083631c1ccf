//! The gRPC service of a provider: decodes and guards calls, and encodes results.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt as _, TryFutureExt as _};
use tonic::{Request, Response, Status};

use crate::rpc::InputFailure;
use crate::rpc::context::Context;
use crate::rpc::convert::Malformed;
use crate::rpc::error::Error;
use crate::rpc::functions::Peer;
use crate::rpc::generated::pulumirpc as rpc;
use crate::rpc::generated::pulumirpc::resource_provider_server::ResourceProvider;
use crate::rpc::provider::Provider;
use crate::rpc::requests::{FromRpc, write_constructed};
use crate::rpc::session::Sessions;
use crate::rpc::status::{check_failures, status};
use crate::rpc::structs;

/// Time for a cancelled call to end before it is dropped.
const GRACE: Duration = Duration::from_millis(50);

/// The gRPC service of a provider.
pub(crate) struct Service<P> {
    pub(crate) provider: P,
    pub(crate) sessions: Arc<Sessions>,
}

type Answer<T> = Result<Response<T>, Status>;

/// The address of the engine.
fn peer<R>(request: &Request<R>) -> Option<SocketAddr> {
    request.extensions().get().map(|Peer(address)| *address)
}

/// Decodes a request.
fn decoded<R, T: FromRpc<R>>(request: Request<R>) -> Result<T, Status> {
    T::from_rpc(request.into_inner()).map_err(malformed)
}

/// The status for a request that cannot be decoded.
pub(crate) fn malformed(malformed: Malformed) -> Status {
    Status::invalid_argument(format!("the request is malformed: {malformed}"))
}

/// Separates wrong inputs from other errors, for checks, which answer with them.
fn failures_apart<T>(result: Result<T, Error>) -> Result<Result<T, Vec<InputFailure>>, Status> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Error::InvalidInput(failures)) => Ok(Err(failures)),
        Err(error) => Err(status(error)),
    }
}

/// Waits for the end of a call, a panic, or shortly after cancellation.
pub(crate) fn guarded<T: Send>(
    cx: &Context,
    call: impl Future<Output = Result<T, Error>> + Send,
) -> impl Future<Output = Result<T, Error>> + Send {
    // Boxed here, because a future that is passed on occupies its size again in each function that it passes.
    let mut call = Box::pin(AssertUnwindSafe(call).catch_unwind());
    async move {
        let ended = tokio::select! {
            biased;
            ended = &mut call => Some(ended),
            // Boxed, because few calls are cancelled (0291).
            () = cx.cancellation().cancelled() => Box::pin(tokio::time::timeout(GRACE, call)).await.ok(),
        };
        match ended {
            None => Err(Error::Cancelled),
            Some(Ok(result)) => result,
            // The panic message was written to stderr. It may contain secrets, so it is not sent.
            Some(Err(_panic)) => Err(Error::Internal("the plugin panicked".to_owned())),
        }
    }
}

impl<P: Provider> Service<P> {
    /// The context of a request.
    fn context<R>(&self, request: &Request<R>) -> Context {
        self.sessions.context(peer(request))
    }

    /// Runs a check and encodes its failures.
    async fn answer_check(
        &self,
        cx: &Context,
        call: impl Future<Output = Result<crate::values::Object, Error>> + Send,
    ) -> Answer<rpc::CheckResponse> {
        let answer = match failures_apart(guarded(cx, call).await)? {
            Ok(inputs) => rpc::CheckResponse {
                inputs: structs::write(inputs),
                failures: Vec::new(),
            },
            Err(failures) => rpc::CheckResponse {
                inputs: None,
                failures: check_failures(failures),
            },
        };
        Ok(Response::new(answer))
    }
}

#[tonic::async_trait]
impl<P: Provider> ResourceProvider for Service<P> {
    async fn handshake(
        &self,
        request: Request<rpc::ProviderHandshakeRequest>,
    ) -> Answer<rpc::ProviderHandshakeResponse> {
        let connection = peer(&request);
        let request = request.into_inner();
        self.sessions.begin(connection, &request.engine_address);
        let cx = self.sessions.context(connection);
        guarded(&cx, self.provider.handshake(&cx, request.into()))
            .await
            .map_err(status)?;
        Ok(Response::new(self.provider.capabilities().into()))
    }

    async fn attach(&self, request: Request<rpc::PluginAttach>) -> Answer<()> {
        self.sessions.begin(peer(&request), &request.get_ref().address);
        Ok(Response::new(()))
    }

    async fn cancel(&self, request: Request<()>) -> Answer<()> {
        self.sessions.cancel(peer(&request));
        Ok(Response::new(()))
    }

    async fn get_plugin_info(&self, _request: Request<()>) -> Answer<rpc::PluginInfo> {
        Ok(Response::new(rpc::PluginInfo {
            version: self.provider.version().to_owned(),
        }))
    }

    async fn get_schema(&self, request: Request<rpc::GetSchemaRequest>) -> Answer<rpc::GetSchemaResponse> {
        let cx = self.context(&request);
        let request = request.into_inner();
        if request.version != 0 {
            return Err(Status::invalid_argument(format!(
                "this plugin provides its schema in format version 0, not {}",
                request.version
            )));
        }
        if !request.subpackage_name.is_empty() {
            return Err(Status::invalid_argument(
                "this plugin does not support parameterization",
            ));
        }
        let schema = guarded(&cx, async { self.provider.schema() })
            .await
            .map_err(status)?
            .into_owned();
        Ok(Response::new(rpc::GetSchemaResponse { schema }))
    }

    async fn get_mapping(&self, request: Request<rpc::GetMappingRequest>) -> Answer<rpc::GetMappingResponse> {
        let rpc::GetMappingRequest { key, provider } = request.into_inner();
        // Engines that do not list mappings first leave the provider out, and compare the one in the answer.
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
        let (cx, request) = (self.context(&request), decoded(request)?);
        let check = self.provider.check_config(&cx, request);
        // The marks of secrets do not reach this call, so that any value may be one.
        let check = check.map_err(|error| match error {
            Error::InvalidInput(failures) => {
                Error::InvalidInput(failures.into_iter().map(InputFailure::sensitive).collect())
            }
            error => error,
        });
        self.answer_check(&cx, check).await
    }

    async fn diff_config(&self, request: Request<rpc::DiffRequest>) -> Answer<rpc::DiffResponse> {
        let (cx, request) = (self.context(&request), decoded(request)?);
        let diff = guarded(&cx, self.provider.diff_config(&cx, request))
            .await
            .map_err(status)?;
        Ok(Response::new(diff.into()))
    }

    async fn configure(&self, request: Request<rpc::ConfigureRequest>) -> Answer<rpc::ConfigureResponse> {
        let (cx, request) = (self.context(&request), decoded(request)?);
        guarded(&cx, self.provider.configure(&cx, request))
            .await
            .map_err(status)?;
        Ok(Response::new(self.provider.capabilities().into()))
    }

    /// Not called: `Functions` serves this call.
    async fn invoke(&self, _request: Request<rpc::InvokeRequest>) -> Answer<rpc::InvokeResponse> {
        Err(status(Error::Unimplemented))
    }

    async fn construct(&self, request: Request<rpc::ConstructRequest>) -> Answer<rpc::ConstructResponse> {
        let outputs = request.get_ref().accepts_output_values;
        let (cx, request) = (self.context(&request), decoded(request)?);
        let constructed = guarded(&cx, self.provider.construct(&cx, request))
            .await
            .map_err(status)?;
        Ok(Response::new(write_constructed(constructed, outputs)))
    }

    async fn check(&self, request: Request<rpc::CheckRequest>) -> Answer<rpc::CheckResponse> {
        let (cx, request) = (self.context(&request), decoded(request)?);
        self.answer_check(&cx, self.provider.check(&cx, request)).await
    }

    async fn diff(&self, request: Request<rpc::DiffRequest>) -> Answer<rpc::DiffResponse> {
        let (cx, request) = (self.context(&request), decoded(request)?);
        let diff = guarded(&cx, self.provider.diff(&cx, request))
            .await
            .map_err(status)?;
        Ok(Response::new(diff.into()))
    }

    async fn create(&self, request: Request<rpc::CreateRequest>) -> Answer<rpc::CreateResponse> {
        let (cx, request) = (self.context(&request), decoded(request)?);
        let created = guarded(&cx, self.provider.create(&cx, request))
            .await
            .map_err(status)?;
        let properties = structs::write(created.properties);
        Ok(Response::new(rpc::CreateResponse {
            id: created.id,
            properties,
        }))
    }

    async fn read(&self, request: Request<rpc::ReadRequest>) -> Answer<rpc::ReadResponse> {
        let (cx, request) = (self.context(&request), decoded(request)?);
        let state = guarded(&cx, self.provider.read(&cx, request))
            .await
            .map_err(status)?;
        Ok(Response::new(rpc::ReadResponse {
            id: state.id,
            properties: structs::write(state.properties),
            inputs: structs::write(state.inputs),
        }))
    }

    async fn update(&self, request: Request<rpc::UpdateRequest>) -> Answer<rpc::UpdateResponse> {
        let (cx, request) = (self.context(&request), decoded(request)?);
        let properties = guarded(&cx, self.provider.update(&cx, request))
            .await
            .map_err(status)?;
        Ok(Response::new(rpc::UpdateResponse {
            properties: structs::write(properties),
        }))
    }

    async fn delete(&self, request: Request<rpc::DeleteRequest>) -> Answer<()> {
        let (cx, request) = (self.context(&request), decoded(request)?);
        guarded(&cx, self.provider.delete(&cx, request))
            .await
            .map_err(status)?;
        Ok(Response::new(()))
    }
}
