//! The steps of a connection: name resolution, TCP, TLS.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use futures_util::future::join_all;
use netmgr_transport::{Certificate, Connected, Error, Handshake, Probe};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::time::{Instant, timeout};

use super::report::{self, DoctorCheck, DoctorReport, Finding};
use crate::exit::Exit;
use crate::failure::CliError;

/// A certificate that expires sooner is worth a warning.
const SOON: Duration = Duration::from_secs(30 * DAY);
const DAY: u64 = 24 * 60 * 60;

/// Checks the connection. Returns whether requests can be sent.
pub(super) async fn check(
    probe: &Probe,
    limit: Duration,
    report: &mut DoctorReport,
) -> Result<bool, CliError> {
    let addresses = match resolve(probe, limit).await {
        Ok((addresses, finding)) => {
            report.add(finding)?;
            addresses
        }
        Err(finding) => {
            report.add(finding)?;
            return Ok(false);
        }
    };
    let (stream, finding) = connect(probe, &addresses, limit).await;
    report.add(finding)?;
    let Some(stream) = stream else {
        return Ok(false);
    };
    if !probe.is_encrypted() {
        report.add(Finding::ok(
            DoctorCheck::Tls,
            "not used: the manager is on this machine, and host starts with http://",
        ))?;
        return Ok(true);
    }
    if let Some(proxy) = probe.proxy().filter(|_| probe.proxy_is_encrypted()) {
        report.add(Finding::ok(
            DoctorCheck::Tls,
            format!("not shown behind the {proxy}; the login verifies the certificate"),
        ))?;
        return Ok(true);
    }
    let finding = match timeout(limit, probe.handshake(stream)).await {
        Ok(handshake) => tls(probe, &handshake, SystemTime::now()),
        Err(_) => Finding::fail(
            DoctorCheck::Tls,
            format!("no response within {} s{}", limit.as_secs_f64(), through(probe)),
            "check that the port belongs to the manager, and any firewall or proxy in between",
            Exit::Network,
        ),
    };
    let usable = finding.exit == Exit::Success;
    report.add(finding)?;
    Ok(usable)
}

/// The proxy of a connection, if there is one.
fn through(probe: &Probe) -> String {
    let proxy = probe.proxy();
    proxy.map_or_else(String::new, |proxy| format!(" through the {proxy}"))
}

async fn resolve(probe: &Probe, limit: Duration) -> Result<(Vec<SocketAddr>, Finding), Finding> {
    let (name, _) = probe.target();
    let what = match probe.proxy() {
        Some(proxy) => format!("{name} of the {proxy}"),
        None => name.to_owned(),
    };
    let failed = |reason: String| {
        Finding::fail(
            DoctorCheck::NameResolution,
            format!("{what}: {reason}"),
            probe
                .proxy_advice()
                .unwrap_or("check host, and the name servers of this machine"),
            Exit::Network,
        )
    };
    let addresses = match timeout(limit, probe.resolve()).await {
        Ok(Ok(addresses)) if addresses.is_empty() => return Err(failed("no address".to_owned())),
        Ok(Ok(addresses)) => addresses,
        Ok(Err(error)) => return Err(failed(error.to_string())),
        Err(_) => return Err(failed(format!("no response within {} s", limit.as_secs_f64()))),
    };
    let mut shown: Vec<String> = addresses.iter().map(|address| address.ip().to_string()).collect();
    shown.dedup();
    let summary = match shown[..] == [name.to_owned()] {
        true => format!("not needed: {what} is an address"),
        false => format!("{what} is {}", shown.join(", ")),
    };
    let finding = Finding::ok(DoctorCheck::NameResolution, summary).detail("addresses", json!(shown));
    Ok((addresses, finding))
}

