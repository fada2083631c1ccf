//! Tests of the precedence of settings, and of their output.

use netmgr_types::Credentials;
use serde_json::json;

use super::*;

fn options(flags: Value, file: &tempfile::NamedTempFile) -> ConnectionOptions {
    ConnectionOptions {
        settings: flags.as_object().unwrap().clone(),
        config: Some(file.path().to_owned()),
        ..ConnectionOptions::default()
    }
}

fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

const PROFILES: &str = "
enforcementPoint = \"shared\"
profile = \"lab\"

[profiles.lab]
host = \"profile\"
username = \"profile\"
enforcementPoint = \"profile\"
password = \"hunter2\"
maxRetries = 1

[profiles.prod]
host = \"prod\"
";

#[tokio::test]
async fn a_flag_beats_the_environment_which_beats_the_profile_which_beats_the_file() {
    let environment = |name: &str| match name {
        "NETMGR_HOST" => Some("environment".to_owned()),
        "NETMGR_PASSWORD" => Some("of the environment".to_owned()),
        "NETMGR_MAX_RETRIES" => Some("7".to_owned()),
        "NETMGR_USERNAME" => Some(String::new()),
        _ => None,
    };
    let file = file(PROFILES);
    let settings = MergedSettings::read(&options(json!({ "maxRetries": 9 }), &file), environment).unwrap();
    let origin = |property: &str| settings.values[property].origin.to_string();
    assert_eq!(origin("maxRetries"), "flag --max-retries");
    assert_eq!(origin("host"), "environment NETMGR_HOST");
    assert!(origin("username").starts_with("profile lab in "));
    let connection = settings
        .config(environment, None)
        .await
        .unwrap()
        .resolve()
        .unwrap();
    assert_eq!(connection.enforcement_point, "profile");
    assert_eq!(connection.host.name, "environment");
    assert_eq!(connection.retry.max_retries, 9);
    let Credentials::Session(login) = &connection.credentials else {
        panic!("{:?}", connection.credentials);
    };
    assert_eq!(login.username, "profile");
}

#[test]
fn secrets_are_masked_and_defaults_are_listed() {
    let file = file(PROFILES);
    let shown = MergedSettings::read(&options(json!({}), &file), |_| None)
        .unwrap()
        .shown();
    let of = |property: &str| {
        let (_, value, origin) = shown.iter().find(|(name, ..)| name == property).unwrap();
        (value.clone(), origin.clone())
    };
    assert_eq!(of("password").0, json!(MASKED));
    assert_eq!(of("sessionAuth"), (json!(true), SettingOrigin::Default));
    assert!(!format!("{shown:?}").contains("hunter2"));
}

#[test]
fn a_profile_cannot_name_the_service_of_credentials_outside_of_it() {
    let text =
        |service: &str| format!("{service}cloudToken = \"t\"\n[profiles.p]\ncloudAuthHost = \"own\"\n");
    for (service, is_sent) in [
        ("", false),
        ("cloudAuthHost = \"other\"\n", false),
        ("cloudAuthHost = \"own\"\n", true),
    ] {
        let config = file(&text(service));
        let flags = ConnectionOptions {
            profile: Some("p".to_owned()),
            ..options(json!({}), &config)
        };
        let settings = MergedSettings::read(&flags, |_| None).unwrap();
        assert_eq!(settings.check_destinations().is_ok(), is_sent, "{service}");
    }
}

#[tokio::test]
async fn the_password_comes_from_the_most_specific_place() {
    let written = file("from a file\nsecond line\n");
    let path = written.path().to_str().unwrap().to_owned();
    let profile = file("username = \"u\"\nhost = \"h\"\npasswordCommand = \"echo from a command\"\n");
    let password = async |flags: ConnectionOptions, variables: &[(&str, &str)]| {
        let environment = |name: &str| {
            let mut variables = variables.iter();
            variables
                .find(|(known, _)| *known == name)
                .map(|(_, text)| (*text).to_owned())
        };
        let settings = MergedSettings::read(&flags, environment).unwrap();
        let config = settings.config(environment, None).await.unwrap();
        config.password.unwrap().expose().to_owned()
    };
    let flags = || options(json!({}), &profile);
    let from_file = ConnectionOptions {
        password_file: Some(path.clone().into()),
        ..flags()
    };
    assert_eq!(password(flags(), &[]).await, "from a command");
    assert_eq!(
        password(flags(), &[("NETMGR_PASSWORD_FILE", &path)]).await,
        "from a file"
    );
    let both = [
        ("NETMGR_PASSWORD", "from a variable"),
        ("NETMGR_PASSWORD_FILE", &*path),
    ];
    assert_eq!(password(flags(), &both).await, "from a variable");
    assert_eq!(password(from_file, &both).await, "from a file");
}

#[tokio::test]
async fn a_password_that_cannot_be_read_is_explained_without_arguments() {
    let profile =
        file("username = \"u\"\nhost = \"h\"\npasswordCommand = [\"sh\", \"-c\", \"exit 3 # hunter2\"]\n");
    let settings = MergedSettings::read(&options(json!({}), &profile), |_| None).unwrap();
    let report = settings.config(|_| None, None).await.unwrap_err().report();
    assert!(report.contains("sh failed with exit status: 3"), "{report}");
    assert!(!report.contains("hunter2"), "{report}");
}

#[tokio::test]
async fn variables_of_nsxt_are_used_without_others_and_without_a_host_in_the_file() {
    let environment = |name: &str| match name {
        "NSXT_MANAGER_HOST" => Some("nsxt".to_owned()),
        "NSXT_USERNAME" => Some("admin".to_owned()),
        "NSXT_PASSWORD" => Some("of nsxt".to_owned()),
        "NETMGR_USERNAME" => Some("admin".to_owned()),
        _ => None,
    };
    let empty = file("");
    let settings = MergedSettings::read(&options(json!({}), &empty), environment).unwrap();
    let origin = |property: &str| settings.values[property].origin.to_string();
    assert_eq!(origin("host"), "environment NSXT_MANAGER_HOST");
    assert_eq!(origin("username"), "environment NETMGR_USERNAME");
    assert!(!format!("{:?}", settings.shown()).contains("of nsxt"));
    let connection = settings
        .config(environment, None)
        .await
        .unwrap()
        .resolve()
        .unwrap();
    assert_eq!(connection.host.name, "nsxt");

    // They are for their manager and user, and not for others.
    let flags = options(json!({ "username": "other" }), &empty);
    assert!(
        MergedSettings::read(&flags, environment)
            .unwrap()
            .lacks_password()
    );
    for (host, is_other) in [("other", true), ("https://nsxt/", false)] {
        let flags = options(json!({ "host": host }), &empty);
        let settings = MergedSettings::read(&flags, environment).unwrap();
        assert_eq!(settings.lacks_password(), is_other, "{host}");
    }

    let with_host = file("host = \"other\"\nusername = \"user\"");
    let settings = MergedSettings::read(&options(json!({}), &with_host), environment).unwrap();
    assert!(settings.lacks_password());
}
