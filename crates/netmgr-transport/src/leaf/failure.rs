//! Maps exchanges without a reply to errors.
//!
//! Replies with a failing status are in `classify.rs`.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use rustls::{AlertDescription, CertificateError, PeerIncompatible};

use super::proxy::{self, Proxy};
use super::verifier::RefusedCertificate;
use crate::{Cause, Error, ErrorKind, Failure};

/// Converts `cause` to an error with a reason and a hint.
pub(super) fn from_reqwest(
    cause: reqwest::Error,
    connect_timeout: Duration,
    shows_certificate: bool,
    proxy: Option<&Proxy>,
) -> Error {
    // URLs contain queries, and the layers above add the request.
    let cause = cause.without_url();
    let at_proxy = |(reason, hint): Account| match proxy {
        Some(proxy) => (format!("{proxy}: {reason}"), Some(proxy::ADVICE)),
        None => (reason, hint),
    };
    if let Some(error) = find(&cause).cloned().or_else(|| alert_as_text(&cause)) {
        if !chain(&cause).any(|error| error.to_string() == NO_TUNNEL) {
            return from_tls(&error, shows_certificate);
        }
        let account = at_proxy(("the TLS handshake failed".to_owned(), None));
        return Error::new(ErrorKind::Tls, failure(true, account, error));
    }
    let unsent = cause.is_connect();
    let (kind, account) = if unsent {
        let account = connect_account(&cause, connect_timeout);
        (ErrorKind::Connect, at_proxy(account))
    } else if find::<hyper::Error>(&cause).is_some_and(hyper::Error::is_parse_too_large) {
        (ErrorKind::BadReply, too_many_headers_account())
    } else if find::<hyper::Error>(&cause).is_some_and(hyper::Error::is_parse) {
        (ErrorKind::BadReply, no_http_account())
    } else if is_corrupt(&cause) {
        (ErrorKind::BadReply, corrupt_account())
    } else {
        (ErrorKind::Connect, exchange_account(&cause))
    };
    Error::new(kind, failure(unsent, account, cause))
}

/// The error for a body that exceeds the limit.
pub(super) fn too_large(limit: usize) -> Error {
    Error::new(
        ErrorKind::BadReply,
        Failure::default()
            .reason(format!("the response is larger than {} MiB", limit >> 20))
            .hint("check that host is the manager"),
    )
}

/// The error for a truncated body.
pub(super) fn cut_off() -> Error {
    let (reason, hint) = cut_off_account();
    Error::new(
        ErrorKind::Connect,
        Failure {
            reason: Some(reason),
            hint: hint.map(str::to_owned),
            ..Failure::default()
        },
    )
}

/// The error for a body that cannot be decompressed.
pub(super) fn corrupt(cause: io::Error) -> Error {
    Error::new(ErrorKind::BadReply, failure(false, corrupt_account(), cause))
}

/// Converts the error of a handshake outside of a request.
pub(super) fn from_handshake(cause: io::Error, shows_certificate: bool) -> Error {
    let tls = cause
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match tls {
        Some(error) => from_tls(error, shows_certificate),
        None => {
            let account = (
                "the connection was closed during the handshake".to_owned(),
                Some(RESTARTING),
            );
            Error::new(ErrorKind::Tls, failure(true, account, cause))
        }
    }
}

/// Only the error of rustls describes the handshake; the errors that wrap it are omitted.
fn from_tls(error: &rustls::Error, shows_certificate: bool) -> Error {
    let failure = match refused(error) {
        Some(refused) => {
            let account = (refused.to_string(), Some(refused.hint()));
            let failure = failure(true, account, refused.cause().clone());
            failure.quoted(refused.seen())
        }
        None => failure(false, tls_account(error, shows_certificate), error.clone()),
    };
    Error::new(ErrorKind::Tls, failure)
}

fn failure(unsent: bool, (reason, hint): Account, cause: impl Into<Cause>) -> Failure {
    Failure {
        unsent,
        reason: Some(reason),
        hint: hint.map(str::to_owned),
        source: Some(cause.into()),
        ..Failure::default()
    }
}

