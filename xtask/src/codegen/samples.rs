//! The example of a function or component as a program in six languages, from the templates in
//! `xtask/templates/samples`.

use std::collections::BTreeMap;

use minijinja::Environment;
use serde::Serialize;
use serde_json::{Map, Value};

use super::package::{Example, Package, short};
use crate::Error;
use crate::release::ReleaseFacts;
use crate::templates::Templates;

/// The languages: their names, their names in fenced blocks, by which registries and editors select them, and their
/// templates.
const LANGUAGES: [[&str; 3]; 6] = [
    ["TypeScript", "typescript", "samples/typescript.ts"],
    ["Python", "python", "samples/python.py"],
    ["Go", "go", "samples/go.go"],
    ["C#", "csharp", "samples/csharp.cs"],
    ["Java", "java", "samples/java.java"],
    ["YAML", "yaml", "samples/yaml.yaml"],
];

/// A program in one language.
#[derive(Clone, Serialize)]
pub(crate) struct Sample {
    /// Name of the language.
    pub(super) language: &'static str,
    /// Its name in fenced blocks.
    pub(crate) fence: &'static str,
    /// The program, ending with a newline.
    pub(crate) text: String,
}

/// The samples of all members of a package by token.
pub(super) struct Samples(BTreeMap<String, [Sample; 6]>);

/// The facts of a program. Go, C# and Java use the typed arguments, the other languages the inputs.
#[derive(Serialize)]
struct SampleProgram<'a> {
    release: &'a ReleaseFacts,
    package: &'static str,
    token: &'a str,
    /// Name of the function or component.
    name: &'a str,
    is_function: bool,
    takes_inputs: bool,
    inputs: &'a Map<String, Value>,
    arguments: Vec<Argument>,
    /// All object types in the arguments.
    types: Vec<TypeName>,
    /// Names of the settings that the inputs refer to.
    settings: Vec<&'a str>,
    output: Option<&'a str>,
    in_cluster: bool,
}

impl Samples {
    /// Samples of `package`, whose schema for the engine is `schema`.
    pub(super) fn new(package: &Package, schema: &Value) -> Result<Self, Error> {
        let templates = Templates::new()?.with(filters);
        let release = ReleaseFacts::of(&package.release);
        let samples = package.examples.iter().map(|(token, example)| {
            let program = program(package, schema, &release, token, example);
            let program = program.map_err(|error| format!("{token}: {error}"))?;
            let mut samples = Vec::with_capacity(LANGUAGES.len());
            for [language, fence, template] in LANGUAGES {
                let text = templates.render(template, &program)?;
                samples.push(Sample {
                    language,
                    fence,
                    text,
                });
            }
            let samples = samples.try_into().map_err(|_| "a language has no sample")?;
            Ok((token.clone(), samples))
        });
        Ok(Self(samples.collect::<Result<_, Error>>()?))
    }

    /// The samples of a member.
    pub(super) fn of(&self, token: &str) -> Result<[Sample; 6], Error> {
        let samples = self.0.get(token);
        Ok(samples.ok_or_else(|| format!("{token} has no example"))?.clone())
    }

    /// All samples with the tokens of their members.
    pub(super) fn into_all(self) -> impl Iterator<Item = (String, Sample)> {
        self.0
            .into_iter()
            .flat_map(|(token, samples)| samples.map(|sample| (token.clone(), sample)))
    }
}

