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
    if Pem::has_encrypted_key(&text) {
        let reason = "the private key is encrypted, which is not supported; decrypt it first";
        return Err(unusable(pem, reason, None));
    }
    PrivateKeyDer::from_pem_slice(&text).map_err(|cause| match cause {
        pem::Error::NoItemsFound => unusable(pem, &nothing_found(&text, "private key"), None),
        cause => malformed(pem, cause),
    })
}

/// The error about damaged PEM text.
fn malformed(pem: &Pem, cause: pem::Error) -> Error {
    match cause {
        pem::Error::MissingSectionEnd { .. } => {
            let reason = "is incomplete: a block has no \"-----END\" line; copy the whole text";
            unusable(pem, reason, None)
        }
        pem::Error::Base64Decode(_) => {
            let reason = "is damaged: a block is not Base64; copy the text again";
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
    const BEGIN: &[u8] = b"-----BEGIN ";
    match text.windows(BEGIN.len()).any(|part| part == BEGIN) {
        true => format!("the PEM text contains no {wanted}"),
        false => format!("is not PEM: there is no \"-----BEGIN\" line with a {wanted}"),
    }
}

#[cfg(test)]
mod tests;
