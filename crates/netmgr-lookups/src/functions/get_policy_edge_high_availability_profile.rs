//! `getPolicyEdgeHighAvailabilityProfile`: a high availability profile of edge clusters.

use derive_setters::Setters;
use netmgr_types::Deployment;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lookup::{Invocation, Lookup};
use crate::plan::{InputSelectors, Plan, site_path, site_pattern};
use crate::read::{ObjectKind, Read, Scope};
use crate::reads::FunctionRead;
use crate::request::constructors;
use crate::selection::NameRule;
use crate::spec::{LookupSpec, Since};

/// The list may omit the built-in profile unless it is requested.
const PROFILE: ObjectKind = ObjectKind::below(
    "edge high availability profile",
    "PolicyEdgeHighAvailabilityProfile",
    "edge-cluster-high-availability-profiles",
)
.listed_with(&[("include_system_owned", "true")]);

/// Finds an edge high availability profile by id, name or a prefix of its name, in one site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "EdgeHighAvailabilityProfileInput",
    description = "Input of `getPolicyEdgeHighAvailabilityProfile`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetPolicyEdgeHighAvailabilityProfile {
    /// Description that the profile must have, in addition to its display name.
    pub description: Option<String>,
    /// Display name of the profile, or a prefix that matches exactly one profile.
    pub display_name: Option<String>,
    /// Id of the profile. Takes precedence over all other inputs.
    pub id: Option<String>,
    /// Path of the site that the profile belongs to, such as `/infra/sites/paris`. Defaults to the site
    /// `default`.
    #[schemars(regex(pattern = site_pattern()))]
    pub site_path: Option<String>,
}

/// Output of `getPolicyEdgeHighAvailabilityProfile`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EdgeHighAvailabilityProfile {
    /// Description; empty if the object has none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Id.
    pub id: String,
    /// Policy path.
    pub path: String,
    /// Site path from the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site_path: Option<String>,
    /// Identifier assigned by the system.
    pub unique_id: String,
}

constructors!(GetPolicyEdgeHighAvailabilityProfile, prefix);

impl Lookup for GetPolicyEdgeHighAvailabilityProfile {
    type Output = EdgeHighAvailabilityProfile;
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyEdgeHighAvailabilityProfile",
        "edge high availability profile",
        "Finds an edge high availability profile by id or display name.",
    )
    .on(&[Deployment::PolicyManager])
    .since(&[Since::version("9.0.0")])
    .example(r#"{"displayName": "edge-ha-fast"}"#)
    .source("4.2 and 9");

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&PROFILE)]
    }

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::new(&self.id, &self.display_name, &self.description);
        let mut read = Read::new(&PROFILE, scope, selectors.required()?);
        if let Some(site) = site_path(given(&self.site_path), scope)? {
            let point = format!("{site}/enforcement-points/{}", scope.enforcement_point);
            read = read.below("site or its enforcement point", point);
        }
        let plan = Plan::new(read, selectors.choose(NameRule::ExactOrPrefix));
        Ok(Invocation::object(plan, move |object| {
            EdgeHighAvailabilityProfile {
                display_name: object.name().to_owned(),
                description: object.description().to_owned(),
                id: object.id().to_owned(),
                path: object.path().unwrap_or_default().to_owned(),
                site_path: given(&self.site_path).map(str::to_owned),
                unique_id: object.text("unique_id").unwrap_or_default().to_owned(),
            }
        }))
    }
}
