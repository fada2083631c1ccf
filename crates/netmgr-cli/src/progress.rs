//! Progress and warnings of lookups on standard error: one line that is updated on a terminal, and otherwise a line for
//! each change.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use netmgr_lookups::{Observer, Progress, Words};
use tokio::time::Instant;
use unicode_width::UnicodeWidthStr as _;

use crate::output::{standard_error, terminal};

/// Maximum time without a line if there is no terminal.
const SILENCE: Duration = Duration::from_secs(60);
/// Time between two updates of the line on a terminal.
const TICK: Duration = Duration::from_millis(200);

/// Prints warnings and the progress of a wait to standard error.
#[derive(Default)]
pub(crate) struct ProgressLine {
    words: Words,
    wait: Arc<Mutex<Option<ShownWait>>>,
}

/// The last progress of a wait.
struct ShownWait {
    progress: Progress,
    at: Instant,
}

impl ProgressLine {
    /// Prints warnings in these words.
    pub(crate) fn of(words: Words) -> Self {
        Self {
            words,
            wait: Arc::default(),
        }
    }
}

impl Observer for ProgressLine {
    fn warning(&self, message: &str) {
        standard_error(&format!("warning: {}", self.words.text(message)));
    }

    fn progress(&self, progress: &Progress) {
        let now = ShownWait {
            progress: progress.clone(),
            at: Instant::now(),
        };
        let mut shown = self.wait.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(width) = terminal::status_width() else {
            if is_news(shown.as_ref().map(|wait| &wait.progress), progress) {
                standard_error(&now.line(now.at, None));
                *shown = Some(now);
            }
            return;
        };
        terminal::status(&now.line(now.at, Some(width)));
        let first = shown.is_none();
        *shown = Some(now);
        drop(shown);
        if first {
            tokio::spawn(renew(Arc::downgrade(&self.wait)));
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        terminal::status("");
    }
}

/// Updates the line as time passes, until the wait ends.
async fn renew(wait: Weak<Mutex<Option<ShownWait>>>) {
    loop {
        tokio::time::sleep(TICK).await;
        let Some(wait) = wait.upgrade() else { return };
        let wait = wait.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(wait) = &*wait {
            terminal::status(&wait.line(Instant::now(), terminal::status_width()));
        }
    }
}

impl ShownWait {
    /// State, elapsed time and time until the next poll, at `now`. If the line does not fit into a terminal of this
    /// width, it ends with the elapsed time, and then the name of the object is cut.
    fn line(&self, now: Instant, width: Option<usize>) -> String {
        let since = now.saturating_duration_since(self.at);
        let Progress {
            what,
            state,
            elapsed,
            trouble,
            next,
            ..
        } = &self.progress;
        let trouble = match trouble {
            Some(trouble) => format!("the manager does not respond ({trouble}), "),
            None => String::new(),
        };
        let elapsed = (*elapsed + since).as_secs_f64();
        let next = match next {
            Some(next) => format!(
                ", next poll in {:.0} s",
                next.saturating_sub(since).as_secs_f64().ceil()
            ),
            None => String::new(),
        };
        let line = |what: &str| format!("{trouble}waiting for {what}: {state} after {elapsed:.0} s");
        let whole = line(what) + &next;
        match width.filter(|width| whole.width() > *width) {
            Some(width) => line(&terminal::cut(what, width.saturating_sub(line("").width()))),
            None => whole,
        }
    }
}

/// Whether the state changed, or did not change for a long time.
fn is_news(shown: Option<&Progress>, now: &Progress) -> bool {
    shown.is_none_or(|shown| {
        shown.what != now.what
            || shown.state != now.state
            || shown.trouble.is_some() != now.trouble.is_some()
            || now.elapsed >= shown.elapsed + SILENCE
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poll(what: &str, state: &str, seconds: u64) -> Progress {
        let elapsed = Duration::from_secs(seconds);
        Progress::new(what, state)
            .elapsed(elapsed)
            .next(Duration::from_secs(4))
    }

    #[test]
    fn without_a_terminal_every_change_has_a_line_and_otherwise_every_minute() {
        let shown = poll("x", "pending", 10);
        assert!(is_news(Some(&shown), &shown.clone().trouble("503")));
        assert!(is_news(None, &shown));
        assert!(!is_news(Some(&shown), &poll("x", "pending", 69)));
        assert!(is_news(Some(&shown), &poll("x", "pending", 70)));
        assert!(is_news(Some(&shown), &poll("x", "success", 11)));
        assert!(is_news(Some(&shown), &poll("registration of x", "pending", 0)));
    }

    #[test]
    fn the_line_counts_on_between_two_polls() {
        let at = Instant::now();
        let wait = ShownWait {
            progress: poll("compute manager cm-1", "in_progress", 3),
            at,
        };
        assert_eq!(
            wait.line(at, None),
            "waiting for compute manager cm-1: in_progress after 3 s, next poll in 4 s"
        );
        assert_eq!(
            wait.line(at + Duration::from_millis(2500), None),
            "waiting for compute manager cm-1: in_progress after 6 s, next poll in 2 s"
        );
        let over = wait.line(at + Duration::from_secs(9), Some(60));
        assert_eq!(over, "waiting for compute manager cm-1: in_progress after 12 s");
        let narrow = wait.line(at + Duration::from_secs(9), Some(50));
        assert_eq!(narrow, "waiting for compute manag…: in_progress after 12 s");
    }
}
