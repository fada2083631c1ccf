//! Shared code of the lookups of upgrade groups, which are in one collection and differ in type.

use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plan::{InputSelectors, MustBe, Plan, required_text};
use crate::read::{ObjectKind, Read, Scope};
use crate::selection::NameRule;

/// Path of the collection.
pub(crate) const COLLECTION: &str = "/api/v1/upgrade/upgrade-unit-groups";

/// Input of `getEdgeUpgradeGroup` and `getHostUpgradeGroup`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UpgradeGroupInput {
    /// Id of the upgrade preparation resource. Has no effect on the lookup; use it to make the call depend on
    /// the preparation.
    #[schemars(length(min = 1))]
    pub upgrade_prepare_id: String,
    /// Description that the group must have, in addition to its display name.
    pub description: Option<String>,
    /// Display name of the group. Must match exactly.
    pub display_name: Option<String>,
    /// Id of the group. Takes precedence over all other inputs.
    pub id: Option<String>,
}

/// Output of `getEdgeUpgradeGroup` and `getHostUpgradeGroup`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UpgradeGroup {
    /// Description; empty if the object has none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Id.
    pub id: String,
    /// Id of the upgrade preparation resource from the input.
    pub upgrade_prepare_id: String,
}

impl UpgradeGroup {
    /// The output for `object`.
    pub(crate) fn new(input: &UpgradeGroupInput, object: &ManagedObject) -> Self {
        Self {
            display_name: object.name().to_owned(),
            description: object.description().to_owned(),
            id: object.id().to_owned(),
            upgrade_prepare_id: input.upgrade_prepare_id.clone(),
        }
    }
}

/// The plan for groups of one type, which `must_be` verifies.
pub(crate) fn plan(
    kind: &'static ObjectKind,
    must_be: MustBe,
    input: &UpgradeGroupInput,
    scope: &Scope,
) -> Result<Plan, Vec<InvalidProperty>> {
    required_text("upgradePrepareId", &input.upgrade_prepare_id).map_err(|problem| vec![problem])?;
    let selectors = InputSelectors {
        id: given(&input.id),
        name: given(&input.display_name),
        description: given(&input.description),
    };
    let read = Read::new(kind, scope, selectors.required()?);
    Ok(Plan::new(read, selectors.choose(NameRule::Exact)).must_be(must_be))
}

/// Checks that `group` has the type `wanted`. The error names the actual type.
pub(crate) fn check_type(group: &ManagedObject, wanted: &str) -> Result<(), String> {
    match group.text("type") {
        Some(kind) if kind == wanted => Ok(()),
        Some(kind) => Err(format!("the group with this id is of type {kind}, not {wanted}")),
        None => Err(format!(
            "the group with this id has no type, so it is not of type {wanted}"
        )),
    }
}
