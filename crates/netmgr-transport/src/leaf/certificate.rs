//! Facts about a certificate, for messages about refused certificates.

use std::fmt;
use std::net::IpAddr;

use ring::digest::{SHA256, digest};
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::{FromDer, X509Certificate};

/// Subject, issuer, names, validity and thumbprint of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShownCertificate {
    /// `None` if the certificate cannot be parsed.
    facts: Option<CertificateFacts>,
    sha256: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct CertificateFacts {
    subject: String,
    issuer: String,
    names: Vec<String>,
    not_before: String,
    not_after: String,
}

impl ShownCertificate {
    pub(super) fn new(der: &[u8]) -> Self {
        Self {
            facts: X509Certificate::from_der(der)
                .ok()
                .map(|(_, certificate)| CertificateFacts::of(&certificate)),
            sha256: thumbprint(der),
        }
    }

    /// Whether there are names to compare with the host.
    pub(super) fn has_names(&self) -> bool {
        self.facts.as_ref().is_some_and(|facts| !facts.names.is_empty())
    }
}

impl CertificateFacts {
    fn of(certificate: &X509Certificate<'_>) -> Self {
        Self {
            subject: certificate.subject().to_string(),
            issuer: certificate.issuer().to_string(),
            names: names(certificate),
            not_before: certificate.validity().not_before.to_string(),
            not_after: certificate.validity().not_after.to_string(),
        }
    }
}

/// SHA-256 of a certificate, in pairs of hexadecimal digits.
pub(super) fn thumbprint(der: &[u8]) -> String {
    let digest = digest(&SHA256, der);
    let pairs: Vec<String> = digest.as_ref().iter().map(|byte| format!("{byte:02X}")).collect();
    pairs.join(":")
}

/// Names of a certificate that are compared with the host.
pub(super) fn names(certificate: &X509Certificate<'_>) -> Vec<String> {
    let names = certificate.subject_alternative_name().ok().flatten();
    names.map_or_else(Vec::new, |names| {
        names.value.general_names.iter().filter_map(name).collect()
    })
}

/// Names that are compared with the host.
fn name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(bytes) => match bytes.len() {
            4 => <[u8; 4]>::try_from(*bytes)
                .ok()
                .map(|bytes| IpAddr::from(bytes).to_string()),
            _ => <[u8; 16]>::try_from(*bytes)
                .ok()
                .map(|bytes| IpAddr::from(bytes).to_string()),
        },
        _ => None,
    }
}

impl fmt::Display for ShownCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(facts) = &self.facts {
            let names = match facts.names.is_empty() {
                true => "none".to_owned(),
                false => facts.names.join(", "),
            };
            write!(
                f,
                "subject {}, issuer {}, names {names}, valid from {} to {}, ",
                facts.subject, facts.issuer, facts.not_before, facts.not_after
            )?;
        }
        write!(f, "SHA-256 {}", self.sha256)
    }
}
