//! The output of `doctor`: a line for each check as soon as it ends, or a document at the end.

use anstyle::{AnsiColor, Style};
use netmgr_lookups::Words;
use netmgr_types::foreign;
use serde::Serialize;
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr as _;

use crate::exit::Exit;
use crate::failure::CliError;
use crate::output::{Column, Format, Printer, standard_output, terminal};

/// The checks, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum DoctorCheck {
    Settings,
    NameResolution,
    Tcp,
    Tls,
    Login,
    Clock,
    Version,
    Role,
    RateLimits,
    SearchIndex,
}

impl DoctorCheck {
    const ALL: [Self; 10] = [
        Self::Settings,
        Self::NameResolution,
        Self::Tcp,
        Self::Tls,
        Self::Login,
        Self::Clock,
        Self::Version,
        Self::Role,
        Self::RateLimits,
        Self::SearchIndex,
    ];

    fn title(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::NameResolution => "name resolution",
            Self::Tcp => "TCP",
            Self::Tls => "TLS",
            Self::Login => "login",
            Self::Clock => "clock",
            Self::Version => "version",
            Self::Role => "role",
            Self::RateLimits => "rate limits",
            Self::SearchIndex => "search index",
        }
    }
}

/// Result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    Ok,
    Warn,
    Fail,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }

    fn style(self) -> Style {
        let color = match self {
            Self::Ok => AnsiColor::Green,
            Self::Warn => AnsiColor::Yellow,
            Self::Fail => AnsiColor::Red,
        };
        color.on_default().bold()
    }
}

/// Result of one check.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Finding {
    pub(super) check: DoctorCheck,
    pub(super) status: Status,
    pub(super) summary: String,
    /// The advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) action: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) details: Map<String, Value>,
    /// Whether the summary is the text of a request that failed, which may quote the manager.
    #[serde(skip)]
    is_quoted: bool,
    /// Further lines for people.
    #[serde(skip)]
    notes: Vec<String>,
    #[serde(skip)]
    pub(super) exit: Exit,
}

impl Finding {
    fn new(check: DoctorCheck, status: Status, summary: String) -> Self {
        Self {
            check,
            status,
            summary,
            action: None,
            details: Map::new(),
            is_quoted: false,
            notes: Vec::new(),
            exit: Exit::Success,
        }
    }

    pub(super) fn ok(check: DoctorCheck, summary: impl Into<String>) -> Self {
        Self::new(check, Status::Ok, summary.into())
    }

    pub(super) fn warn(check: DoctorCheck, summary: impl Into<String>, action: impl Into<String>) -> Self {
        let mut finding = Self::new(check, Status::Warn, summary.into());
        finding.action = Some(action.into());
        finding
    }

    /// A failure that ends the process with `exit`.
    pub(super) fn fail(
        check: DoctorCheck,
        summary: impl Into<String>,
        action: impl Into<String>,
        exit: Exit,
    ) -> Self {
        let mut finding = Self::new(check, Status::Fail, summary.into());
        finding.action = Some(action.into());
        finding.exit = exit;
        finding
    }

    /// A failed request. Its hint, if any, is the advice.
    pub(super) fn failed(check: DoctorCheck, error: &netmgr_transport::Error, action: &str) -> Self {
        let failure = error.failure();
        let action = failure.hint.as_deref().unwrap_or(action);
        let mut finding = Self::fail(check, format!("{error:#}"), action, exit(error));
        finding.is_quoted = failure.property.is_none();
        finding
    }

    /// Adds a value for programs.
    pub(super) fn detail(mut self, name: &str, value: Value) -> Self {
        self.details.insert(name.to_owned(), value);
        self
    }

    /// Adds a line for people.
    pub(super) fn note(mut self, line: impl Into<String>) -> Self {
        self.notes.push(line.into());
        self
    }

    /// The lines of this finding, at most `width` columns wide if possible.
    fn lines(&self, width: Option<usize>) -> String {
        let (word, style) = (self.status.word(), self.status.style());
        let first = format!("{style}{word:<STATUS$}{style:#}{:<TITLE$}", self.check.title());
        let action = self.action.iter().map(|action| format!("To do: {action}"));
        let parts = std::iter::once(self.summary.clone())
            .chain(self.notes.iter().cloned())
            .chain(action);
        let available = width.map(|width| width.saturating_sub(STATUS + TITLE).max(NARROWEST));
        let rows: Vec<String> = parts
            .flat_map(|part| wrapped(&foreign::one_line(&part), available))
            .collect();
        let mut text = String::new();
        for (number, row) in rows.iter().enumerate() {
            match number {
                0 => text.push_str(&first),
                _ => text.push_str(&" ".repeat(STATUS + TITLE)),
            }
            text.push_str(row);
            text.push('\n');
        }
        text
    }
}

