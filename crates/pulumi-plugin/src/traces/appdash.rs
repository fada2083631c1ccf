//! The engine's older collector: AppDash over TCP, which `--tracing tcp://host:port` names. Engines that collect
//! OTLP name both collectors, and OTLP takes precedence.
//!
//! A span is one message: a length, then in protobuf's group encoding its ids and annotations. Trace ids have
//! 64 bits there: the lower half of ours.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{SpanData, SpanExporter};

/// Time in which the collector must accept a connection or bytes.
const PATIENCE: Duration = Duration::from_secs(1);

/// Sends spans to an AppDash collector. Connects when the first span is sent.
#[derive(Debug)]
pub(crate) struct AppDash {
    address: String,
    connection: Mutex<Option<TcpStream>>,
}

impl AppDash {
    /// An exporter to the collector at `address`, written `host:port`.
    pub(crate) fn new(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            connection: Mutex::new(None),
        }
    }

    fn send(&self, messages: &[u8]) -> std::io::Result<()> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stream = match connection.take() {
            Some(stream) => stream,
            None => {
                let stream = TcpStream::connect(&self.address)?;
                stream.set_write_timeout(Some(PATIENCE))?;
                stream
            }
        };
        stream.write_all(messages)?;
        *connection = Some(stream);
        Ok(())
    }
}

impl SpanExporter for AppDash {
    // On the exporter's own thread, where it may wait.
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let messages: Vec<u8> = batch.iter().flat_map(message).collect();
        self.send(&messages)
            .map_err(|error| OTelSdkError::InternalFailure(error.to_string()))
    }
}

/// Field numbers and wire types of the message.
mod key {
    pub(super) const SPAN_ID: u8 = 1 << 3 | 3;
    pub(super) const SPAN_ID_END: u8 = 1 << 3 | 4;
    pub(super) const TRACE: u8 = 2 << 3 | 1;
    pub(super) const SPAN: u8 = 3 << 3 | 1;
    pub(super) const PARENT: u8 = 4 << 3 | 1;
    pub(super) const ANNOTATION: u8 = 5 << 3 | 3;
    pub(super) const ANNOTATION_END: u8 = 5 << 3 | 4;
    pub(super) const KEY: u8 = 6 << 3 | 2;
    pub(super) const VALUE: u8 = 7 << 3 | 2;
}

/// A span with its length before it.
fn message(span: &SpanData) -> Vec<u8> {
    let trace = span.span_context.trace_id().to_bytes();
    let trace = u64::from_be_bytes(trace[8..].try_into().expect("an id has 16 bytes"));
    let id = |id: opentelemetry::trace::SpanId| u64::from_be_bytes(id.to_bytes());
    let mut body = vec![key::SPAN_ID];
    for (key, id) in [
        (key::TRACE, trace),
        (key::SPAN, id(span.span_context.span_id())),
        (key::PARENT, id(span.parent_span_id)),
    ] {
        body.push(key);
        body.extend(id.to_le_bytes());
    }
    body.push(key::SPAN_ID_END);
    annotate(&mut body, "Name", &span.name);
    annotate(&mut body, "_schema:name", "");
    for attribute in &span.attributes {
        annotate(&mut body, attribute.key.as_str(), &attribute.value.as_str());
    }
    annotate(&mut body, "Span.Start", &timestamp(span.start_time));
    annotate(&mut body, "Span.End", &timestamp(span.end_time));
    annotate(&mut body, "_schema:Timespan", "");
    let mut message = Vec::with_capacity(body.len() + 2);
    length(&mut message, body.len());
    message.extend(body);
    message
}

fn annotate(body: &mut Vec<u8>, name: &str, value: &str) {
    body.push(key::ANNOTATION);
    for (key, text) in [(key::KEY, name), (key::VALUE, value)] {
        body.push(key);
        length(body, text.len());
        body.extend(text.as_bytes());
    }
    body.push(key::ANNOTATION_END);
}

/// A length in groups of seven bits, the lowest first.
fn length(bytes: &mut Vec<u8>, mut length: usize) {
    while length > 0x7f {
        bytes.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
}

/// A time as RFC 3339 writes it.
fn timestamp(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    // Years that begin in March, so that a leap day is the last day of one; eras of 400 of them.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:09}Z",
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60,
        since.subsec_nanos()
    )
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::net::TcpListener;

    use opentelemetry::trace::TracerProvider as _;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[test]
    fn times_are_written_as_rfc_3339_has_them() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00.000000005Z"),
            (951_782_399, "2000-02-28T23:59:59.000000005Z"),
            (951_782_400, "2000-02-29T00:00:00.000000005Z"),
            (1_795_336_245, "2026-11-22T08:30:45.000000005Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000000005Z"),
        ] {
            let time = UNIX_EPOCH + Duration::new(seconds, 5);
            assert_eq!(timestamp(time), expected);
        }
    }

    #[test]
    fn tracing_spans_reach_the_engines_older_collector() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let exporter = AppDash::new(&listener.local_addr().unwrap().to_string());
        let provider = SdkTracerProvider::builder()
            .with_simple_exporter(exporter)
            .build();
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let span = tracing::info_span!("lookup", function = "getIpPool");
            crate::traces::adopt(&span, "00-0000000000000000000000000000abcd-00000000000000ef-01");
            span.in_scope(|| {});
        });
        provider.shutdown().unwrap();
        drop(provider);
        let mut sent = Vec::new();
        listener.accept().unwrap().0.read_to_end(&mut sent).unwrap();

        // Two bytes of length, then the ids.
        let length = usize::from(sent[0] & 0x7f) + (usize::from(sent[1]) << 7);
        assert_eq!(length, sent.len() - 2);
        let group = &sent[2..];
        assert_eq!(group[..10], [11, 17, 0xcd, 0xab, 0, 0, 0, 0, 0, 0]);
        assert_eq!(group[10], 25);
        assert_eq!(group[19..29], [33, 0xef, 0, 0, 0, 0, 0, 0, 0, 12]);
        let text = String::from_utf8_lossy(&sent);
        for part in [
            "Name:\u{6}lookup",
            "_schema:name",
            "function:\tgetIpPool",
            "Span.Start:\u{1e}20",
            "_schema:Timespan",
        ] {
            assert!(text.contains(part), "{part:?} is not in {text:?}");
        }
    }
}
