//! From an exchange that did not end with an answer to the error it stands for.
//!
//! Not here: answers with a failing status (`classify.rs`).

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use rustls::{AlertDescription, CertificateError};

use super::verifier::Refused;
use crate::{Error, Failure};

/// `cause` as one of our errors, with what it means and what can be done.
pub(super) fn from_reqwest(
    cause: reqwest::Error,
    connect_timeout: Duration,
    shows_certificate: bool,
) -> Error {
    // URLs carry queries, and the exchange is told by the layers above.
    let cause = cause.without_url();
    let unsent = cause.is_connect();
    let (variant, (reason, hint)): (fn(Box<Failure>) -> Error, Account) = match tls_error(&cause) {
        Some(error) => (Error::Tls, tls_account(error, shows_certificate)),
        None if unsent => (Error::Connect, connect_account(&cause, connect_timeout)),
        None if is_no_http(&cause) => (Error::BadReply, no_http_account()),
        None => (Error::Connect, exchange_account(&cause)),
    };
    variant(Box::new(Failure {
        unsent,
        reason: Some(reason),
        hint: hint.map(str::to_owned),
        source: Some(cause.into()),
        ..Failure::default()
    }))
}

/// What happened, and what the reader can do about it.
type Account = (String, Option<&'static str>);

fn tls_account(error: &rustls::Error, shows_certificate: bool) -> Account {
    if let Some(refused) = refused(error) {
        return (refused.to_string(), Some(refused.hint()));
    }
    match error {
        rustls::Error::InvalidMessage(_) => (
            "the other side does not speak TLS".to_owned(),
            Some("check the port in host; it may be one for plain HTTP, or a proxy may stand in between"),
        ),
        rustls::Error::AlertReceived(alert) if is_about_client_certificate(*alert) => match shows_certificate
        {
            true => (
                format!("the manager refused the client certificate ({alert:?})"),
                Some("check that the certificate is valid and registered with the manager"),
            ),
            false => (
                format!("the manager asks for a client certificate ({alert:?})"),
                Some("set clientAuthCert and clientAuthKey, or their file variants"),
            ),
        },
        rustls::Error::AlertReceived(alert) => (
            format!("the manager ended the handshake ({alert:?})"),
            Some("check that the manager and a proxy on the way offer TLS 1.2 or 1.3 under this host name"),
        ),
        other => (other.to_string(), None),
    }
}

/// Alerts by which servers tell that a certificate is missing or not good enough.
fn is_about_client_certificate(alert: AlertDescription) -> bool {
    matches!(
        alert,
        AlertDescription::CertificateRequired
            | AlertDescription::BadCertificate
            | AlertDescription::UnsupportedCertificate
            | AlertDescription::CertificateRevoked
            | AlertDescription::CertificateExpired
            | AlertDescription::CertificateUnknown
            | AlertDescription::UnknownCA
            | AlertDescription::AccessDenied
    )
}

fn connect_account(cause: &reqwest::Error, connect_timeout: Duration) -> Account {
    if cause.is_timeout() {
        let limit = connect_timeout.as_secs_f64();
        return (
            format!("no connection within {limit:.1} s"),
            Some("check host and port, and the firewalls on the way"),
        );
    }
    // The resolver of the operating system has no error type of its own.
    if chain(cause).any(|error| error.to_string() == "dns error") {
        return (
            "the host name cannot be resolved".to_owned(),
            Some("check host, and the name servers of this machine"),
        );
    }
    match find::<io::Error>(cause).map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => (
            "connection refused".to_owned(),
            Some("check host and port; the manager may be restarting"),
        ),
        Some(io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe) => (
            "the connection was closed during the handshake".to_owned(),
            Some("the manager, or a proxy on the way, may be restarting"),
        ),
        Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable) => (
            "there is no route to the host".to_owned(),
            Some("check host, and the network of this machine"),
        ),
        _ => (
            "the connection could not be made".to_owned(),
            Some("check host and port, and HTTPS_PROXY when there is a proxy"),
        ),
    }
}

fn exchange_account(cause: &reqwest::Error) -> Account {
    let reason = match cause.is_body() || cause.is_decode() {
        true => "the answer was cut off",
        false => "the connection was closed before the answer was complete",
    };
    (
        reason.to_owned(),
        Some("the manager, or a proxy on the way, may be restarting"),
    )
}

fn no_http_account() -> Account {
    (
        "the other side does not speak HTTP".to_owned(),
        Some("check the port in host; it may be one that expects TLS, which https in host asks for"),
    )
}

fn is_no_http(cause: &reqwest::Error) -> bool {
    find::<hyper::Error>(cause).is_some_and(hyper::Error::is_parse)
}

fn refused(error: &rustls::Error) -> Option<&Refused> {
    match error {
        rustls::Error::InvalidCertificate(CertificateError::Other(other)) => other.0.downcast_ref(),
        _ => None,
    }
}

fn tls_error<'a>(cause: &'a (dyn StdError + 'static)) -> Option<&'a rustls::Error> {
    find(cause)
}

/// The first error of type `E` below `cause`.
fn find<'a, E: StdError + 'static>(cause: &'a (dyn StdError + 'static)) -> Option<&'a E> {
    chain(cause).find_map(|error| {
        error.downcast_ref().or_else(|| {
            // An I/O error wraps another one without naming it as its source.
            error.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref()
        })
    })
}

fn chain<'a>(cause: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(cause), |error: &&'a (dyn StdError + 'static)| {
        (**error).source()
    })
}
