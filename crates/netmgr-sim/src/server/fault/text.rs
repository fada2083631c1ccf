//! Parses faults. [`Fault`] documents the words.

use std::str::FromStr;
use std::time::Duration;

use http::header::{CONTENT_TYPE, DATE, HeaderName, HeaderValue, RETRY_AFTER};
use http::{Method, StatusCode};

use super::delivery::{CookieFault, DeliveryFaults};
use super::page::{CursorFault, PageFaults, ResultCountFault};
use super::reply::{FaultBody, FaultReply};
use super::{AccessFault, Fault, TransferFault};

/// Words that have their own effect; some may have a value.
const FLAGS: [&str; 9] = [
    "truncate",
    "reset",
    "session-loss",
    "node-switch",
    "xsrf-change",
    "token-loss",
    "lockout",
    "duplicates",
    "malformed",
];
/// Words that need a value.
const SETTINGS: [&str; 18] = [
    "count",
    "after",
    "every",
    "delay",
    "status",
    "code",
    "message",
    "body",
    "retry-after",
    "date",
    "header",
    "content-type",
    "padding",
    "cookie",
    "gzip",
    "cursor",
    "result-count",
    "page-size",
];

/// Reason why a string is not a valid fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseFaultError {
    /// The path is missing.
    #[error("a fault starts with a method or * and a path, as in `GET /api/v1/edge-clusters status=503`")]
    NoTarget,
    /// The second word is not a path.
    #[error("`{0}` is not a path; a path starts with / or *")]
    NotAPath(String),
    /// An unknown word.
    #[error("`{_0}` is unknown; the words are {}, {}", SETTINGS.join(", "), FLAGS.join(", "))]
    UnknownWord(String),
    /// A word with an invalid value.
    #[error("`{word}`: expected {expected}")]
    InvalidValue {
        /// The word as given.
        word: String,
        /// Description of valid values.
        expected: &'static str,
    },
    /// The fault has no effect.
    #[error("the fault has no effect; add one, for example status=503 or reset")]
    NoEffect,
    /// Two words exclude each other.
    #[error("{0}")]
    Contradiction(&'static str),
}

impl FromStr for Fault {
    type Err = ParseFaultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split_whitespace().peekable();
        let first = words.peek().ok_or(ParseFaultError::NoTarget)?;
        let mut fault = if *first == "*" || first.bytes().all(|byte| byte.is_ascii_uppercase()) {
            let (method, path) = words.next().zip(words.next()).ok_or(ParseFaultError::NoTarget)?;
            on(method, path)?
        } else {
            Fault::on("*")
        };
        while let Some(word) = words.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None if SETTINGS.contains(&word) => (word, words.next()),
                None if word.bytes().all(|byte| byte.is_ascii_digit()) => ("status", Some(word)),
                None => (word, None),
            };
            apply(&mut fault, name, value)?;
        }
        check(fault)
    }
}

fn on(method: &str, path: &str) -> Result<Fault, ParseFaultError> {
    if !path.starts_with(['/', '*']) {
        return Err(ParseFaultError::NotAPath(path.to_owned()));
    }
    let mut fault = Fault::on(path);
    if method != "*" {
        let method = Method::from_bytes(method.as_bytes()).map_err(|_| ParseFaultError::NoTarget)?;
        fault.method = Some(method);
    }
    Ok(fault)
}

