//! Strict reading of PEM text from the configuration or a file. Text without a certificate or key is an error
//! that names the property.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use netmgr_types::{Pem, PemSource};
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use x509_parser::prelude::{FromDer, X509Certificate};
use zeroize::Zeroizing;

use crate::{Cause, Error};

/// Reads the certificates of `pem`, at least one.
pub(super) fn certificates(pem: &Pem) -> Result<Vec<CertificateDer<'static>>, Error> {
    let text = read(pem)?;
    let certificates = CertificateDer::pem_slice_iter(&text)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|cause| malformed(pem, cause))?;
    if certificates.is_empty() {
        return Err(unusable(pem, &nothing_found(&text, "certificate"), None));
    }
    for (position, certificate) in certificates.iter().enumerate() {
        X509Certificate::from_der(certificate).map_err(|cause| {
            let reason = format!("PEM block {} is not an X.509 certificate", position + 1);
            unusable(pem, &reason, Some(cause.into()))
        })?;
    }
    Ok(certificates)
}

/// Reads the unencrypted private key of `pem`: PKCS#8, PKCS#1 or SEC1.
pub(super) fn private_key(pem: &Pem) -> Result<PrivateKeyDer<'static>, Error> {
    let text = read(pem)?;
    if is_encrypted(&text) {
        let reason = "the private key is encrypted, which is not supported; decrypt it first";
        return Err(unusable(pem, reason, None));
    }
    PrivateKeyDer::from_pem_slice(&text).map_err(|cause| match cause {
        pem::Error::NoItemsFound => unusable(pem, &nothing_found(&text, "private key"), None),
        cause => malformed(pem, cause),
    })
}

/// The error about PEM text that is damaged.
fn malformed(pem: &Pem, cause: pem::Error) -> Error {
    match cause {
        pem::Error::MissingSectionEnd { .. } => {
            let reason = "is cut off: a block has no \"-----END\" line; copy the text as a whole";
            unusable(pem, reason, None)
        }
        pem::Error::Base64Decode(_) => {
            let reason = "is damaged: the text of a block is not Base64; copy the text again";
            unusable(pem, reason, None)
        }
        cause => unusable(pem, "is not valid PEM", Some(cause.into())),
    }
}

/// The error about `pem`.
pub(super) fn unusable(pem: &Pem, reason: &str, source: Option<Cause>) -> Error {
    let reason = match &pem.source {
        PemSource::Text(_) => reason.to_owned(),
        PemSource::File(path) => format!("{}: {reason}", path.display()),
    };
    Error::config(pem.property, reason, source)
}

fn read(pem: &Pem) -> Result<Zeroizing<Vec<u8>>, Error> {
    match &pem.source {
        PemSource::Text(text) => Ok(Zeroizing::new(text.expose().as_bytes().to_vec())),
        PemSource::File(path) => read_file(path).map_err(|cause| match cause {
            Unread::Io(cause) => unusable(pem, "the file cannot be read", Some(cause.into())),
            Unread::NoFile => unusable(pem, "is not a regular file", None),
            Unread::TooLarge => unusable(pem, "the file is larger than 1 MiB", None),
        }),
    }
}

/// Maximum size of a file, which allows for several hundred certificates.
const LARGEST_FILE: u64 = 1 << 20;

enum Unread {
    Io(io::Error),
    NoFile,
    TooLarge,
}

impl From<io::Error> for Unread {
    fn from(cause: io::Error) -> Self {
        Self::Io(cause)
    }
}

/// Reads a file. Named pipes are not opened, because that would block until there is a writer.
fn read_file(path: &Path) -> Result<Zeroizing<Vec<u8>>, Unread> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(Unread::NoFile);
    }
    let file = File::open(path)?;
    let mut text = Zeroizing::new(Vec::with_capacity(
        file.metadata()?.len().min(LARGEST_FILE) as usize + 1,
    ));
    file.take(LARGEST_FILE + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LARGEST_FILE {
        return Err(Unread::TooLarge);
    }
    Ok(text)
}

fn nothing_found(text: &[u8], wanted: &str) -> String {
    match contains(text, "-----BEGIN ") {
        true => format!("the PEM text contains no {wanted}"),
        false => format!("is not PEM: there is no \"-----BEGIN\" line with a {wanted}"),
    }
}

fn is_encrypted(text: &[u8]) -> bool {
    contains(text, "BEGIN ENCRYPTED PRIVATE KEY") || contains(text, "Proc-Type: 4,ENCRYPTED")
}

