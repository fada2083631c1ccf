//! Creates the rustls configuration from the TLS settings.
//!
//! Server certificates are verified in `verifier.rs`; client certificates are read in `identity.rs`.

use std::sync::Arc;

use netmgr_types::TlsSettings;
use rustls::ClientConfig;
use rustls::client::Resumption;
use rustls::crypto::CryptoProvider;

use super::identity::RenewedIdentity;
use super::pem;
use super::renewal::Renewed;
use super::verifier::{SentChain, Trust, Verifier};
use crate::Error;

/// The configuration for all connections of a client.
///
/// The provider is explicit, so that the configuration does not depend on the default provider of the
/// process. Handshakes leave the certificates of the server in `sent`, if it is set.
pub(super) fn client_config(settings: &TlsSettings, sent: Option<SentChain>) -> Result<ClientConfig, Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let trust = {
        let (settings, provider) = (settings.clone(), Arc::clone(&provider));
        let ca = settings.ca.clone();
        let sources: Vec<_> = ca.iter().collect();
        Renewed::read(&sources, move || trust(&settings, &provider))?
    };
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("ring supports the default protocol versions")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Verifier::new(trust, &provider, sent)));
    let mut config = match &settings.identity {
        Some(identity) => {
            let identity = Arc::new(RenewedIdentity::read(identity, &provider)?);
            let mut config = config.with_client_cert_resolver(identity);
            // A resumed session belongs to the certificate of the first one, even if that has been renewed.
            config.resumption = Resumption::disabled();
            config
        }
        None => config.with_no_client_auth(),
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    if cfg!(feature = "http2") {
        config.alpn_protocols.insert(0, b"h2".to_vec());
    }
    Ok(config)
}

fn trust(settings: &TlsSettings, provider: &Arc<CryptoProvider>) -> Result<Trust, Error> {
    // Read it even if it is not needed, because an invalid file is always an error.
    let given = match &settings.ca {
        Some(ca) => pem::certificates(ca)?,
        None => Vec::new(),
    };
    if settings.allow_unverified {
        return Ok(Trust::Anything);
    }
    Trust::of(given, provider).map_err(|cause| {
        let reason = "a certificate cannot be used as a trust anchor";
        match &settings.ca {
            Some(ca) => pem::unusable(ca, reason, Some(cause.into())),
            None => Error::config("ca", reason, Some(cause.into())),
        }
    })
}