fn program<'a>(
    package: &Package,
    schema: &Value,
    release: &'a ReleaseFacts,
    token: &'a str,
    example: &'a Example,
) -> Result<SampleProgram<'a>, Error> {
    let function = &schema["functions"][token];
    let specs = match function.is_object() {
        true => &function["inputs"]["properties"],
        false => &schema["resources"][token]["inputProperties"],
    };
    let mut types = Vec::new();
    let arguments = example.inputs.iter().map(|(name, input)| {
        let spec = specs
            .get(name)
            .ok_or_else(|| format!("an example has {name}, which is no input"))?;
        Ok(Argument {
            name: name.clone(),
            value: typed(input, spec, &schema["types"], &mut types)?,
            plain: spec["plain"] == true,
        })
    });
    let arguments = arguments.collect::<Result<_, Error>>()?;
    let lists = example.inputs.values().filter_map(Value::as_array).flatten();
    let texts = example.inputs.values().chain(lists).filter_map(Value::as_str);
    Ok(SampleProgram {
        release,
        package: package.schema.meta.name,
        token,
        name: short(token),
        is_function: function.is_object(),
        takes_inputs: specs.is_object(),
        inputs: &example.inputs,
        arguments,
        types,
        settings: texts.filter_map(setting).collect(),
        output: example.output.as_deref(),
        in_cluster: example.in_cluster,
    })
}

/// An argument of a call or a component.
#[derive(Serialize)]
struct Argument {
    name: String,
    value: Typed,
    /// Whether SDKs do not accept a deferred value.
    plain: bool,
}

/// A value with its type in the engine's schema, which statically typed languages require.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Typed {
    Boolean {
        value: String,
    },
    Integer {
        value: String,
    },
    Number {
        value: String,
    },
    /// A quoted string, which has the same syntax as in JSON in all these languages, or the name of a setting.
    String {
        value: String,
    },
    /// Elements of one type. Examples contain no empty lists.
    List {
        items: Vec<Typed>,
    },
    /// A map of strings.
    Map {
        members: Vec<(String, String)>,
    },
    Object {
        #[serde(rename = "type")]
        name: TypeName,
        members: Vec<(String, Typed)>,
    },
}

/// Name of an object type.
#[derive(Clone, Serialize)]
struct TypeName {
    package: String,
    /// The major version of its package, if it is a different package.
    major: Option<String>,
    /// Its module; empty for the root module.
    module: String,
    /// `TenantContext`.
    name: String,
}

/// A value with the type in `spec`. The types of members of other packages' objects are those of their values.
fn typed(value: &Value, spec: &Value, types: &Value, used: &mut Vec<TypeName>) -> Result<Typed, Error> {
    let text = value.to_string();
    Ok(match value {
        Value::Bool(_) => Typed::Boolean { value: text },
        Value::Number(number) if number.is_f64() || spec["type"] == "number" => Typed::Number { value: text },
        Value::Number(_) => Typed::Integer { value: text },
        Value::String(string) => Typed::String {
            value: setting(string).map_or(text, str::to_owned),
        },
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().map(|item| typed(item, &spec["items"], types, used));
            Typed::List {
                items: items.collect::<Result<_, _>>()?,
            }
        }
        Value::Object(members) => match spec["$ref"].as_str() {
            Some(reference) => object(members, reference, types, used)?,
            None => {
                let members = members.iter().map(|(name, value)| {
                    let text = value.as_str().ok_or_else(|| format!("{name} is no text"))?;
                    Ok((name.clone(), text.to_owned()))
                });
                Typed::Map {
                    members: members.collect::<Result<_, Error>>()?,
                }
            }
        },
        Value::Array(_) | Value::Null => return Err("examples hold neither nulls nor empty lists".into()),
    })
}

/// An object of the type in a reference such as `/aws/v7.48.0/schema.json#/types/aws:eks%2FTaint:Taint`.
fn object(
    members: &Map<String, Value>,
    reference: &str,
    types: &Value,
    used: &mut Vec<TypeName>,
) -> Result<Typed, Error> {
    let invalid = || format!("{reference} is no object type");
    let (before, token) = reference.split_once("#/types/").ok_or_else(invalid)?;
    let token = token.replace("%2F", "/");
    let [package, module, name] = token.split(':').collect::<Vec<_>>()[..] else {
        return Err(invalid().into());
    };
    // `eks/NodeGroupTaint`, with the name repeated after the module.
    let module = module.rsplit_once('/').map_or(module, |(module, _)| module);
    let major = before
        .split_once("/v")
        .and_then(|(_, version)| version.split('.').next());
    let name = TypeName {
        package: package.to_owned(),
        major: major.map(str::to_owned),
        module: if module == "index" { "" } else { module }.to_owned(),
        name: name.to_owned(),
    };
    used.push(name.clone());
    let specs = &types[&token]["properties"];
    let members = members
        .iter()
        .map(|(member, value)| Ok((member.clone(), typed(value, &specs[member], types, used)?)));
    let members = members.collect::<Result<_, Error>>()?;
    Ok(Typed::Object { name, members })
}

