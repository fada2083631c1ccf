//! Tests of configuration files.

use serde_json::json;

use super::*;

fn file(value: Value) -> ConfigFile {
    let member = |name: &str| value[name].as_object().cloned().unwrap_or_default();
    ConfigFile {
        path: "c.toml".into(),
        selected: value["profile"].as_str().map(str::to_owned),
        profiles: member("profiles"),
        shared: member("shared"),
    }
}

#[test]
fn the_wanted_profile_comes_before_the_selected_one() {
    let two = || json!({ "profile": "lab", "profiles": { "lab": { "host": "l" }, "prod": { "host": "p" } } });
    let host = |wanted: Option<&str>| {
        let chosen = file(two()).select(wanted.map(str::to_owned)).unwrap();
        (chosen.profile.unwrap(), chosen.own["host"].clone())
    };
    assert_eq!(host(None), ("lab".to_owned(), json!("l")));
    assert_eq!(host(Some("prod")), ("prod".to_owned(), json!("p")));
    let error = file(two()).select(Some("prd".to_owned())).unwrap_err().report();
    assert_eq!(
        error,
        "error: c.toml has no profile \"prd\"\n  hint: did you mean `prod`?"
    );
}

#[test]
fn a_profile_replaces_where_the_shared_password_is() {
    let value = json!({
        "shared": { "passwordCommand": "pass x", "username": "admin" },
        "profiles": { "default": { "passwordFile": "f" } },
    });
    let chosen = file(value).select(None).unwrap();
    assert_eq!(chosen.shared.keys().collect::<Vec<_>>(), ["username"]);
}

#[test]
fn a_path_in_a_file_is_relative_to_that_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.toml");
    let text = "caFile = 'ca.pem'\nclientAuthKeyFile = '/k'\nclientAuthCertFile = ''\nhost = 'h'\n[profiles.lab]\npasswordFile = '../p'\n";
    std::fs::write(&path, text).unwrap();
    let read = ConfigFile::read(&path).unwrap();
    let within = |name: &str| json!(folder.path().join(name).to_str().unwrap());
    let shared =
        ["caFile", "clientAuthKeyFile", "clientAuthCertFile", "host"].map(|name| read.shared[name].clone());
    assert_eq!(shared, [within("ca.pem"), json!("/k"), json!(""), json!("h")]);
    assert_eq!(read.profiles["lab"]["passwordFile"], within("../p"));
}

#[test]
fn every_setting_that_names_a_file_is_known() {
    let schema = schemars::schema_for!(netmgr_types::ProviderConfig);
    let properties = schema.get("properties").and_then(Value::as_object).unwrap();
    for (property, described) in properties {
        let description = described["description"].as_str().unwrap();
        let changed = absolute(property, json!("x"), Path::new("/c")) == json!("/c/x");
        assert_eq!(changed, description.starts_with("Path of a file"), "{property}");
    }
}
