//! Groups and services with those that other tenants share with a project.

use std::collections::BTreeMap;
use std::sync::Arc;

use netmgr_types::PolicyPath;
use netmgr_types::shapes::{ObjectMap, ObjectOutput, TenantContext, given};
use netmgr_types::wire::ManagedObject;
use serde::Deserialize;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::declared::OfKind as _;
use crate::finding::names;
use crate::finding::read::{By, ObjectKind, Read};
use crate::finding::tag_filter::TagCondition;
use crate::functions::groups_and_services::GetPolicyService;
use crate::functions::name_map::by_name;

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

/// The groups of a list by display name, with those that are shared with the project if that is requested. Of these, only
/// the name of the share and the path are known.
pub(crate) async fn groups(
    cx: &LookupContext<'_>,
    mut objects: Vec<ObjectOutput>,
    include_shared: &Option<bool>,
    context: &Option<TenantContext>,
    name: &Option<String>,
    tag_scope: &Option<String>,
    tag: &Option<String>,
) -> Result<ObjectMap, Error> {
    if let Some(context) = context.as_ref().filter(|_| *include_shared == Some(true)) {
        let shared = shared(cx, &GROUPS, Some(context)).await?;
        let shared = shared.into_iter().map(|(name, path)| {
            let mut object = ObjectOutput::default();
            object.display_name = name;
            let at = PolicyPath::trusted(&path);
            (object.id, object.parent_path) = (at.id().to_owned(), at.parent().to_owned());
            object.path = path;
            object
        });
        objects.extend(shared.filter(|group| fits(group, name, tag_scope, tag)));
    }
    Ok(paths_by_name(cx, "group", objects))
}

/// The services of a list by display name, with those that are shared with the project if that is requested.
#[expect(clippy::too_many_arguments, reason = "they are the inputs of the function")]
pub(crate) async fn services(
    cx: &LookupContext<'_>,
    mut objects: Vec<ObjectOutput>,
    include_shared: &Option<bool>,
    built_in_only: &Option<bool>,
    context: &Option<TenantContext>,
    name: &Option<String>,
    tag_scope: &Option<String>,
    tag: &Option<String>,
) -> Result<ObjectMap, Error> {
    if let Some(context) = context.as_ref().filter(|_| *include_shared == Some(true)) {
        let mut shared = shared(cx, &SERVICES_OF_ALL, None).await?;
        shared.extend(self::shared(cx, &SERVICES, Some(context)).await?);
        // A share has its own name; the names of services are those of the default space.
        let built_in_only = *built_in_only == Some(true);
        let keep = move |service: &ManagedObject| {
            let fits = !built_in_only || service.flag("is_default") == Some(true);
            let path = service.path()?.to_owned();
            fits.then(|| (path, ObjectOutput::from(service)))
        };
        let all = Arc::new(Read::new(GetPolicyService::KIND, cx.scope(), By::All));
        let mut all: BTreeMap<_, _> = cx.collect(&all, keep).await?.into_iter().collect();
        let shared = shared.into_iter().filter_map(|(_, path)| all.remove(&path));
        objects.extend(shared.filter(|service| fits(service, name, tag_scope, tag)));
    }
    Ok(paths_by_name(cx, "service", objects))
}

/// Whether a shared object matches the filters of the list.
fn fits(
    object: &ObjectOutput,
    name: &Option<String>,
    tag_scope: &Option<String>,
    tag: &Option<String>,
) -> bool {
    TagCondition::of(tag_scope, tag).fits(&object.tags)
        && given(name).is_none_or(|name| names::begins(&object.display_name, name))
}

/// Names of shared resources with the paths of their objects.
async fn shared(
    cx: &LookupContext<'_>,
    kind: &'static ObjectKind,
    context: Option<&TenantContext>,
) -> Result<Vec<(String, String)>, Error> {
    let project = context.map(|context| context.project_id.as_str());
    let read = Arc::new(Read::new(kind, cx.scope(), By::All).in_project(project));
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

fn paths_by_name(cx: &LookupContext<'_>, noun: &str, mut objects: Vec<ObjectOutput>) -> ObjectMap {
    objects.sort_by(|a, b| a.path.cmp(&b.path));
    objects.dedup_by(|a, b| a.path == b.path);
    let entries = objects
        .iter()
        .map(|object| (object.display_name.clone(), object.path.clone()));
    ObjectMap {
        id: cx.name().to_owned(),
        items: by_name(cx, noun, entries.collect()),
        objects,
    }
}
