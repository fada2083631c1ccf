//! References of properties to types and resources, of the package and of others. Source: the page "Schema" of the
//! Pulumi documentation, section "Type".

use std::collections::BTreeMap;

use serde_json::Value;

use super::SchemaError;
use super::definitions::Definitions;
use crate::components::ChildPackage;

/// The types that the properties of a package can refer to.
pub(super) struct References<'a> {
    package: &'a str,
    /// Tokens of types of other packages, by their names in this package.
    external: BTreeMap<&'a str, &'a str>,
    dependencies: &'a [ChildPackage],
}

impl<'a> References<'a> {
    /// Creates the references of a package with these dependencies and types.
    pub(super) fn new(
        package: &'a str,
        dependencies: &'a [ChildPackage],
        definitions: &'a Definitions,
    ) -> Self {
        let external = definitions
            .inner()
            .filter_map(|(name, schema)| Some((name, schema["x-external"].as_str()?)))
            .collect();
        Self {
            package,
            external,
            dependencies,
        }
    }

    /// The types of the package itself among `definitions`, with their tokens in the root module.
    pub(super) fn own<'b>(
        &self,
        definitions: &'b Definitions,
    ) -> impl Iterator<Item = (String, &'b str, &'b Value)> {
        definitions
            .inner()
            .filter(|(name, _)| !self.external.contains_key(name))
            .map(|(name, schema)| (self.token(name), name, schema))
    }

    /// Returns a reference to the type with the name `name` in this package.
    ///
    /// # Errors
    ///
    /// The type belongs to a package that is not a dependency.
    pub(super) fn to_type(&self, name: &str) -> Result<String, SchemaError> {
        match self.external.get(name) {
            Some(token) => self.to_other("types", token),
            None => Ok(format!("#/types/{}", self.token(name))),
        }
    }

    /// Returns a reference to a resource of this package or of another one.
    ///
    /// # Errors
    ///
    /// See [`to_type`](Self::to_type).
    pub(super) fn to_resource(&self, token: &str) -> Result<String, SchemaError> {
        self.to_other("resources", token)
    }

    /// The reference contains the version: the engine's tools load exactly this version of the package.
    fn to_other(&self, kind: &str, token: &str) -> Result<String, SchemaError> {
        let package = token.split(':').next().unwrap_or_default();
        let escaped = token.replace('/', "%2F");
        if package == self.package {
            return Ok(format!("#/{kind}/{escaped}"));
        }
        let dependency = self.dependencies.iter().find(|one| one.name == package);
        let dependency = dependency.ok_or_else(|| {
            SchemaError::new(format!(
                "{token} belongs to a package that is not among the dependencies"
            ))
        })?;
        Ok(format!(
            "/{package}/v{}/schema.json#/{kind}/{escaped}",
            dependency.version
        ))
    }

    fn token(&self, name: &str) -> String {
        format!("{}:index:{name}", self.package)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn a_type_of_another_package_is_referred_to_in_its_version() {
        let package = sample();
        let definitions = package.types().unwrap();
        let references = References::new("sample", &package.dependencies, &definitions);
        assert_eq!(
            references.to_type("Limit").unwrap(),
            "/cloud/v7.1.2/schema.json#/types/cloud:far%2FLimit:Limit"
        );
        assert_eq!(
            references.to_resource("cloud:far/disk:Disk").unwrap(),
            "/cloud/v7.1.2/schema.json#/resources/cloud:far%2Fdisk:Disk"
        );
        assert_eq!(references.to_type("Place").unwrap(), "#/types/sample:index:Place");
        assert_eq!(
            references.to_resource("sample:index:FunctionGroup").unwrap(),
            "#/resources/sample:index:FunctionGroup"
        );
    }

    #[test]
    fn a_package_that_is_no_dependency_is_an_error() {
        let definitions = Definitions::default();
        let error = References::new("pkg", &[], &definitions)
            .to_resource("far:index:Disk")
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "far:index:Disk belongs to a package that is not among the dependencies"
        );
    }
}
