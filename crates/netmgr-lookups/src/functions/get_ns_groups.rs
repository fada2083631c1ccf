//! `getNsGroups`: all groups of the manager API as a map.

use netmgr_types::shapes::NameMap;
use netmgr_types::wire::MapRow;

use crate::context::LookupContext;
use crate::declared::OfKind;
use crate::error::Error;
use crate::functions::manager_api::GetNsGroup;
use crate::lookup::Function;
use crate::name_map::{Mapped, names};
use crate::read::ObjectKind;
use crate::reads::FunctionRead;
use crate::request::request;
use crate::spec::{LookupSpec, ResultKind};

request! {
    /// Reads the ids of all groups of the manager API by display name.
    GetNsGroups(MapInput) -> NameMap
}

impl Function for GetNsGroups {
    const SPEC: LookupSpec = LookupSpec::new(
        "getNsGroups",
        "group",
        "Reads the ids of all groups of the manager API, by display name.",
    )
    .removed_in("9.0.0")
    .successors(&["getPolicyGroups"])
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

impl Mapped for GetNsGroups {
    const KIND: &'static ObjectKind = GetNsGroup::KIND;
    type Object = MapRow;

    fn value(object: &MapRow) -> String {
        object.id.clone()
    }
}
