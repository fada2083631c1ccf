//! Verifies the server's certificate, and describes it in the error if it is refused.
//!
//! The platform's authorities and the certificates of `ca` or `caFile` are trusted. The latter can be
//! authorities, or the certificate of the server itself, which supports self-signed managers.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, OtherError, RootCertStore, SignatureScheme};
use rustls_platform_verifier::Verifier as Platform;
use x509_parser::prelude::{FromDer, X509Certificate};

use super::certificate::ShownCertificate;
use super::renewal::Renewed;

use crate::lock::lock;

/// The certificates that a server sent last, its own first, whether they are accepted or not.
pub(super) type SentChain = Arc<Mutex<Vec<CertificateDer<'static>>>>;

/// Verifies certificates against those that are trusted now, because files are renewed.
#[derive(Debug)]
pub(super) struct Verifier {
    trust: Renewed<Trust>,
    algorithms: WebPkiSupportedAlgorithms,
    sent: Option<SentChain>,
}

/// The certificates that are trusted.
#[derive(Debug)]
pub(super) enum Trust {
    /// `allowUnverifiedSsl`.
    Anything,
    These(TrustedCertificates),
}

/// The given certificates, and certificates that the authorities have issued: the given authorities, and the
/// authorities of the platform.
#[derive(Debug)]
pub(super) struct TrustedCertificates {
    given: Vec<CertificateDer<'static>>,
    /// The given certificates as authorities, if there are any.
    authorities: Option<Arc<WebPkiServerVerifier>>,
    /// Read when a certificate needs it, because that takes some milliseconds. `None` if the platform has no authorities.
    platform: OnceLock<Option<Platform>>,
    provider: Arc<CryptoProvider>,
}

impl Trust {
    /// Trusts the authorities of the platform, and the `given` certificates.
    ///
    /// # Errors
    ///
    /// If rustls cannot use one of `given` as an authority.
    pub(super) fn of(
        given: Vec<CertificateDer<'static>>,
        provider: &Arc<CryptoProvider>,
    ) -> Result<Self, rustls::Error> {
        let mut roots = RootCertStore::empty();
        for certificate in &given {
            roots.add(certificate.clone())?;
        }
        let authorities = match roots.is_empty() {
            true => None,
            false => {
                let verifier =
                    WebPkiServerVerifier::builder_with_provider(roots.into(), Arc::clone(provider));
                Some(
                    verifier
                        .build()
                        .map_err(|error| rustls::Error::General(error.to_string()))?,
                )
            }
        };
        Ok(Self::These(TrustedCertificates {
            given,
            authorities,
            platform: OnceLock::new(),
            provider: Arc::clone(provider),
        }))
    }
}

impl TrustedCertificates {
    fn verify(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if self.given.contains(end_entity) {
            return verify_pinned(end_entity, server_name, now);
        }
        let refusal = match &self.authorities {
            Some(given) => {
                match given.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
                    Err(refusal) => refusal,
                    accepted => return accepted,
                }
            }
            None => CertificateError::UnknownIssuer.into(),
        };
        // Whatever the refusal is, the certificate can also have a chain to an authority of the platform.
        let platform = || {
            // The library reads this file. Reading a pipe would block, and a device may have no end.
            let file = env::var_os("SSL_CERT_FILE").map(PathBuf::from);
            let is_readable = file.is_none_or(|file| file.is_file());
            is_readable.then(|| Platform::new(Arc::clone(&self.provider)).ok())?
        };
        let Some(platform) = self.platform.get_or_init(platform) else {
            return Err(refusal);
        };
        match platform.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(error) if is_unknown_issuer(&error) => Err(refusal),
            verdict => verdict,
        }
    }
}

/// Whether none of the authorities has issued the certificate. An authority can have the name of the issuer, but another
/// key.
fn is_unknown_issuer(error: &rustls::Error) -> bool {
    use CertificateError as E;
    matches!(
        error,
        rustls::Error::InvalidCertificate(E::UnknownIssuer | E::BadSignature)
    )
}

impl Verifier {
    pub(super) fn new(trust: Renewed<Trust>, provider: &CryptoProvider, sent: Option<SentChain>) -> Self {
        Self {
            trust,
            algorithms: provider.signature_verification_algorithms,
            sent,
        }
    }

