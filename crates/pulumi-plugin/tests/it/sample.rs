//! Test support: a provider whose answers depend on its requests.

use std::borrow::Cow;
use std::sync::LazyLock;
use std::time::Duration;

use prost::Message as _;
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_plugin::rpc::{
    Capabilities, Changes, CheckRequest, ConfigureRequest, ConstructRequest, Constructed, Context, Diff,
    DiffRequest, Error, HandshakeRequest, InputFailure, InvokeRequest, MissingKey, Monitor, Provider,
};
use pulumi_plugin::values::{Object, OutputValue, PropertyPath, Value};
use tokio::sync::Barrier;
use tonic::Status;

use crate::engine::bag;

/// Calls of `meets` end when this many are under way at once.
pub(crate) const CALLS_THAT_MEET: usize = 1000;

static MEETING: LazyLock<Barrier> = LazyLock::new(|| Barrier::new(CALLS_THAT_MEET));

/// The provider.
#[derive(Default)]
pub(crate) struct Sample {
    /// How long its schema is.
    pub(crate) schema_size: usize,
    /// Whether it has no handshake.
    pub(crate) older: bool,
}

fn members<const N: usize>(members: [(&str, Value); N]) -> Object {
    members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

impl Provider for Sample {
    fn version(&self) -> &str {
        "0.3.1"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            outputs: false,
            ..Capabilities::default()
        }
    }

    fn schema(&self) -> Result<Cow<'_, str>, Error> {
        Ok("x".repeat(self.schema_size).into())
    }

    async fn handshake(&self, _cx: &Context, request: HandshakeRequest) -> Result<(), Error> {
        assert!(request.invoke_with_preview);
        if self.older {
            Err(Error::Unimplemented)
        } else {
            Ok(())
        }
    }

    async fn check_config(&self, _cx: &Context, request: CheckRequest) -> Result<Object, Error> {
        if request.news.contains_key("host") {
            return Ok(request.news);
        }
        Err(Error::InvalidInput(vec![
            InputFailure::new("retries", "must be at least 0"),
            InputFailure::new(PropertyPath::from("tls").join("key"), "is no PEM text").sensitive(),
        ]))
    }

    async fn diff_config(&self, _cx: &Context, request: DiffRequest) -> Result<Diff, Error> {
        let changes = if request.olds == request.news {
            Changes::None
        } else {
            Changes::Some
        };
        Ok(Diff {
            changes,
            ..Diff::default()
        })
    }

    async fn configure(&self, _cx: &Context, request: ConfigureRequest) -> Result<(), Error> {
        if !request.args.contains_key("host") {
            let key = |name: &str| MissingKey {
                name: name.into(),
                description: format!("the {name}"),
            };
            return Err(Error::MissingConfig(vec![key("sample:host"), key("sample:user")]));
        }
        Ok(())
    }

    fn invoke(
        &self,
        cx: &Context,
        request: InvokeRequest,
    ) -> impl Future<Output = Result<Object, Error>> + Send {
        assert_ne!(request.token, "panics at once", "hunter2");
        run(cx, request)
    }

    async fn construct(
        &self,
        _cx: &Context,
        request: ConstructRequest,
        _monitor: Monitor,
    ) -> Result<Constructed, Error> {
        if request.inputs.is_empty() {
            return Err(Error::InvalidInput(vec![
                InputFailure::new(PropertyPath::from("subnetIds").join(0), "is no subnet"),
                InputFailure::new("password", "is too short").sensitive(),
            ]));
        }
        Ok(Constructed {
            urn: "urn:component".into(),
            state_dependencies: request.input_dependencies,
            state: request.inputs,
        })
    }
}

/// Runs a function.
async fn run(cx: &Context, request: InvokeRequest) -> Result<Object, Error> {
    match request.token.as_str() {
        "echo" => Ok(request.arguments),
        "preview" => Ok(members([("preview", request.preview.into())])),
        "output" => {
            let output = OutputValue {
                value: Some(Box::new(1.into())),
                secret: true,
                ..OutputValue::default()
            };
            Ok(members([("made", output.into())]))
        }
        "invalid" => Err(Error::InvalidInput(vec![
            InputFailure::new(PropertyPath::from("tags").join("a.b"), "is too long"),
            InputFailure::new("token", "is no token").sensitive(),
        ])),
        "fails" => Err(Error::Failed("no IP pool has display name \"blue\"".into())),
        "panics" => panic!("hunter2"),
        "waits" => {
            cx.cancellation().cancelled().await;
            Err(Error::Cancelled)
        }
        "hangs" => std::future::pending().await,
        "meets" => {
            MEETING.wait().await;
            Ok(Object::new())
        }
        // Much longer than a cancelled call may take to end by itself.
        "sleeps" => {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok(Object::new())
        }
        _ => Err(Error::Unimplemented),
    }
}

/// A call of one of its functions without arguments.
pub(crate) fn invoke(token: &str) -> rpc::InvokeRequest {
    rpc::InvokeRequest {
        tok: token.into(),
        args: bag([]),
        preview: false,
    }
}

/// The handshake of a current engine.
pub(crate) fn handshake() -> rpc::ProviderHandshakeRequest {
    rpc::ProviderHandshakeRequest {
        invoke_with_preview: true,
        ..Default::default()
    }
}

/// `google.rpc.Status` as the trailer carries it, written down independently.
#[derive(prost::Message)]
struct Details {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<prost_types::Any>,
}

/// The only detail of a status, by type.
pub(crate) fn detail<M: prost::Message + Default>(status: &Status, name: &str) -> M {
    let envelope = Details::decode(status.details()).unwrap();
    assert_eq!(envelope.code, i32::from(status.code()));
    assert_eq!(envelope.message, status.message());
    let [any] = &envelope.details[..] else {
        panic!("not one detail")
    };
    assert_eq!(any.type_url, format!("type.googleapis.com/pulumirpc.{name}"));
    M::decode(&*any.value).unwrap()
}
