//! A component on stage: constructed in a made-up account of a partition, on the recorder.

use std::time::Duration;

use pulumi_plugin::components::recording::{Recording, RecordingEngine};
use pulumi_plugin::components::schemars::{JsonSchema, SchemaGenerator};
use pulumi_plugin::components::{
    Alias, Child, Component, Config, ConstructError, ConstructRequest, Constructed, FunctionCall,
    Registration, ResourceOptions, construct,
};
use pulumi_plugin::values::{Object, ProviderReference, ReferenceId, Value};
use serde_json::{Value as Json, json};

use crate::oracle;

/// The environment in which a component is constructed.
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    pub(crate) engine: RecordingEngine,
    pub(crate) preview: bool,
    pub(crate) providers: Vec<&'static str>,
    pub(crate) config: Vec<(&'static str, &'static str)>,
    /// Former names.
    pub(crate) aliases: Vec<&'static str>,
}

/// A partition of the cloud.
#[derive(Clone, Copy)]
pub(crate) struct Partition {
    pub(crate) name: &'static str,
    pub(crate) dns_suffix: &'static str,
    pub(crate) region: &'static str,
}

pub(crate) const AWS: Partition = Partition {
    name: "aws",
    dns_suffix: "amazonaws.com",
    region: "eu-west-1",
};
pub(crate) const CHINA: Partition = Partition {
    name: "aws-cn",
    dns_suffix: "amazonaws.com.cn",
    region: "cn-north-1",
};
pub(crate) const GOVERNMENT: Partition = Partition {
    name: "aws-us-gov",
    dns_suffix: "amazonaws.com",
    region: "us-gov-west-1",
};

pub(crate) const EUROPE: Partition = Partition {
    name: "aws-eusc",
    dns_suffix: "amazonaws.eu",
    region: "eusc-de-east-1",
};

/// Stands for an unknown value in inputs.
pub(crate) const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

pub(crate) const ACCOUNT: &str = "123456789012";

/// The outcome of constructing a component.
pub(crate) struct Shown {
    pub(crate) record: Recording,
    pub(crate) made: Constructed,
}

pub(crate) fn stage() -> Stage {
    stage_in(AWS)
}

pub(crate) fn stage_in(partition: Partition) -> Stage {
    let engine = RecordingEngine::new()
        .outputs(move |registration| outputs_of(partition, registration))
        .results(move |call| Some(result_of(partition, call)));
    Stage {
        name: "main",
        engine,
        preview: false,
        providers: vec!["aws", "kubernetes"],
        config: Vec::new(),
        aliases: Vec::new(),
    }
}

impl Stage {
    pub(crate) fn preview(self) -> Self {
        Self {
            engine: self.engine.preview(),
            preview: true,
            ..self
        }
    }

    pub(crate) fn latency(self, latency: Duration) -> Self {
        Self {
            engine: self.engine.latency(latency),
            ..self
        }
    }

    pub(crate) fn fail(self, name: &str) -> Self {
        Self {
            engine: self.engine.fail(name, "quota exceeded"),
            ..self
        }
    }