fn apply(fault: &mut Fault, name: &str, value: Option<&str>) -> Result<(), ParseFaultError> {
    let word = || value.map_or_else(|| name.to_owned(), |value| format!("{name}={value}"));
    let invalid = |expected| ParseFaultError::InvalidValue {
        word: word(),
        expected,
    };
    let number = || {
        let number = value.and_then(|value| value.parse::<u64>().ok());
        number.ok_or_else(|| invalid("a whole number"))
    };
    let header = |value: Option<&str>| {
        let value = value.filter(|value| !value.is_empty());
        let value = value.and_then(|value| HeaderValue::from_str(value).ok());
        value.ok_or_else(|| invalid("the value of a header"))
    };
    let spaced = || value.map(|value| value.replace('_', " "));
    match name {
        "truncate" => {
            fault.delivery.transfer = Some(match value {
                None => TransferFault::Short,
                Some("unsized") => TransferFault::Unsized,
                Some(_) => return Err(invalid("no value, or unsized")),
            });
        }
        "reset" => {
            fault.delivery.transfer = Some(match value {
                None => TransferFault::Reset,
                Some("body") => TransferFault::ResetInBody,
                Some(_) => return Err(invalid("no value, or body")),
            });
        }
        _ if FLAGS.contains(&name) && value.is_some() => return Err(invalid("no value")),
        "session-loss" => fault.access = Some(AccessFault::SessionsLost),
        "node-switch" => fault.access = Some(AccessFault::NodeSwitched),
        "xsrf-change" => fault.access = Some(AccessFault::XsrfChanged),
        "token-loss" => fault.access = Some(AccessFault::TokensLost),
        "lockout" => fault.access = Some(AccessFault::AccountsLocked),
        "duplicates" => fault.pages.duplicates = true,
        "malformed" => fault.pages.malformed = true,
        "count" => fault.count = Some(number()?),
        "after" => fault.after = number()?,
        "every" => fault.every = number()?.max(1),
        "delay" => {
            let delay = value.and_then(duration);
            fault.delay = Some(delay.ok_or_else(|| invalid("a time such as 250ms or 2s"))?);
        }
        "status" => {
            let status = u16::try_from(number()?)
                .ok()
                .filter(|status| (200..=599).contains(status));
            let status = status.and_then(|status| StatusCode::from_u16(status).ok());
            fault.reply.status = Some(status.ok_or_else(|| invalid("a status between 200 and 599"))?);
        }
        "code" => {
            let code = u32::try_from(number()?).map_err(|_| invalid("a smaller number"))?;
            fault.reply.code = Some(code);
        }
        "message" => fault.reply.message = Some(spaced().ok_or_else(|| invalid("a text"))?),
        "body" => {
            let expected = "json, html, text, empty or JSON without spaces";
            fault.reply.body = match value.ok_or_else(|| invalid(expected))? {
                "json" => FaultBody::Error,
                "html" => FaultBody::Html,
                "text" => FaultBody::Text,
                "empty" => FaultBody::Empty,
                text => FaultBody::Json(serde_json::from_str(text).map_err(|_| invalid(expected))?),
            };
            fault.reply.status.get_or_insert(StatusCode::OK);
        }
        "retry-after" => set_header(fault, RETRY_AFTER, header(spaced().as_deref())?),
        "date" => set_header(fault, DATE, header(spaced().as_deref())?),
        "content-type" => set_header(fault, CONTENT_TYPE, header(value)?),
        "header" => {
            let (name, value) = value
                .and_then(|value| value.split_once(':'))
                .ok_or_else(|| invalid("NAME:VALUE"))?;
            let name =
                HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid("the name of a header"))?;
            set_header(fault, name, header(Some(value))?);
        }
        "padding" => {
            let sizes = value.and_then(|value| value.split_once('x'));
            fault.delivery.padding = sizes
                .and_then(|(count, bytes)| size(count).zip(size(bytes)))
                .ok_or_else(|| invalid("a number of headers and of bytes, as in 100x200"))?;
        }
        "cookie" => {
            fault.delivery.cookie = Some(match value {
                Some("changing") => CookieFault::Changing,
                Some("new") => CookieFault::New,
                _ => return Err(invalid("changing or new")),
            });
        }
        "gzip" if value == Some("corrupt") => fault.delivery.transfer = Some(TransferFault::CorruptGzip),
        "gzip" => return Err(invalid("corrupt")),
        "cursor" => {
            fault.pages.cursor = Some(match value {
                Some("dangling") => CursorFault::Dangling,
                Some("repeat-last") => CursorFault::RepeatLast,
                Some("repeat") => CursorFault::Repeat,
                Some("endless") => CursorFault::Endless,
                Some("growing") => CursorFault::Growing,
                _ => return Err(invalid("dangling, repeat-last, repeat, endless or growing")),
            });
        }
        "result-count" => {
            fault.pages.result_count = Some(match value {
                Some("absent") => ResultCountFault::Absent,
                Some("too-small") => ResultCountFault::TooSmall,
                Some("too-big") => ResultCountFault::TooBig,
                Some("shrinking") => ResultCountFault::Shrinking,
                Some("growing") => ResultCountFault::Growing,
                _ => return Err(invalid("absent, too-small, too-big, shrinking or growing")),
            });
        }
        "page-size" => {
            let size = value.and_then(size);
            fault.pages.page_size = Some(size.ok_or_else(|| invalid("a number above 0"))?);
        }
        _ => return Err(ParseFaultError::UnknownWord(word())),
    }
    Ok(())
}

fn set_header(fault: &mut Fault, name: HeaderName, value: HeaderValue) {
    fault.delivery.headers.insert(name, value);
}

/// Rejects a fault whose effects exclude each other, or that has none.
fn check(fault: Fault) -> Result<Fault, ParseFaultError> {
    let Fault {
        reply,
        delivery,
        pages,
        ..
    } = &fault;
    let changes_pages = *pages != PageFaults::default();
    let otherwise = DeliveryFaults {
        transfer: None,
        ..delivery.clone()
    };
    let changes_reply = otherwise != DeliveryFaults::default() || changes_pages;
    if fault.resets() && (reply.is_reply() || changes_reply) {
        return Err(ParseFaultError::Contradiction(
            "a fault that resets the connection sends no reply that could be changed",
        ));
    }
    if !reply.is_reply() && *reply != FaultReply::default() {
        return Err(ParseFaultError::Contradiction(
            "code and message require a status, because they are part of an error body",
        ));
    }
    if reply.is_reply() && changes_pages {
        return Err(ParseFaultError::Contradiction(
            "a fault with a status sends no pages that could be changed",
        ));
    }
    let effect = fault.delay.is_some() || fault.access.is_some() || reply.is_reply();
    if effect || changes_reply || delivery.transfer.is_some() {
        Ok(fault)
    } else {
        Err(ParseFaultError::NoEffect)
    }
}

fn size(text: &str) -> Option<usize> {
    text.parse().ok().filter(|size| *size > 0)
}

fn duration(text: &str) -> Option<Duration> {
    match text.strip_suffix("ms") {
        Some(number) => number.parse().ok().map(Duration::from_millis),
        None => text.strip_suffix('s')?.parse().ok().map(Duration::from_secs),
    }
}
