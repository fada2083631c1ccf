//! `getComputeManager`: a compute manager that is registered with the manager.

use netmgr_types::InvalidProperty;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lookup::{Invocation, Lookup};
use crate::plan::{InputSelectors, Plan};
use crate::read::{By, ObjectKind, Read, Scope};
use crate::reads::FunctionRead;
use crate::request::request;
use crate::selection::NameRule;
use crate::spec::LookupSpec;

request! {
    /// Finds a compute manager by id or name. Without either, returns the only compute manager.
    GetComputeManager(NamedInput) -> ComputeManagerOutput
}

/// Path of the collection.
pub(super) const COLLECTION: &str = "/api/v1/fabric/compute-managers";

/// Compute managers.
pub(crate) const COMPUTE_MANAGER: ObjectKind =
    ObjectKind::fixed("compute manager", "ComputeManager", COLLECTION);

/// Output of `getComputeManager`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ComputeManagerOutput {
    /// Description, if the object has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Display name.
    pub display_name: String,
    /// Id.
    pub id: String,
    /// Address or host name of the compute manager.
    pub server: String,
}

impl Lookup for GetComputeManager {
    type Output = ComputeManagerOutput;
    const SPEC: LookupSpec = LookupSpec::new(
        "getComputeManager",
        "compute manager",
        "Finds a compute manager by id or display name, or the only one if neither is set.",
    )
    .example(r#"{"displayName": "vc-prod"}"#);

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(&COMPUTE_MANAGER)]
    }

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let selectors = InputSelectors::from(&self.0);
        let by = selectors.by().unwrap_or(By::All);
        let plan = Plan::new(
            Read::new(&COMPUTE_MANAGER, scope, by),
            selectors.choose(NameRule::Exact),
        );
        Ok(Invocation::object(plan, move |object| ComputeManagerOutput {
            display_name: object.name().to_owned(),
            description: object.sent("description").map(str::to_owned),
            id: object.id().to_owned(),
            server: object.text("server").unwrap_or_default().to_owned(),
        }))
    }
}
