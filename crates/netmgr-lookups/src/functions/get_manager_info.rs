//! `getManagerInfo`: the manager's software version.

use netmgr_types::shapes::given;
use netmgr_types::wire::NodeVersion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::error::Error;
use crate::lookup::Lookup;
use crate::spec::{Answer, LookupSpec};

/// Reads the software version of the manager node.
///
/// Source: lookup-provider 4.2, manager-api A.1 and B.3.
pub struct GetManagerInfo;

/// Input of `getManagerInfo`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ManagerInfoInput {
    /// Returned as it is; has no effect on the lookup.
    pub id: Option<String>,
}

/// Output of `getManagerInfo`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManagerInfo {
    /// The id given, else a constant.
    pub id: String,
    /// Software version of the manager node.
    pub version: String,
}

impl Lookup for GetManagerInfo {
    const SPEC: LookupSpec = LookupSpec::new(
        "getManagerInfo",
        "manager version",
        "Reads the software version of the manager node.",
    )
    .answers(Answer::Fact)
    .source("lookup-provider 4.2 and 9");
    type Input = ManagerInfoInput;
    type Output = ManagerInfo;

    async fn run(input: ManagerInfoInput, cx: &Context<'_>) -> Result<ManagerInfo, Error> {
        let node: NodeVersion = cx.one("/api/v1/node/version").await?;
        Ok(ManagerInfo {
            id: given(&input.id).unwrap_or("manager-info").to_owned(),
            version: node.version().to_owned(),
        })
    }
}
