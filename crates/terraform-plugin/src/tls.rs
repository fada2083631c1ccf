//! Mutual TLS: both sides pin the other's certificate, which exists for one process only.

use std::sync::Arc;

use p521::ecdsa::signature::Verifier as _;
use p521::ecdsa::{Signature, VerifyingKey};
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::crypto::ring::default_provider;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::version::TLS13;
use rustls::{
    DigitallySignedStruct, DistinguishedName, Error, PeerMisbehaved, ServerConfig, SignatureScheme,
};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{
    AlgorithmIdentifier, CertificateDer, InvalidSignature, PrivatePkcs8KeyDer,
    SignatureVerificationAlgorithm, UnixTime, alg_id,
};
use tokio_rustls::TlsAcceptor;

/// Errors of preparing TLS.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TlsError {
    /// The host's certificate cannot be read.
    #[error("PLUGIN_CLIENT_CERT contains no certificate")]
    HostCertificate(#[source] rustls_pki_types::pem::Error),
    /// The own certificate cannot be created.
    #[error("cannot create a certificate")]
    Certificate(#[source] rcgen::Error),
    /// The settings are contradictory.
    #[error("cannot prepare TLS")]
    Settings(#[source] Error),
}

/// TLS of one process.
pub(crate) struct Tls {
    pub(crate) acceptor: TlsAcceptor,
    /// The certificate that the host has to trust.
    pub(crate) certificate: CertificateDer<'static>,
}

impl Tls {
    /// Creates a key and a certificate. Only the holder of the key of `host_pem` can connect.
    pub(crate) fn new(host_pem: &str) -> Result<Self, TlsError> {
        let host = CertificateDer::from_pem_slice(host_pem.as_bytes()).map_err(TlsError::HostCertificate)?;
        let generated =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).map_err(TlsError::Certificate)?;
        let certificate = generated.cert.der().clone();
        let key = PrivatePkcs8KeyDer::from(generated.signing_key.serialize_der());
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_protocol_versions(&[&TLS13])
            .map_err(TlsError::Settings)?
            .with_client_cert_verifier(Arc::new(Pinned(host)))
            .with_single_cert(vec![certificate.clone()], key.into())
            .map_err(TlsError::Settings)?;
        // Hosts with newer gRPC libraries refuse a server that does not select it.
        config.alpn_protocols = vec![b"h2".to_vec()];
        // A host connects once.
        config.send_tls13_tickets = 0;
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            certificate,
        })
    }
}

/// Accepts exactly one client certificate, whose key is on the curve P-521. The verifiers of rustls do not: ring has
/// no P-521, and the certificate is one of an authority.
#[derive(Debug)]
struct Pinned(CertificateDer<'static>);

impl ClientCertVerifier for Pinned {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        if *certificate == self.0 {
            Ok(ClientCertVerified::assertion())
        } else {
            Err(Error::InvalidCertificate(
                rustls::CertificateError::ApplicationVerificationFailure,
            ))
        }
    }

    /// Never called: the server speaks TLS 1.3 only.
    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(PeerMisbehaved::SignedHandshakeWithUnadvertisedSigScheme.into())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls13_signature(message, certificate, signature, &ALGORITHMS)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ALGORITHMS.supported_schemes()
    }
}

static ALGORITHMS: WebPkiSupportedAlgorithms = WebPkiSupportedAlgorithms {
    all: &[&P521],
    mapping: &[(SignatureScheme::ECDSA_NISTP521_SHA512, &[&P521])],
};

/// ECDSA on the curve P-521 with SHA-512.
#[derive(Debug)]
struct P521;

impl SignatureVerificationAlgorithm for P521 {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let key = VerifyingKey::from_sec1_bytes(public_key).map_err(|_| InvalidSignature)?;
        let signature = Signature::from_der(signature).map_err(|_| InvalidSignature)?;
        key.verify(message, &signature).map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ECDSA_P521
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ECDSA_SHA512
    }
}

#[cfg(test)]
mod tests {
    use p521::ecdsa::SigningKey;
    use p521::ecdsa::signature::Signer as _;

    use super::*;

    fn certificate() -> CertificateDer<'static> {
        let generated = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        generated.cert.der().clone()
    }

    #[test]
    fn only_the_certificate_of_the_host_is_accepted() {
        let (host, other) = (certificate(), certificate());
        let pinned = Pinned(host.clone());
        assert!(pinned.client_auth_mandatory());
        assert!(pinned.verify_client_cert(&host, &[], UnixTime::now()).is_ok());
        assert!(pinned.verify_client_cert(&other, &[], UnixTime::now()).is_err());
        // Also with the right one behind it.
        assert!(
            pinned
                .verify_client_cert(&other, &[host], UnixTime::now())
                .is_err()
        );
    }

    #[test]
    fn only_signatures_of_the_key_are_accepted() {
        let mut secret = [7; 66];
        secret[0] = 0;
        let key = SigningKey::from_slice(&secret).unwrap();
        let public = VerifyingKey::from(&key).to_sec1_point(false);
        let signature: Signature = key.sign(b"message");
        let signature = signature.to_der();
        let verify = |public: &[u8], message: &[u8], signature: &[u8]| {
            P521.verify_signature(public, message, signature).is_ok()
        };
        assert!(verify(public.as_bytes(), b"message", signature.as_bytes()));
        assert!(!verify(public.as_bytes(), b"massage", signature.as_bytes()));
        assert!(!verify(public.as_bytes(), b"message", &signature.as_bytes()[1..]));
        secret[1] = 1;
        let other = VerifyingKey::from(&SigningKey::from_slice(&secret).unwrap()).to_sec1_point(false);
        assert!(!verify(other.as_bytes(), b"message", signature.as_bytes()));
        assert!(!verify(&[], b"message", signature.as_bytes()));
    }

    #[test]
    fn a_variable_without_a_certificate_is_an_error() {
        for text in ["", "x", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----"] {
            let Err(error) = Tls::new(text) else { continue };
            assert_eq!(error.to_string(), "PLUGIN_CLIENT_CERT contains no certificate");
        }
        assert!(Tls::new("").is_err());
    }
}
