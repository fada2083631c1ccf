//! Generates the outputs that a cloud adds to the inputs of a resource, and the results of functions, in the form that
//! the package's schema promises.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use pulumi_plugin::values::{Object, Value};
use serde_json::{Value as Json, json};

use crate::package::Package;

const PARTITION: &str = "aws";
const REGION: &str = "eu-west-1";
const ACCOUNT: &str = "123456789012";

/// Maximum depth of generated objects.
const DEPTH: u8 = 5;

/// An existing resource.
pub(crate) struct Invented {
    pub(crate) id: String,
    pub(crate) outputs: Object,
}

/// A resource after its creation.
pub(crate) fn resource(package: &Package, token: &str, logical_name: &str, inputs: &Object) -> Invented {
    if package.name == "kubernetes" {
        return object(package, token, logical_name, inputs);
    }
    let name = text(inputs, "name").unwrap_or_else(|| format!("{logical_name}-{}", digits(7)));
    let path = token.split(':').nth(1).unwrap_or_default();
    let service = path.split('/').next().unwrap_or_default();
    let kind = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let region = if service == "iam" { "" } else { REGION };
    let arn = match service {
        "sqs" => format!("arn:{PARTITION}:sqs:{REGION}:{ACCOUNT}:{name}"),
        _ => format!("arn:{PARTITION}:{service}:{region}:{ACCOUNT}:{kind}/{name}"),
    };
    let url = format!("https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/{name}");
    let issuer = format!(
        "https://oidc.eks.{REGION}.amazonaws.com/id/{}",
        digits(8).to_uppercase()
    );
    let hint = |property: &str| {
        Some(match property {
            "arn" | "accessEntryArn" | "associationArn" => arn.clone(),
            "name" | "nodeGroupName" | "fargateProfileName" => name.clone(),
            "namePrefix" => String::new(),
            "url" => url.clone(),
            "issuer" => issuer.clone(),
            "endpoint" => format!("https://{}.gr7.{REGION}.eks.amazonaws.com", digits(8)),
            "data" => "Y2VydGlmaWNhdGU=".to_owned(),
            "region" => REGION.to_owned(),
            "status" => "ACTIVE".to_owned(),
            _ => return None,
        })
    };
    let schema = package.schema.resource(token).unwrap_or(&Json::Null);
    let mut outputs = promised(package, &schema["properties"], &schema["required"], &hint);
    outputs.extend(inputs.clone());
    if let Some(tags) = inputs.get("tags") {
        outputs.insert("tagsAll".to_owned(), tags.clone());
    }
    if token == "aws:eks/cluster:Cluster"
        && let Some(network) = inputs.get("vpcConfig").and_then(Value::as_object)
    {
        // The cloud completes this object.
        let mut network = network.clone();
        network.insert(
            "clusterSecurityGroupId".to_owned(),
            format!("sg-{}", digits(8)).into(),
        );
        network.insert("vpcId".to_owned(), format!("vpc-{}", digits(8)).into());
        outputs.insert("vpcConfig".to_owned(), Value::Object(network));
    }
    let id = match token {
        "aws:iam/policy:Policy" => arn,
        "aws:sqs/queue:Queue" => url,
        "aws:iam/openIdConnectProvider:OpenIdConnectProvider" => {
            // The cloud stores it without the scheme.
            let url = text(inputs, "url").unwrap_or_default();
            outputs.insert("url".to_owned(), url.trim_start_matches("https://").into());
            arn
        }
        _ => name,
    };
    Invented { id, outputs }
}

