//! The types of a package, gathered from the schemas that use them.
//!
//! Lives here: one flat list by name. Not here: documents that contain it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::Error;

/// Types by name, each without the definitions it uses.
#[derive(Default)]
pub(super) struct Definitions {
    types: BTreeMap<String, Value>,
    /// Names of those that others refer to.
    inner: Vec<String>,
}

impl Definitions {
    /// Adds the type that `schema` describes and those it uses.
    ///
    /// # Errors
    ///
    /// A schema without title, and another type of the same name.
    pub(super) fn add(&mut self, schema: &Value) -> Result<(), Error> {
        let mut schema = schema.clone();
        let object = schema.as_object_mut().ok_or("a schema must be an object")?;
        object.remove("$schema");
        let inner = object.remove("$defs");
        let name = name(&schema)?.to_owned();
        self.insert(name, schema)?;
        if let Some(Value::Object(inner)) = inner {
            for (name, mut definition) in inner {
                definition["title"] = json!(name);
                if !self.inner.contains(&name) {
                    self.inner.push(name.clone());
                }
                self.insert(name, definition)?;
            }
        }
        Ok(())
    }

    /// Adds a type that the engine shall know although no property has it, and those it uses.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub(super) fn add_inner(&mut self, schema: &Value) -> Result<(), Error> {
        let name = name(schema)?.to_owned();
        self.add(schema)?;
        if !self.inner.contains(&name) {
            self.inner.push(name);
        }
        Ok(())
    }

    fn insert(&mut self, name: String, schema: Value) -> Result<(), Error> {
        match self.types.get(&name) {
            Some(known) if *known != schema => {
                Err(format!("two different types are called {name}; rename one of them").into())
            }
            _ => {
                self.types.insert(name, schema);
                Ok(())
            }
        }
    }

    /// Every type with its name, by name.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.types.iter().map(|(name, schema)| (name.as_str(), schema))
    }

    /// The types that properties of others have, and those added as such.
    pub(super) fn inner(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.all()
            .filter(|(name, _)| self.inner.iter().any(|inner| inner == name))
    }

    /// Types and properties without description.
    pub(super) fn undescribed(&self) -> Vec<String> {
        let described = |schema: &Value| {
            let text = schema["description"].as_str();
            text.is_some_and(|text| !text.trim().is_empty())
        };
        let mut undescribed = Vec::new();
        for (name, schema) in self.all() {
            if !described(schema) {
                undescribed.push(name.to_owned());
            }
            for (property, schema) in schema["properties"].as_object().into_iter().flatten() {
                if !described(schema) {
                    undescribed.push(format!("{name}.{property}"));
                }
            }
        }
        undescribed
    }
}

/// The name of the type that `schema` describes.
pub(super) fn name(schema: &Value) -> Result<&str, Error> {
    let title = schema["title"].as_str();
    title.ok_or_else(|| format!("a schema has no title: {schema}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outer(inner: &Value) -> Value {
        json!({ "$schema": "x", "title": "Outer", "type": "object", "$defs": { "Inner": inner } })
    }

    #[test]
    fn a_type_is_listed_once_however_many_use_it() {
        let mut definitions = Definitions::default();
        let inner = json!({ "type": "object" });
        definitions.add(&outer(&inner)).unwrap();
        definitions.add(&outer(&inner)).unwrap();
        let all: Vec<_> = definitions.all().collect();
        assert_eq!(
            all,
            [
                ("Inner", &json!({ "title": "Inner", "type": "object" })),
                ("Outer", &json!({ "title": "Outer", "type": "object" })),
            ]
        );
        let inner: Vec<_> = definitions.inner().map(|(name, _)| name).collect();
        assert_eq!(inner, ["Inner"]);
    }

    #[test]
    fn two_types_of_one_name_are_refused() {
        let mut definitions = Definitions::default();
        definitions.add(&outer(&json!({ "type": "object" }))).unwrap();
        let error = definitions.add(&outer(&json!({ "type": "string" }))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "two different types are called Inner; rename one of them"
        );
    }
}
