//! The types of a package by name, collected from the schemas that use them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::SchemaError;

/// Types by name, each without the definitions of the types that it uses.
#[derive(Default)]
pub(super) struct Definitions {
    types: BTreeMap<String, Value>,
    /// Names of the types that others refer to.
    inner: BTreeSet<String>,
}

impl Definitions {
    /// Adds the type that `schema` describes, and the types that it uses.
    ///
    /// # Errors
    ///
    /// The schema has no title, or another type has the same name.
    pub(super) fn add(&mut self, schema: &Value) -> Result<(), SchemaError> {
        let mut schema = schema.clone();
        let name = name(&schema)?.to_owned();
        let object = schema.as_object_mut();
        let object = object.ok_or_else(|| SchemaError::new("a schema must be an object"))?;
        object.remove("$schema");
        let inner = object.remove("$defs");
        self.insert(name, schema)?;
        if let Some(Value::Object(inner)) = inner {
            for (name, mut definition) in inner {
                definition["title"] = json!(name);
                self.inner.insert(name.clone());
                self.insert(name, definition)?;
            }
        }
        Ok(())
    }

    /// Adds a type that becomes part of the engine's schema although no property has it, and the types that it uses.
    ///
    /// # Errors
    ///
    /// See [`add`](Self::add).
    pub(super) fn add_inner(&mut self, schema: &Value) -> Result<(), SchemaError> {
        self.add(schema)?;
        self.inner.insert(name(schema)?.to_owned());
        Ok(())
    }

    fn insert(&mut self, name: String, schema: Value) -> Result<(), SchemaError> {
        match self.types.get(&name) {
            Some(known) if *known != schema => Err(SchemaError::new(format!(
                "two different types are called {name}; rename one of them"
            ))),
            _ => {
                self.types.insert(name, schema);
                Ok(())
            }
        }
    }

    /// Returns all types by name.
    pub(super) fn into_all(self) -> BTreeMap<String, Value> {
        self.types
    }

    /// The types that properties of other types have, and the types of [`add_inner`](Self::add_inner), by name.
    pub(super) fn inner(&self) -> impl Iterator<Item = (&str, &Value)> {
        let inner = self.types.iter().filter(|(name, _)| self.inner.contains(*name));
        inner.map(|(name, schema)| (name.as_str(), schema))
    }
}

/// Returns the name of the type that `schema` describes.
fn name(schema: &Value) -> Result<&str, SchemaError> {
    let title = schema["title"].as_str();
    title.ok_or_else(|| SchemaError::new(format!("a schema has no title: {schema}")))
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
        let inner: Vec<_> = definitions.inner().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(inner, ["Inner"]);
        let expected = [
            ("Inner", json!({ "title": "Inner", "type": "object" })),
            ("Outer", json!({ "title": "Outer", "type": "object" })),
        ];
        let expected = expected.map(|(name, schema)| (name.to_owned(), schema));
        assert_eq!(definitions.into_all(), expected.into());
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
