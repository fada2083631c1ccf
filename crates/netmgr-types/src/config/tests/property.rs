//! Properties of every configuration.

use proptest::prelude::*;

use super::*;

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
                prop_assert!(connection.retry.on_status.as_ref().is_none_or(|listed| !listed.is_empty()));
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

/// Any JSON is a configuration or errors, each of which names a property and contains no secret.
#[test]
fn fuzz_configuration() {
    let names = ProviderConfig::ENV.iter().map(|(name, _)| *name);
    let words: Vec<&str> = names
        .chain(["hunter2", "\":\"", "null", "https://", "@", "://"])
        .collect();
    fuzz_testing::fuzz("configuration", &words, |input| {
        let Ok(json) = serde_json::from_slice::<Value>(input) else {
            return "no JSON".to_owned();
        };
        let secrets = secret_texts(&json);
        let names: Vec<String> = json
            .as_object()
            .map_or_else(Vec::new, |members| members.keys().cloned().collect());
        let checked = |errors: ConfigErrors| {
            let text = errors.to_string();
            for problem in errors {
                let known = ProviderConfig::ENV
                    .iter()
                    .any(|(name, _)| *name == problem.setting());
                // The name of an unknown property may contain anything.
                let given = names.iter().any(|name| problem.property.starts_with(name));
                assert!(
                    known || given || problem.property.is_empty(),
                    "{:?}",
                    problem.property
                );
            }
            for secret in &secrets {
                assert!(!text.contains(secret.as_str()), "a secret is in {text}");
            }
            text
        };
        match ProviderConfig::from_json(json.clone()) {
            Err(errors) => checked(errors),
            Ok(config) => match config.resolve() {
                Err(errors) => checked(errors),
                Ok(connection) => {
                    let shown = format!("{connection:?}");
                    for secret in &secrets {
                        assert!(!shown.contains(secret.as_str()), "a secret is in {shown}");
                    }
                    format!(
                        "{:?} {:?}",
                        connection.deployment,
                        std::mem::discriminant(&connection.credentials)
                    )
                }
            },
        }
    });
}

/// Texts of secret settings that are in no other part of the configuration.
fn secret_texts(json: &Value) -> Vec<String> {
    let Some(members) = json.as_object() else {
        return Vec::new();
    };
    let is_secret = |name: &str| ProviderConfig::SECRET.contains(&name);
    let mut others = String::new();
    let mut secrets = Vec::new();
    for (name, value) in members {
        match value {
            Value::String(text) if is_secret(name) => secrets.push(text.clone()),
            value => others += &format!("{name} {value} "),
        }
    }
    // Short texts are part of our sentences.
    secrets.retain(|secret| secret.len() >= 7 && secret.contains("hunter2") && !others.contains("hunter2"));
    secrets
}