/// The exit code for a failed request.
pub(super) fn exit(error: &netmgr_transport::Error) -> Exit {
    match error.kind() {
        netmgr_transport::ErrorKind::Unavailable => Exit::Unavailable,
        kind => netmgr_lookups::ErrorKind::from(kind).into(),
    }
}

/// Width of the column with the status.
const STATUS: usize = 6;
/// Width of the column with the name of the check.
const TITLE: usize = 17;
/// Minimum width to which text is wrapped.
const NARROWEST: usize = 20;

/// The words of `text` in lines of at most `width` columns. Longer words have a line of their own.
fn wrapped(text: &str, width: Option<usize>) -> Vec<String> {
    let width = width.unwrap_or(usize::MAX);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(last) if last.is_empty() || last.width() + 1 + word.width() <= width => {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The findings so far.
pub(super) struct DoctorReport {
    pub(super) findings: Vec<Finding>,
    /// The words for settings.
    words: Words,
    /// Whether lines are printed as they are found.
    live: bool,
}

impl DoctorReport {
    /// A report in the format of `output`.
    pub(super) fn new(output: &Printer, words: Words) -> Self {
        Self {
            findings: Vec::new(),
            words,
            live: output.is_for_people(),
        }
    }

    /// Adds a finding.
    pub(super) fn add(&mut self, mut finding: Finding) -> Result<(), CliError> {
        let summary = Some(&mut finding.summary).filter(|_| !finding.is_quoted);
        for text in summary.into_iter().chain(&mut finding.action) {
            *text = self.words.text(text);
        }
        terminal::status("");
        if self.live {
            standard_output(&finding.lines(terminal::width()))?;
        }
        self.findings.push(finding);
        Ok(())
    }

    /// The exit code of the first failure.
    pub(super) fn exit(&self) -> Exit {
        let failed = self
            .findings
            .iter()
            .find(|finding| finding.status == Status::Fail);
        failed.map_or(Exit::Success, |finding| finding.exit)
    }

    /// The checks that an earlier failure prevented.
    fn not_checked(&self) -> Vec<DoctorCheck> {
        let checked = |check: &DoctorCheck| self.findings.iter().any(|finding| finding.check == *check);
        DoctorCheck::ALL
            .into_iter()
            .filter(|check| !checked(check))
            .collect()
    }

    /// All findings as a document.
    pub(super) fn document(&self) -> Value {
        let worst = self.findings.iter().map(|finding| finding.status);
        let worst = worst.max_by_key(|status| *status as u8).unwrap_or(Status::Ok);
        json!({
            "status": worst,
            "exitCode": self.exit() as u8,
            "checks": self.findings,
            "notChecked": self.not_checked(),
        })
    }

    /// The last line for people.
    fn summary(&self) -> String {
        let skipped: Vec<&str> = self.not_checked().into_iter().map(DoctorCheck::title).collect();
        match skipped.is_empty() {
            true => String::new(),
            false => format!("Not checked after the failure: {}\n", skipped.join(", ")),
        }
    }

    /// Prints the remaining findings, and returns the first failure.
    pub(super) fn end(&self, output: &Printer) -> Result<(), CliError> {
        match self.live {
            true => standard_output(&self.summary())?,
            false if output.format() == Format::Name => {
                let rows = self
                    .findings
                    .iter()
                    .map(|finding| json!({ "name": finding.check }));
                output.all_rows(vec![Column::new("name")], rows)?;
            }
            false if matches!(output.format(), Format::Csv | Format::Ndjson) => {
                let columns = ["check", "status", "summary", "action"].map(Column::new);
                let rows = self.findings.iter().map(|finding| json!(finding));
                output.all_rows(columns.into(), rows)?;
            }
            false => output.document(&self.document())?,
        }
        match self.exit() {
            Exit::Success => Ok(()),
            exit => Err(CliError::Reported(exit)),
        }
    }
}

#[cfg(test)]
mod tests;
