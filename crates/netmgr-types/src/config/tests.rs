use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{CloudGrant, CloudHeaders, Connection, Credentials, Deployment, LoginScheme, Pem, PemSource};

mod env;
mod schema;

const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n";
const KEY: &str = "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n";
const LICENSE: &str = "ABCDE-12345-ABCDE-12345-ABCDE";

fn config(value: Value) -> ProviderConfig {
    ProviderConfig::from_json(value).unwrap()
}

/// Resolves user name and password with `more`.
fn resolved(more: Value) -> Connection {
    let mut settings = json!({"host": "mgr", "username": "admin", "password": "hunter2"});
    settings
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    config(settings).resolve().unwrap()
}

/// Resolves with nothing but the host and `more`.
fn resolved_alone(more: Value) -> Connection {
    let mut settings = json!({"host": "mgr"});
    settings
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    config(settings).resolve().unwrap()
}

#[test]
fn nothing_but_a_login_gives_every_default() {
    let connection = resolved(json!({}));
    assert_eq!(connection.host.base_url(), "https://mgr");
    assert_eq!(connection.deployment, Deployment::PolicyManager);
    let Credentials::Session(login) = connection.credentials else {
        panic!("{:?}", connection.credentials);
    };
    assert_eq!(
        (login.username.as_str(), login.password.expose()),
        ("admin", "hunter2")
    );
    assert_eq!(login.scheme, LoginScheme::Basic);
    assert!(
        !connection.tls.allow_unverified && connection.tls.ca.is_none() && connection.tls.identity.is_none()
    );
    assert_eq!(connection.enforcement_point, "default");
    assert_eq!(connection.retry.max_retries, 4);
    assert_eq!(connection.retry.min_delay, Duration::ZERO);
    assert_eq!(connection.retry.max_delay, Duration::from_millis(500));
    assert_eq!(connection.retry.on_status, [400, 409, 429, 500, 503, 504]);
    assert!(connection.license_keys.is_empty());
    assert!(!connection.on_demand && !connection.tolerate_partial_success);
}

#[test]
fn what_is_written_is_used() {
    let connection = resolved(json!({
        "allowUnverifiedSsl": true, "ca": CERTIFICATE, "caFile": "/unused.pem", "sessionAuth": false,
        "remoteAuth": true, "enforcementPoint": "ep-1", "globalManager": true, "licenseKeys": [LICENSE],
        "onDemandConnection": true, "maxRetries": 7.0, "retryMinDelay": 10, "retryMaxDelay": 20,
        "retryOnStatusCodes": [502, 503.0], "toleratePartialSuccess": true,
    }));
    assert_eq!(connection.deployment, Deployment::GlobalManager);
    let Credentials::Header(login) = connection.credentials else {
        panic!("{:?}", connection.credentials);
    };
    assert_eq!(login.scheme, LoginScheme::Remote);
    assert!(connection.tls.allow_unverified);
    assert_eq!(connection.enforcement_point, "ep-1");
    assert_eq!(connection.license_keys[0].expose(), LICENSE);
    assert!(connection.on_demand && connection.tolerate_partial_success);
    assert_eq!(connection.retry.max_retries, 7);
    assert_eq!(connection.retry.min_delay, Duration::from_millis(10));
    assert_eq!(connection.retry.max_delay, Duration::from_millis(20));
    assert_eq!(connection.retry.on_status, [502, 503]);
}

#[test]
fn an_empty_list_of_statuses_is_the_default_list_and_no_licences_are_none() {
    let connection = resolved(json!({"retryOnStatusCodes": [], "licenseKeys": [], "cloudAuthMode": "Basic"}));
    assert_eq!(connection.retry.on_status, [400, 409, 429, 500, 503, 504]);
    assert!(connection.license_keys.is_empty());
}

#[test]
fn a_minimum_delay_above_the_default_maximum_raises_it() {
    let connection = resolved(json!({"retryMinDelay": 800}));
    assert_eq!(connection.retry.max_delay, Duration::from_millis(800));
}

fn describe(pem: &Pem) -> String {
    match &pem.source {
        PemSource::Text(text) => format!("{}: {}", pem.property, text.expose()),
        PemSource::File(path) => format!("{}: {}", pem.property, path.display()),
    }
}