/// An object in a cluster.
fn object(package: &Package, token: &str, logical_name: &str, inputs: &Object) -> Invented {
    let mut outputs = inputs.clone();
    if token == "kubernetes:helm.sh/v3:Release" {
        let hint = |property: &str| text(inputs, property);
        let schema = package.schema.resource(token).unwrap_or(&Json::Null);
        outputs.extend(promised(
            package,
            &schema["properties"],
            &json!(["status"]),
            &hint,
        ));
        let name = text(inputs, "name").unwrap_or_else(|| format!("{logical_name}-{}", digits(8)));
        outputs.insert("name".to_owned(), name.as_str().into());
        let namespace = text(inputs, "namespace").unwrap_or_else(|| "default".to_owned());
        return Invented {
            id: format!("{namespace}/{name}"),
            outputs,
        };
    }
    let metadata = outputs.get("metadata").and_then(Value::known);
    let mut metadata = metadata.and_then(Value::as_object).cloned().unwrap_or_default();
    let name = text(&metadata, "name").unwrap_or_else(|| format!("{logical_name}-{}", digits(8)));
    let id = match text(&metadata, "namespace") {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.clone(),
    };
    metadata.insert("name".to_owned(), name.into());
    metadata.insert("uid".to_owned(), digits(12).into());
    outputs.insert("metadata".to_owned(), Value::Object(metadata));
    Invented { id, outputs }
}

/// A resource in a preview: only its inputs are known.
pub(crate) fn preview(package: &Package, token: &str, inputs: &Object) -> Object {
    let required = package.schema.resource(token).map(|schema| &schema["required"]);
    let names = required
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(Json::as_str);
    let mut outputs: Object = names.map(|name| (name.to_owned(), Value::UNKNOWN)).collect();
    outputs.extend(inputs.clone());
    outputs
}

/// The answer of a function.
pub(crate) fn result(package: &Package, function: &Json, arguments: &Object, identity: &str) -> Object {
    let hint = |property: &str| {
        Some(match property {
            "partition" => PARTITION.to_owned(),
            "dnsSuffix" => "amazonaws.com".to_owned(),
            "region" | "name" => REGION.to_owned(),
            "accountId" => ACCOUNT.to_owned(),
            "arn" => format!("arn:{PARTITION}:sts::{ACCOUNT}:assumed-role/{identity}/session"),
            "issuerArn" => format!("arn:{PARTITION}:iam::{ACCOUNT}:role/{identity}"),
            "path" => format!("/infra/services/{}", text(arguments, "id")?),
            _ => return None,
        })
    };
    let outputs = &function["outputs"];
    let mut result = promised(package, &outputs["properties"], &outputs["required"], &hint);
    result.extend(arguments.clone());
    result
}

/// Values for the properties that are promised.
fn promised(
    package: &Package,
    properties: &Json,
    required: &Json,
    hint: &dyn Fn(&str) -> Option<String>,
) -> Object {
    let names = required.as_array().into_iter().flatten().filter_map(Json::as_str);
    names
        .map(|name| {
            let json = value(package, &properties[name], name, hint, DEPTH);
            // Generated values are plain JSON, which cannot be malformed.
            (name.to_owned(), Value::from_json(json).unwrap_or_default())
        })
        .collect()
}

fn value(
    package: &Package,
    schema: &Json,
    name: &str,
    hint: &dyn Fn(&str) -> Option<String>,
    depth: u8,
) -> Json {
    let schema = package.schema.resolve(schema);
    match schema["type"].as_str() {
        Some("string") => json!(hint(name).unwrap_or_else(|| format!("some-{name}"))),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(false),
        Some("array") if depth > 0 => json!([value(package, &schema["items"], name, hint, depth - 1)]),
        Some("object") if depth > 0 => {
            let members = schema["properties"].as_object().into_iter().flatten();
            members
                .map(|(name, member)| (name.clone(), value(package, member, name, hint, depth - 1)))
                .collect()
        }
        _ => Json::Null,
    }
}

fn text(values: &Object, name: &str) -> Option<String> {
    let value = values.get(name).and_then(Value::known);
    value.and_then(Value::as_str).map(str::to_owned)
}

/// Hexadecimal digits that no other resource has.
fn digits(count: usize) -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{random:016x}")[..count].to_owned()
}
