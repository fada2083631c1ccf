//! The terminal: its width, and the line on standard error that shows progress.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use netmgr_types::foreign;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Width to which a status line is cut if the terminal reports none.
const USUAL_WIDTH: usize = 80;
/// End of a text that is cut.
const ELLIPSIS: char = '…';
/// Removes the line of the cursor.
const CLEAR: &str = "\r\x1b[2K";

/// The status line at the bottom of the terminal.
static STATUS: Mutex<String> = Mutex::new(String::new());

/// Width of standard output; `None` if it is not a terminal, so that the output does not depend on the window.
pub(crate) fn width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into())
}

/// Width of a status line; `None` if it cannot be shown, because standard error is not a terminal that supports escape
/// sequences.
pub(crate) fn status_width() -> Option<usize> {
    let is_dumb = std::env::var_os("TERM").is_some_and(|kind| kind == "dumb");
    if is_dumb || !io::stderr().is_terminal() {
        return None;
    }
    let size = terminal_size::terminal_size_of(io::stderr());
    // Leave room for the `^C` of the terminal: after a line break, the start of this line could not be removed.
    Some(
        size.map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0))
            .saturating_sub(3),
    )
}

/// Shows `text` as the status line. The text replaces the previous one; an empty string removes it.
pub(crate) fn status(text: &str) {
    let Some(width) = status_width() else { return };
    let mut shown = shown();
    let text = cut(&foreign::one_line(text), width);
    if *shown != text {
        let _ = write!(io::stderr().lock(), "{CLEAR}{text}");
        let _ = io::stderr().flush();
        *shown = text;
    }
}

/// Shows as the status line that nothing has been received for `time`, unless the line shows other progress.
pub(crate) fn silence(time: Duration) {
    const SILENCE: &str = "no response from the manager for ";
    let is_free = |line: &str| line.is_empty() || line.starts_with(SILENCE);
    if is_free(&shown()) {
        match time.as_secs() {
            0 | 1 => status(""),
            seconds => status(&format!("{SILENCE}{seconds} s")),
        }
    }
}

/// Writes text instead of the status line, and shows the line again below it.
pub(super) fn above_status(write: impl FnOnce()) {
    let shown = shown();
    let _ = match shown.is_empty() {
        true => Ok(()),
        false => write!(io::stderr().lock(), "{CLEAR}"),
    };
    write();
    if !shown.is_empty() {
        let _ = write!(io::stderr().lock(), "{shown}");
        let _ = io::stderr().flush();
    }
}

/// The start of `text` that fits into `width` columns, with an ellipsis if it is cut.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut shown = String::new();
    let mut used = 1;
    for letter in text.chars() {
        used += letter.width().unwrap_or_default();
        if used > width {
            break;
        }
        shown.push(letter);
    }
    shown.push(ELLIPSIS);
    shown
}

fn shown() -> MutexGuard<'static, String> {
    STATUS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(cut("緑緑緑", 6), "緑緑緑");
        assert_eq!(cut("緑緑緑", 5), "緑緑…");
        assert_eq!(cut("緑緑緑", 4), "緑…");
    }
}
