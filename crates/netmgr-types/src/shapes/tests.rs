use super::*;
use serde_json::{Value, json};

#[test]
fn an_empty_text_counts_as_not_given() {
    assert_eq!(given(&None), None);
    assert_eq!(given(&Some(String::new())), None);
    assert_eq!(given(&Some("a".to_owned())), Some("a"));
}

#[test]
fn a_context_refuses_unknown_properties_by_name() {
    let error = |input: Value| {
        serde_json::from_value::<TenantContext>(input)
            .unwrap_err()
            .to_string()
    };
    assert!(error(json!({"project": "a"})).starts_with("unknown field `project`"));
    assert_eq!(error(json!({})), "missing field `projectId`");
}

#[test]
fn a_project_id_must_be_a_part_of_a_path() {
    let check = |project_id: &str| {
        let context = TenantContext {
            project_id: project_id.to_owned(),
        };
        context.validate().map_err(|problem| problem.to_string())
    };
    assert_eq!(check("dev"), Ok(()));
    assert_eq!(check("Default"), Ok(()));
    for (project_id, expected) in [
        (
            "",
            "`context.projectId` must not be empty; omit `context` for objects outside all projects",
        ),
        (
            "default",
            "`context.projectId` must not be \"default\"; omit `context` for objects outside all projects",
        ),
        ("a/b", "`context.projectId` must not contain \"/\" or \"&\""),
        ("a&b", "`context.projectId` must not contain \"/\" or \"&\""),
    ] {
        assert_eq!(check(project_id), Err(expected.to_owned()));
    }
}

#[test]
fn outputs_write_camel_case_and_leave_absent_values_out() {
    assert_eq!(
        serde_json::to_value(ContextOutput::default()).unwrap(),
        json!({"description": "", "displayName": "", "id": "", "path": ""})
    );
    let output = ContextOutput {
        context: Some(TenantContext {
            project_id: "dev".to_owned(),
        }),
        ..ContextOutput::default()
    };
    let written = serde_json::to_value(&output).unwrap();
    assert_eq!(written["context"], json!({"projectId": "dev"}));
    assert_eq!(serde_json::from_value::<ContextOutput>(written).unwrap(), output);
}

fn required<T: JsonSchema>() -> Vec<String> {
    let schema = schemars::schema_for!(T);
    let required = schema.get("required").and_then(Value::as_array).cloned();
    let mut names: Vec<String> = required
        .unwrap_or_default()
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn schemas_require_what_is_always_there() {
    assert_eq!(required::<TenantContext>(), ["projectId"]);
    assert_eq!(required::<NamedOutput>(), ["description", "displayName", "id"]);
    assert_eq!(
        required::<PolicyOutput>(),
        ["description", "displayName", "id", "path"]
    );
    assert_eq!(
        required::<ContextOutput>(),
        ["description", "displayName", "id", "path"]
    );
    assert_eq!(required::<NameMap>(), ["id", "items"]);
}
