//! Test support: a client of a served provider, and property bags.

use prost_types::{Struct, Value, value::Kind};
use pulumi_plugin::rpc::{Provider, serve_on};
use tokio::sync::oneshot;

pub(crate) use pulumi_testing::{Client, connect, listen};

/// A provider that is served in this process until this is dropped.
pub(crate) struct Served {
    pub(crate) client: Client,
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) ended: tokio::task::JoinHandle<()>,
}

/// Serves `provider` and connects to it.
pub(crate) async fn served(provider: impl Provider) -> Served {
    let (listener, port) = listen().await;
    let (stop, stopped) = oneshot::channel();
    let ended = tokio::spawn(async move {
        let stopped = async {
            let _ = stopped.await;
        };
        serve_on(listener, provider, None, stopped).await;
    });
    Served {
        client: connect(port).await,
        stop,
        ended,
    }
}

/// A protobuf string.
pub(crate) fn text(text: &str) -> Value {
    Value {
        kind: Some(Kind::StringValue(text.to_owned())),
    }
}

/// A property bag.
pub(crate) fn bag<const N: usize>(members: [(&str, Value); N]) -> Option<Struct> {
    Some(Struct {
        fields: members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    })
}

/// An envelope for a special value.
pub(crate) fn envelope<const N: usize>(signature: &str, members: [(&str, Value); N]) -> Value {
    let mut envelope = bag(members).unwrap();
    envelope
        .fields
        .insert("4dabf18193072939515e22adb298388d".to_owned(), text(signature));
    Value {
        kind: Some(Kind::StructValue(envelope)),
    }
}

pub(crate) const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
pub(crate) const OUTPUT: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
pub(crate) const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
