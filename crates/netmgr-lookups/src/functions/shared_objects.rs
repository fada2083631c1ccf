//! Groups and services that other tenants share with a project.

use std::sync::Arc;

use netmgr_types::shapes::TenantContext;
use netmgr_types::wire::ManagedObject;
use serde::Deserialize;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::{By, Read};

const NOUN: &str = "shared resource";
/// Groups that are shared with a project. Shared resources are not in that project, so their paths do not matter.
pub(crate) const GROUPS: ObjectKind = ObjectKind::project(NOUN, "", "shared-with-me")
    .listed_with(&[("resource_type", "Group")])
    .unpaged()
    .inventory();
/// Services that are shared with a project.
pub(crate) const SERVICES: ObjectKind = ObjectKind::project(NOUN, "", "shared-with-me")
    .listed_with(&[("resource_type", "Service")])
    .unpaged()
    .inventory();
/// Services that are shared with all projects.
pub(crate) const SERVICES_OF_ALL: ObjectKind =
    ObjectKind::fixed(NOUN, "", "/policy/api/v1/orgs/default/shared-with-me")
        .listed_with(&[("resource_type", "Service")])
        .unpaged();

/// Names of shared resources with the paths of their objects.
pub(crate) async fn shared(
    cx: &LookupContext<'_>,
    kind: &'static ObjectKind,
    context: Option<&TenantContext>,
) -> Result<Vec<(String, String)>, Error> {
    let project = context.map(|context| context.project_id.as_str());
    let read = Arc::new(Read::new(kind, cx.scope, By::All).in_project(project));
    let keep = |share: &ManagedObject| {
        let objects: Vec<SharedObject> = share.list("resource_objects");
        let named = |object: SharedObject| (share.name().to_owned(), object.resource_path);
        Some(objects.into_iter().map(named).collect::<Vec<_>>())
    };
    let shares = match cx.collect(&read, keep).await {
        // Older managers have no shares of this kind.
        Err(Error::Unsupported { .. }) => Vec::new(),
        shares => shares?,
    };
    Ok(shares.into_iter().flatten().collect())
}

/// An object of a share.
#[derive(Deserialize)]
struct SharedObject {
    resource_path: String,
}
