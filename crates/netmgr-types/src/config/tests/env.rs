//! Environment variables.

use std::collections::BTreeMap;

use super::*;

fn with_env(written: Value, variables: &[(&str, &str)]) -> Result<ProviderConfig, ConfigErrors> {
    let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
    config(written).with_env(|name| variables.get(name).map(|text| (*text).to_owned()))
}

#[test]
fn every_setting_comes_from_its_variable() {
    let all = with_env(
        json!({}),
        &[
            ("NETMGR_HOST", "mgr"),
            ("NETMGR_USERNAME", "admin"),
            ("NETMGR_PASSWORD", "pw"),
            ("NETMGR_ALLOW_UNVERIFIED_SSL", "true"),
            ("NETMGR_CA", "ca"),
            ("NETMGR_CA_FILE", "/ca"),
            ("NETMGR_CLIENT_AUTH_CERT", "cert"),
            ("NETMGR_CLIENT_AUTH_CERT_FILE", "/cert"),
            ("NETMGR_CLIENT_AUTH_KEY", "key"),
            ("NETMGR_CLIENT_AUTH_KEY_FILE", "/key"),
            ("NETMGR_SESSION_AUTH", "false"),
            ("NETMGR_REMOTE_AUTH", "1"),
            ("NETMGR_ENFORCEMENT_POINT", "ep"),
            ("NETMGR_GLOBAL_MANAGER", "0"),
            ("NETMGR_LICENSE_KEYS", " A , B,"),
            ("NETMGR_ON_DEMAND_CONNECTION", "true"),
            ("NETMGR_CLOUD_AUTH_HOST", "auth"),
            ("NETMGR_CLOUD_AUTH_MODE", "Bearer"),
            ("NETMGR_CLOUD_CLIENT_ID", "id"),
            ("NETMGR_CLOUD_CLIENT_SECRET", "secret"),
            ("NETMGR_CLOUD_TOKEN", "token"),
            ("NETMGR_MAX_RETRIES", "7"),
            ("NETMGR_RETRY_MIN_DELAY", "10"),
            ("NETMGR_RETRY_MAX_DELAY", "20"),
            ("NETMGR_RETRY_ON_STATUS_CODES", "429,503"),
            ("NETMGR_TOLERATE_PARTIAL_SUCCESS", "1"),
        ],
    );
    let expected = config(json!({
        "host": "mgr", "username": "admin", "password": "pw", "allowUnverifiedSsl": true, "ca": "ca",
        "caFile": "/ca", "clientAuthCert": "cert", "clientAuthCertFile": "/cert", "clientAuthKey": "key",
        "clientAuthKeyFile": "/key", "sessionAuth": false, "remoteAuth": true, "enforcementPoint": "ep",
        "globalManager": false, "licenseKeys": ["A", "B"], "onDemandConnection": true,
        "cloudAuthHost": "auth", "cloudAuthMode": "Bearer", "cloudClientId": "id",
        "cloudClientSecret": "secret", "cloudToken": "token", "maxRetries": 7, "retryMinDelay": 10,
        "retryMaxDelay": 20, "retryOnStatusCodes": [429, 503], "toleratePartialSuccess": true,
    }));
    assert_eq!(all, Ok(expected));
}

#[test]
fn what_is_written_wins_even_when_it_is_empty() {
    let env = [
        ("NETMGR_HOST", "env"),
        ("NETMGR_USERNAME", "env"),
        ("NETMGR_SESSION_AUTH", "true"),
        ("NETMGR_LICENSE_KEYS", "A"),
        ("NETMGR_MAX_RETRIES", "not read"),
    ];
    let written =
        json!({"host": "mgr", "username": "", "sessionAuth": false, "licenseKeys": [], "maxRetries": 0});
    assert_eq!(with_env(written.clone(), &env), Ok(config(written)));
}

#[test]
fn an_empty_text_blocks_the_variable_and_then_counts_as_missing() {
    let config = with_env(
        json!({"host": "mgr", "username": ""}),
        &[("NETMGR_USERNAME", "env"), ("NETMGR_PASSWORD", "pw")],
    );
    let errors = config.unwrap().resolve().unwrap_err();
    assert_eq!(errors.problems().len(), 1);
    assert_eq!(errors.problems()[0].property, "username");
}

#[test]
fn null_and_absent_settings_are_filled_and_empty_variables_are_unset() {
    let filled = with_env(
        json!({"host": null}),
        &[
            ("NETMGR_HOST", "env"),
            ("NETMGR_USERNAME", ""),
            ("NETMGR_MAX_RETRIES", ""),
        ],
    );
    assert_eq!(filled, Ok(config(json!({"host": "env"}))));
}

#[test]
fn variables_take_part_in_the_checks_for_conflicts() {
    let errors = with_env(
        json!({"host": "mgr", "cloudClientId": "a", "cloudClientSecret": "b"}),
        &[("NETMGR_CLOUD_TOKEN", "t")],
    )
    .unwrap()
    .resolve()
    .unwrap_err();
    assert_eq!(errors.problems()[0].property, "cloudToken");
}

#[test]
fn statuses_may_be_a_json_list() {
    for text in ["[429, 503]", " 429 , 503 ", "[429,503,]"] {
        let read = with_env(json!({}), &[("NETMGR_RETRY_ON_STATUS_CODES", text)]).unwrap();
        assert_eq!(read.retry_on_status_codes, Some(vec![429, 503]), "{text}");
    }
}

