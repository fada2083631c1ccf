//! Creates the rustls configuration from the TLS settings.
//!
//! Server certificates are verified in `verifier.rs`.

use std::sync::Arc;

use netmgr_types::{ClientIdentity, TlsSettings};
use rustls::client::ResolvesClientCert;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ClientConfig, InconsistentKeys};

use super::pem;
use super::verifier::Verifier;
use crate::Error;

/// The configuration for all connections of a client.
///
/// The provider is explicit, so that the configuration does not depend on the default provider of the
/// process.
pub(super) fn client_config(settings: &TlsSettings) -> Result<ClientConfig, Error> {
    client_config_with(settings, |verifier| Arc::new(verifier))
}

/// The same configuration, with a verifier around the one of the settings.
pub(super) fn client_config_with(
    settings: &TlsSettings,
    around: impl FnOnce(Verifier) -> Arc<dyn ServerCertVerifier>,
) -> Result<ClientConfig, Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    // Read it even if it is not needed, because an invalid file is always an error.
    let extra = match &settings.ca {
        Some(ca) => pem::certificates(ca)?,
        None => Vec::new(),
    };
    let verifier = match settings.allow_unverified {
        true => Verifier::accepting_all(&provider),
        false => Verifier::new(extra, &provider).map_err(|cause| match &settings.ca {
            Some(ca) => pem::unusable(
                ca,
                "a certificate cannot be used as a trust anchor",
                Some(cause.into()),
            ),
            None => {
                let reason = "the platform's certificates cannot be read";
                Error::config("ca", reason, Some(cause.into()))
            }
        })?,
    };
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("ring supports the default protocol versions")
        .dangerous()
        .with_custom_certificate_verifier(around(verifier));
    let mut config = match &settings.identity {
        Some(identity) => config.with_client_cert_resolver(client_certificate(identity, &provider)?),
        None => config.with_no_client_auth(),
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    if cfg!(feature = "http2") {
        config.alpn_protocols.insert(0, b"h2".to_vec());
    }
    Ok(config)
}

/// Reads the client certificate and its key.
fn client_certificate(
    identity: &ClientIdentity,
    provider: &CryptoProvider,
) -> Result<Arc<dyn ResolvesClientCert>, Error> {
    let chain = pem::certificates(&identity.certificate)?;
    let key = pem::private_key(&identity.key)?;
    let key = provider.key_provider.load_private_key(key).map_err(|cause| {
        pem::unusable(
            &identity.key,
            "the private key cannot be used",
            Some(cause.into()),
        )
    })?;
    let certified = CertifiedKey::new(chain, key);
    match certified.keys_match() {
        Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => {
            Ok(Arc::new(SingleCertAndKey::from(certified)))
        }
        Err(cause) => {
            let reason = format!(
                "the private key does not belong to the certificate in {}",
                identity.certificate.property
            );
            Err(pem::unusable(&identity.key, &reason, Some(cause.into())))
        }
    }
}
