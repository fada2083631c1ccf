//! `getPolicyContainerClusters`: all container clusters as a map.

use futures_util::future::BoxFuture;
use netmgr_types::shapes::NameMap;
use netmgr_types::wire::MapRow;

use crate::context::Context;
use crate::error::Error;
use crate::functions::get_policy_container_cluster::CONTAINER_CLUSTER;
use crate::lookup::Function;
use crate::name_map::{Mapped, names};
use crate::output::Output;
use crate::read::ObjectKind;
use crate::request::request;
use crate::spec::{Answer, LookupSpec};

request! {
    /// Reads the policy paths of all container clusters by display name.
    ///
    /// Source: lookup-provider 4.2 and 4.3, manager-api A.1.
    GetPolicyContainerClusters(MapInput) -> NameMap
}

impl Function for GetPolicyContainerClusters {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyContainerClusters",
        "container cluster",
        "Reads the policy paths of all container clusters, by display name.",
    )
    .answers(Answer::Table);
    type Returns = NameMap;

    async fn run(self, cx: &Context<'_>) -> Result<NameMap, Error> {
        Ok(names::<Self>(cx, &self.0).await?.into())
    }

    fn untyped<'a>(self, cx: &'a Context<'a>) -> BoxFuture<'a, Result<Output, Error>> {
        Box::pin(async move { names::<Self>(cx, &self.0).await.map(Output::Names) })
    }
}

impl Mapped for GetPolicyContainerClusters {
    const KIND: &'static ObjectKind = &CONTAINER_CLUSTER;
    type Row<'a> = MapRow<'a>;
    const IS_IDENTITY: bool = false;

    fn value(_: String, path: Option<String>) -> String {
        path.unwrap_or_default()
    }
}
