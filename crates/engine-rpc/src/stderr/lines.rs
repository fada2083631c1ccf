//! Events as lines of text: `DEBUG netmgr_transport::layers::trace: request{method=GET}: answered status=200`.
//!
//! A subscriber of our own, because one that does this and much else made a plugin 0.6 MiB larger
//! (0107). Not here: where the lines go.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Crates whose events are told. Those below them would tell headers with credentials.
const OURS: [&str; 4] = ["netmgr", "clusterpkg", "engine_", "pulumi_resource_"];

thread_local! {
    /// The spans that this thread is in, outermost first.
    static ENTERED: RefCell<Vec<Id>> = const { RefCell::new(Vec::new()) };
}

/// Hands each event to `told`, as a line.
pub(super) struct Lines<F> {
    level: LevelFilter,
    told: F,
    spans: Mutex<BTreeMap<u64, Span>>,
    ids: AtomicU64,
}

struct Span {
    name: &'static str,
    fields: Fields,
    handles: usize,
}

/// Fields as text: the message as it is, the others as ` name=value`.
#[derive(Default)]
struct Fields {
    message: String,
    others: String,
}

impl<F> Lines<F> {
    pub(super) fn new(level: LevelFilter, told: F) -> Self {
        Self {
            level,
            told,
            spans: Mutex::default(),
            ids: AtomicU64::new(1),
        }
    }

    fn spans(&self) -> MutexGuard<'_, BTreeMap<u64, Span>> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F: Fn(String) + Send + Sync + 'static> Subscriber for Lines<F> {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.level && OURS.iter().any(|ours| metadata.target().starts_with(ours))
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.level)
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        span.record(&mut fields);
        let id = self.ids.fetch_add(1, Ordering::Relaxed);
        let span = Span {
            name: span.metadata().name(),
            fields,
            handles: 1,
        };
        self.spans().insert(id, span);
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        if let Some(span) = self.spans().get_mut(&span.into_u64()) {
            values.record(&mut span.fields);
        }
    }

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut line = format!("{} {}:", metadata.level(), metadata.target());
        ENTERED.with_borrow(|entered| {
            let spans = self.spans();
            for span in entered.iter().filter_map(|id| spans.get(&id.into_u64())) {
                let _ = write!(line, " {}{{{}}}:", span.name, span.fields.others.trim_start());
            }
        });
        let mut fields = Fields::default();
        event.record(&mut fields);
        let _ = writeln!(line, " {}{}", fields.message, fields.others);
        (self.told)(line);
    }

    fn enter(&self, span: &Id) {
        ENTERED.with_borrow_mut(|entered| entered.push(span.clone()));
    }

    fn exit(&self, span: &Id) {
        ENTERED.with_borrow_mut(|entered| {
            if let Some(innermost) = entered.iter().rposition(|id| id == span) {
                entered.remove(innermost);
            }
        });
    }

    fn clone_span(&self, id: &Id) -> Id {
        if let Some(span) = self.spans().get_mut(&id.into_u64()) {
            span.handles += 1;
        }
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let mut spans = self.spans();
        let Some(span) = spans.get_mut(&id.into_u64()) else {
            return false;
        };
        span.handles -= 1;
        let closed = span.handles == 0;
        if closed {
            spans.remove(&id.into_u64());
        }
        closed
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a string does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.others, " {name}={value:?}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// What is told at a level while `doing` runs.
    fn told(level: LevelFilter, doing: impl FnOnce()) -> Vec<String> {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let keep = {
            let lines = Arc::clone(&lines);
            move |line| lines.lock().unwrap().push(line)
        };
        tracing::subscriber::with_default(Lines::new(level, keep), doing);
        let mut lines = lines.lock().unwrap();
        std::mem::take(&mut *lines)
    }

    #[test]
    fn an_event_is_one_line_with_the_spans_around_it() {
        let lines = told(LevelFilter::DEBUG, || {
            let outer = tracing::debug_span!("outer", path = %"/a", attempts = tracing::field::Empty);
            let entered = outer.enter();
            tracing::debug_span!("inner").in_scope(|| tracing::info!(status = 200, "answered"));
            outer.record("attempts", 2);
            tracing::debug!(quoted = "a\nb", "done");
            drop(entered);
            tracing::warn!("alone");
        });
        assert_eq!(
            lines,
            [
                "INFO engine_rpc::stderr::lines::tests: outer{path=/a}: inner{}: answered status=200\n",
                "DEBUG engine_rpc::stderr::lines::tests: outer{path=/a attempts=2}: done quoted=\"a\\nb\"\n",
                "WARN engine_rpc::stderr::lines::tests: alone\n",
            ]
        );
    }

    #[test]
    fn other_crates_and_finer_levels_are_not_told() {
        let lines = told(LevelFilter::DEBUG, || {
            tracing::error!(target: "h2::codec", "authorization: Basic");
            tracing::trace!("fine");
        });
        assert_eq!(lines, [""; 0]);
    }

    #[test]
    fn spans_that_are_over_are_forgotten() {
        let silent: fn(String) = |_| ();
        let dispatch = tracing::Dispatch::new(Lines::new(LevelFilter::DEBUG, silent));
        tracing::dispatcher::with_default(&dispatch, || {
            let span = tracing::debug_span!("over");
            drop(span.clone());
            drop(span);
        });
        let lines: &Lines<fn(String)> = dispatch.downcast_ref().unwrap();
        assert!(lines.spans().is_empty());
        assert_eq!(lines.ids.load(Ordering::Relaxed), 2, "there was one");
    }
}
