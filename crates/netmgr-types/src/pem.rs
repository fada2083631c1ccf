//! Strict checks of PEM text. The text is never quoted in errors.
//!
//! Whether a key matches its certificate is checked when a client is built.

use rustls_pki_types::pem::{Error, PemObject};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

use crate::Pem;

impl Pem {
    /// Whether PEM text contains a private key that needs a passphrase. Sources: RFC 7468 for PKCS #8, RFC 1421 for other
    /// keys.
    #[must_use]
    pub fn has_encrypted_key(text: &[u8]) -> bool {
        let marks = ["BEGIN ENCRYPTED PRIVATE KEY", "Proc-Type: 4,ENCRYPTED"];
        let contains = |mark: &str| text.windows(mark.len()).any(|part| part == mark.as_bytes());
        marks.into_iter().any(contains)
    }
}

/// Reason why PEM text is invalid. Never contains the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidPem {
    /// There is no certificate in it.
    #[error("has no PEM certificate; expected text with -----BEGIN CERTIFICATE----- lines")]
    NoCertificate,
    /// There is no private key in it.
    #[error("has no PEM private key; expected text with -----BEGIN PRIVATE KEY----- lines")]
    NoKey,
    /// The key needs a passphrase.
    #[error("is an encrypted private key; only unencrypted keys are supported")]
    EncryptedKey,
    /// The text is truncated or altered PEM.
    #[error("is malformed PEM; a section has no end line or is not base64")]
    Damaged,
}

/// Checks that PEM text has certificates, all of them intact.
///
/// # Errors
///
/// The text has no certificate or is damaged.
pub(crate) fn certificates(text: &str) -> Result<(), InvalidPem> {
    let mut found = false;
    for certificate in CertificateDer::pem_slice_iter(text.as_bytes()) {
        if certificate.map_err(|_| InvalidPem::Damaged)?.is_empty() {
            return Err(InvalidPem::Damaged);
        }
        found = true;
    }
    if found {
        Ok(())
    } else {
        Err(InvalidPem::NoCertificate)
    }
}

/// Checks that PEM text has an unencrypted private key (PKCS #8, PKCS #1 or SEC 1).
///
/// # Errors
///
/// The text has no key, an encrypted one, or is damaged.
pub(crate) fn private_key(text: &str) -> Result<(), InvalidPem> {
    if Pem::has_encrypted_key(text.as_bytes()) {
        return Err(InvalidPem::EncryptedKey);
    }
    match PrivateKeyDer::from_pem_slice(text.as_bytes()) {
        Ok(key) if key.secret_der().is_empty() => Err(InvalidPem::Damaged),
        Ok(_) => Ok(()),
        Err(Error::NoItemsFound) => Err(InvalidPem::NoKey),
        Err(_) => Err(InvalidPem::Damaged),
    }
}