#[test]
fn texts_win_over_files() {
    let files = json!({"caFile": "/ca", "clientAuthCertFile": "/cert", "clientAuthKeyFile": "/key"});
    let connection = resolved_alone(files.clone());
    let identity = connection.tls.identity.unwrap();
    assert_eq!(describe(&connection.tls.ca.unwrap()), "caFile: /ca");
    assert_eq!(describe(&identity.certificate), "clientAuthCertFile: /cert");
    assert_eq!(describe(&identity.key), "clientAuthKeyFile: /key");

    let mut both = files;
    let texts = json!({"ca": CERTIFICATE, "clientAuthCert": CERTIFICATE, "clientAuthKey": KEY});
    both.as_object_mut()
        .unwrap()
        .extend(texts.as_object().unwrap().clone());
    let connection = resolved_alone(both);
    let identity = connection.tls.identity.unwrap();
    assert_eq!(
        describe(&connection.tls.ca.unwrap()),
        format!("ca: {CERTIFICATE}")
    );
    assert_eq!(
        describe(&identity.certificate),
        format!("clientAuthCert: {CERTIFICATE}")
    );
    assert_eq!(describe(&identity.key), format!("clientAuthKey: {KEY}"));
}

#[test]
fn a_certificate_comes_before_cloud_credentials_and_these_before_a_login() {
    let certificate = json!({"clientAuthCert": CERTIFICATE, "clientAuthKey": KEY});
    let with = |more: Value| {
        let mut settings = certificate.clone();
        settings
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        resolved(settings)
    };
    let connection = with(json!({"cloudToken": "t"}));
    assert!(matches!(connection.credentials, Credentials::Certificate));
    assert_eq!(connection.deployment, Deployment::PolicyManager);

    let connection = with(json!({"remoteAuth": true, "cloudToken": "t"}));
    assert!(matches!(connection.credentials, Credentials::Cloud(_)));
    assert_eq!(connection.deployment, Deployment::HostedCloud);

    let connection = with(json!({"remoteAuth": true}));
    assert!(
        matches!(connection.credentials, Credentials::Session(login) if login.scheme == LoginScheme::Remote)
    );
    assert!(connection.tls.identity.is_some());
}

#[test]
fn cloud_credentials_are_exchanged_where_they_belong() {
    let token = "https://console.cloud.vmware.com/csp/gateway/am/api/auth/api-tokens/authorize";
    let app = "https://console.cloud.vmware.com/csp/gateway/am/api/auth/authorize";
    let app_settings = |more: Value| {
        let mut settings = json!({"cloudClientId": "app", "cloudClientSecret": "hunter2"});
        settings
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        settings
    };
    for (settings, url, headers) in [
        (json!({"cloudToken": "t"}), token, CloudHeaders::Both),
        (
            json!({"cloudToken": "t", "cloudAuthMode": "Default"}),
            token,
            CloudHeaders::Both,
        ),
        (
            json!({"cloudToken": "t", "cloudAuthMode": "Basic"}),
            token,
            CloudHeaders::Both,
        ),
        (
            json!({"cloudToken": "t", "cloudAuthMode": "Bearer"}),
            token,
            CloudHeaders::Bearer,
        ),
        (app_settings(json!({})), app, CloudHeaders::Both),
        (
            app_settings(json!({"cloudAuthHost": "auth.example.com/some/path"})),
            "https://auth.example.com/some/path",
            CloudHeaders::Both,
        ),
        (
            app_settings(json!({"cloudAuthHost": "https://auth.example.com:8443/some/path/"})),
            "https://auth.example.com:8443/some/path",
            CloudHeaders::Both,
        ),
        (
            app_settings(json!({"cloudAuthHost": "auth.example.com"})),
            "https://auth.example.com/csp/gateway/am/api/auth/authorize",
            CloudHeaders::Both,
        ),
        (
            json!({"cloudToken": "t", "cloudAuthHost": "http://127.0.0.1:9/x"}),
            "http://127.0.0.1:9/x",
            CloudHeaders::Both,
        ),
    ] {
        let connection = resolved_alone(settings.clone());
        assert_eq!(connection.deployment, Deployment::HostedCloud, "{settings}");
        assert_eq!(connection.enforcement_point, "vmc-enforcementpoint", "{settings}");
        let Credentials::Cloud(cloud) = connection.credentials else {
            panic!("{settings}");
        };
        assert_eq!(
            (cloud.exchange_url.as_str(), cloud.headers),
            (url, headers),
            "{settings}"
        );
        match cloud.grant {
            CloudGrant::ApiToken(token) => assert_eq!(token.expose(), "t"),
            CloudGrant::App { id, secret } => assert_eq!((id.as_str(), secret.expose()), ("app", "hunter2")),
        }
    }
}

