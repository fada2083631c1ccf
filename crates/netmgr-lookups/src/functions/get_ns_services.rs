//! `getNsServices`: all services of the manager API as a map.

use futures_util::future::BoxFuture;
use netmgr_types::shapes::NameMap;
use netmgr_types::wire::ManagerMapRow;

use crate::context::Context;
use crate::error::Error;
use crate::functions::get_ns_service::NS_SERVICE;
use crate::lookup::Function;
use crate::name_map::{Mapped, names};
use crate::output::Output;
use crate::read::ObjectKind;
use crate::request::request;
use crate::spec::{Answer, LookupSpec};

request! {
    /// Reads the ids of all services of the manager API by display name.
    ///
    /// Source: lookup-provider 4.2 and 4.3, manager-api A.1.
    GetNsServices(MapInput) -> NameMap
}

impl Function for GetNsServices {
    const SPEC: LookupSpec = LookupSpec::new(
        "getNsServices",
        "service",
        "Reads the ids of all services of the manager API, by display name.",
    )
    .counterpart("services (`/infra/services`)")
    .answers(Answer::Table)
    .source("lookup-provider 4.2 and 4.3");
    type Returns = NameMap;

    async fn run(self, cx: &Context<'_>) -> Result<NameMap, Error> {
        Ok(names::<Self>(cx, &self.0).await?.into())
    }

    fn untyped<'a>(self, cx: &'a Context<'a>) -> BoxFuture<'a, Result<Output, Error>> {
        Box::pin(async move { names::<Self>(cx, &self.0).await.map(Output::Names) })
    }
}

impl Mapped for GetNsServices {
    const KIND: &'static ObjectKind = &NS_SERVICE;
    type Row<'a> = ManagerMapRow<'a>;
    const IS_IDENTITY: bool = true;

    fn value(id: String, _: Option<String>) -> String {
        id
    }
}
