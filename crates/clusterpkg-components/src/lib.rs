//! Six components that build a managed cluster with add-ons on a public cloud.
//!
//! The crate contains the components, one file each, with the types of their inputs and outputs, their
//! children and rules. [`ALL`] lists them. Components use the engine through
//! [`pulumi_plugin::components::Registrar`], which tests implement with a recorder.
//!
//! Schemas of the types have additional members:
//!
//! | Member | On | Meaning |
//! |---|---|---|
//! | `x-source` | inputs of a component | section of the specification |
//! | `examples` | inputs of a component | examples; the last one creates all possible children |
//! | `x-plain` | input | must be known when the component is constructed |
//! | `x-secret` | output | is secret |
//! | `x-deprecation` | input | replacement |
//! | `x-resource` | output | type token of the resource |
//! | `x-addition` | input or output | is not part of the original specification |
//! | `x-cluster-output` | input | output of the cluster that examples refer to |
//! | `x-external` | object type | token of the type in another package |
//! | `default` | input | default that SDKs may fill in |
//! | `x-default` | input | default that SDKs must not fill in, because the component distinguishes an absent input, or because existing stacks would see a new input |

mod architecture;
mod attached_node_group;
mod attached_serverless_profile;
mod autoscaled_node_group;
mod aws;
mod check;
mod children;
mod cluster;
mod graph;
mod iam_role_mapping;
mod iam_service_account_role;
mod label;
mod policy;
mod tags;
mod versions;

use pulumi_plugin::components::schemars::{Schema, SchemaGenerator};
use pulumi_plugin::components::{ChildPackage, ComponentEntry};
use serde_json::Value as Json;

pub use attached_node_group::{
    AttachedNodeGroup, AttachedNodeGroupInputs, AttachedNodeGroupOutputs, NodeGroupTaint, ScalingConfig,
};
pub use attached_serverless_profile::{
    AttachedServerlessProfile, AttachedServerlessProfileInputs, AttachedServerlessProfileOutputs,
    ProfileSelector,
};
pub use autoscaled_node_group::{
    AutoscaledNodeGroup, AutoscaledNodeGroupInputs, AutoscaledNodeGroupOutputs, BudgetConfig, DiskSize,
    DisruptionConfig, Effects, KubeletSettings, NodeMetadataOptions, NodeTaint, Requirement, Taint,
};
pub use cluster::{
    AccessEntry, AuthControllerImage, Cluster, ClusterInputs, ClusterOutputs, IngressConfig, IngressImage,
    KubeconfigOptions, ManagedAddon, ProxyIngressConfig, VpcCniConfig, VpcCniNodeAgentConfig,
};
pub use graph::{ComponentGraph, graph};
pub use iam_role_mapping::{IamRoleMapping, IamRoleMappingInputs, IamRoleMappingOutputs};
pub use iam_service_account_role::{
    IamServiceAccountRole, IamServiceAccountRoleInputs, IamServiceAccountRoleOutputs,
};

/// The value of `x-source` for a section of the specification of components.
fn section(number: &str) -> String {
    format!("cluster-components {number}")
}

/// Completes the descriptions of the properties of an object that are additions to the specification. A transform of
/// schemars.
fn describe_additions(object: &mut Schema) {
    let properties = object.get_mut("properties").and_then(Json::as_object_mut);
    for (_, property) in properties.into_iter().flatten() {
        if property["x-addition"] == true
            && let Some(Json::String(description)) = property.get_mut("description")
        {
            description.push_str(" Not part of the original specification.");
        }
    }
}

/// Every component, in the order of the specification.
pub static ALL: &[ComponentEntry] = &[
    ComponentEntry::of::<Cluster>(),
    ComponentEntry::of::<AttachedNodeGroup>(),
    ComponentEntry::of::<AttachedServerlessProfile>(),
    ComponentEntry::of::<AutoscaledNodeGroup>(),
    ComponentEntry::of::<IamRoleMapping>(),
    ComponentEntry::of::<IamServiceAccountRole>(),
];

/// Packages of children with their versions.
pub const PACKAGES: &[ChildPackage] = versions::PACKAGES;

/// Creates the schema of an object type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// Object types of the specification that no input or output uses.
pub const OTHER_TYPES: &[SchemaOf] = &[|generator| generator.subschema_for::<Taint>()];
