//! The schema of the configuration.

use super::*;

fn properties() -> Map<String, Value> {
    let schema = crate::schema::input::<ProviderConfig>();
    assert_eq!(schema.as_value()["additionalProperties"], json!(false));
    assert_eq!(schema.as_value().get("required"), None);
    schema.as_value()["properties"].as_object().unwrap().clone()
}

#[test]
fn secrets_are_marked_and_nothing_else() {
    let mut marked: Vec<String> = properties()
        .into_iter()
        .filter(|(_, schema)| schema.get("x-secret") == Some(&json!(true)))
        .map(|(property, _)| property)
        .collect();
    let mut secret = ProviderConfig::SECRET.to_vec();
    marked.sort_unstable();
    secret.sort_unstable();
    assert_eq!(marked, secret);
}

#[test]
fn every_setting_says_what_it_is_and_where_else_it_can_be_set() {
    let properties = properties();
    for (property, variable) in ProviderConfig::ENV {
        let description = properties[*property]["description"].as_str().unwrap();
        assert!(description.contains(variable), "{property}: {description}");
        assert!(!description.contains('\n'), "{property}: {description}");
    }
}

#[test]
fn defaults_of_the_schema_are_the_defaults_of_resolve() {
    let defaults: Map<String, Value> = properties()
        .into_iter()
        .filter_map(|(property, schema)| Some((property, schema.get("default")?.clone())))
        .collect();
    assert_eq!(defaults.len(), 11);
    let mut written = resolved(Value::Object(defaults));
    // An explicit list has no exceptions, so it differs from the default.
    let listed = written.retry.on_status.take();
    assert_eq!(listed.unwrap(), crate::RetrySettings::DEFAULT_STATUSES);
    assert_eq!(format!("{written:?}"), format!("{:?}", resolved(json!({}))));
}

#[test]
fn numbers_and_words_are_bounded() {
    let properties = properties();
    assert_eq!(properties["maxRetries"]["minimum"], json!(0));
    assert_eq!(properties["retryOnStatusCodes"]["items"]["minimum"], json!(100));
    assert_eq!(properties["retryOnStatusCodes"]["items"]["maximum"], json!(599));
    assert_eq!(
        properties["cloudAuthMode"]["enum"],
        json!(["Default", "Bearer", "Basic", null])
    );
    assert_eq!(properties["licenseKeys"]["items"]["type"], json!("string"));
    assert_eq!(properties["password"]["type"], json!(["string", "null"]));
}