    pub(crate) fn name(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    pub(crate) fn formerly(self, aliases: &[&'static str]) -> Self {
        Self {
            aliases: aliases.to_vec(),
            ..self
        }
    }

    pub(crate) fn providers(self, providers: &[&'static str]) -> Self {
        Self {
            providers: providers.to_vec(),
            ..self
        }
    }

    pub(crate) fn config(self, config: &[(&'static str, &'static str)]) -> Self {
        Self {
            config: config.to_vec(),
            ..self
        }
    }

    /// Constructs `C`, whatever comes of it.
    pub(crate) async fn try_show<C: Component>(&self, inputs: Json) -> Result<Constructed, ConstructError> {
        let Ok(Value::Object(inputs)) = Value::from_json(inputs) else {
            panic!("inputs are an object")
        };
        let providers = self.providers.iter().map(|package| {
            let urn = format!("urn:pulumi:dev::shop::pulumi:providers:{package}::given").into();
            (
                package.to_string(),
                ProviderReference {
                    urn,
                    id: Some("given".to_owned()),
                },
            )
        });
        let request = ConstructRequest {
            name: self.name.to_owned(),
            preview: self.preview,
            inputs,
            config: Config {
                values: self
                    .config
                    .iter()
                    .map(|(key, value)| (key.to_string(), value.to_string()))
                    .collect(),
                ..Config::default()
            },
            providers: providers.collect(),
            options: ResourceOptions {
                aliases: self.aliases.iter().map(|name| Alias::named(*name)).collect(),
                ..ResourceOptions::default()
            },
            ..ConstructRequest::default()
        };
        construct::<C>(self.engine.registrar(), request).await
    }

    /// Constructs `C`; every child has to be one that the real providers accept.
    pub(crate) async fn show<C: Component>(&self, inputs: Json) -> Shown {
        let made = self.try_show::<C>(inputs).await.unwrap_or_else(|error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            panic!("{error}: {}", cause.unwrap_or_default())
        });
        let record = self.engine.record();
        let wrong = if self.preview {
            oracle::misnamed(&record)
        } else {
            oracle::refusals(&record)
        };
        assert_eq!(wrong, Vec::<String>::new());
        assert_eq!(undeclared::<C>(&made), Vec::<String>::new());
        assert_eq!(nameless::<C>(self.name, &record), Vec::<String>::new());
        assert_eq!(
            record.outputs[&made.urn], made.state,
            "stored and answered outputs are alike"
        );
        Shown { record, made }
    }

    /// The problems of inputs that must not get as far as a registration.
    pub(crate) async fn problems<C: Component>(&self, inputs: Json) -> Vec<String> {
        let result = self.try_show::<C>(inputs).await;
        assert!(
            self.engine.record().registrations.is_empty(),
            "checked before anything is registered"
        );
        match result {
            Err(ConstructError::InvalidInput(problems)) => problems
                .iter()
                .map(|problem| match problem.property.is_empty() {
                    true => problem.reason.clone(),
                    false => format!("{} {}", problem.property, problem.reason),
                })
                .collect(),
            Err(error) => panic!("{error}"),
            Ok(_) => Vec::new(),
        }
    }
}

/// Children to which a program cannot give own values.
fn nameless<C: Component>(component: &str, record: &Recording) -> Vec<String> {
    let children = record.registrations.iter().filter(|child| child.custom);
    children
        .filter(|child| Child::find(C::CHILDREN, component, &child.name, &child.token).is_none())
        .map(|child| format!("{} {}", child.token, child.name))
        .collect()
}

/// Outputs that are not what the component's schema promises: missing, not declared, or another resource.
fn undeclared<C: Component>(made: &Constructed) -> Vec<String> {
    let schema = C::Outputs::json_schema(&mut SchemaGenerator::default()).to_value();
    let promised = schema["properties"].as_object().cloned().unwrap_or_default();
    let required = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Json::as_str);
    let missing = required
        .filter(|name| !made.state.contains_key(*name))
        .map(str::to_owned);
    let wrong = made
        .state
        .iter()
        .filter(|(name, value)| match (promised.get(*name), value) {
            (None, _) => true,
            (Some(output), Value::Resource(reference)) => {
                output["x-resource"] != reference.urn.parts().unwrap().resource_type()
            }
            (Some(output), _) => output.get("x-resource").is_some(),
        });
    missing.chain(wrong.map(|(name, _)| name.clone())).collect()
}

impl Shown {
    /// The only registration of this name and a type that ends like this.
    pub(crate) fn child(&self, token_end: &str, name: &str) -> &Registration {
        let mut found = self
            .record
            .registrations
            .iter()
            .filter(|r| r.token.ends_with(token_end) && r.name == name);
        let child = found
            .next()
            .unwrap_or_else(|| panic!("no {token_end} \"{name}\""));
        assert_eq!(found.next(), None, "one {token_end} \"{name}\"");
        child
    }

    /// The inputs of a child as JSON.
    pub(crate) fn inputs(&self, token_end: &str, name: &str) -> Json {
        oracle::plain(&self.child(token_end, name).inputs)
    }

