//! Six components that build a managed cluster with add-ons on a public cloud.
//!
//! Lives here: the components of the package, one file each, with their inputs and outputs as types; what each
//! registers; and the rules for their inputs. [`ALL`] lists them. Not here: the engine's protocol. Components reach
//! the engine through [`engine_components::Registrar`], so tests play it with a recorder.
//!
//! Schemas made from the types say more than JSON Schema does, in members of their own:
//!
//! | Member | On | Says |
//! |---|---|---|
//! | `x-summary` | inputs of a component | what the component is |
//! | `x-source` | inputs of a component | where the specification describes it |
//! | `examples` | inputs of a component | its use; the last one makes every child there can be |
//! | `x-plain` | input | has to be known when the component is constructed |
//! | `x-secret` | output | is kept from view |
//! | `x-deprecation` | input | what to use instead |
//! | `x-resource` | output | is a resource with this type token |
//! | `x-addition` | input | is an addition to the specification |
//! | `x-external` | object type | is this type of another package |
//! | `default` | input | leaving it out means the same as this value |
//! | `x-default` | input | the value that counts when it is left out, where leaving it out and setting it differ |

mod architecture;
mod attached_node_group;
mod attached_serverless_profile;
mod autoscaled_node_group;
mod aws;
mod check;
mod cluster;
mod iam_role_mapping;
mod iam_service_account_role;
mod policy;
mod tags;
mod versions;

use engine_components::schemars::{Schema, SchemaGenerator};
use engine_components::{ChildPackage, Entry};

pub use attached_node_group::{
    AttachedNodeGroup, AttachedNodeGroupInputs, AttachedNodeGroupOutputs, NodeGroupTaint, ScalingConfig,
};
pub use attached_serverless_profile::{
    AttachedServerlessProfile, AttachedServerlessProfileInputs, AttachedServerlessProfileOutputs,
    ProfileSelector,
};
pub use autoscaled_node_group::{
    AutoscaledNodeGroup, AutoscaledNodeGroupInputs, AutoscaledNodeGroupOutputs, BudgetConfig, DiskSize,
    DisruptionConfig, Effects, NodeTaint, Requirement, Taint,
};
pub use cluster::{
    AccessEntry, Cluster, ClusterInputs, ClusterOutputs, IngressConfig, KubeconfigOptions,
    ProxyIngressConfig, VpcCniConfig, VpcCniNodeAgentConfig,
};
pub use iam_role_mapping::{IamRoleMapping, IamRoleMappingInputs, IamRoleMappingOutputs};
pub use iam_service_account_role::{
    IamServiceAccountRole, IamServiceAccountRoleInputs, IamServiceAccountRoleOutputs,
};

/// Every component, in the order of the specification.
pub const ALL: &[Entry] = &[
    Entry::of::<Cluster>(),
    Entry::of::<AttachedNodeGroup>(),
    Entry::of::<AttachedServerlessProfile>(),
    Entry::of::<AutoscaledNodeGroup>(),
    Entry::of::<IamRoleMapping>(),
    Entry::of::<IamServiceAccountRole>(),
];

/// The packages that children belong to, in the versions that they are registered with.
pub const PACKAGES: &[ChildPackage] = versions::PACKAGES;

/// Makes the schema of an object type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// Object types that the specification declares and no input or output has.
pub const OTHER_TYPES: &[SchemaOf] = &[|generator| generator.subschema_for::<Taint>()];
