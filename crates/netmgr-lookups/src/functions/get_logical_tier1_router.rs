//! `getLogicalTier1Router`: a tier-1 router of the manager API.

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

const TIER1_ROUTER: ObjectKind =
    ObjectKind::fixed("tier-1 router", "LogicalRouter", COLLECTION).listed_with(&[("router_type", "TIER1")]);

/// Finds a tier-1 router by id, name or a prefix of its name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "LogicalTier1RouterInput",
    description = "Input of `getLogicalTier1Router`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetLogicalTier1Router {
    /// Description that the router must have, in addition to its display name.
    pub description: Option<String>,
    /// Display name of the router, or a prefix that matches exactly one router.
    pub display_name: Option<String>,
    /// Id of the edge cluster that the router must run on.
    pub edge_cluster_id: Option<String>,
    /// Id of the router. Takes precedence over all other inputs.
    pub id: Option<String>,
}

/// Output of `getLogicalTier1Router`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LogicalTier1Router {
    /// Description; empty if the object has none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Id of the edge cluster that the router runs on; empty if there is none.
    pub edge_cluster_id: String,
    /// Id.
    pub id: String,
}

constructors!(GetLogicalTier1Router, prefix);

impl Lookup for GetLogicalTier1Router {
    type Output = LogicalTier1Router;
    const SPEC: LookupSpec = LookupSpec::new(
        "getLogicalTier1Router",
        "tier-1 router",
        "Finds a tier-1 router of the manager API by id or display name.",
    )
    .removed_in("9.0.0")
    .successors(&["getPolicyTier1Gateway"])
    .example(r#"{"displayName": "t1-dist"}"#);

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&TIER1_ROUTER)]
    }

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::new(&self.id, &self.display_name, &self.description);
        let mut choose = selectors.choose(NameRule::ExactOrPrefix);
        choose = choose.with_text("edgeClusterId", given(&self.edge_cluster_id), "edge_cluster_id");
        let read = Read::new(&TIER1_ROUTER, scope, selectors.required()?);
        let plan = Plan::new(read, choose).must_be(|router| check_tier(router, "TIER1"));
        Ok(Invocation::object(plan, move |object| LogicalTier1Router {
            display_name: object.name().to_owned(),
            description: object.description().to_owned(),
            edge_cluster_id: object.text("edge_cluster_id").unwrap_or_default().to_owned(),
            id: object.id().to_owned(),
        }))
    }
}
