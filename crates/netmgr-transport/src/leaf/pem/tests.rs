use super::*;

fn pem(property: &'static str, text: &str) -> Pem {
    Pem::text(property, text)
}

/// Any text is either certificates or an error that names the property, and every certificate is described legibly.
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
                assert!(text.starts_with("`clientAuthKey`: "), "{text}");
                text
            }
        };
        match certificates(&pem("ca", &text)) {
            Ok(certificates) => {
                assert!(!certificates.is_empty());
                for certificate in &certificates {
                    let seen = super::super::certificate::ShownCertificate::new(certificate).to_string();
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
                assert!(text.starts_with("`ca`: "), "{text}");
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
        "`ca`: is not PEM: there is no \"-----BEGIN\" line with a certificate"
    );
    assert_eq!(
        message(private_key(&pem("clientAuthKey", ""))),
        "`clientAuthKey`: is not PEM: there is no \"-----BEGIN\" line with a private key"
    );
}

#[test]
fn a_key_is_no_certificate_and_the_other_way_round() {
    let signed = rcgen::generate_simple_self_signed(["mgr".to_owned()]).unwrap();
    assert_eq!(
        message(certificates(&pem("ca", &signed.signing_key.serialize_pem()))),
        "`ca`: the PEM text contains no certificate"
    );
    assert_eq!(
        message(private_key(&pem("clientAuthKey", &signed.cert.pem()))),
        "`clientAuthKey`: the PEM text contains no private key"
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
        "`ca`: PEM block 2 is not an X.509 certificate"
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
            "`clientAuthKey`: the private key is encrypted, which is not supported; decrypt it first"
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
            format!("`caFile`: {}: is not a regular file", path.display())
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
        format!(
            "`caFile`: {}: the file is larger than 1 MiB",
            file.path().display()
        )
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let pem = Pem::file("caFile", "/nonexistent/ca.pem");
    assert_eq!(
        message(certificates(&pem)),
        "`caFile`: /nonexistent/ca.pem: the file cannot be read"
    );
}
