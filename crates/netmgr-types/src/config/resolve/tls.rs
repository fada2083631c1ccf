//! Selects trusted certificates and the client certificate, and checks that texts are PEM.

use super::ConfigProblems;
use super::login::given_secret;
use crate::Secret;
use crate::config::ProviderConfig;
use crate::connection::{ClientIdentity, Pem, TlsSettings};
use crate::pem;
use crate::shapes::given;

impl ProviderConfig {
    /// Text takes precedence over a file, and a pair of texts over a pair of files. Source: manager-transport
    /// 1.1 and 3.1.
    pub(super) fn tls(&self, problems: &mut ConfigProblems) -> TlsSettings {
        let ca = match given(&self.ca) {
            Some(ca) => {
                problems.take("ca", pem::certificates(ca));
                Some(Pem::text("ca", ca))
            }
            None => given(&self.ca_file).map(|path| Pem::file("caFile", path)),
        };
        let texts = self.identity_of_texts(problems);
        let files = self.identity_of_files(problems);
        TlsSettings {
            allow_unverified: self.allow_unverified_ssl.unwrap_or(false),
            ca,
            identity: texts.or(files),
        }
    }

    fn identity_of_texts(&self, problems: &mut ConfigProblems) -> Option<ClientIdentity> {
        let certificate = given(&self.client_auth_cert);
        let key = given_secret(&self.client_auth_key).map(Secret::expose);
        if let Some(certificate) = certificate {
            problems.take("clientAuthCert", pem::certificates(certificate));
        }
        if let Some(key) = key {
            problems.take("clientAuthKey", pem::private_key(key));
        }
        let (certificate, key) = pair(("clientAuthCert", certificate), ("clientAuthKey", key), problems)?;
        Some(ClientIdentity::new(
            Pem::text("clientAuthCert", certificate),
            Pem::text("clientAuthKey", key),
        ))
    }

    fn identity_of_files(&self, problems: &mut ConfigProblems) -> Option<ClientIdentity> {
        let (certificate, key) = pair(
            ("clientAuthCertFile", given(&self.client_auth_cert_file)),
            ("clientAuthKeyFile", given(&self.client_auth_key_file)),
            problems,
        )?;
        Some(ClientIdentity::new(
            Pem::file("clientAuthCertFile", certificate),
            Pem::file("clientAuthKeyFile", key),
        ))
    }
}

/// Both values, or none. If only one is set, the other is reported as missing.
fn pair<'a>(
    (first_name, first): (&str, Option<&'a str>),
    (second_name, second): (&str, Option<&'a str>),
    problems: &mut ConfigProblems,
) -> Option<(&'a str, &'a str)> {
    match (first, second) {
        (Some(_), None) => problems.add(second_name, format!("is required with `{first_name}`")),
        (None, Some(_)) => problems.add(first_name, format!("is required with `{second_name}`")),
        _ => {}
    }
    first.zip(second)
}
