//! `getNsGroups`: all groups of the manager API as a map.

use netmgr_types::shapes::{MapInput, NameMap};
use netmgr_types::wire::ManagerObject;

use crate::context::Context;
use crate::error::Error;
use crate::functions::get_ns_group::NS_GROUP;
use crate::lookup::Lookup;
use crate::name_map::name_map;
use crate::spec::{Answer, LookupSpec};

/// Reads the ids of all groups of the manager API by display name.
///
/// Source: lookup-provider 4.2 and 4.3, manager-api A.1.
pub struct GetNsGroups;

impl Lookup for GetNsGroups {
    const SPEC: LookupSpec = LookupSpec::new(
        "getNsGroups",
        "group",
        "Reads the ids of all groups of the manager API, by display name.",
    )
    .counterpart("groups (`/infra/domains/{domain}/groups`)")
    .answers(Answer::Table)
    .source("lookup-provider 4.2 and 4.3");
    type Input = MapInput;
    type Output = NameMap;

    async fn run(input: MapInput, cx: &Context<'_>) -> Result<NameMap, Error> {
        name_map(cx, &NS_GROUP, &input, |group: ManagerObject| group.id).await
    }
}
