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