fn contains(text: &[u8], wanted: &str) -> bool {
    text.windows(wanted.len()).any(|part| part == wanted.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pem(property: &'static str, text: &str) -> Pem {
        Pem::text(property, text)
    }

    /// Any text is certificates or an error that names the property, and every certificate is described legibly.
    #[test]
    fn fuzz_certificates() {
        let words = [
            "-----BEGIN CERTIFICATE-----\n",
            "-----END CERTIFICATE-----\n",
            "-----BEGIN PRIVATE KEY-----\n",
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\n",
            "Proc-Type: 4,ENCRYPTED",
            "MII",
            "=",
            "\n",
        ];
        let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
        fuzz_testing::fuzz("certificates", &words, |input| {
            let text = String::from_utf8_lossy(input);
            let key = match private_key(&pem("clientAuthKey", &text)) {
                Ok(_) => "a key".to_owned(),
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.starts_with("clientAuthKey: "), "{text}");
                    text
                }
            };
            match certificates(&pem("ca", &text)) {
                Ok(certificates) => {
                    assert!(!certificates.is_empty());
                    for certificate in &certificates {
                        let seen = super::super::certificate::Seen::new(certificate).to_string();
                        assert!(
                            seen.contains("SHA-256 ") && seen.len() < 20 * input.len() + 500,
                            "{seen}"
                        );
                    }
                    let trust = super::super::verifier::Trust::of(certificates, &provider);
                    format!("{key} {}", trust.is_ok())
                }
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.starts_with("ca: "), "{text}");
                    format!("{key} {text}")
                }
            }
        });
    }

    fn message(result: Result<impl Sized, Error>) -> String {
        match result {
            Ok(_) => panic!("accepted"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn text_that_is_not_pem_is_refused_by_property() {
        assert_eq!(
            message(certificates(&pem("ca", "MIIB"))),
            "ca: is not PEM: there is no \"-----BEGIN\" line with a certificate"
        );
        assert_eq!(
            message(private_key(&pem("clientAuthKey", ""))),
            "clientAuthKey: is not PEM: there is no \"-----BEGIN\" line with a private key"
        );
    }

    #[test]
    fn a_key_is_no_certificate_and_the_other_way_round() {
        let signed = rcgen::generate_simple_self_signed(["mgr".to_owned()]).unwrap();
        assert_eq!(
            message(certificates(&pem("ca", &signed.signing_key.serialize_pem()))),
            "ca: the PEM text contains no certificate"
        );
        assert_eq!(
            message(private_key(&pem("clientAuthKey", &signed.cert.pem()))),
            "clientAuthKey: the PEM text contains no private key"
        );
    }

    #[test]
    fn a_block_that_is_no_certificate_is_refused_by_position() {
        let good = rcgen::generate_simple_self_signed(["mgr".to_owned()])
            .unwrap()
            .cert
            .pem();
        let text = format!("{good}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assert_eq!(
            message(certificates(&pem("ca", &text))),
            "ca: PEM block 2 is not an X.509 certificate"
        );
    }

    #[test]
    fn several_certificates_are_all_read() {
        let one = || {
            rcgen::generate_simple_self_signed(["mgr".to_owned()])
                .unwrap()
                .cert
                .pem()
        };
        let text = format!("# comment\n{}\n{}", one(), one());
        assert_eq!(certificates(&pem("ca", &text)).unwrap().len(), 2);
    }

    #[test]
    fn an_encrypted_key_is_named_as_such() {
        let encrypted = [
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n",
        ];
        for text in encrypted {
            assert_eq!(
                message(private_key(&pem("clientAuthKey", text))),
                "clientAuthKey: the private key is encrypted, which is not supported; decrypt it first"
            );
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_named_pipe_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("ca.pem");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for path in [pipe.as_path(), folder.path(), "/dev/zero".as_ref()] {
            let pem = Pem::file("caFile", path);
            assert_eq!(
                message(certificates(&pem)),
                format!("caFile: {}: is not a regular file", path.display())
            );
        }
    }

    #[test]
    fn a_file_of_more_than_1_mib_is_not_read_to_its_end() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(1 << 40).unwrap();
        let pem = Pem::file("caFile", file.path());
        assert_eq!(
            message(certificates(&pem)),
            format!("caFile: {}: the file is larger than 1 MiB", file.path().display())
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let pem = Pem::file("caFile", "/nonexistent/ca.pem");
        assert_eq!(
            message(certificates(&pem)),
            "caFile: /nonexistent/ca.pem: the file cannot be read"
        );
    }
}
