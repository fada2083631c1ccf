//! Panics as hosts recognize them: a line that begins with `panic: ` starts a crash report to the user.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::Write as _;
use std::panic::PanicHookInfo;

/// Prints panics in the form that hosts recognize.
pub(crate) fn report() {
    std::panic::set_hook(Box::new(|panic| {
        // Without stderr there is no host either.
        let _ = std::io::stderr().write_all(text(panic).as_bytes());
    }));
}

fn text(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let message = match payload.downcast_ref::<String>() {
        Some(message) => message,
        None => payload
            .downcast_ref::<&str>()
            .copied()
            .unwrap_or("unknown reason"),
    };
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let mut text = format!("panic: {message}\n\n{place}\n");
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        text.push_str(&format!("{backtrace}\n"));
    }
    text
}
