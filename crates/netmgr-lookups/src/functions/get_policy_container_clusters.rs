//! `getPolicyContainerClusters`: all container clusters as a map.

use netmgr_types::shapes::NameMap;
use netmgr_types::wire::MapRow;

use crate::context::LookupContext;
use crate::declared::OfKind;
use crate::error::Error;
use crate::functions::transport::GetPolicyContainerCluster;
use crate::lookup::Function;
use crate::name_map::{Mapped, names};
use crate::read::ObjectKind;
use crate::reads::FunctionRead;
use crate::request::request;
use crate::spec::{LookupSpec, ResultKind};

request! {
    /// Reads the policy paths of all container clusters by display name.
    GetPolicyContainerClusters(MapInput) -> NameMap
}

impl Function for GetPolicyContainerClusters {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyContainerClusters",
        "container cluster",
        "Reads the policy paths of all container clusters, by display name.",
    )
    .answers(ResultKind::Table);
    type Returns = NameMap;

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(Self::KIND)]
    }

    async fn run(self, cx: &LookupContext<'_>) -> Result<NameMap, Error> {
        names::<Self>(cx, &self.0).await
    }
}

impl Mapped for GetPolicyContainerClusters {
    const KIND: &'static ObjectKind = GetPolicyContainerCluster::KIND;
    type Object = MapRow;

    fn value(object: &MapRow) -> String {
        object.path.clone().unwrap_or_default()
    }
}
