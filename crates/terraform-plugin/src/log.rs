//! The log on stderr, in the form that hosts parse: a JSON object per line.
//!
//! Users see it with `TF_LOG` or `TF_LOG_PROVIDER`. Without these variables nothing is written.

use std::ffi::OsString;
use std::fmt;
use std::io::Write as _;

use serde_json::{Map, Value};
use time::OffsetDateTime;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

/// Longest line that hosts read, in bytes.
const LONGEST: usize = 64 << 10;

/// Starts the log with the level that the environment requests, for crates whose names start with one of `ours`.
/// Others would log credentials.
pub(crate) fn start(
    module: &'static str,
    ours: &'static [&'static str],
    variable: impl Fn(&'static str) -> Option<OsString>,
) {
    let level = level(variable);
    if level == LevelFilter::OFF {
        return;
    }
    let is_ours = move |metadata: &Metadata<'_>| {
        *metadata.level() <= level && ours.iter().any(|ours| metadata.target().starts_with(ours))
    };
    let lines = LogLines { module }.with_filter(filter_fn(is_ours).with_max_level_hint(level));
    // Fails if the process has a subscriber, which then logs.
    let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry().with(lines));
}

/// The most specific variable takes precedence.
fn level(variable: impl Fn(&'static str) -> Option<OsString>) -> LevelFilter {
    let given = ["TF_LOG_PROVIDER", "TF_LOG"].into_iter().find_map(|name| {
        let text = variable(name)?;
        (!text.is_empty()).then_some(text)
    });
    match given
        .unwrap_or_default()
        .to_string_lossy()
        .to_uppercase()
        .as_str()
    {
        "" | "OFF" => LevelFilter::OFF,
        "ERROR" => LevelFilter::ERROR,
        "WARN" => LevelFilter::WARN,
        "INFO" => LevelFilter::INFO,
        "DEBUG" => LevelFilter::DEBUG,
        // Hosts do the same for other levels, including JSON.
        _ => LevelFilter::TRACE,
    }
}

struct LogLines {
    module: &'static str,
}

impl<S: Subscriber> Layer<S> for LogLines {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let line = line(self.module, event, OffsetDateTime::now_utc());
        // Lost if the host is gone.
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }
}

fn line(module: &str, event: &Event<'_>, now: OffsetDateTime) -> String {
    let mut fields = Fields(Map::new());
    event.record(&mut fields);
    let Fields(mut fields) = fields;
    let mut set = |name: &str, value: String| fields.insert(name.to_owned(), value.into());
    set("@level", level_name(*event.metadata().level()).to_owned());
    set("@module", module.to_owned());
    set("@timestamp", timestamp(now));
    set("target", event.metadata().target().to_owned());
    let mut line = Value::Object(fields).to_string();
    if line.len() >= LONGEST {
        line = format!(r#"{{"@level":"warn","@module":"{module}","@message":"a longer line was left out"}}"#);
    }
    line.push('\n');
    line
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        Level::TRACE => "trace",
    }
}

/// Six digits of the second: hosts do not parse lines with another number of them.
fn timestamp(now: OffsetDateTime) -> String {
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
        now.year(),
        u8::from(now.month()),
        now.day(),
        now.hour(),
        now.minute(),
        now.second(),
        now.microsecond()
    )
}

struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.set(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field, value);
    }
}

impl Fields {
    fn set(&mut self, field: &Field, value: impl Into<Value>) {
        let name = match field.name() {
            "message" => "@message",
            name => name,
        };
        self.0.insert(name.to_owned(), value.into());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Keeps the lines of events.
    struct KeptLines(Arc<Mutex<Vec<String>>>);

    impl<S: Subscriber> Layer<S> for KeptLines {
        fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
            let now = OffsetDateTime::from_unix_timestamp_nanos(1_789_000_000_000_120_999).unwrap();
            self.0.lock().unwrap().push(line("example", event, now));
        }
    }

    fn lines(work: impl FnOnce()) -> Vec<String> {
        let kept = Arc::default();
        let subscriber = tracing_subscriber::registry().with(KeptLines(Arc::clone(&kept)));
        tracing::subscriber::with_default(subscriber, work);
        let kept = kept.lock().unwrap();
        kept.clone()
    }

    #[test]
    fn a_line_is_an_object_with_the_members_that_hosts_know() {
        let lines = lines(|| tracing::warn!(polls = 3, state = %"in progress", "waiting\n\"now\""));
        let line: Value = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!(
            line,
            serde_json::json!({
                "@level": "warn",
                "@message": "waiting\n\"now\"",
                "@module": "example",
                "@timestamp": "2026-09-10T00:26:40.000120Z",
                "polls": 3,
                "state": "in progress",
                "target": "terraform_plugin::log::tests",
            })
        );
        assert!(lines[0].ends_with("}\n"));
    }

    #[test]
    fn a_line_that_hosts_would_cut_is_replaced() {
        let lines = lines(|| tracing::warn!("{}", "x".repeat(LONGEST)));
        assert_eq!(
            lines,
            ["{\"@level\":\"warn\",\"@module\":\"example\",\"@message\":\"a longer line was left out\"}\n"]
        );
    }

    #[test]
    fn the_variable_for_providers_takes_precedence() {
        let level = |provider: &str, all: &str| {
            level(|name| {
                let text = match name {
                    "TF_LOG_PROVIDER" => provider,
                    _ => all,
                };
                Some(text.into())
            })
        };
        assert_eq!(level("", ""), LevelFilter::OFF);
        assert_eq!(level("", "json"), LevelFilter::TRACE);
        assert_eq!(level("off", "trace"), LevelFilter::OFF);
        assert_eq!(level("warn", "trace"), LevelFilter::WARN);
        assert_eq!(level("", "Debug"), LevelFilter::DEBUG);
    }
}
