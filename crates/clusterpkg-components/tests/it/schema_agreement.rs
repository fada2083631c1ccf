//! The schemas and the decoder accept the same inputs. The inputs are made up from the schemas.

use clusterpkg_components::{
    ALL, AttachedNodeGroup, AttachedServerlessProfile, AutoscaledNodeGroup, Cluster, IamRoleMapping,
    IamServiceAccountRole,
};
use proptest::prelude::*;
use pulumi_plugin::components::schemars::SchemaGenerator;
use pulumi_plugin::components::{Component, Decode, InputProblems};
use pulumi_plugin::values::{PropertyPath, Value};
use serde_json::{Map, Value as Json, json};

/// The schemas of all inputs, with the types that they use.
fn definitions() -> Json {
    let mut generator = SchemaGenerator::default();
    for entry in ALL {
        (entry.inputs_schema)(&mut generator);
    }
    Json::Object(generator.take_definitions(true).into_iter().collect())
}

/// A value that fits a schema, more or less: now and then one of another type, without a required member, or with
/// one that is not known.
fn roughly(schema: &Json, definitions: &Json) -> BoxedStrategy<Json> {
    if let Some(reference) = schema["$ref"].as_str() {
        return roughly(&definitions[reference.rsplit('/').next().unwrap()], definitions);
    }
    let fitting: BoxedStrategy<Json> = match schema["type"].as_str().unwrap() {
        "boolean" => any::<bool>().prop_map(|value| json!(value)).boxed(),
        "integer" | "number" => {
            let least = schema["minimum"].as_i64().unwrap_or_default();
            prop_oneof![20 => least..least + 9, 1 => any::<i32>().prop_map(i64::from)]
                .prop_map(Json::from)
                .boxed()
        }
        "array" => proptest::collection::vec(roughly(&schema["items"], definitions), 0..4)
            .prop_map(Json::from)
            .boxed(),
        // Any object.
        "object" if schema.get("additionalProperties").is_none() => {
            proptest::collection::btree_map("[a-c]", Just(json!("text")), 0..3)
                .prop_map(|members| members.into_iter().collect())
                .boxed()
        }
        "object" if schema.get("properties").is_none() => proptest::collection::btree_map(
            "[a-c]",
            roughly(&schema["additionalProperties"], definitions),
            0..3,
        )
        .prop_map(|members| members.into_iter().collect())
        .boxed(),
        "object" => object(schema, definitions),
        // One of the values that are allowed, where there are such.
        _ => match schema["enum"].as_array() {
            Some(allowed) => proptest::sample::select(allowed.clone()).boxed(),
            None => text(schema["pattern"].as_str()),
        },
    };
    prop_oneof![60 => fitting, 1 => Just(Json::Null), 1 => Just(json!("text")), 1 => Just(json!(1.5)), 1 => Just(json!([]))]
        .boxed()
}

/// A text of a form, or now and then one that lacks its first letter or has another one at its end.
fn text(pattern: Option<&str>) -> BoxedStrategy<Json> {
    // The generator knows no anchors.
    let pattern = pattern.map_or("[a-z]{0,3}", |pattern| {
        let open = pattern.strip_prefix('^').unwrap();
        open.strip_suffix('$').unwrap_or(open)
    });
    let fitting = proptest::string::string_regex(pattern).unwrap().boxed();
    let nearly = (fitting.clone(), "[0-9a-zA-Z%:. ]?").prop_map(|(text, more)| {
        let rest = text.chars().skip(usize::from(more.is_empty()));
        rest.chain(more.chars()).collect::<String>()
    });
    prop_oneof![6 => fitting, 1 => nearly]
        .prop_map(Json::from)
        .boxed()
}

fn object(schema: &Json, definitions: &Json) -> BoxedStrategy<Json> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut members: BoxedStrategy<Map<String, Json>> =
        prop_oneof![60 => Just(json!({})), 1 => Just(json!({ "surplus": 1 }))]
            .prop_map(|object| object.as_object().unwrap().clone())
            .boxed();
    for (name, schema) in schema["properties"].as_object().unwrap() {
        let chance = if required.contains(&json!(name)) {
            0.98
        } else {
            0.3
        };
        let member = proptest::option::weighted(chance, roughly(schema, definitions));
        let name = name.clone();
        members = (members, member)
            .prop_map(move |(mut members, member)| {
                members.extend(member.map(|value| (name.clone(), value)));
                members
            })
            .boxed();
    }
    members.prop_map(Json::Object).boxed()
}

