//! A value of an example with its type in the engine's schema, which statically typed languages require.

use serde_json::{Map, Value};

use crate::Error;

/// Object types of a package by token, as its schema has them.
pub(in crate::codegen) type Types = Map<String, Value>;

/// A value and its type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Typed {
    Boolean(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    /// Elements of one type. Examples contain no empty lists.
    List(Vec<Typed>),
    /// A map of strings.
    Map(Vec<(String, String)>),
    Object(TypeName, Vec<(String, Typed)>),
}

/// Name of an object type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TypeName {
    /// Its package.
    pub(super) package: String,
    /// The major version of its package, if it is a different package.
    pub(super) major: Option<String>,
    /// Its module; empty for the root module.
    pub(super) module: String,
    /// `TenantContext`.
    pub(super) name: String,
}

/// An argument of a call or a component.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) value: Typed,
    /// Whether SDKs do not accept a deferred value.
    pub(super) plain: bool,
}

/// `values` as arguments that are specified by `specs`.
pub(super) fn arguments(
    values: &Map<String, Value>,
    specs: &Map<String, Value>,
    types: &Types,
) -> Result<Vec<Argument>, Error> {
    values
        .iter()
        .map(|(name, value)| {
            let spec = specs
                .get(name)
                .ok_or_else(|| format!("an example has {name}, which is no input"))?;
            Ok(Argument {
                name: name.clone(),
                value: typed(value, spec, types).map_err(|error| format!("{name}: {error}"))?,
                plain: spec["plain"] == true,
            })
        })
        .collect()
}

/// A value with the type in `spec`. The types of members of other packages' objects are those of
/// their values.
fn typed(value: &Value, spec: &Value, types: &Types) -> Result<Typed, Error> {
    Ok(match value {
        Value::Bool(on) => Typed::Boolean(*on),
        Value::String(text) => Typed::Text(text.clone()),
        Value::Number(number) => match number.as_i64() {
            Some(whole) if spec["type"] != "number" => Typed::Integer(whole),
            _ => Typed::Number(number.as_f64().ok_or("a number is too large")?),
        },
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().map(|item| typed(item, &spec["items"], types));
            Typed::List(items.collect::<Result<_, _>>()?)
        }
        Value::Object(members) => match spec["$ref"].as_str() {
            Some(reference) => object(members, reference, types)?,
            None => Typed::Map(texts(members)?),
        },
        Value::Array(_) | Value::Null => return Err("examples hold neither nulls nor empty lists".into()),
    })
}

fn object(members: &Map<String, Value>, reference: &str, types: &Types) -> Result<Typed, Error> {
    let (before, token) = reference
        .split_once("#/types/")
        .ok_or_else(|| format!("{reference} is no object type"))?;
    let token = token.replace("%2F", "/");
    let specs = &types.get(&token).unwrap_or(&Value::Null)["properties"];
    let members = members.iter().map(|(name, value)| {
        let value = typed(value, &specs[name], types).map_err(|error| format!("{name}: {error}"))?;
        Ok((name.clone(), value))
    });
    let members = members.collect::<Result<_, Error>>()?;
    Ok(Typed::Object(TypeName::new(before, &token)?, members))
}

fn texts(members: &Map<String, Value>) -> Result<Vec<(String, String)>, Error> {
    let texts = members.iter().map(|(name, value)| {
        let text = value.as_str().ok_or_else(|| format!("{name} is no text"))?;
        Ok((name.clone(), text.to_owned()))
    });
    texts.collect()
}

impl TypeName {
    /// The type `token`, which follows a reference such as `/aws/v7.48.0/schema.json`.
    fn new(before: &str, token: &str) -> Result<Self, Error> {
        let [package, module, name] = token.split(':').collect::<Vec<_>>()[..] else {
            return Err(format!("{token} is no token").into());
        };
        // `eks/NodeGroupTaint`, with the name repeated after the module.
        let module = module.rsplit_once('/').map_or(module, |(module, _)| module);
        let major = before
            .split_once("/v")
            .and_then(|(_, version)| version.split('.').next());
        Ok(Self {
            package: package.to_owned(),
            major: major.map(str::to_owned),
            module: if module == "index" {
                String::new()
            } else {
                module.to_owned()
            },
            name: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value, spec: Value) -> Result<Typed, String> {
        let Value::Object(types) =
            json!({ "a:index:Wait": { "properties": { "seconds": { "type": "number" } } } })
        else {
            unreachable!("an object")
        };
        typed(&value, &spec, &types).map_err(|error| error.to_string())
    }

    #[test]
    fn the_schema_tells_whole_numbers_from_others_and_objects_from_maps() {
        assert_eq!(
            read(json!(2), json!({ "type": "integer" })),
            Ok(Typed::Integer(2))
        );
        assert_eq!(
            read(json!(2), json!({ "type": "number" })),
            Ok(Typed::Number(2.0))
        );
        let map = Typed::Map(vec![("k".to_owned(), "v".to_owned())]);
        assert_eq!(read(json!({ "k": "v" }), json!({ "type": "object" })), Ok(map));
        let Ok(Typed::Object(name, members)) =
            read(json!({ "seconds": 2 }), json!({ "$ref": "#/types/a:index:Wait" }))
        else {
            panic!("no object")
        };
        assert_eq!(
            (name.package.as_str(), name.module.as_str(), name.major),
            ("a", "", None)
        );
        assert_eq!(members, [("seconds".to_owned(), Typed::Number(2.0))]);
    }

    #[test]
    fn types_of_other_packages_have_their_module_and_major_version() {
        let taint = json!({ "$ref": "/aws/v7.48.0/schema.json#/types/aws:eks%2FTaint:Taint" });
        let Ok(Typed::Object(name, members)) = read(json!({ "count": 1 }), taint) else {
            panic!("no object")
        };
        assert_eq!((name.module.as_str(), name.name.as_str()), ("eks", "Taint"));
        assert_eq!(name.major.as_deref(), Some("7"));
        assert_eq!(members, [("count".to_owned(), Typed::Integer(1))]);
    }

    #[test]
    fn what_no_language_can_write_is_refused() {
        assert!(read(json!(null), json!({})).is_err());
        assert!(read(json!([]), json!({})).is_err());
        assert!(read(json!({ "k": 1 }), json!({ "type": "object" })).is_err());
    }
}
