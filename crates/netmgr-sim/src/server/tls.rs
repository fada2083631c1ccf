//! The certificate authority of a simulator, its server certificate and the client identities it issues. It
//! also creates expired certificates and certificates for another host, for tests.

use std::net::IpAddr;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use ring::digest;
use tokio_rustls::rustls::crypto;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The server certificate. All variants are signed by the authority of the simulator.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ServerCertificate {
    /// For `localhost`, `127.0.0.1`, `::1` and the address listened on.
    #[default]
    Valid,
    /// The same names, expired in 2021.
    Expired,
    /// For `manager.invalid` only.
    WrongHost,
}

/// Client certificates that the server requests during the handshake.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClientCertificates {
    /// Nothing; a client certificate has no effect.
    #[default]
    Ignored,
    /// A certificate is verified if a client has one.
    Optional,
    /// Without a certificate of the simulator's authority the handshake fails.
    Required,
}

/// A certificate and key that the simulator issued to a client, both PEM.
#[derive(Debug, Clone)]
pub struct IssuedCertificate {
    /// Principal name; also the common name of the certificate.
    pub name: String,
    /// Certificate, PEM.
    pub certificate_pem: String,
    /// Private key, PEM (PKCS#8).
    pub key_pem: String,
    pub(crate) certificate: CertificateDer<'static>,
}

/// A generated authority.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub(crate) fn generate() -> Result<Self, BoxError> {
        let mut params = CertificateParams::default();
        params
            .distinguished_name
            .push(DnType::CommonName, "Simulated manager authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        Ok(Self {
            issuer: CertifiedIssuer::self_signed(params, KeyPair::generate()?)?,
        })
    }

    pub(crate) fn pem(&self) -> String {
        self.issuer.pem()
    }

    pub(crate) fn issue_client(&self, name: &str) -> Result<IssuedCertificate, BoxError> {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        params.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, &self.issuer)?;
        Ok(IssuedCertificate {
            name: name.to_owned(),
            certificate_pem: certificate.pem(),
            key_pem: key.serialize_pem(),
            certificate: certificate.der().clone(),
        })
    }

    /// Configuration of the server and the thumbprint of its certificate.
    pub(crate) fn server_config(
        &self,
        kind: ServerCertificate,
        clients: ClientCertificates,
        listen: IpAddr,
    ) -> Result<(ServerConfig, String), BoxError> {
        let names = match kind {
            ServerCertificate::WrongHost => vec!["manager.invalid".to_owned()],
            _ => {
                let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
                let listen = listen.to_string();
                if !names.contains(&listen) {
                    names.push(listen);
                }
                names
            }
        };
        let mut params = CertificateParams::new(names)?;
        params
            .distinguished_name
            .push(DnType::CommonName, "Simulated manager");
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        if kind == ServerCertificate::Expired {
            params.not_before = date_time_ymd(2020, 1, 1);
            params.not_after = date_time_ymd(2021, 1, 1);
        }
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, &self.issuer)?.der().clone();
        let thumbprint = thumbprint(&certificate);
        let key = PrivateKeyDer::try_from(key.serialize_der())?;

        let provider = Arc::new(crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = if clients == ClientCertificates::Ignored {
            builder.with_no_client_auth()
        } else {
            let mut roots = RootCertStore::empty();
            roots.add(self.issuer.der().clone())?;
            let mut verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            if clients == ClientCertificates::Optional {
                verifier = verifier.allow_unauthenticated();
            }
            builder.with_client_cert_verifier(verifier.build()?)
        };
        let mut config = builder.with_single_cert(vec![certificate], key)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok((config, thumbprint))
    }
}

/// SHA-256 of a certificate, 64 lower-case hexadecimal digits.
fn thumbprint(certificate: &CertificateDer<'_>) -> String {
    let digest = digest::digest(&digest::SHA256, certificate);
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