#[test]
fn basic_mode_is_the_hosted_cloud_without_a_session() {
    let connection = resolved(json!({"cloudAuthMode": "Basic", "sessionAuth": true}));
    assert!(
        matches!(connection.credentials, Credentials::Header(login) if login.scheme == LoginScheme::Basic)
    );
    assert_eq!(connection.deployment, Deployment::HostedCloud);
    assert_eq!(connection.enforcement_point, "vmc-enforcementpoint");

    let written = resolved(json!({"cloudAuthMode": "Basic", "enforcementPoint": "other"}));
    assert_eq!(written.enforcement_point, "other");
}

#[test]
fn other_modes_without_cloud_credentials_are_the_ordinary_manager() {
    for mode in ["Default", "Bearer", ""] {
        let connection = resolved(json!({"cloudAuthMode": mode}));
        assert!(
            matches!(connection.credentials, Credentials::Session(_)),
            "{mode}"
        );
        assert_eq!(connection.deployment, Deployment::PolicyManager, "{mode}");
    }
}

/// Configurations that are refused, with the messages side by side.
#[test]
fn refused_configurations_say_what_helps() {
    let login = |more: Value| {
        let mut settings = json!({"host": "mgr", "username": "admin", "password": "hunter2"});
        settings
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        settings
    };
    let encrypted = KEY.replace("PRIVATE", "ENCRYPTED PRIVATE");
    let old_encrypted =
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nhunter2\n-----END RSA PRIVATE KEY-----";
    let cases = [
        ("nothing", json!({})),
        ("empty texts", json!({"host": "", "username": "", "password": ""})),
        ("no object", json!("hunter2")),
        (
            "unknown and wrong properties",
            json!({"Host": "mgr", "allow_unverified_ssl": true, "passwrod": "hunter2", "password": 7,
                "licenseKeys": ["A", {"hunter2": 1}], "cloudToken": {"hunter2": 1}, "sessionAuth": "yes",
                "maxRetries": 5.5, "retryMinDelay": -1, "retryOnStatusCodes": [429, "x"], "caFile": ["a"]}),
        ),
        (
            "host with password",
            login(json!({"host": "https://admin:hunter2@mgr"})),
        ),
        ("unencrypted host", login(json!({"host": "http://mgr"}))),
        ("no password", json!({"host": "mgr", "username": "admin"})),
        (
            "certificate with remoteAuth",
            json!({"host": "mgr", "clientAuthCert": CERTIFICATE, "clientAuthKey": KEY, "remoteAuth": true}),
        ),
        (
            "half a pair of texts",
            json!({"host": "mgr", "clientAuthCert": CERTIFICATE}),
        ),
        (
            "half a pair of files",
            json!({"host": "mgr", "clientAuthKeyFile": "/key"}),
        ),
        (
            "mixed pair",
            json!({"host": "mgr", "clientAuthCert": CERTIFICATE, "clientAuthKeyFile": "/key"}),
        ),
        (
            "no PEM",
            json!({"host": "mgr", "ca": "hunter2", "clientAuthCert": KEY, "clientAuthKey": CERTIFICATE}),
        ),
        (
            "damaged PEM",
            json!({"host": "mgr", "ca": &CERTIFICATE[..40], "clientAuthCert": CERTIFICATE.replace("MAA=", ""),
                "clientAuthKey": KEY.replace("MAA=", "hunter2!")}),
        ),
        (
            "encrypted key",
            json!({"host": "mgr", "clientAuthCert": CERTIFICATE, "clientAuthKey": encrypted}),
        ),
        (
            "key encrypted the old way",
            json!({"host": "mgr", "clientAuthCert": CERTIFICATE, "clientAuthKey": old_encrypted}),
        ),
        (
            "enforcement point path",
            login(json!({"enforcementPoint": "/infra/ep"})),
        ),
        (
            "licence keys",
            login(json!({"licenseKeys": [LICENSE, "hunter2", LICENSE.to_lowercase()]})),
        ),
        (
            "cloud with licences and on demand",
            json!({"host": "mgr", "cloudToken": "t", "licenseKeys": [LICENSE], "onDemandConnection": true}),
        ),
        (
            "basic mode with licences and on demand",
            login(json!({"cloudAuthMode": "Basic", "licenseKeys": [LICENSE], "onDemandConnection": true})),
        ),
        ("unknown mode", login(json!({"cloudAuthMode": "basic"}))),
        (
            "token and app",
            json!({"host": "mgr", "cloudToken": "t", "cloudClientId": "a", "cloudClientSecret": "hunter2"}),
        ),
        (
            "app without secret",
            json!({"host": "mgr", "cloudClientId": "a/b"}),
        ),
        (
            "app without id",
            json!({"host": "mgr", "cloudClientSecret": "hunter2"}),
        ),
        (
            "cloud host",
            json!({"host": "mgr", "cloudToken": "t", "cloudAuthHost": "ftp://auth"}),
        ),
        (
            "delays",
            login(json!({"retryMinDelay": 200, "retryMaxDelay": 100})),
        ),
        ("statuses", login(json!({"retryOnStatusCodes": [429, 99, 600]}))),
    ];
    let mut text = String::new();
    for (name, settings) in cases {
        let errors = ProviderConfig::from_json(settings)
            .and_then(|config| config.resolve().map(|_| ()))
            .expect_err(name);
        assert!(!errors.to_string().contains("hunter2"), "{errors}");
        writeln!(text, "{name}").unwrap();
        for problem in errors.problems() {
            writeln!(text, "  {problem}").unwrap();
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn all_problems_are_one_error() {
    let errors = config(json!({"password": "hunter2"})).resolve().unwrap_err();
    insta::assert_snapshot!(errors, @"invalid configuration: host: is required; it can also be set by NETMGR_HOST; username: is required unless a client certificate or cloud credentials are given; it can also be set by NETMGR_USERNAME");
    let properties: Vec<String> = errors.into_iter().map(|problem| problem.property).collect();
    assert_eq!(properties, ["host", "username"]);
}

#[test]
fn null_is_absent() {
    let nulls: Map<String, Value> = ProviderConfig::ENV
        .iter()
        .map(|(property, _)| ((*property).to_owned(), Value::Null))
        .collect();
    assert_eq!(config(Value::Object(nulls)), ProviderConfig::default());
}

/// Any configuration: often plausible, often not. Secrets contain `hunter2`.
fn any_config() -> impl Strategy<Value = ProviderConfig> {
    let text = || {
        proptest::option::of(prop_oneof![
            Just(String::new()),
            Just("mgr.example.com".to_owned()),
            Just("Basic".to_owned()),
            Just(CERTIFICATE.to_owned()),
            "\\PC{0,12}",
        ])
    };
    let secret = || {
        proptest::option::of(prop_oneof![
            Just(Secret::new("")),
            Just(Secret::new(KEY.replace("MAA=", "hunter2="))),
            "\\PC{0,3}hunter2\\PC{0,3}".prop_map(Secret::new),
        ])
    };
    let flags = proptest::array::uniform6(proptest::option::of(any::<bool>()));
    let texts = proptest::collection::vec(text(), 11);
    let secrets = proptest::collection::vec(secret(), 4);
    let keys = proptest::option::of(proptest::collection::vec(
        "hunter2[A-Z]{0,2}".prop_map(Secret::new),
        0..3,
    ));
    let numbers = proptest::array::uniform3(proptest::option::of(any::<u32>()));
    let statuses = proptest::option::of(proptest::collection::vec(any::<u16>(), 0..4));
    (texts, secrets, flags, keys, numbers, statuses).prop_map(
        |(mut texts, mut secrets, flags, license_keys, numbers, retry_on_status_codes)| {
            let mut text = || texts.pop().flatten();
            let mut secret = || secrets.pop().flatten();
            ProviderConfig {
                host: text(),
                username: text(),
                password: secret(),
                allow_unverified_ssl: flags[0],
                ca: text(),
                ca_file: text(),
                client_auth_cert: text(),
                client_auth_cert_file: text(),
                client_auth_key: secret(),
                client_auth_key_file: text(),
                session_auth: flags[1],
                remote_auth: flags[2],
                enforcement_point: text(),
                global_manager: flags[3],
                license_keys,
                on_demand_connection: flags[4],
                cloud_auth_host: text(),
                cloud_auth_mode: text(),
                cloud_client_id: text(),
                cloud_client_secret: secret(),
                cloud_token: secret(),
                max_retries: numbers[0],
                retry_min_delay: numbers[1],
                retry_max_delay: numbers[2],
                retry_on_status_codes,
                tolerate_partial_success: flags[5],
            }
        },
    )
}

proptest! {
    #[test]
    fn prop_no_secret_is_shown_and_resolving_never_panics(config in any_config()) {
        let shown = format!("{config:?}");
        prop_assert!(!shown.contains("hunter2"), "{}", shown);
        let shown = match config.resolve() {
            Ok(connection) => {
                prop_assert!(connection.retry.min_delay <= connection.retry.max_delay);
                prop_assert!(!connection.retry.on_status.is_empty());
                format!("{connection:?}")
            }
            Err(errors) => {
                prop_assert!(!errors.problems().is_empty());
                format!("{errors} {errors:?}")
            }
        };
        prop_assert!(!shown.contains("hunter2"), "{}", shown);
    }
}