/// A reason and a hint.
type Account = (String, Option<&'static str>);

fn tls_account(error: &rustls::Error, shows_certificate: bool) -> Account {
    match error {
        rustls::Error::InvalidMessage(_) => (
            "the server does not support TLS".to_owned(),
            Some("check the port in host; it may be a port for plain HTTP, or the port of a proxy"),
        ),
        rustls::Error::AlertReceived(alert) if CLIENT_CERTIFICATE_ALERTS.contains(alert) => {
            match shows_certificate {
                true => (
                    format!("the manager rejected the client certificate ({alert:?})"),
                    Some("check that the certificate is valid and registered with the manager"),
                ),
                false => (
                    format!("the manager requires a client certificate ({alert:?})"),
                    Some("set `clientAuthCert` and `clientAuthKey`, or their file variants"),
                ),
            }
        }
        rustls::Error::AlertReceived(alert) => (
            format!("the manager ended the handshake ({alert:?})"),
            Some("check that the manager and any proxy support TLS 1.2 or 1.3 for this host name"),
        ),
        rustls::Error::PeerIncompatible(PeerIncompatible::ServerDoesNotSupportTls12Or13) => (
            "the manager only supports versions of TLS before 1.2".to_owned(),
            Some("upgrade the manager, or the proxy in front of it; older versions are not secure"),
        ),
        other => (
            other.to_string(),
            Some("check that the port in host is that of the manager, and any proxy in between"),
        ),
    }
}

/// Alerts with which servers reject a missing or invalid client certificate. In TLS 1.3 they are sent after
/// the handshake, instead of a reply.
const CLIENT_CERTIFICATE_ALERTS: &[AlertDescription] = &[
    AlertDescription::CertificateRequired,
    AlertDescription::BadCertificate,
    AlertDescription::UnsupportedCertificate,
    AlertDescription::CertificateRevoked,
    AlertDescription::CertificateExpired,
    AlertDescription::CertificateUnknown,
    AlertDescription::UnknownCA,
    AlertDescription::AccessDenied,
];

/// HTTP/2 only keeps the text of an error that closes the connection.
fn alert_as_text(cause: &reqwest::Error) -> Option<rustls::Error> {
    let texts: Vec<String> = chain(cause).map(ToString::to_string).collect();
    CLIENT_CERTIFICATE_ALERTS
        .iter()
        .map(|alert| rustls::Error::AlertReceived(*alert))
        .find(|error| texts.contains(&error.to_string()))
}

/// Errors of a tunnel through a proxy, whose type is private, and what they mean.
const TUNNEL: &[(&str, &str)] = &[
    (
        "tunnel error: proxy authorization required",
        "user name and password are missing or wrong (status 407)",
    ),
    (
        "tunnel error: unsuccessful",
        "it refused to connect to the manager, or the server is not a proxy",
    ),
    (
        "tunnel error: proxy response headers too long",
        "the server is not a proxy",
    ),
    ("tunnel error: unexpected end of file", "it closed the connection"),
];
/// A tunnel without a connection to the proxy.
const NO_TUNNEL: &str = "tunnel error: failed to create underlying connection";

fn connect_account(cause: &reqwest::Error, connect_timeout: Duration) -> Account {
    if cause.is_timeout() {
        let limit = connect_timeout.as_secs_f64();
        return (
            format!("no connection within {limit:.1} s"),
            Some("check host and port, and any firewall in between"),
        );
    }
    let tunnel = chain(cause).find_map(|error| TUNNEL.iter().find(|(text, _)| error.to_string() == *text));
    if let Some((_, reason)) = tunnel {
        return ((*reason).to_owned(), None);
    }
    // The resolver of the operating system has no specific error type.
    if chain(cause).any(|error| error.to_string() == "dns error") {
        return (
            "the host name cannot be resolved".to_owned(),
            Some("check host, and the name servers of this machine"),
        );
    }
    // The innermost error is that of the operating system.
    let io = chain(cause)
        .filter_map(<dyn StdError>::downcast_ref::<io::Error>)
        .last();
    match io.map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => (
            "connection refused".to_owned(),
            Some("check host and port; the manager may be restarting"),
        ),
        Some(io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe) => (
            "the connection was closed during the handshake".to_owned(),
            Some("the manager or a proxy may be restarting"),
        ),
        Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable) => (
            "there is no route to the host".to_owned(),
            Some("check host, and the network of this machine"),
        ),
        _ => (
            "the connection could not be established".to_owned(),
            Some("check host and port, and HTTPS_PROXY if there is a proxy"),
        ),
    }
}

fn exchange_account(cause: &reqwest::Error) -> Account {
    // No other timeout applies here; the attempt timeout is a layer.
    if find::<hyper::Error>(cause).is_some_and(hyper::Error::is_timeout) {
        return (
            "the connection stopped responding".to_owned(),
            Some("the manager or a firewall in between does not respond"),
        );
    }
    if cause.is_body() || cause.is_decode() {
        return cut_off_account();
    }
    (
        "the connection was closed before the response was complete".to_owned(),
        Some(RESTARTING),
    )
}

fn cut_off_account() -> Account {
    ("the response was truncated".to_owned(), Some(RESTARTING))
}

const RESTARTING: &str = "the manager or a proxy may be restarting";

fn corrupt_account() -> Account {
    (
        "the response cannot be decompressed: its gzip data is corrupt".to_owned(),
        Some("a proxy may have modified the response; check HTTPS_PROXY and NO_PROXY"),
    )
}

/// Whether a compressed body is corrupt.
fn is_corrupt(cause: &reqwest::Error) -> bool {
    cause.is_decode() && !is_end(cause) && find::<hyper::Error>(cause).is_none()
}

fn too_many_headers_account() -> Account {
    (
        "the response has too many headers; at most 100 headers and about 400 KiB are accepted".to_owned(),
        Some("check host, and any proxies that add headers"),
    )
}

fn no_http_account() -> Account {
    (
        "the server does not support HTTP".to_owned(),
        Some("check the port in host; it may expect TLS, in which case host must start with https"),
    )
}

fn refused(error: &rustls::Error) -> Option<&RefusedCertificate> {
    match error {
        rustls::Error::InvalidCertificate(CertificateError::Other(other)) => other.0.downcast_ref(),
        _ => None,
    }
}

/// Whether the connection was closed without a notification.
pub(super) fn is_end(cause: &reqwest::Error) -> bool {
    find::<io::Error>(cause).is_some_and(|cause| cause.kind() == io::ErrorKind::UnexpectedEof)
}

/// Finds the first error of type `E` in the chain of `cause`.
fn find<'a, E: StdError + 'static>(cause: &'a (dyn StdError + 'static)) -> Option<&'a E> {
    chain(cause).find_map(<dyn StdError>::downcast_ref)
}

/// `cause` and all errors below it.
fn chain<'a>(cause: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(cause), |error| below(*error))
}

fn below<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a (dyn StdError + 'static)> {
    // The source of an I/O error that wraps another error is the source of that error.
    match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}
