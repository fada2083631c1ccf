//! Invalid configurations and their error messages.

use std::fmt::Write as _;

use super::*;

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
        (
            "empty strings",
            json!({"host": "", "username": "", "password": ""}),
        ),
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
    insta::assert_snapshot!(errors, @"invalid configuration: `host` is required; it can also be set by NETMGR_HOST; `username` is required unless a client certificate or cloud credentials are given; it can also be set by NETMGR_USERNAME");
    let properties: Vec<String> = errors.into_iter().map(|problem| problem.property).collect();
    assert_eq!(properties, ["host", "username"]);
}