    /// A JSON text among the inputs of a child.
    pub(crate) fn document(&self, token_end: &str, name: &str, property: &str) -> Json {
        let inputs = self.inputs(token_end, name);
        serde_json::from_str(inputs[property].as_str().unwrap()).unwrap()
    }

    /// Names of what a child depends on explicitly or through its properties, sorted.
    pub(crate) fn after(&self, token_end: &str, name: &str) -> Vec<String> {
        let dependencies = &self.child(token_end, name).dependencies;
        let mut names: Vec<_> = dependencies
            .iter()
            .map(|urn| urn.parts().unwrap().name.to_owned())
            .collect();
        names.sort();
        names.dedup();
        names
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.record
            .registrations
            .iter()
            .map(|registration| registration.name.as_str())
            .collect()
    }

    pub(crate) fn messages(&self) -> Vec<&str> {
        self.record
            .messages
            .iter()
            .map(|message| message.text.as_str())
            .collect()
    }

    /// Outputs that are not known: values, and references to resources without an identifier.
    pub(crate) fn unknown_outputs(&self) -> Vec<&str> {
        let unknown = self.made.state.iter().filter(|(_, value)| match value {
            Value::Resource(reference) => reference.id == Some(ReferenceId::Unknown),
            value => value.contains_unknown(),
        });
        unknown.map(|(name, _)| name.as_str()).collect()
    }

    /// Taggable children that do not carry the tag `owner`.
    pub(crate) fn untagged(&self) -> Vec<&str> {
        let custom = self
            .record
            .registrations
            .iter()
            .filter(|r| r.custom && oracle::takes_tags(&r.token));
        custom
            .filter(|r| oracle::plain(&r.inputs)["tags"]["owner"] != "me")
            .map(|r| r.name.as_str())
            .collect()
    }
}

pub(crate) fn outputs_of(partition: Partition, registration: &Registration) -> Object {
    if !registration.custom {
        return Object::new();
    }
    let Partition {
        name: partition,
        region,
        ..
    } = partition;
    let (token, name) = (&registration.token, &registration.name);
    let service = token.split([':', '/']).nth(1).unwrap_or_default();
    let mut outputs = oracle::invented(token, &|property| match property {
        "arn" => Some(format!("arn:{partition}:{service}:{region}:{ACCOUNT}:{name}")),
        "name" => Some(format!("{name}-1a2b3c4")),
        "issuer" => Some(format!("https://oidc.eks.{region}.amazonaws.com/id/ABCD")),
        "url" => Some(format!("oidc.eks.{region}.amazonaws.com/id/ABCD")),
        _ => None,
    });
    for key in registration.inputs.keys().filter(|key| *key != "url") {
        outputs.remove(key);
    }
    // The provider completes this object of the inputs.
    if token == "aws:eks/cluster:Cluster" {
        let mut network = oracle::plain(&registration.inputs)["vpcConfig"].clone();
        network["clusterSecurityGroupId"] = json!("sg-0c1");
        network["vpcId"] = json!("vpc-0a1");
        outputs.insert("vpcConfig".to_owned(), Value::from_json(network).unwrap());
    }
    if token.starts_with("kubernetes:") {
        let metadata = oracle::plain(&registration.inputs)["metadata"].clone();
        let given = metadata["name"].as_str().map(str::to_owned);
        let mut metadata = if metadata.is_object() { metadata } else { json!({}) };
        metadata["name"] = json!(given.unwrap_or_else(|| format!("{name}-1a2b3c4d")));
        outputs.insert("metadata".to_owned(), Value::from_json(metadata).unwrap());
    }
    outputs
}

fn result_of(partition: Partition, call: &FunctionCall) -> Object {
    let Partition {
        name,
        dns_suffix,
        region,
    } = partition;
    oracle::invented(&call.token, &|property| {
        let value = match property {
            "partition" => name.to_owned(),
            "dnsSuffix" => dns_suffix.to_owned(),
            "region" => region.to_owned(),
            "accountId" => ACCOUNT.to_owned(),
            "arn" => format!("arn:{name}:sts::{ACCOUNT}:assumed-role/deployer/session"),
            "issuerArn" => format!("arn:{name}:iam::{ACCOUNT}:role/deployer"),
            _ => return None,
        };
        Some(value)
    })
}
