//! Faults as text, for the command line. The words are listed where [`Fault`] is documented.

use std::str::FromStr;
use std::time::Duration;

use http::Method;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};

use super::{BodyKind, CursorFault, Fault, PageFaults, ResultCountFault};

const WORDS: &str = "count, after, delay, status, code, message, body, retry-after, header, content-type, truncate, \
                     reset, session-loss, node-switch, cursor, result-count, page-size, duplicates";

/// Why a text is not a fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseFaultError {
    /// Method or path are missing.
    #[error("a fault starts with a method or * and a path, as in `GET /api/v1/edge-clusters status=503`")]
    NoTarget,
    /// The second word is not a path.
    #[error("`{0}` is not a path; a path starts with / or *")]
    NotAPath(String),
    /// A word that no fault has.
    #[error("`{0}` is not known; the words of a fault are {WORDS}")]
    UnknownWord(String),
    /// A word whose value does not fit.
    #[error("`{word}` needs {expected}")]
    InvalidValue {
        /// The word as given.
        word: String,
        /// What its value has to be.
        expected: &'static str,
    },
    /// Nothing goes wrong.
    #[error("the fault does not say what goes wrong, for example status=503 or reset")]
    NoEffect,
    /// Two words exclude each other.
    #[error("{0}")]
    Contradiction(&'static str),
}

impl FromStr for Fault {
    type Err = ParseFaultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split_whitespace();
        let (Some(method), Some(path)) = (words.next(), words.next()) else {
            return Err(ParseFaultError::NoTarget);
        };
        if !path.starts_with(['/', '*']) {
            return Err(ParseFaultError::NotAPath(path.to_owned()));
        }
        let mut fault = Fault::on(path);
        if method != "*" {
            if !method.bytes().all(|byte| byte.is_ascii_uppercase()) {
                return Err(ParseFaultError::NoTarget);
            }
            fault.method =
                Some(Method::from_bytes(method.as_bytes()).map_err(|_| ParseFaultError::NoTarget)?);
        }
        for word in words {
            fault = apply(fault, word)?;
        }
        check(fault)
    }
}

fn apply(mut fault: Fault, word: &str) -> Result<Fault, ParseFaultError> {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    let invalid = |expected| ParseFaultError::InvalidValue {
        word: word.to_owned(),
        expected,
    };
    let number = || {
        value
            .and_then(|value| value.parse::<u64>().ok())
            .ok_or_else(|| invalid("a whole number"))
    };
    let header = |value: Option<&str>| {
        let value = value
            .filter(|value| !value.is_empty())
            .and_then(|value| HeaderValue::from_str(value).ok());
        value.ok_or_else(|| invalid("the value of a header"))
    };
    match name {
        "truncate" | "reset" | "session-loss" | "node-switch" | "duplicates" if value.is_some() => {
            return Err(invalid("no value"));
        }
        "truncate" => fault = fault.truncate(),
        "reset" => fault = fault.reset(),
        "session-loss" => fault = fault.session_loss(),
        "node-switch" => fault = fault.node_switch(),
        "duplicates" => fault.pages.duplicates = true,
        "count" => fault.count = Some(number()?),
        "after" => fault.after = number()?,
        "delay" => {
            let delay = value.and_then(duration);
            fault.delay = Some(delay.ok_or_else(|| invalid("a time such as 250ms or 2s"))?);
        }
        "status" => {
            let status = number()?;
            if !(200..=599).contains(&status) {
                return Err(invalid("a status between 200 and 599"));
            }
            fault = fault.status(status as u16);
        }
        "code" => fault.code = Some(u32::try_from(number()?).map_err(|_| invalid("a smaller number"))?),
        "message" => fault.message = Some(value.ok_or_else(|| invalid("a text"))?.replace('_', " ")),
        "body" => match value {
            Some("json") => fault.body = BodyKind::Json,
            Some("html") => fault = fault.html(),
            Some("empty") => fault = fault.empty(),
            _ => return Err(invalid("json, html or empty")),
        },
        "retry-after" => {
            let value = value.map(|value| value.replace('_', " "));
            fault = fault.header(RETRY_AFTER, header(value.as_deref())?);
        }
        "content-type" => fault = fault.header(CONTENT_TYPE, header(value)?),
        "header" => {
            let (name, value) = value
                .and_then(|value| value.split_once(':'))
                .ok_or_else(|| invalid("NAME:VALUE"))?;
            let name =
                HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid("the name of a header"))?;
            fault = fault.header(name, header(Some(value))?);
        }
        "cursor" => {
            fault.pages.cursor = Some(match value {
                Some("dangling") => CursorFault::Dangling,
                Some("repeat-last") => CursorFault::RepeatLast,
                Some("repeat") => CursorFault::Repeat,
                _ => return Err(invalid("dangling, repeat-last or repeat")),
            });
        }
        "result-count" => {
            fault.pages.result_count = Some(match value {
                Some("absent") => ResultCountFault::Absent,
                Some("too-small") => ResultCountFault::TooSmall,
                Some("too-big") => ResultCountFault::TooBig,
                Some("shrinking") => ResultCountFault::Shrinking,
                _ => return Err(invalid("absent, too-small, too-big or shrinking")),
            });
        }
        "page-size" => {
            let size = usize::try_from(number()?).ok().filter(|&size| size > 0);
            fault.pages.page_size = Some(size.ok_or_else(|| invalid("a number above 0"))?);
        }
        _ => return Err(ParseFaultError::UnknownWord(word.to_owned())),
    }
    Ok(fault)
}

fn check(fault: Fault) -> Result<Fault, ParseFaultError> {
    let changes_reply = fault.truncate || !fault.headers.is_empty() || fault.pages != PageFaults::default();
    if fault.reset && (fault.status.is_some() || changes_reply) {
        return Err(ParseFaultError::Contradiction(
            "a fault that resets the connection sends no reply to change",
        ));
    }
    if fault.status.is_none() && (fault.code.is_some() || fault.message.is_some()) {
        return Err(ParseFaultError::Contradiction(
            "code and message belong to an error body, which needs a status",
        ));
    }
    if fault.status.is_some() && fault.pages != PageFaults::default() {
        return Err(ParseFaultError::Contradiction(
            "a fault with a status does not send pages to change",
        ));
    }
    let effect = fault.delay.is_some() || fault.sessions.is_some() || fault.reset || fault.status.is_some();
    if effect || changes_reply {
        Ok(fault)
    } else {
        Err(ParseFaultError::NoEffect)
    }
}

fn duration(text: &str) -> Option<Duration> {
    match text.strip_suffix("ms") {
        Some(number) => number.parse().ok().map(Duration::from_millis),
        None => text.strip_suffix('s')?.parse().ok().map(Duration::from_secs),
    }
}
