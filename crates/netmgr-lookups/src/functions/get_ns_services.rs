//! `getNsServices`: all services of the manager API as a map.

use netmgr_types::shapes::{MapInput, NameMap};
use netmgr_types::wire::ManagerObject;

use crate::context::Context;
use crate::error::Error;
use crate::functions::get_ns_service::NS_SERVICE;
use crate::lookup::Lookup;
use crate::name_map::name_map;
use crate::spec::{Answer, LookupSpec};

/// Reads the ids of all services of the manager API by display name.
///
/// Source: lookup-provider 4.2 and 4.3, manager-api A.1.
pub struct GetNsServices;

impl Lookup for GetNsServices {
    const SPEC: LookupSpec = LookupSpec::new(
        "getNsServices",
        "service",
        "Reads the ids of all services of the manager API, by display name.",
    )
    .counterpart("services (`/infra/services`)")
    .answers(Answer::Table)
    .source("lookup-provider 4.2 and 4.3");
    type Input = MapInput;
    type Output = NameMap;

    async fn run(input: MapInput, cx: &Context<'_>) -> Result<NameMap, Error> {
        name_map(cx, &NS_SERVICE, &input, |service: ManagerObject| service.id).await
    }
}
