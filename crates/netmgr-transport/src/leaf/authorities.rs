//! The authorities of the platform, and the given certificates.

use std::sync::{Arc, Once, OnceLock};
use std::time::Duration;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, Error, RootCertStore};
use rustls_platform_verifier::Verifier as Platform;

use super::renewal::{CHECK_PATIENCE, PATIENCE, bounded_by};

/// Whether the platform verifies certificates itself, including those that a given one has issued. Other platforms only
/// have files with authorities.
const PLATFORM_VERIFIES: bool = cfg!(any(windows, target_vendor = "apple", target_os = "android"));

/// What can issue the certificate of a manager.
///
/// A manager nearly always has a certificate that one of the given ones has issued, if any are given. The files of the
/// platform, which take some milliseconds and 0.4 MiB, are only read for other certificates.
#[derive(Debug)]
pub(super) struct Authorities {
    given: Arc<[CertificateDer<'static>]>,
    provider: Arc<CryptoProvider>,
    /// Verifies by the given certificates alone.
    given_alone: Option<Arc<WebPkiServerVerifier>>,
    /// Verifies by all. `None` if there are no authorities, or their files cannot be read.
    all: Late<Option<Platform>>,
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
        let mut authorities = Self {
            given: given.into(),
            provider: Arc::clone(provider),
            given_alone: None,
            all: Late::default(),
        };
        if authorities.given.is_empty() {
            // Without authorities, a certificate is refused when it is seen, because the manager may be on a loopback
            // address without TLS.
            authorities.all_within(PATIENCE);
        } else if PLATFORM_VERIFIES {
            authorities.all = Late::from(Some(platform(&authorities.given, provider)?));
        } else {
            authorities.given_alone = Some(issued_by(&authorities.given, provider)?);
        }
        Ok(authorities)
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
        match self.all_within(CHECK_PATIENCE) {
            Some(all) => by(all),
            None => Err(refused),
        }
    }

    /// Verifies by all. The first call reads the files of the platform.
    fn all_within(&self, patience: Duration) -> Option<&Platform> {
        let (given, provider) = (Arc::clone(&self.given), Arc::clone(&self.provider));
        let all = self.all.get(patience, move || platform(&given, &provider).ok());
        if all.is_none() {
            tracing::warn!(
                "the file system does not respond; the platform's certificates are not trusted yet"
            );
        }
        all?.as_ref()
    }
}

/// A value that is read once, in a thread of its own because a file system can hang.
#[derive(Debug)]
struct Late<T> {
    value: Arc<OnceLock<T>>,
    is_begun: Once,
}

impl<T> Default for Late<T> {
    fn default() -> Self {
        Self {
            value: Arc::default(),
            is_begun: Once::new(),
        }
    }
}

impl<T> From<T> for Late<T> {
    /// It is not read.
    fn from(value: T) -> Self {
        Self {
            value: Arc::new(value.into()),
            is_begun: Once::new(),
        }
    }
}

impl<T: Send + Sync + 'static> Late<T> {
    /// The value, for which the first call waits, and those that come meanwhile. `None` if it has not been read yet.
    fn get(&self, patience: Duration, read: impl FnOnce() -> T + Send + 'static) -> Option<&T> {
        if self.value.get().is_none() {
            self.is_begun.call_once(|| {
                let value = Arc::clone(&self.value);
                bounded_by(patience, move || {
                    value.get_or_init(read);
                });
            });
        }
        self.value.get()
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn what_is_read_late_is_used_later() {
        let (late, (sender, receiver)) = (Late::default(), mpsc::channel());
        assert_eq!(late.get(Duration::ZERO, move || receiver.recv().unwrap()), None);
        sender.send(7).unwrap();
        while late.value.get().is_none() {
            thread::yield_now();
        }
        assert_eq!(late.get(Duration::ZERO, || unreachable!("it was read")), Some(&7));
    }

    #[test]
    fn what_is_read_in_time_is_used_at_once() {
        assert_eq!(Late::default().get(PATIENCE, || 7), Some(&7));
        assert_eq!(Late::from(7).get(Duration::ZERO, || 8), Some(&7));
    }
}
