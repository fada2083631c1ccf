//! Inputs that the real providers accept, and their outputs. The data under `tests/data` is derived from the providers'
//! published schemas and the CRDs: one JSON Schema for the inputs and one for the outputs of every token.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use clusterpkg_components::ALL;
use jsonschema::Validator;
use pulumi_plugin::components::recording::Recording;
use pulumi_plugin::components::{FunctionCall, Registration};
use pulumi_plugin::schema::ChildSchemas;
use pulumi_plugin::values::{Object, Value};
use serde_json::{Value as Json, json};

use crate::charts;

static AWS: LazyLock<Json> = LazyLock::new(|| parse(include_str!("../data/aws.json")));
static KUBERNETES: LazyLock<Json> = LazyLock::new(|| parse(include_str!("../data/kubernetes.json")));
static SPECS: LazyLock<Json> = LazyLock::new(|| {
    json!({
        "cert-manager-clusterissuer-v1.json": parse(include_str!("../data/cert-manager-clusterissuer-v1.json")),
        "gateway-api-gatewayclass-v1.json": parse(include_str!("../data/gateway-api-gatewayclass-v1.json")),
        "iamidentitymapping-v1alpha1.json": parse(include_str!("../data/iamidentitymapping-v1alpha1.json")),
        "karpenter-ec2nodeclass-v1.json": parse(include_str!("../data/karpenter-ec2nodeclass-v1.json")),
        "karpenter-nodepool-v1.json": parse(include_str!("../data/karpenter-nodepool-v1.json")),
        "vpc-cni-addon-config.json": parse(include_str!("../data/vpc-cni-addon-config.json")),
    })
});

/// Rules of the autoscaler's object types.
pub(crate) static RULES: LazyLock<Json> =
    LazyLock::new(|| parse(include_str!("../../src/children/karpenter-rules.json")));

