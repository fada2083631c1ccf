//! Tests of `verifier.rs`.

use std::time::Duration;

use super::*;

/// Seconds since 1970 of the first days of 2020 and 2021.
const IN_2020: u64 = 1_577_836_800;
const IN_2021: u64 = 1_609_459_200;

/// A certificate for mgr.example.com, valid for all of 2020.
fn certificate() -> CertificateDer<'static> {
    let mut params = rcgen::CertificateParams::new(["mgr.example.com".to_owned()]).unwrap();
    params.not_before = rcgen::date_time_ymd(2020, 1, 1);
    params.not_after = rcgen::date_time_ymd(2021, 1, 1);
    let key = rcgen::KeyPair::generate().unwrap();
    params.self_signed(&key).unwrap().der().clone()
}

/// Returns the findings about `certificate`.
fn judged(
    trust: Renewed<Trust>,
    certificate: &CertificateDer<'_>,
    host: &'static str,
    at: u64,
) -> Result<ServerCertVerified, String> {
    let verifier = Verifier::new(trust, &provider(), None);
    let host = ServerName::try_from(host).unwrap();
    let now = UnixTime::since_unix_epoch(Duration::from_secs(at));
    let verdict = verifier.verify_server_cert(certificate, &[], &host, &[], now);
    verdict.map_err(|error| match error {
        rustls::Error::InvalidCertificate(CertificateError::Other(other)) => other.0.to_string(),
        other => panic!("not explained: {other}"),
    })
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn trust(read: impl Fn() -> Trust + Send + Sync + 'static) -> Renewed<Trust> {
    Renewed::read(&[], move || Ok(read())).unwrap()
}

fn trusting(given: Vec<CertificateDer<'static>>) -> Renewed<Trust> {
    trust(move || Trust::of(given.clone(), &provider()).unwrap())
}

#[test]
fn a_pinned_certificate_needs_no_issuer_but_name_and_date() {
    let certificate = certificate();
    let trust = || trusting(vec![certificate.clone()]);
    let wrong = |host, at| judged(trust(), &certificate, host, at).unwrap_err();
    assert!(judged(trust(), &certificate, "mgr.example.com", IN_2020).is_ok());
    assert!(wrong("mgr.example.com", IN_2020 - 1).contains("is not valid yet"));
    assert!(wrong("mgr.example.com", IN_2021 + 1).contains("has expired"));
    assert!(wrong("other.example.com", IN_2020).contains("is not for other.example.com"));
}

#[test]
fn a_certificate_of_another_authority_is_refused_when_it_is_seen() {
    for given in [vec![], vec![certificate()]] {
        let message = judged(trusting(given), &certificate(), "mgr.example.com", IN_2020).unwrap_err();
        assert!(message.contains("is signed by an unknown authority"), "{message}");
        assert!(
            message.contains("names mgr.example.com, valid from Jan  1"),
            "{message}"
        );
    }
}

#[test]
fn a_chain_to_the_platform_is_found_whatever_the_given_authority_refuses() {
    let key = rcgen::KeyPair::generate().unwrap();
    let authority = |permitted: Option<&str>| {
        let mut params = rcgen::CertificateParams::new([]).unwrap();
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        params.name_constraints = permitted.map(|name| rcgen::NameConstraints {
            permitted_subtrees: vec![rcgen::GeneralSubtree::DnsName(name.to_owned())],
            excluded_subtrees: Vec::new(),
        });
        params
    };
    let der = |permitted| authority(permitted).self_signed(&key).unwrap().der().clone();
    let constrained = der(Some("other.example.com"));
    let mut params = rcgen::CertificateParams::new(["mgr.example.com".to_owned()]).unwrap();
    params.not_before = rcgen::date_time_ymd(2020, 1, 1);
    params.not_after = rcgen::date_time_ymd(2021, 1, 1);
    let issuer = rcgen::Issuer::new(authority(None), &key);
    let server = rcgen::KeyPair::generate().unwrap();
    let server = params.signed_by(&server, &issuer).unwrap().der().clone();
    let judged = |platform: Option<CertificateDer<'static>>| {
        let platform = platform.clone();
        let given = constrained.clone();
        let trust = trust(move || {
            let mut trust = Trust::of(vec![given.clone()], &provider()).unwrap();
            if let Trust::These(trusted) = &mut trust {
                let roots = platform.clone();
                let platform = roots.map(|root| Platform::new_with_extra_roots([root], provider()).unwrap());
                trusted.platform = OnceLock::from(platform);
            }
            trust
        });
        judged(trust, &server, "mgr.example.com", IN_2020)
    };
    assert!(judged(None).is_err());
    assert!(judged(Some(der(None))).is_ok());
}

#[test]
fn any_certificate_is_accepted_if_verification_is_disabled() {
    let trust = trust(|| Trust::Anything);
    assert!(judged(trust, &certificate(), "other.example.com", 0).is_ok());
}
