//! When the lines of a batch are read, and when their lookups begin.
//!
//! Lookups share requests with those that begin at the same time. Lines that begin one by one, as others end, would
//! need a list of their collection each (0295).

use std::time::Duration;

use tokio::time::Instant;

use super::lines::Line;

/// Lookups at the same time. Enough that names and ids of a kind share requests, and few enough that the
/// answers of all fit into memory.
pub(super) const WINDOW: usize = 4096;
/// Lines without an answer that do not hold up the next ones.
const FEW: usize = WINDOW / 16;
/// The next lines begin after this time although more are without an answer: some lookups wait for minutes.
const PATIENCE: Duration = Duration::from_secs(15);
/// Lines begin when no further line has been read for this time.
const PAUSE: Duration = Duration::from_millis(10);
/// Lines begin at the latest this long after the first of them has been read, so that a steady stream is processed as
/// it arrives.
const LONGEST: Duration = Duration::from_millis(100);

/// Lines that have been read, and what they wait for.
pub(super) struct Admission {
    read: Vec<Line>,
    /// When the first and the last of them were read.
    read_since: Instant,
    read_at: Instant,
    /// Whether lines are read.
    is_open: bool,
    /// Whether the input has ended.
    is_over: bool,
    begun_at: Instant,
}

impl Admission {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            read: Vec::new(),
            read_since: now,
            read_at: now,
            is_open: true,
            is_over: false,
            begun_at: now,
        }
    }

    /// Whether the next line should be read while `open` lines have no answer.
    pub(super) fn reads(&mut self, open: usize, now: Instant) -> bool {
        if !self.is_open && (open <= FEW || open < WINDOW && now >= self.begun_at + PATIENCE) {
            self.is_open = true;
        }
        self.is_open && !self.is_over
    }

    /// Adds the next line; none at the end of the input.
    pub(super) fn add(&mut self, line: Option<Line>, now: Instant) {
        self.read_at = now;
        if self.read.is_empty() {
            self.read_since = now;
        }
        match line {
            Some(line) => self.read.push(line),
            None => self.is_over = true,
        }
    }

    /// The lines whose lookups begin now.
    pub(super) fn begin(&mut self, open: usize, now: Instant) -> Vec<Line> {
        let is_full = open + self.read.len() >= WINDOW;
        if !is_full && !self.is_over && now < self.complete_at() {
            return Vec::new();
        }
        self.is_open &= !is_full;
        if !self.read.is_empty() {
            self.begun_at = now;
        }
        std::mem::take(&mut self.read)
    }

    /// When the lines that have been read begin if the window does not fill.
    fn complete_at(&self) -> Instant {
        (self.read_at + PAUSE).min(self.read_since + LONGEST)
    }

    /// When one of the answers above changes although no line and no answer arrives.
    pub(super) fn next_change(&self, open: usize) -> Option<Instant> {
        match (
            self.read.is_empty(),
            self.is_open || self.is_over || open >= WINDOW,
        ) {
            (false, _) => Some(self.complete_at()),
            (true, true) => None,
            (true, false) => Some(self.begun_at + PATIENCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line() -> Line {
        Line {
            number: 1,
            ordinal: 1,
            function: json!("getManagerInfo"),
            input: json!({}),
            problem: None,
        }
    }

    /// Reads `count` lines, one after another, and returns how many begin then.
    fn fill(admission: &mut Admission, open: usize, count: usize, now: Instant) -> usize {
        for _ in 0..count {
            assert_eq!(admission.begin(open, now).len(), 0);
            assert!(admission.reads(open, now));
            admission.add(Some(line()), now);
        }
        admission.begin(open, now).len()
    }

    #[test]
    fn the_lines_of_a_window_begin_together_when_few_are_left() {
        let now = Instant::now();
        let mut admission = Admission::new(now);
        assert_eq!(fill(&mut admission, 0, WINDOW, now), WINDOW);
        assert!(!admission.reads(WINDOW, now));
        assert!(!admission.reads(FEW + 1, now));
        assert!(admission.reads(FEW, now));
        assert_eq!(fill(&mut admission, FEW, WINDOW - FEW, now), WINDOW - FEW);
        assert!(!admission.reads(FEW + 1, now));
    }

    #[test]
    fn lookups_that_take_long_do_not_hold_up_the_next_lines() {
        let now = Instant::now();
        let mut admission = Admission::new(now);
        fill(&mut admission, 0, WINDOW, now);
        let later = now + PATIENCE;
        assert!(!admission.reads(WINDOW / 2, now));
        assert_eq!(admission.next_change(WINDOW / 2), Some(later));
        assert_eq!(admission.next_change(WINDOW), None, "only an answer makes room");
        assert!(!admission.reads(WINDOW, later));
        assert!(admission.reads(WINDOW / 2, later));
        assert_eq!(fill(&mut admission, WINDOW / 2, WINDOW / 2, later), WINDOW / 2);
        assert!(!admission.reads(WINDOW / 2, later));
    }

    #[test]
    fn lines_begin_when_the_input_pauses_or_ends() {
        let now = Instant::now();
        let mut admission = Admission::new(now);
        assert_eq!(fill(&mut admission, 0, 3, now), 0);
        assert_eq!(admission.next_change(0), Some(now + PAUSE));
        assert_eq!(admission.begin(0, now + PAUSE).len(), 3);
        assert_eq!(admission.next_change(3), None, "the next line is awaited");
        assert!(admission.reads(3, now));
        admission.add(Some(line()), now);
        admission.add(None, now);
        assert_eq!(admission.begin(3, now).len(), 1);
        assert!(!admission.reads(0, now));
        assert_eq!(admission.next_change(0), None);
    }

    #[test]
    fn lines_of_a_steady_stream_begin_although_it_does_not_pause() {
        let start = Instant::now();
        let mut admission = Admission::new(start);
        let begun = (0..1000).map(|line_of_stream: u32| {
            let now = start + line_of_stream * (PAUSE / 2);
            admission.add(Some(line()), now);
            admission.begin(0, now).len()
        });
        let begun: Vec<usize> = begun.filter(|lines| *lines > 0).collect();
        assert!(begun.len() > 40, "{begun:?}");
        assert!(begun.iter().all(|lines| *lines <= 21), "{begun:?}");
    }
}
