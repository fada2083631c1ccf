//! The lines of `--trace`: one for each request, with method, path, status, bytes and time.
//!
//! Created from the spans and events of netmgr-transport, which contain no query values, bodies or credentials.

use std::fmt::{self, Write as _};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::Part;
use crate::output::standard_error;

/// The layer that prints the lines.
pub(super) fn lines() -> Part {
    RequestLines
        .with_filter(Targets::new().with_target("netmgr_transport", Level::DEBUG))
        .boxed()
}

struct RequestLines;

/// A request, from its span and the span's last event.
#[derive(Default)]
struct RequestFields {
    method: String,
    path: String,
    attempts: String,
    status: String,
    bytes: String,
    milliseconds: String,
    message: String,
}

impl Visit for RequestFields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let place = match field.name() {
            "method" => &mut self.method,
            "path" => &mut self.path,
            "attempts" => &mut self.attempts,
            "status" => &mut self.status,
            "bytes" => &mut self.bytes,
            "elapsed_ms" => &mut self.milliseconds,
            "message" => &mut self.message,
            _ => return,
        };
        place.clear();
        let _ = write!(place, "{value:?}");
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for RequestLines {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id).filter(|span| span.name() == "request") else {
            return;
        };
        let mut request = RequestFields::default();
        attributes.record(&mut request);
        span.extensions_mut().insert(request);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(request) = span.extensions_mut().get_mut::<RequestFields>()
        {
            values.record(request);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut ended = RequestFields::default();
        event.record(&mut ended);
        if !matches!(ended.message.as_str(), "answered" | "failed") {
            return;
        }
        let Some(span) = context.event_span(event) else {
            return;
        };
        let extensions = span.extensions();
        if let Some(request) = extensions.get::<RequestFields>() {
            standard_error(&request.line(&ended));
        }
    }
}

impl RequestFields {
    fn line(&self, ended: &Self) -> String {
        let mut line = format!("{} {} ", self.method, self.path);
        match ended.status.as_str() {
            "" => line.push_str("failed"),
            status => line.push_str(&format!("{status} {} bytes", ended.bytes)),
        }
        line.push_str(&format!(" {} ms", ended.milliseconds));
        if !matches!(self.attempts.as_str(), "" | "1") {
            line.push_str(&format!(" {} attempts", self.attempts));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_method_path_status_bytes_and_time() {
        let request = RequestFields {
            method: "GET".to_owned(),
            path: "/api/v1/node/version".to_owned(),
            attempts: "3".to_owned(),
            ..RequestFields::default()
        };
        let ended = RequestFields {
            status: "200".to_owned(),
            bytes: "97".to_owned(),
            milliseconds: "12".to_owned(),
            ..RequestFields::default()
        };
        assert_eq!(
            request.line(&ended),
            "GET /api/v1/node/version 200 97 bytes 12 ms 3 attempts"
        );
        let failed = RequestFields {
            milliseconds: "5".to_owned(),
            ..RequestFields::default()
        };
        assert_eq!(
            request.line(&failed),
            "GET /api/v1/node/version failed 5 ms 3 attempts"
        );
    }
}
