//! `getLogicalTier0Router`: a tier-0 router of the manager API.

use derive_setters::Setters;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::logical_router::{COLLECTION, check_tier};
use crate::lookup::{Invocation, Lookup};
use crate::plan::{InputSelectors, Plan};
use crate::read::{ObjectKind, Read, Scope};
use crate::reads::FunctionRead;
use crate::request::constructors;
use crate::selection::NameRule;
use crate::spec::LookupSpec;

const TIER0_ROUTER: ObjectKind =
    ObjectKind::fixed("tier-0 router", "LogicalRouter", COLLECTION).listed_with(&[("router_type", "TIER0")]);

/// Finds a tier-0 router by id, name or a prefix of its name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "LogicalTier0RouterInput",
    description = "Input of `getLogicalTier0Router`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetLogicalTier0Router {
    /// Description that the router must have, in addition to its display name.
    pub description: Option<String>,
    /// Display name of the router, or a prefix that matches exactly one router.
    pub display_name: Option<String>,
    /// Id of the edge cluster that the router must run on.
    pub edge_cluster_id: Option<String>,
    /// High availability mode that the router must have: `ACTIVE_ACTIVE` or `ACTIVE_STANDBY`.
    pub high_availability_mode: Option<String>,
    /// Id of the router. Takes precedence over all other inputs.
    pub id: Option<String>,
}

/// Output of `getLogicalTier0Router`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LogicalTier0Router {
    /// Description; empty if the object has none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Id of the edge cluster that the router runs on; empty if there is none.
    pub edge_cluster_id: String,
    /// High availability mode; empty if the router has none.
    pub high_availability_mode: String,
    /// Id.
    pub id: String,
}

constructors!(GetLogicalTier0Router, prefix);

impl Lookup for GetLogicalTier0Router {
    type Output = LogicalTier0Router;
    const SPEC: LookupSpec = LookupSpec::new(
        "getLogicalTier0Router",
        "tier-0 router",
        "Finds a tier-0 router of the manager API by id or display name.",
    )
    .removed_in("9.0.0")
    .successors(&["getPolicyTier0Gateway"])
    .example(r#"{"displayName": "t0-prod-lab"}"#);

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&TIER0_ROUTER)]
    }

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::new(&self.id, &self.display_name, &self.description);
        let mut choose = selectors.choose(NameRule::ExactOrPrefix);
        choose = choose.with_text("edgeClusterId", given(&self.edge_cluster_id), "edge_cluster_id");
        choose = choose.with_text(
            "highAvailabilityMode",
            given(&self.high_availability_mode),
            "high_availability_mode",
        );
        let read = Read::new(&TIER0_ROUTER, scope, selectors.required()?);
        let plan = Plan::new(read, choose).must_be(|router| check_tier(router, "TIER0"));
        Ok(Invocation::object(plan, move |object| LogicalTier0Router {
            display_name: object.name().to_owned(),
            description: object.description().to_owned(),
            edge_cluster_id: object.text("edge_cluster_id").unwrap_or_default().to_owned(),
            high_availability_mode: object
                .text("high_availability_mode")
                .unwrap_or_default()
                .to_owned(),
            id: object.id().to_owned(),
        }))
    }
}
