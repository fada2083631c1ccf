//! Groups with their possible members, services and context profiles.

use std::collections::BTreeMap;
use std::sync::Arc;

use netmgr_types::foreign::REDACTED;
use netmgr_types::shapes::{ContextOutput, ObjectMap, ObjectOutput, Tag, TenantContext, given};
use netmgr_types::wire::ManagedObject;
use netmgr_types::{PolicyPath, sensitive};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::ResultKind;
use crate::declared::rules::EXTERNAL;
use crate::declared::rules::Rule::{
    Beginning, Domain, IfTrue, Key, Keyword, NamePattern, NamePrefix, NoEffect, PowerState, Required,
    TagScope, TagValue,
};
use crate::declared::wording::TENANT;
use crate::declared::{
    EVERYWHERE, OfKind as _, POLICY, POLICY_AND_CLOUD, POLICY_AND_GLOBAL, calls, lookups, output,
};
use crate::finding::names;
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::{By, Read};
use crate::finding::tag_filter::TagCondition;
use crate::functions::name_map::by_name;
use crate::functions::shared_objects;
use crate::functions::virtual_machines::{ANY_FIELD, bios_id, instance_id, vifs};
use crate::functions::virtual_machines::{VIF, VIF_OF_PROJECT};

lookups! {
    ENTRIES;

    /// Finds a context profile by id or display name.
    GetPolicyContextProfile = "getPolicyContextProfile", "context profile" {
        kind: infra("PolicyContextProfile", "context-profiles"),
        inputs: Prefix in project as TENANT {},
        repeats: [context],
        output: ContextOutput,
        facts: availability(POLICY_AND_GLOBAL).example(r#"{"displayName": "DIAMETER"}"#)
            .source("4.2")
    }

    /// Finds a group by id or display name.
    GetPolicyGroup = "getPolicyGroup", "group" {
        kind: nested("Group", "groups"),
        inputs: Prefix in project {
            /// Id of the domain that the group belongs to.
            domain: Option<String> => Domain,
        },
        output: ObjectOutput,
        facts: availability(EVERYWHERE).example(r#"{"displayName": "web-servers"}"#)
    }

    /// Finds a service by id or display name.
    GetPolicyService = "getPolicyService", "service" {
        kind: infra("Service", "services"),
        inputs: Prefix in project {},
        output: ObjectOutput,
        facts: availability(EVERYWHERE).example(r#"{"displayName": "HTTPS"}"#)
    }

    /// Finds a virtual machine by display name or one of its ids.
    GetPolicyVm = "getPolicyVm", "virtual machine" {
        // The list has no cursors, so its order must not change between pages.
        kind: infra("VirtualMachine", "realized-state/virtual-machines")
            .with_list(&[("sort_by", "external_id")])
            .of_enforcement_point()
            .inventory(),
        inputs: Prefix in project {
            /// BIOS UUID of the virtual machine. Takes precedence over its name.
            bios_id: Option<String> => Key(ANY_FIELD, |machine, id| bios_id(machine) == id),
            /// External id of the virtual machine. Takes precedence over its name.
            external_id: Option<String> => EXTERNAL,
            /// Instance UUID of the virtual machine. Takes precedence over its name.
            instance_id: Option<String> => Key(ANY_FIELD, |machine, id| instance_id(machine) == id),
        },
        then: vifs(context),
        also_reads: [&VIF_OF_PROJECT, &VIF],
        output: PolicyVm {
            without path;
            /// BIOS UUID; empty if unknown.
            bios_id: String => bios_id,
            /// External id.
            external_id: String,
            /// Instance UUID; empty if unknown.
            instance_id: String => instance_id,
            /// Power state, such as `VM_RUNNING`.
            power_state: String,
            /// Ids of the attachments of its interfaces.
            vif_ids: Vec<String>,
        },
        facts: availability(POLICY_AND_CLOUD).completed(&["vifIds"]).example(r#"{"displayName": "web-01"}"#)
    }
}

calls! {
    CALLS;

    /// Lists the groups of a domain.
    GetPolicyGroups = "getPolicyGroups", "group" {
        of: GetPolicyGroup::KIND,
        inputs: in project {
            /// Display name of the groups, or a prefix of it.
            display_name: Option<String> => NamePrefix,
            /// Id of the domain that the groups belong to.
            domain: Option<String> => Domain,
            /// Whether to include groups that are shared with the project. Requires `context.projectId`.
            include_shared_groups: Option<bool> => NoEffect,
            /// Scope of a tag that the groups must have.
            tag_scope: Option<String> => TagScope,
            /// Value of a tag that the groups must have.
            tag: Option<String> => TagValue,
        },
        output: ObjectMap, of ObjectOutput =>
            groups(include_shared_groups, context, display_name, tag_scope, tag),
        reads: [&shared_objects::GROUPS],
        facts: availability(EVERYWHERE).example(r#"{"displayName": "web"}"#).answer(ResultKind::Table)
    }

    /// Lists services.
    GetPolicyServices = "getPolicyServices", "service" {
        of: GetPolicyService::KIND,
        inputs: in project {
            /// Whether to list only services that the manager itself provides.
            built_in_only: Option<bool> => IfTrue("is_default"),
            /// Display name of the services, or a prefix of it.
            display_name: Option<String> => NamePrefix,
            /// Whether to include services that are shared with the project. Requires `context.projectId`.
            include_shared_services: Option<bool> => NoEffect,
            /// Scope of a tag that the services must have.
            tag_scope: Option<String> => TagScope,
            /// Value of a tag that the services must have.
            tag: Option<String> => TagValue,
        },
        output: ObjectMap, of ObjectOutput =>
            services(include_shared_services, built_in_only, context, display_name, tag_scope, tag),
        reads: [&shared_objects::SERVICES, &shared_objects::SERVICES_OF_ALL],
        facts: availability(EVERYWHERE).example(r#"{"displayName": "HTTP"}"#).answer(ResultKind::Table)
    }

    /// Lists virtual machines.
    GetPolicyVms = "getPolicyVms", "virtual machine" {
        of: GetPolicyVm::KIND,
        inputs: in project {
            /// Regular expression that the display name must match.
            display_name: Option<String> => NamePattern,
            /// Prefix of the guest operating system name, ignoring case.
            guest_os: Option<String> => Beginning("guest_info.os_name"),
            /// Power state of the machines: `running`, `stopped`, `suspended` or `unknown`.
            state: Option<String> => PowerState,
            /// Scope of a tag that the machines must have.
            tag_scope: Option<String> => TagScope,
            /// Value of a tag that the machines must have.
            tag: Option<String> => TagValue,
            /// Kind of id in `items`: `bios_id`, `external_id` or `instance_id`. Default `bios_id`.
            value_type: Option<String> => Keyword(&["bios_id", "external_id", "instance_id"]),
        },
        output: VirtualMachines, of ListedVirtualMachine => virtual_machines(value_type),
        facts: availability(POLICY_AND_CLOUD).example(r#"{"displayName": "^web-", "state": "running"}"#).answer(ResultKind::Table)
    }

    /// Lists the values of the tags with a scope.
    GetPolicyTags = "getPolicyTags", "tag" {
        inputs: {
            /// Scope of the tags.
            scope: String => Required,
        },
        output: PolicyTags => tags(scope),
        reads: [&TAG],
        facts: availability(POLICY).answer(ResultKind::Table).example(r#"{"scope": "env"}"#)
    }
}

/// Output of `getPolicyTags`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyTags {
    /// Scope of the tags.
    pub id: String,
    /// Values of the tags, sorted.
    pub items: Vec<String>,
}

const TAG: ObjectKind = ObjectKind::infra("tag", "", "tags")
    .listed_with(&[])
    .inventory()
    .without_ids();

async fn tags(cx: &LookupContext<'_>, scope: &str) -> Result<PolicyTags, Error> {
    let mut read = Read::new(&TAG, cx.scope, By::All);
    read.list_filters.push(("scope", scope.to_owned()));
    let wanted = scope.to_owned();
    let is_secret = sensitive::is_secret_name(scope);
    let keep = move |info: &ManagedObject| {
        let has_scope = info.text("scope").unwrap_or_default() == wanted;
        let tag = info.sent("tag").filter(|_| has_scope);
        tag.map(|tag| if is_secret { REDACTED } else { tag }.to_owned())
    };
    let mut items = cx.collect(&Arc::new(read), keep).await?;
    items.sort();
    items.dedup();
    Ok(PolicyTags {
        id: scope.to_owned(),
        items,
    })
}

output! {
    ["A virtual machine in a list, without its interfaces."]
    ListedVirtualMachine {
        bare;
        /// BIOS UUID; empty if unknown.
        bios_id: String => bios_id,
        /// Display name.
        display_name: String => ManagedObject::name,
        /// External id.
        external_id: String,
        /// Name of the guest operating system; empty if unknown.
        guest_os: String = "guest_info.os_name",
        /// External id.
        id: String => ManagedObject::id,
        /// Instance UUID; empty if unknown.
        instance_id: String => instance_id,
        /// Power state, such as `VM_RUNNING`.
        power_state: String,
        /// Tags.
        tags: Vec<Tag> => ManagedObject::tags,
    }
}

/// Output of `getPolicyVms`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct VirtualMachines {
    /// A constant.
    pub id: String,
    /// Ids of the machines, keyed by display name.
    pub items: BTreeMap<String, String>,
    /// The machines, sorted by external id.
    pub objects: Vec<ListedVirtualMachine>,
}

async fn virtual_machines(
    cx: &LookupContext<'_>,
    objects: Vec<ListedVirtualMachine>,
    value_type: &Option<String>,
) -> Result<VirtualMachines, Error> {
    let value = |machine: &ListedVirtualMachine| match given(value_type) {
        Some("external_id") => machine.external_id.clone(),
        Some("instance_id") => machine.instance_id.clone(),
        _ => machine.bios_id.clone(),
    };
    let entries = objects
        .iter()
        .map(|machine| (machine.display_name.clone(), value(machine)));
    Ok(VirtualMachines {
        id: cx.spec.name.to_owned(),
        items: by_name(cx, "virtual machine", entries.collect()),
        objects,
    })
}

/// The groups of a list by display name, with those that are shared with the project if that is requested. Of these, only
/// the name of the share and the path are known.
async fn groups(
    cx: &LookupContext<'_>,
    mut objects: Vec<ObjectOutput>,
    include_shared: &Option<bool>,
    context: &Option<TenantContext>,
    name: &Option<String>,
    tag_scope: &Option<String>,
    tag: &Option<String>,
) -> Result<ObjectMap, Error> {
    if let Some(context) = context.as_ref().filter(|_| *include_shared == Some(true)) {
        let shared = shared_objects::shared(cx, &shared_objects::GROUPS, Some(context)).await?;
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
async fn services(
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
        let mut shared = shared_objects::shared(cx, &shared_objects::SERVICES_OF_ALL, None).await?;
        shared.extend(shared_objects::shared(cx, &shared_objects::SERVICES, Some(context)).await?);
        // A share has its own name; the names of services are those of the default space.
        let built_in_only = *built_in_only == Some(true);
        let keep = move |service: &ManagedObject| {
            let fits = !built_in_only || service.flag("is_default") == Some(true);
            let path = service.path()?.to_owned();
            fits.then(|| (path, ObjectOutput::from(service)))
        };
        let all = Arc::new(Read::new(GetPolicyService::KIND, cx.scope, By::All));
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

fn paths_by_name(cx: &LookupContext<'_>, noun: &str, mut objects: Vec<ObjectOutput>) -> ObjectMap {
    objects.sort_by(|a, b| a.path.cmp(&b.path));
    objects.dedup_by(|a, b| a.path == b.path);
    let entries = objects
        .iter()
        .map(|object| (object.display_name.clone(), object.path.clone()));
    ObjectMap {
        id: cx.spec.name.to_owned(),
        items: by_name(cx, noun, entries.collect()),
        objects,
    }
}