    /// Whether verification is disabled.
    fn accepts_anything(&self) -> bool {
        matches!(*self.trust.last(), Trust::Anything)
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(sent) = &self.sent {
            let chain = std::iter::once(end_entity).chain(intermediates);
            let chain = chain.map(|certificate| certificate.clone().into_owned());
            *lock(sent) = chain.collect();
        }
        let verdict = match &*self.trust.current() {
            Trust::Anything => Ok(ServerCertVerified::assertion()),
            Trust::These(trusted) => {
                trusted.verify(end_entity, intermediates, server_name, ocsp_response, now)
            }
        };
        verdict.map_err(|cause| RefusedCertificate::new(end_entity, server_name, cause).into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        match self.accepts_anything() {
            true => Ok(HandshakeSignatureValid::assertion()),
            false => verify_tls12_signature(message, certificate, signature, &self.algorithms),
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        match self.accepts_anything() {
            true => Ok(HandshakeSignatureValid::assertion()),
            false => verify_tls13_signature(message, certificate, signature, &self.algorithms),
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// A trusted certificate needs no issuer, but a valid name and date.
fn verify_pinned(
    certificate: &CertificateDer<'_>,
    server_name: &ServerName<'_>,
    now: UnixTime,
) -> Result<ServerCertVerified, rustls::Error> {
    let (_, parsed) = X509Certificate::from_der(certificate).map_err(|_| CertificateError::BadEncoding)?;
    let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
    if now < parsed.validity().not_before.timestamp() {
        return Err(CertificateError::NotValidYet.into());
    }
    if now > parsed.validity().not_after.timestamp() {
        return Err(CertificateError::Expired.into());
    }
    verify_server_name(&ParsedCertificate::try_from(certificate)?, server_name)?;
    Ok(ServerCertVerified::assertion())
}

/// A refused certificate. The errors of rustls and reqwest wrap it.
#[derive(Debug)]
pub(super) struct RefusedCertificate {
    seen: ShownCertificate,
    wrong: Wrong,
    cause: rustls::Error,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Wrong {
    Issuer,
    Name(String),
    Expired,
    NotYetValid,
    Other,
}

impl RefusedCertificate {
    fn new(certificate: &CertificateDer<'_>, name: &ServerName<'_>, cause: rustls::Error) -> Self {
        use CertificateError as E;
        let wrong = match &cause {
            rustls::Error::InvalidCertificate(error) => match error {
                E::UnknownIssuer | E::BadSignature => Wrong::Issuer,
                E::NotValidForName | E::NotValidForNameContext { .. } => {
                    Wrong::Name(name.to_str().into_owned())
                }
                E::Expired | E::ExpiredContext { .. } => Wrong::Expired,
                E::NotValidYet | E::NotValidYetContext { .. } => Wrong::NotYetValid,
                _ => Wrong::Other,
            },
            _ => Wrong::Other,
        };
        Self {
            seen: ShownCertificate::new(certificate),
            wrong,
            cause,
        }
    }

    /// The error of rustls.
    pub(super) fn cause(&self) -> &rustls::Error {
        &self.cause
    }

    /// Description of the certificate.
    pub(super) fn seen(&self) -> String {
        self.seen.to_string()
    }

    /// A hint for the user.
    pub(super) fn hint(&self) -> &'static str {
        match self.wrong {
            Wrong::Issuer => "check the thumbprint and add the issuer's certificate with `ca` or `caFile`",
            Wrong::Name(_) if !self.seen.has_names() => {
                "replace the manager's certificate with one for its host name or address"
            }
            Wrong::Name(_) => "set host to one of the names in the certificate",
            Wrong::Expired => "renew the manager's certificate, or check the clock of this machine",
            Wrong::NotYetValid => "check the clocks of this machine and the manager",
            Wrong::Other => "replace the manager's certificate with one that is issued for servers",
        }
    }
}

impl fmt::Display for RefusedCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the manager's certificate ")?;
        match &self.wrong {
            Wrong::Issuer => f.write_str("is signed by an unknown authority")?,
            Wrong::Name(name) => write!(f, "is not for {name}")?,
            Wrong::Expired => f.write_str("has expired")?,
            Wrong::NotYetValid => f.write_str("is not valid yet")?,
            Wrong::Other => f.write_str("cannot be accepted")?,
        }
        write!(f, " ({})", self.seen)
    }
}

impl std::error::Error for RefusedCertificate {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

impl From<RefusedCertificate> for rustls::Error {
    fn from(refused: RefusedCertificate) -> Self {
        CertificateError::Other(OtherError(Arc::new(refused))).into()
    }
}

#[cfg(test)]
mod tests;