#[test]
fn variables_that_do_not_fit_are_named_all_at_once() {
    let errors = with_env(
        json!({}),
        &[
            ("NETMGR_SESSION_AUTH", "True"),
            ("NETMGR_REMOTE_AUTH", "yes"),
            ("NETMGR_MAX_RETRIES", "-1"),
            ("NETMGR_RETRY_MIN_DELAY", "1.5"),
            ("NETMGR_RETRY_ON_STATUS_CODES", "[\"429\"]"),
        ],
    )
    .unwrap_err();
    let lines: Vec<String> = errors.into_iter().map(|problem| problem.to_string()).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    `sessionAuth` must be true, 1, false or 0 in lower case, not "True" (from the environment variable NETMGR_SESSION_AUTH)
    `remoteAuth` must be true, 1, false or 0 in lower case, not "yes" (from the environment variable NETMGR_REMOTE_AUTH)
    `maxRetries` must be a non-negative whole number, not "-1" (from the environment variable NETMGR_MAX_RETRIES)
    `retryMinDelay` must be a non-negative whole number, not "1.5" (from the environment variable NETMGR_RETRY_MIN_DELAY)
    `retryOnStatusCodes` must be a list of whole numbers such as 429,503, not "[\"429\"]" (from the environment variable NETMGR_RETRY_ON_STATUS_CODES)
    "#);
}

#[test]
fn names_follow_from_properties_and_every_property_has_one() {
    for (property, variable) in ProviderConfig::ENV {
        let mut expected = "NETMGR_".to_owned();
        for character in property.chars() {
            if character.is_ascii_uppercase() {
                expected.push('_');
            }
            expected.push(character.to_ascii_uppercase());
        }
        assert_eq!(*variable, expected);
    }
    let schema = schemars::schema_for!(ProviderConfig);
    let mut properties: Vec<&str> = ProviderConfig::ENV
        .iter()
        .map(|(property, _)| *property)
        .collect();
    let mut fields: Vec<&String> = schema.as_value()["properties"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    properties.sort_unstable();
    fields.sort_unstable();
    assert_eq!(properties, fields);
    assert_eq!(properties.len(), 26);
}

#[test]
fn variables_of_nsxt_fill_what_is_absent_in_the_forms_that_it_accepts() {
    let mut config = PartialConfig::new(json!({ "username": "written", "password": "pw" }));
    config.reads_nsxt_env = true;
    let environment = |name: &str| {
        let value = match name {
            "NSXT_MANAGER_HOST" => "mgr",
            "NSXT_USERNAME" => "other",
            "NSXT_SESSION_AUTH" => "False",
            "NSXT_TOLERATE_PARTIAL_SUCCESS" => "T",
            "NETMGR_MAX_RETRIES" => "2",
            "NSXT_MAX_RETRIES" => "3",
            "NSXT_POLICY_ENFORCEMENT_POINT" => "ep",
            "NSXT_CA_FILE" => "",
            _ => return None,
        };
        Some(value.to_owned())
    };
    let connection = config.resolve(environment).unwrap();
    assert_eq!(connection.host.name, "mgr");
    assert_eq!(connection.retry.max_retries, 2);
    assert_eq!(connection.enforcement_point, "ep");
    assert!(connection.tolerate_partial_success);
    let crate::Credentials::Header(login) = connection.credentials else {
        panic!("{:?}", connection.credentials);
    };
    assert_eq!(login.username, "written");

    config.unknown.insert("host".to_owned());
    let missing = config.resolve(environment).unwrap_err();
    assert_eq!(missing, Unusable::default());

    config.reads_nsxt_env = false;
    config.unknown.clear();
    let missing = config.resolve(environment).unwrap_err().missing;
    assert_eq!(missing[0].property, "host");
}

#[test]
fn a_wrong_variable_of_nsxt_is_named() {
    let environment = |name: &str| (name == "NSXT_GLOBAL_MANAGER").then(|| "yes".to_owned());
    let problems = ProviderConfig::default().with_nsxt_env(environment).unwrap_err();
    let lines: Vec<String> = problems.into_iter().map(|problem| problem.to_string()).collect();
    assert_eq!(
        lines,
        [
            "`globalManager` must be true, 1, false or 0 in lower case, not \"yes\" (from the environment variable \
             NSXT_GLOBAL_MANAGER)"
        ]
    );
}

#[test]
fn a_variable_that_contradicts_other_settings_or_itself_is_named() {
    let mut config = PartialConfig::new(json!({ "username": "jane", "password": "pw", "ca": "written" }));
    config.reads_nsxt_env = true;
    let environment = |name: &str| {
        let value = match name {
            "NETMGR_HOST" => "a b",
            "NSXT_CA" | "NETMGR_ENFORCEMENT_POINT" => "a/b",
            _ => return None,
        };
        Some(value.to_owned())
    };
    let wrong = config.resolve(environment).unwrap_err().wrong;
    let lines: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    `host` "a b" is neither a host name nor an IP address (from the environment variable NETMGR_HOST)
    `ca` has no PEM certificate; expected text with -----BEGIN CERTIFICATE----- lines
    `enforcementPoint` must not contain "/" or "&"; use its id, not its path (from the environment variable NETMGR_ENFORCEMENT_POINT)
    "#);
}