/// The name of the setting that a string of an example refers to as `${name}`.
fn setting(text: &str) -> Option<&str> {
    text.strip_prefix("${")?.strip_suffix('}')
}

fn filters(environment: &mut Environment<'static>) {
    let is_alphanumeric = |text: String| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    environment.add_test("plain", is_alphanumeric);
    environment.add_test("setting", |value: minijinja::Value| {
        value.as_str().and_then(setting).is_some()
    });
    environment.add_filter("gofmt", gofmt);
}

/// Formats a program in Go that is indented with four spaces: with tabs, and with adjacent values aligned that fit on one
/// line.
fn gofmt(program: String) -> String {
    let mut formatted = String::with_capacity(program.len());
    let mut run: Vec<(&str, &str)> = Vec::new();
    let flush = |run: &mut Vec<(&str, &str)>, formatted: &mut String| {
        let width = run.iter().map(|(key, _)| key.len()).max().unwrap_or_default();
        for (key, value) in run.drain(..) {
            let indented = key.len() - key.trim_start().len();
            let (tabs, space) = ("\t".repeat(indented / 4), " ".repeat(width - key.len()));
            formatted.push_str(&format!("{tabs}{}:{space} {value}\n", key.trim_start()));
        }
    };
    for line in program.lines() {
        let field = line.split_once(": ").filter(|(_, value)| value.ends_with(','));
        let level = |key: &str| key.len() - key.trim_start().len();
        if let Some((key, value)) = field {
            if run.first().is_some_and(|(first, _)| level(first) != level(key)) {
                flush(&mut run, &mut formatted);
            }
            run.push((key, value));
            continue;
        }
        flush(&mut run, &mut formatted);
        let text = line.trim_start();
        formatted.push_str(&"\t".repeat((line.len() - text.len()) / 4));
        formatted.push_str(text);
        formatted.push('\n');
    }
    flush(&mut run, &mut formatted);
    formatted
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_have_the_types_of_the_schema() {
        let types = json!({ "a:index:Wait": { "properties": { "seconds": { "type": "number" } } } });
        for (value, spec, expected) in [
            (
                json!(2),
                json!({ "type": "integer" }),
                json!({ "kind": "integer", "value": "2" }),
            ),
            (
                json!("${x}"),
                json!({}),
                json!({ "kind": "string", "value": "x" }),
            ),
            (
                json!({ "k": "v" }),
                json!({}),
                json!({ "kind": "map", "members": [["k", "v"]] }),
            ),
            (
                json!({ "seconds": 2 }),
                json!({ "$ref": "/a/v7.48.0/schema.json#/types/a:index:Wait" }),
                json!({
                    "kind": "object", "members": [["seconds", { "kind": "number", "value": "2" }]],
                    "type": { "package": "a", "major": "7", "module": "", "name": "Wait" },
                }),
            ),
        ] {
            let typed = typed(&value, &spec, &types, &mut Vec::new()).unwrap();
            assert_eq!(serde_json::to_value(typed).unwrap(), expected);
        }
        for (value, spec) in [
            (json!(null), json!({})),
            (json!([]), json!({})),
            (json!({ "k": 1 }), json!({})),
        ] {
            assert!(typed(&value, &spec, &types, &mut Vec::new()).is_err(), "{value}");
        }
    }
}