/// Connects to all addresses and returns the first connection.
async fn connect(probe: &Probe, addresses: &[SocketAddr], limit: Duration) -> (Option<Connected>, Finding) {
    let attempts = addresses.iter().map(|&address| async move {
        let start = Instant::now();
        let outcome = match timeout(limit, probe.connect(address)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                format!("no response within {} s", limit.as_secs_f64()),
            )),
        };
        (address, outcome, start.elapsed())
    });
    let mut connected = None;
    let mut failures = Vec::new();
    for (address, outcome, elapsed) in join_all(attempts).await {
        match outcome {
            Ok(stream) if connected.is_none() => connected = Some((stream, address, elapsed)),
            Ok(_) => {}
            Err(error) => failures.push(format!("{address}: {error}")),
        }
    }
    let Some((stream, address, elapsed)) = connected else {
        let mut finding = Finding::fail(
            DoctorCheck::Tcp,
            format!("no connection{}", through(probe)),
            probe
                .proxy_advice()
                .unwrap_or("check host and port, any firewall in between, and that the manager is running"),
            Exit::Network,
        );
        for failure in failures {
            finding = finding.note(failure);
        }
        return (None, finding);
    };
    let summary = format!("connected to {address} in {} ms", elapsed.as_millis());
    let finding = match failures.is_empty() {
        true => Finding::ok(DoctorCheck::Tcp, summary),
        false => {
            let action =
                "requests are delayed until another address is tried; correct the name or the address";
            let finding = Finding::warn(DoctorCheck::Tcp, summary, action);
            failures.iter().fold(finding, Finding::note)
        }
    };
    let finding = finding
        .detail("address", json!(address))
        .detail("milliseconds", json!(elapsed.as_millis()));
    (Some(stream), finding)
}

/// Evaluates a handshake at the time `now`.
fn tls(probe: &Probe, handshake: &Handshake, now: SystemTime) -> Finding {
    let finding = match &handshake.outcome {
        Err(error) => refused(probe, error),
        Ok(()) => accepted(handshake, now),
    };
    let finding = finding.detail("chain", handshake.chain.iter().map(described).collect::<Value>());
    handshake.chain.iter().fold(finding, |finding, certificate| {
        finding.note(format!(
            "certificate of {}, issued by {}, valid from {} to {}, SHA-256 {}",
            or_unreadable(&certificate.subject),
            or_unreadable(&certificate.issuer),
            day(certificate.not_before),
            day(certificate.not_after),
            certificate.sha256
        ))
    })
}

/// The reason of a failed handshake, without the certificate, which has its own line.
fn refused(probe: &Probe, error: &Error) -> Finding {
    let failure = error.failure();
    let reason = failure.reason.clone().unwrap_or_else(|| error.to_string());
    let reason = reason.split(" (subject ").next().unwrap_or_default();
    let action = failure.hint.as_deref();
    Finding::fail(
        DoctorCheck::Tls,
        format!("{reason}{}", through(probe)),
        action.unwrap_or("check the manager's certificate, and `ca` or `caFile`"),
        report::exit(error),
    )
}

fn accepted(handshake: &Handshake, now: SystemTime) -> Finding {
    let version = handshake
        .version
        .as_deref()
        .unwrap_or("TLS")
        .replace("TLSv1_", "TLS 1.");
    let first_end = handshake
        .chain
        .iter()
        .filter_map(|certificate| certificate.not_after)
        .min();
    let left = first_end.map(|end| end.duration_since(now).unwrap_or_default());
    let finding = if !handshake.verified {
        Finding::warn(
            DoctorCheck::Tls,
            format!("{version}, but `allowUnverifiedSsl` accepts any certificate"),
            "compare the thumbprint with the manager's, set `ca` or `caFile`, and remove `allowUnverifiedSsl`",
        )
    } else if let Some(left) = left.filter(|left| *left < SOON) {
        Finding::warn(
            DoctorCheck::Tls,
            format!(
                "{version}; a certificate expires in {} days",
                left.as_secs() / DAY
            ),
            "renew the manager's certificate",
        )
    } else {
        let until = first_end.map_or_else(String::new, |end| format!(", valid until {}", day(Some(end))));
        Finding::ok(DoctorCheck::Tls, format!("{version}, trusted certificate{until}"))
    };
    finding
        .detail("version", json!(version))
        .detail("verified", json!(handshake.verified))
}

fn described(certificate: &Certificate) -> Value {
    let time =
        |time: Option<SystemTime>| time.and_then(|time| OffsetDateTime::from(time).format(&Rfc3339).ok());
    json!({
        "subject": certificate.subject,
        "issuer": certificate.issuer,
        "names": certificate.names,
        "notBefore": time(certificate.not_before),
        "notAfter": time(certificate.not_after),
        "sha256": certificate.sha256,
    })
}

fn or_unreadable(name: &str) -> &str {
    match name {
        "" => "(unreadable)",
        name => name,
    }
}

fn day(time: Option<SystemTime>) -> String {
    time.map_or_else(
        || "(unreadable)".to_owned(),
        |time| OffsetDateTime::from(time).date().to_string(),
    )
}
