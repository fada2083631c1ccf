//! `getPolicyBaremetalServerGroupAssociations`: the groups that a bare metal server is a member of.

use derive_setters::Setters;
use netmgr_types::InvalidProperty;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bare_metal_servers::WITH_SERVERS;
use crate::context::LookupContext;
use crate::declared::POLICY;
use crate::error::Error;
use crate::group_associations::{self, GroupReference};
use crate::lookup::{Function, Lookup};
use crate::read::{ObjectKind, Scope};
use crate::reads::FunctionRead;
use crate::spec::{LookupSpec, ResultKind};

const GROUPS: ObjectKind = ObjectKind::fixed("group", "", "/policy/api/v1/infra/bms-group-associations");

/// Lists the groups that a bare metal server is a member of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "PolicyBaremetalServerGroupAssociationsInput",
    description = "Input of `getPolicyBaremetalServerGroupAssociations`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetPolicyBaremetalServerGroupAssociations {
    /// Policy path of the enforcement point.
    pub enforcement_point_path: Option<String>,
    /// External id of the server.
    #[schemars(length(min = 1))]
    pub external_id: String,
    /// Id, which has no effect.
    pub id: Option<String>,
}

/// Output of `getPolicyBaremetalServerGroupAssociations`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyBaremetalServerGroupAssociations {
    /// The groups, sorted by path.
    pub groups: Vec<GroupReference>,
    /// External id of the server.
    pub id: String,
}

impl GetPolicyBaremetalServerGroupAssociations {
    /// Selects the groups of the server with this external id.
    pub fn of(external_id: impl Into<String>) -> Self {
        Self::default().external_id(external_id)
    }
}

impl Lookup for GetPolicyBaremetalServerGroupAssociations {
    type Output = PolicyBaremetalServerGroupAssociations;
}

impl Function for GetPolicyBaremetalServerGroupAssociations {
    const SPEC: LookupSpec = LookupSpec::further(
        "getPolicyBaremetalServerGroupAssociations",
        "group",
        "Lists the groups that a bare metal server is a member of.",
    )
    .on(POLICY)
    .since(WITH_SERVERS)
    .answers(ResultKind::Table)
    .without_effect(&["id"])
    .example(r#"{"externalId": "71be0142-2ed1-1d53-9c60-5564cf4b7e2e"}"#);
    type Returns = PolicyBaremetalServerGroupAssociations;

    fn reads() -> Vec<FunctionRead> {
        // The groups follow from the groups themselves.
        Vec::new()
    }

    fn check(&self, _: &Scope) -> Result<(), Vec<InvalidProperty>> {
        group_associations::check(&self.external_id)
    }

    async fn run(self, cx: &LookupContext<'_>) -> Result<PolicyBaremetalServerGroupAssociations, Error> {
        let parameter = "bms_external_id";
        let point = &self.enforcement_point_path;
        let groups = group_associations::groups(cx, &GROUPS, parameter, &self.external_id, point).await?;
        Ok(PolicyBaremetalServerGroupAssociations {
            groups,
            id: self.external_id,
        })
    }
}
