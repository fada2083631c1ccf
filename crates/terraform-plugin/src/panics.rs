//! Panics as hosts recognize them: a line that begins with `panic: ` starts a crash report to the user.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::Write as _;
use std::panic::Location;

/// Prints panics in the form that hosts recognize.
pub(crate) fn report() {
    std::panic::set_hook(Box::new(|panic| {
        // Without stderr there is no host either.
        let _ = std::io::stderr().write_all(text(message(panic.payload()), panic.location()).as_bytes());
    }));
}

/// The message of a panic.
pub(crate) fn message(payload: &(dyn Any + Send)) -> &str {
    match payload.downcast_ref::<String>() {
        Some(message) => message,
        None => payload
            .downcast_ref::<&str>()
            .copied()
            .unwrap_or("unknown reason"),
    }
}

/// A crash report.
fn text(message: &str, place: Option<&Location<'_>>) -> String {
    let place = place.map(ToString::to_string).unwrap_or_default();
    let mut text = format!("panic: {message}\n\n{place}\n");
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        text.push_str(&format!("{backtrace}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_report_begins_as_hosts_expect() {
        let report = text("out of range", Some(Location::caller()));
        assert!(report.starts_with("panic: out of range\n\n"), "{report}");
        assert!(report.contains("panics.rs:"), "{report}");
    }
}