fn parse(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

/// The package of a token, and what the token's schemas say.
fn find(token: &str) -> (&'static Json, &'static Json) {
    let package = if token.contains("kubernetes") {
        &*KUBERNETES
    } else {
        &*AWS
    };
    (
        package,
        package["tokens"]
            .get(token)
            .unwrap_or_else(|| panic!("{token} is not known")),
    )
}

/// Everything the providers would refuse.
pub(crate) fn refusals(record: &Recording) -> Vec<String> {
    let custom = record
        .registrations
        .iter()
        .filter(|registration| registration.custom);
    let resources = custom.flat_map(refused_registration);
    resources
        .chain(record.calls.iter().flat_map(refused_call))
        .collect()
}

fn refused_registration(registration: &Registration) -> Vec<String> {
    let Registration {
        token,
        name,
        inputs,
        options,
        ..
    } = registration;
    let (package, known) = find(token);
    let inputs = plain(inputs);
    let mut refused = violations(package, &known["inputs"], &inputs);
    if let Some(spec) = known["spec"].as_str() {
        refused.extend(violations(&Json::Null, &SPECS[spec], &inputs["spec"]));
    }
    let mut children = ALL.iter().flat_map(|entry| entry.children);
    if let Some(child) = children.find(|child| child.kind.token == token) {
        let broken = (child.kind.rules)(&registration.inputs);
        refused.extend(broken.iter().map(ToString::to_string));
    }
    if token == "kubernetes:helm.sh/v3:Release" {
        refused.extend(charts::unknown_values(&inputs));
    }
    if inputs["addonName"] == "vpc-cni"
        && let Some(configuration) = inputs["configurationValues"].as_str()
    {
        refused.extend(violations(
            &Json::Null,
            &SPECS["vpc-cni-addon-config.json"],
            &parse(configuration),
        ));
    }
    if options.version.as_deref() != package["version"].as_str() {
        refused.push(format!("version {:?}", options.version));
    }
    refused
        .into_iter()
        .map(|refusal| format!("{token} \"{name}\": {refusal}"))
        .collect()
}

fn refused_call(call: &FunctionCall) -> Vec<String> {
    let (package, known) = find(&call.token);
    violations(package, &known["inputs"], &plain(&call.arguments))
}

fn violations(package: &Json, schema: &'static Json, instance: &Json) -> Vec<String> {
    static VALIDATORS: Mutex<BTreeMap<usize, Arc<Validator>>> = Mutex::new(BTreeMap::new());
    // A schema lives as long as the tests, so its place says which one it is.
    let place = std::ptr::from_ref(schema).addr();
    let validator = Arc::clone(VALIDATORS.lock().unwrap().entry(place).or_insert_with(|| {
        let mut schema = schema.clone();
        schema["$defs"] = package["$defs"].clone();
        Arc::new(jsonschema::validator_for(&schema).unwrap())
    }));
    validator
        .iter_errors(instance)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// The names and types of properties in a preview that differ from the packages' schemas. Values may be unknown.
pub(crate) fn misnamed(record: &Recording) -> Vec<String> {
    static SCHEMAS: LazyLock<ChildSchemas> = LazyLock::new(|| {
        let packages = [
            include_str!("../../../../tests/data/providers/aws.package.json"),
            include_str!("../../../../tests/data/providers/kubernetes.package.json"),
        ];
        ChildSchemas::parse(packages).unwrap()
    });
    SCHEMAS.refusals(record)
}

/// An object type of a provider.
pub(crate) fn object_type(token: &str) -> &'static Json {
    let package = if token.starts_with("kubernetes:") {
        &*KUBERNETES
    } else {
        &*AWS
    };
    package["$defs"]
        .get(token)
        .unwrap_or_else(|| panic!("{token} is not known"))
}

/// Whether a resource can be tagged.
pub(crate) fn takes_tags(token: &str) -> bool {
    find(token).1["inputs"]["properties"].get("tags").is_some()
}

/// Without the marks around values.
pub(crate) fn plain(inputs: &Object) -> Json {
    Value::Object(inputs.clone()).strip().0.to_json()
}

/// Every output that the provider promises for a token, invented.
pub(crate) fn invented(token: &str, invent: &dyn Fn(&str) -> Option<String>) -> Object {
    let (package, known) = find(token);
    let required = known["outputs"]["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Json::as_str);
    required
        .map(|name| {
            let schema = &known["outputs"]["properties"][name];
            (
                name.to_owned(),
                Value::from_json(value_of(package, schema, name, invent, 4)).unwrap(),
            )
        })
        .collect()
}

fn value_of(
    package: &Json,
    schema: &Json,
    name: &str,
    invent: &dyn Fn(&str) -> Option<String>,
    depth: u8,
) -> Json {
    if let Some(reference) = schema["$ref"].as_str() {
        return value_of(
            package,
            package.pointer(&reference[1..]).unwrap(),
            name,
            invent,
            depth,
        );
    }
    match schema["type"].as_str() {
        Some("string") => json!(invent(name).unwrap_or_else(|| format!("some-{name}"))),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(false),
        Some("array") if depth > 0 => json!([value_of(package, &schema["items"], name, invent, depth - 1)]),
        Some("object") if depth > 0 => {
            let members = schema["properties"].as_object().into_iter().flatten();
            let members = members
                .map(|(name, member)| (name.clone(), value_of(package, member, name, invent, depth - 1)));
            Json::Object(members.filter(|(_, value)| !value.is_null()).collect())
        }
        _ => Json::Null,
    }
}

#[test]
fn misspelled_missing_and_mistyped_properties_are_refused() {
    let role = |inputs: Json| {
        let Value::Object(inputs) = Value::from_json(inputs).unwrap() else {
            panic!("inputs are an object")
        };
        let mut record = Recording::default();
        let mut role = Registration {
            token: "aws:iam/role:Role".to_owned(),
            custom: true,
            inputs,
            ..Default::default()
        };
        role.options.version = Some("7.48.0".to_owned());
        record.registrations.push(role);
        (refusals(&record).len(), misnamed(&record).len())
    };
    assert_eq!(role(json!({ "assumeRolePolicy": "{}" })), (0, 0));
    assert_eq!(role(json!({ "assumeRolePolcy": "{}" })), (2, 2));
    assert_eq!(role(json!({ "assumeRolePolicy": "{}", "tags": ["a"] })), (1, 1));
}

#[test]
fn specs_of_custom_objects_are_checked() {
    let pool = json!({
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "spec": { "disruption": { "expireAfter": "1h", "consolidateAfter": "0s" }, "template": { "spec": {} } },
    });
    let Value::Object(inputs) = Value::from_json(pool).unwrap() else {
        panic!("inputs are an object")
    };
    let token = "kubernetes:karpenter.sh/v1:NodePool".to_owned();
    let mut record = Recording::default();
    let mut pool = Registration {
        token,
        custom: true,
        inputs,
        ..Default::default()
    };
    pool.options.version = Some("4.34.2".to_owned());
    record.registrations.push(pool);
    let refused = refusals(&record).join("\n");
    assert!(
        refused.contains("expireAfter") && refused.contains("nodeClassRef"),
        "{refused}"
    );
}
