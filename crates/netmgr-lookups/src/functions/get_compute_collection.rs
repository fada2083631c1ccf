//! `getComputeCollection`: a compute collection, such as a cluster of hosts.

use derive_setters::Setters;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::function::{Invocation, Lookup};
use crate::contract::spec::LookupSpec;
use crate::finding::object_kind::ObjectKind;
use crate::finding::plan::{InputSelectors, Plan, required_text};
use crate::finding::read::{Read, Scope};
use crate::finding::selection::NameRule;

const COMPUTE_COLLECTION: ObjectKind = ObjectKind::fixed(
    "compute collection",
    "ComputeCollection",
    "/api/v1/fabric/compute-collections",
);

/// Finds a compute collection by display name and, optionally, its origin.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "ComputeCollectionInput",
    description = "Input of `getComputeCollection`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetComputeCollection {
    /// Display name of the collection. Must match exactly.
    #[schemars(length(min = 1))]
    pub display_name: String,
    /// Local id of the collection in its compute manager.
    pub cm_local_id: Option<String>,
    /// External id of the collection. Takes precedence over all other inputs.
    pub id: Option<String>,
    /// Id of the compute manager that discovered the collection.
    pub origin_id: Option<String>,
    /// Type of the collection, such as `VC_Cluster`.
    pub origin_type: Option<String>,
}

/// Output of `getComputeCollection`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ComputeCollectionOutput {
    /// Display name.
    pub display_name: String,
    /// External id. Other functions accept it as the id of the cluster.
    pub id: String,
    /// Local id in the compute manager, if reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cm_local_id: Option<String>,
    /// Id of the compute manager that discovered the collection, if reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin_id: Option<String>,
    /// Type of the collection, if reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin_type: Option<String>,
}

impl GetComputeCollection {
    /// Selects the collection with this display name. Must match exactly.
    pub fn named(display_name: impl Into<String>) -> Self {
        Self::default().display_name(display_name)
    }
}

impl Lookup for GetComputeCollection {
    type Output = ComputeCollectionOutput;
    const SPEC: LookupSpec = LookupSpec {
        example: r#"{"displayName": "Compute-Cluster-01", "originType": "VC_Cluster"}"#,
        source: "4.2",
        ..LookupSpec::new(
            "getComputeCollection",
            "compute collection",
            "Finds a compute collection, such as a cluster of hosts, by display name.",
        )
    };

    const KINDS: &'static [&'static ObjectKind] = &[&COMPUTE_COLLECTION];

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let name = required_text("displayName", &self.display_name).map_err(|problem| vec![problem])?;
        let selectors = InputSelectors {
            id: given(&self.id),
            name: Some(name),
            description: None,
        };
        let mut read = Read::new(&COMPUTE_COLLECTION, scope, selectors.by()?);
        let mut criteria = selectors.criteria(NameRule::Exact);
        // The manager only filters by name, so that the error can name the input that excludes an object with that
        // name.
        read.list_filters.push(("display_name", name.to_owned()));
        criteria = criteria.with_text("cmLocalId", given(&self.cm_local_id), "cm_local_id");
        criteria = criteria.with_text("originId", given(&self.origin_id), "origin_id");
        criteria = criteria.with_text("originType", given(&self.origin_type), "origin_type");
        let plan = Plan::new(read, criteria);
        Ok(Invocation::object(plan, move |object| ComputeCollectionOutput {
            display_name: object.name().to_owned(),
            id: object.id().to_owned(),
            cm_local_id: object.sent("cm_local_id").map(str::to_owned),
            origin_id: object.sent("origin_id").map(str::to_owned),
            origin_type: object.sent("origin_type").map(str::to_owned),
        }))
    }
}
