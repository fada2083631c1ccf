//! `getManagerInfo`: the manager's software version.

use derive_setters::Setters;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use netmgr_types::wire::NodeVersion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lookup::{Invocation, Lookup};
use crate::read::Scope;
use crate::reads::FunctionRead;
use crate::spec::{LookupSpec, ResultKind};

/// Reads the software version of the manager node.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ManagerInfoInput", description = "Input of `getManagerInfo`.")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetManagerInfo {
    /// Id to return in the output. Has no effect on the lookup.
    pub id: Option<String>,
}

/// Output of `getManagerInfo`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ManagerInfo {
    /// Id from the input, or a constant.
    pub id: String,
    /// Software version of the manager node.
    pub version: String,
}

impl GetManagerInfo {
    /// Selects the manager.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Lookup for GetManagerInfo {
    type Output = ManagerInfo;
    const SPEC: LookupSpec = LookupSpec::new(
        "getManagerInfo",
        "manager version",
        "Reads the software version of the manager node.",
    )
    .answers(ResultKind::Fact)
    .source("4.2 and 9");

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::Document("/api/v1/node/version")]
    }

    fn invocation(self, _: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let id = given(&self.id).unwrap_or("manager-info").to_owned();
        Ok(Invocation::own(|cx| {
            Box::pin(async move {
                let node: NodeVersion = cx.one("/api/v1/node/version").await?;
                let version = node.version().to_owned();
                Ok(ManagerInfo { id, version })
            })
        }))
    }
}
