//! The schema of the configuration against decoding and resolving.
//!
//! A schema describes single settings. Rules that it cannot express are listed: [`BETWEEN_SETTINGS`] and
//! [`BEYOND_A_SCHEMA`].

use netmgr_types::{InvalidProperty, ProviderConfig};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::{config_schema, errors, validator};

/// Prefixes of problems that concern several settings.
const BETWEEN_SETTINGS: &[&str] = &[
    "is required",
    "cannot be used together with",
    "is not available on the hosted cloud",
];

/// Settings whose string has a special format: hosts, and PEM.
const BEYOND_A_SCHEMA: &[&str] = &["host", "cloudAuthHost", "ca", "clientAuthCert", "clientAuthKey"];

fn is_listed(problem: &InvalidProperty) -> bool {
    BEYOND_A_SCHEMA.contains(&problem.property.as_str())
        || BETWEEN_SETTINGS
            .iter()
            .any(|beginning| problem.reason.starts_with(beginning))
        || problem.property == "retryMaxDelay" && problem.reason.contains("below the")
}

/// The problems that the provider finds in `config`.
fn problems(config: &Value) -> Vec<InvalidProperty> {
    let read = ProviderConfig::from_json(config.clone());
    match read.and_then(ProviderConfig::resolve) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.problems().to_vec(),
    }
}

/// A configuration with a login and some settings, each of any value.
fn any_config() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop::sample::select(vec![
            json!(""),
            json!("mgr.example.com"),
            json!("a/b"),
            json!("a&b"),
            json!("Default"),
            json!("Basic"),
            json!("basic"),
            json!(0),
            json!(4.0),
            json!(1.5),
            json!(-1),
            json!(4_294_967_295_u32),
            json!(4_294_967_296_u64),
            json!([]),
            json!([429, 503.0]),
            json!([99]),
            json!([600]),
            json!([null]),
            json!(["ABCDE-12345-ABCDE-12345-ABCDE"]),
            json!(["abcde-12345-ABCDE-12345-ABCDE"]),
            json!(["ABCDE-12345-ABCDE-12345"]),
            json!({}),
        ]),
        "\\PC{0,6}".prop_map(Value::from),
    ];
    let mut names: Vec<&str> = ProviderConfig::ENV.iter().map(|(name, _)| *name).collect();
    names.push("Host");
    let settings = prop::collection::vec((prop::sample::select(names), value), 0..4);
    settings.prop_map(|settings| {
        let mut config = json!({ "host": "mgr", "username": "admin", "password": "secret" });
        for (name, value) in settings {
            config[name] = value;
        }
        config
    })
}

#[test]
fn prop_what_the_schema_accepts_resolves_and_what_is_refused_it_refuses_too() {
    let validator = validator(&config_schema());
    let config = Config {
        cases: 2048,
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&any_config(), |config| {
        let by_schema = errors(&validator, &config);
        let problems = problems(&config);
        prop_assume!(problems.is_empty() || !problems.iter().all(is_listed));
        // An empty string counts as missing, even if the schema lists the permitted values.
        prop_assume!(config["cloudAuthMode"] != "" || !problems.is_empty());
        prop_assert_eq!(
            by_schema.is_empty(),
            problems.is_empty(),
            "{}: the schema says {:?}, the provider {:?}",
            config,
            by_schema,
            problems
        );
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn each_setting_is_accepted_by_both_as_the_readme_writes_it() {
    let validator = validator(&config_schema());
    let config = json!({
        "host": "manager.example.com:8443",
        "username": "admin",
        "password": "secret",
        "allowUnverifiedSsl": false,
        "sessionAuth": true,
        "remoteAuth": false,
        "enforcementPoint": "default",
        "globalManager": false,
        "licenseKeys": ["ABCDE-12345-ABCDE-12345-ABCDE"],
        "onDemandConnection": true,
        "cloudAuthMode": "Default",
        "maxRetries": 4,
        "retryMinDelay": 0,
        "retryMaxDelay": 500,
        "retryOnStatusCodes": [400, 409, 429, 500, 502, 503, 504],
        "toleratePartialSuccess": true,
    });
    assert_eq!(errors(&validator, &config), [""; 0]);
    assert_eq!(problems(&config), []);
}
