//! `getNsServices`: all services of the manager API as a map.

use netmgr_types::shapes::NameMap;
use netmgr_types::wire::MapRow;

use crate::context::LookupContext;
use crate::declared::OfKind;
use crate::error::Error;
use crate::functions::manager_api::GetNsService;
use crate::lookup::Function;
use crate::name_map::{Mapped, names};
use crate::read::ObjectKind;
use crate::reads::FunctionRead;
use crate::request::request;
use crate::spec::{LookupSpec, ResultKind};

request! {
    /// Reads the ids of all services of the manager API by display name.
    GetNsServices(MapInput) -> NameMap
}

impl Function for GetNsServices {
    const SPEC: LookupSpec = LookupSpec::new(
        "getNsServices",
        "service",
        "Reads the ids of all services of the manager API, by display name.",
    )
    .removed_in("9.0.0")
    .successors(&["getPolicyServices"])
    .answers(ResultKind::Table)
    .source("4.2 and 4.3");
    type Returns = NameMap;

    fn reads() -> Vec<FunctionRead> {
        vec![FunctionRead::of(Self::KIND)]
    }

    async fn run(self, cx: &LookupContext<'_>) -> Result<NameMap, Error> {
        names::<Self>(cx, &self.0).await
    }
}

impl Mapped for GetNsServices {
    const KIND: &'static ObjectKind = GetNsService::KIND;
    type Object = MapRow;

    fn value(object: &MapRow) -> String {
        object.id.clone()
    }
}
