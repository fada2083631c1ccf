use std::time::Duration;

use serde_json::json;

use super::*;
use crate::{CloudGrant, CloudHeaders, Connection, Credentials, Deployment, LoginScheme, Pem, PemSource};

mod env;
mod property;
mod refused;
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

/// Resolves with only the host and `more`.
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
    assert_eq!(connection.retry.on_status, None);
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
    assert_eq!(connection.retry.on_status, Some(vec![502, 503]));
}

#[test]
fn an_empty_list_of_statuses_is_the_default_list_and_no_licences_are_none() {
    let connection = resolved(json!({"retryOnStatusCodes": [], "licenseKeys": [], "cloudAuthMode": "Basic"}));
    assert_eq!(connection.retry.on_status, None);
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

#[test]
fn null_is_absent() {
    let nulls: Map<String, Value> = ProviderConfig::ENV
        .iter()
        .map(|(property, _)| ((*property).to_owned(), Value::Null))
        .collect();
    assert_eq!(config(Value::Object(nulls)), ProviderConfig::default());
}
