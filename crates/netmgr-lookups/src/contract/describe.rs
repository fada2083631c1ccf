//! Descriptions of functions for the token table, the command line and the documentation.
//!
//! Provides the facts and schemas of a [`FunctionEntry`] as plain values.

use serde::Serialize;
use serde_json::Value;

use crate::contract::properties::{Property, properties};
use crate::contract::registry::FunctionEntry;
use crate::contract::spec::{Availability, deployment_name};

/// Description of a function for users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Description {
    /// Function name: `getIpPool`.
    pub name: &'static str,
    /// Its token: `netmgr:index/getIpPool:getIpPool`.
    pub token: String,
    /// Kind of the token; always `function`.
    pub kind: &'static str,
    /// Description in one sentence.
    pub summary: &'static str,
    /// Properties of the input object.
    pub inputs: Vec<Property>,
    /// Properties of the output object.
    pub outputs: Vec<Property>,
    /// Deployments on which it is available; `None` if the specification does not state them.
    pub available_on: Option<Vec<&'static str>>,
    /// Minimum versions of the manager; empty if there are none.
    pub minimum_versions: Vec<MinimumVersion>,
    /// First of the functions that replace it on managers without its API.
    pub successor: Option<&'static str>,
    /// Example input.
    pub example: Value,
    /// Sections of the specification; `None` if the function is not part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// A minimum version of the manager.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MinimumVersion {
    /// Deployment that it applies to; `None` for all.
    pub deployment: Option<&'static str>,
    /// The version.
    pub version: &'static str,
}

impl FunctionEntry {
    /// Describes the function.
    #[must_use]
    pub fn describe(&self) -> Description {
        let spec = &self.spec;
        Description {
            name: spec.name,
            token: spec.token(),
            kind: "function",
            summary: spec.summary,
            inputs: properties(&(self.input_schema)()),
            outputs: properties(&(self.output_schema)()),
            available_on: match spec.availability {
                Availability::NotStated => None,
                Availability::Only(deployments) => Some(
                    deployments
                        .iter()
                        .map(|deployment| deployment_name(*deployment))
                        .collect(),
                ),
            },
            minimum_versions: spec
                .since
                .iter()
                .map(|since| MinimumVersion {
                    deployment: since.deployment.map(deployment_name),
                    version: since.version,
                })
                .collect(),
            successor: spec.successors.first().copied(),
            example: serde_json::from_str(spec.example).expect("examples in specs are JSON"),
            source: (!spec.source.is_empty()).then(|| format!("lookup-provider {}", spec.source)),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_successor_is_a_function_that_is_not_replaced_itself() {
        for entry in crate::ALL.iter() {
            for successor in entry.spec.successors {
                let successor = crate::Lookups::entry(successor).unwrap();
                assert_eq!(successor.spec.successors, [""; 0], "{}", entry.spec.name);
                assert_eq!(successor.spec.removed_in, None, "{}", entry.spec.name);
            }
        }
    }

    #[test]
    fn every_removed_function_but_that_of_mac_pools_has_a_successor() {
        let removed = crate::ALL.iter().filter(|entry| entry.spec.removed_in.is_some());
        let without = removed.filter(|entry| entry.spec.successors.is_empty());
        let names: Vec<&str> = without.map(|entry| entry.spec.name).collect();
        assert_eq!(names, ["getMacPool"]);
    }

    #[test]
    fn every_function_and_every_property_is_described() {
        for entry in crate::ALL.iter() {
            let description = entry.describe();
            assert!(description.summary.ends_with('.'), "{}", description.name);
            for property in description.inputs.iter().chain(&description.outputs) {
                assert!(
                    !property.description.is_empty(),
                    "{}: {}",
                    description.name,
                    property.name
                );
            }
        }
    }
}
