//! The authorities of the platform, and the given certificates.

use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, Error, RootCertStore};
use rustls_platform_verifier::Verifier as Platform;

use super::renewal::bounded;

/// Whether the platform verifies certificates itself, including those that a given one has issued. Other platforms only
/// have files with authorities.
const PLATFORM_VERIFIES: bool = cfg!(any(windows, target_vendor = "apple", target_os = "android"));

/// What can issue the certificate of a manager.
///
/// A manager nearly always has a certificate that one of the given ones has issued, if any are given. The files of the
/// platform, which take some milliseconds and 0.4 MiB, are only read for other certificates (0299).
#[derive(Debug)]
pub(super) struct Authorities {
    given: Arc<[CertificateDer<'static>]>,
    provider: Arc<CryptoProvider>,
    /// Verifies by the given certificates alone.
    given_alone: Option<Arc<WebPkiServerVerifier>>,
    /// Verifies by all. `None` if there are no authorities, or their files cannot be read.
    all: OnceLock<Option<Platform>>,
}

impl Authorities {
    /// Trusts the authorities of the platform, and the given certificates.
    ///
    /// # Errors
    ///
    /// If rustls cannot use one of `given` as an authority.
    pub(super) fn new(
        given: Vec<CertificateDer<'static>>,
        provider: &Arc<CryptoProvider>,
    ) -> Result<Self, Error> {
        let given: Arc<[_]> = given.into();
        let (given_alone, all) = if given.is_empty() {
            // Without authorities, a certificate is refused when it is seen, because the manager may be on a loopback
            // address without TLS.
            (None, Some(platform(&given, provider).ok()))
        } else if PLATFORM_VERIFIES {
            (None, Some(Some(platform(&given, provider)?)))
        } else {
            (Some(issued_by(&given, provider)?), None)
        };
        Ok(Self {
            given,
            provider: Arc::clone(provider),
            given_alone,
            all: all.map(OnceLock::from).unwrap_or_default(),
        })
    }

    /// Whether `certificate` itself is one of the given ones.
    pub(super) fn is_given(&self, certificate: &CertificateDer<'_>) -> bool {
        self.given.contains(certificate)
    }

    /// Verifies that an authority has issued `certificate`, and its name and date.
    pub(super) fn verify(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let by = |verifier: &dyn ServerCertVerifier| {
            verifier.verify_server_cert(certificate, intermediates, name, ocsp_response, now)
        };
        let refused = match &self.given_alone {
            None => CertificateError::UnknownIssuer.into(),
            Some(given) => match by(given.as_ref()) {
                Ok(verified) => return Ok(verified),
                Err(error) => error,
            },
        };
        match self.all.get_or_init(|| self.read_all()) {
            Some(all) => by(all),
            None => Err(refused),
        }
    }

    /// Reads the files of the platform, in a thread of its own because a file system can hang.
    fn read_all(&self) -> Option<Platform> {
        let (given, provider) = (Arc::clone(&self.given), Arc::clone(&self.provider));
        bounded(move || platform(&given, &provider).ok()).flatten()
    }
}

fn platform(given: &[CertificateDer<'static>], provider: &Arc<CryptoProvider>) -> Result<Platform, Error> {
    Platform::new_with_extra_roots(given.iter().cloned(), Arc::clone(provider))
}

fn issued_by(
    given: &[CertificateDer<'static>],
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, Error> {
    let mut roots = RootCertStore::empty();
    for certificate in given {
        roots.add(certificate.clone())?;
    }
    WebPkiServerVerifier::builder_with_provider(roots.into(), Arc::clone(provider))
        .build()
        .map_err(|error| Error::General(error.to_string()))
}
