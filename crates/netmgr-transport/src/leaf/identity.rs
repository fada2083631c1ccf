//! The client certificate with its key. Files are read again when they change, because certificates are renewed while
//! programs run.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use netmgr_types::{ClientIdentity, Pem, PemSource};
use rustls::client::ResolvesClientCert;
use rustls::crypto::CryptoProvider;
use rustls::sign::CertifiedKey;
use rustls::{InconsistentKeys, SignatureScheme};

use super::pem;
use crate::Error;

/// The client certificate for new connections.
pub(super) struct Identity {
    source: ClientIdentity,
    provider: Arc<CryptoProvider>,
    current: Mutex<Current>,
}

/// The certificate that was read last, with the state of its files.
struct Current {
    certified: Arc<CertifiedKey>,
    stamps: [Option<Stamp>; 2],
}

/// Time of the last change and length of a file.
type Stamp = (SystemTime, u64);

impl Identity {
    /// Reads the certificate and its key.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) if one of them is invalid, or they do not belong together.
    pub(super) fn read(source: &ClientIdentity, provider: &Arc<CryptoProvider>) -> Result<Self, Error> {
        let current = Current {
            stamps: stamps(source),
            certified: Arc::new(certified(source, provider)?),
        };
        Ok(Self {
            source: source.clone(),
            provider: Arc::clone(provider),
            current: Mutex::new(current),
        })
    }

    /// The certificate, read again if a file has changed. While the files are invalid, for example because only one of
    /// them has been replaced yet, the previous certificate is used.
    fn renewed(&self) -> Arc<CertifiedKey> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = stamps(&self.source);
        if stamps != current.stamps {
            match certified(&self.source, &self.provider) {
                Ok(certified) => {
                    tracing::debug!("the client certificate was renewed");
                    *current = Current {
                        certified: Arc::new(certified),
                        stamps,
                    };
                }
                Err(error) => {
                    tracing::warn!(%error, "the renewed client certificate is invalid; using the previous one");
                }
            }
        }
        Arc::clone(&current.certified)
    }
}

impl ResolvesClientCert for Identity {
    fn resolve(&self, _: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let certified = self.renewed();
        let can_sign = certified.key.choose_scheme(schemes).is_some();
        can_sign.then_some(certified)
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// Prints no key.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity")
    }
}

fn stamps(source: &ClientIdentity) -> [Option<Stamp>; 2] {
    let stamp = |pem: &Pem| match &pem.source {
        PemSource::File(path) => {
            let metadata = std::fs::metadata(path).ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        }
        PemSource::Text(_) => None,
    };
    [stamp(&source.certificate), stamp(&source.key)]
}

fn certified(source: &ClientIdentity, provider: &CryptoProvider) -> Result<CertifiedKey, Error> {
    let chain = pem::certificates(&source.certificate)?;
    let key = pem::private_key(&source.key)?;
    let key = provider.key_provider.load_private_key(key).map_err(|cause| {
        let reason =
            "the private key cannot be used; use an RSA key, or an ECDSA key of the curve P-256 or P-384";
        pem::unusable(&source.key, reason, Some(cause.into()))
    })?;
    let certified = CertifiedKey::new(chain, key);
    match certified.keys_match() {
        Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => Ok(certified),
        Err(cause) => {
            let reason = format!(
                "the private key does not belong to the certificate in {}",
                source.certificate.property
            );
            Err(pem::unusable(&source.key, &reason, Some(cause.into())))
        }
    }
}
