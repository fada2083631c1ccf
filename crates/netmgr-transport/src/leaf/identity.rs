//! The client certificate with its key.

use std::fmt;
use std::sync::Arc;

use netmgr_types::ClientIdentity;
use rustls::client::ResolvesClientCert;
use rustls::crypto::CryptoProvider;
use rustls::sign::CertifiedKey;
use rustls::{InconsistentKeys, SignatureScheme};

use super::pem;
use super::renewal::Renewed;
use crate::Error;

/// The client certificate for new connections.
pub(super) struct RenewedIdentity(Renewed<CertifiedKey>);

impl RenewedIdentity {
    /// Reads the certificate and its key.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) if one of them is invalid, or they do not belong together.
    pub(super) fn read(source: &ClientIdentity, provider: &Arc<CryptoProvider>) -> Result<Self, Error> {
        let provider = Arc::clone(provider);
        let owned = source.clone();
        let read = move || certified(&owned, &provider);
        Renewed::read(&[&source.certificate, &source.key], read).map(Self)
    }
}

impl ResolvesClientCert for RenewedIdentity {
    fn resolve(&self, _: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let certified = self.0.current();
        let can_sign = certified.key.choose_scheme(schemes).is_some();
        can_sign.then_some(certified)
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// Prints no key.
impl fmt::Debug for RenewedIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RenewedIdentity")
    }
}

fn certified(source: &ClientIdentity, provider: &CryptoProvider) -> Result<CertifiedKey, Error> {
    let chain = pem::certificates(&source.certificate)?;
    let key = pem::private_key(&source.key)?;
    let key = provider.key_provider.load_private_key(key).map_err(|cause| {
        let reason =
            "the private key cannot be used; use an RSA key, or an ECDSA key with the curve P-256 or P-384";
        pem::unusable(&source.key, reason, Some(cause.into()))
    })?;
    let certified = CertifiedKey::new(chain, key);
    match certified.keys_match() {
        Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => Ok(certified),
        Err(cause) => {
            let reason = format!(
                "the private key does not belong to the certificate in `{}`",
                source.certificate.property
            );
            Err(pem::unusable(&source.key, &reason, Some(cause.into())))
        }
    }
}