/// The same value without the members that are null, because null is read as nothing.
fn without_nulls(value: Json) -> Json {
    match value {
        Json::Object(members) => members
            .into_iter()
            .filter(|(_, member)| !member.is_null())
            .map(|(name, member)| (name, without_nulls(member)))
            .collect(),
        Json::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Inputs that are read although the schema refuses them: a disk size left out, a taint with several effects, and
/// null in an array.
fn is_lenient(errors: &[String]) -> bool {
    let lenient = |error: &String| {
        error.contains("\"diskSize\" is a required property")
            || error.contains("/effect: ")
            || error.contains("null is not")
            || error.ends_with("is not allowed for null")
    };
    errors.iter().all(lenient)
}

/// Rules about several inputs together, which a schema does not say; and those about meanings of instance types.
const BEYOND_SCHEMAS: &[&str] = &[
    "must not be greater than",
    "must not mix CPU architectures; all instance types must have the same one",
    "is required if amiFamily is Custom",
    "can only be set if disruption.consolidationPolicy is WhenEmpty",
    "is required if schedule is set",
    "is required if duration is set",
    "if the operator is",
    "cannot be false if clusterEndpointPrivateAccess is false",
    "requires the certificate manager",
    "requires the load balancer controller",
    "requires name, because",
    "with autoMode",
    "because autoMode replaces it",
    "is deprecated and contradicts",
    "for images of",
    "does not match the CPU architecture of",
    "must have policies or groups",
    "already has an access entry",
    "requires policies, but there are none",
    "is a duplicate",
    "must be a JSON object",
    "requires podSubnetIds",
    "requires autoMode",
    "cannot be set for an entry of type",
    "must be a role, because nodes have no users",
    "must begin with the first address of the range",
    "is not supported if ipFamily is ipv6",
    "requires ipFamily ipv6",
    "cannot be set if amiId is set",
    "must be latest for images of Windows",
    "has a path, so the mapping would have no effect",
    "is reserved by AWS, so an access entry cannot have it",
    "the name must be lower-case letters",
    "has no effect because clusterEndpointPublicAccess is false",
    "is reserved by EKS",
    "must contain at least one of",
    "is reserved by Kubernetes",
    "is reserved by the autoscaler",
    "is not of the autoscaler's group",
    "is a role of IAM Identity Center without its path",
    "differs from another key only in case",
    "can only be set if amiFamily is Custom",
    "is not a release for Kubernetes",
    "Amazon Linux 2 images are only available",
];

/// Compares on `share` quarters of the usual number of cases.
fn agree<C: Component>(share: u32) {
    let name = format!("{}Inputs", C::TOKEN.rsplit(':').next().unwrap());
    let definitions = definitions();
    let mut schema = definitions[&name].clone();
    schema["$defs"] = definitions.clone();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: ProptestConfig::default().cases * share / 4,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let result = runner.run(&roughly(&definitions[&name], &definitions), |inputs| {
        let mut problems = InputProblems::new();
        let read = C::Inputs::decode(
            &Value::from_json(inputs.clone()).unwrap(),
            &PropertyPath::default(),
            &mut problems,
        );
        if let Some(read) = read {
            C::check("main", &read, &mut problems);
        }
        let refused = problems
            .iter()
            .any(|problem| !BEYOND_SCHEMAS.iter().any(|rule| problem.reason.contains(rule)));
        let errors: Vec<_> = validator
            .iter_errors(&without_nulls(inputs))
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        prop_assert!(!errors.is_empty() || !refused, "read: {}", problems);
        prop_assert!(refused || is_lenient(&errors), "schema: {:?}", errors);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{name}: {error}");
    }
}

#[test]
fn prop_schemas_accept_what_is_read() {
    agree::<Cluster>(4);
    agree::<AttachedNodeGroup>(4);
    agree::<AttachedServerlessProfile>(4);
    agree::<AutoscaledNodeGroup>(8);
    agree::<IamRoleMapping>(1);
    agree::<IamServiceAccountRole>(1);
}
