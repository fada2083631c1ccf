//! A collector of spans, as the engine has one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::trace::v1 as otlp;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::listen;

/// A collector that keeps what it is sent. Cheap to clone; clones share what they keep.
#[derive(Clone, Default)]
pub struct Collector(Arc<Mutex<Vec<Collected>>>);

/// A span that was sent.
#[derive(Clone, Debug)]
pub struct Collected {
    /// Name of the service that it is of.
    pub service: String,
    /// Its name.
    pub name: String,
    /// Id of its trace, in hexadecimal digits.
    pub trace: String,
    /// Its id, in hexadecimal digits.
    pub id: String,
    /// Id of its parent; empty if it has none.
    pub parent: String,
    /// Ids of the spans that it links to.
    pub links: Vec<String>,
    /// Its attributes as text.
    pub attributes: BTreeMap<String, String>,
    /// Everything that was sent of it.
    pub whole: String,
}

impl Collector {
    /// Serves it over gRPC, and returns its address.
    pub async fn serve(&self) -> String {
        let (listener, port) = listen().await;
        let server = Server::builder().add_service(TraceServiceServer::new(self.clone()));
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        tokio::spawn(server.serve_with_incoming(incoming));
        format!("127.0.0.1:{port}")
    }

    /// The spans that were sent so far.
    pub fn spans(&self) -> Vec<Collected> {
        self.0.lock().unwrap().clone()
    }

    /// The spans as a list of name, id and parent, for messages of tests.
    pub fn list(&self) -> String {
        let lines = self.spans().into_iter();
        lines
            .map(|span| format!("{} {} in {:?}\n", span.name, span.id, span.parent))
            .collect()
    }

    /// The spans with a name.
    pub fn named(&self, name: &str) -> Vec<Collected> {
        self.spans()
            .into_iter()
            .filter(|span| span.name == name)
            .collect()
    }
}

impl Collected {
    fn new(service: &str, span: Span) -> Self {
        Self {
            service: service.to_owned(),
            whole: format!("{span:?}"),
            trace: hexadecimal(&span.trace_id),
            id: hexadecimal(&span.span_id),
            parent: hexadecimal(&span.parent_span_id),
            links: span.links.iter().map(|link| hexadecimal(&link.span_id)).collect(),
            attributes: texts(span.attributes),
            name: span.name,
        }
    }
}

fn hexadecimal(id: &[u8]) -> String {
    id.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn texts(attributes: Vec<KeyValue>) -> BTreeMap<String, String> {
    let text = |value: Option<AnyValue>| match value.and_then(|value| value.value) {
        Some(Value::StringValue(text)) => text,
        other => format!("{other:?}"),
    };
    attributes
        .into_iter()
        .map(|attribute| (attribute.key, text(attribute.value)))
        .collect()
}

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<otlp::ExportTraceServiceRequest>,
    ) -> Result<Response<otlp::ExportTraceServiceResponse>, Status> {
        for of_resource in request.into_inner().resource_spans {
            let resource = texts(of_resource.resource.unwrap_or_default().attributes);
            let service = resource.get("service.name").cloned().unwrap_or_default();
            for span in of_resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
                self.0.lock().unwrap().push(Collected::new(&service, span));
            }
        }
        Ok(Response::new(otlp::ExportTraceServiceResponse::default()))
    }
}
