//! Virtual machines: their ids and interfaces.

use std::sync::Arc;

use netmgr_types::shapes::TenantContext;
use netmgr_types::wire::ManagedObject;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::{By, KeyField, Read};
use crate::finding::rows::RowSource;
use crate::finding::tree::Tree;

/// Other ids are elements of a list. The search finds them as words.
pub(crate) const ANY_FIELD: &[KeyField] = &[KeyField::Any];

/// Interfaces below an enforcement point.
pub(crate) const VIF: ObjectKind = ObjectKind::nested("virtual interface", "", "vifs").listed_with(&[]);
/// Interfaces of all projects, which only the search finds.
pub(crate) const VIF_OF_PROJECT: ObjectKind =
    ObjectKind::anywhere("virtual interface", "VirtualNetworkInterface").inventory();

/// The BIOS UUID of a virtual machine; empty if unknown.
pub(crate) fn bios_id(machine: &ManagedObject) -> String {
    compute_id(machine, "biosUuid")
}

/// The instance UUID of a virtual machine; empty if unknown.
pub(crate) fn instance_id(machine: &ManagedObject) -> String {
    compute_id(machine, "instanceUuid")
}

/// The external id of a virtual machine or interface. A realized virtual machine has it only among its compute ids.
pub(crate) fn external_id(object: &ManagedObject) -> String {
    let own = object.text("external_id").map(str::to_owned);
    own.or_else(|| Some(compute_id(object, "externalId")).filter(|id| !id.is_empty()))
        .unwrap_or_else(|| object.id().to_owned())
}

/// The id that `compute_ids` lists behind `name` and a colon.
fn compute_id(machine: &ManagedObject, name: &str) -> String {
    let ids: Vec<String> = machine.list("compute_ids");
    let of_name = |id: &String| Some(id.strip_prefix(name)?.strip_prefix(':')?.to_owned());
    ids.iter().find_map(of_name).unwrap_or_default()
}

/// Adds the sorted `vif_ids` to a virtual machine. The interfaces of all virtual machines are in one list, so that
/// lookups at the same time share the request.
pub(crate) async fn vifs(
    cx: &LookupContext<'_>,
    machine: &mut ManagedObject,
    context: &Option<TenantContext>,
) -> Result<(), Error> {
    let ids = attachments(cx, machine.id(), context.is_some()).await?;
    machine.set("vif_ids", ids);
    Ok(())
}

/// The ids of the attachments of a virtual machine, sorted.
pub(crate) async fn attachments(
    cx: &LookupContext<'_>,
    machine: &str,
    is_in_project: bool,
) -> Result<Vec<String>, Error> {
    let owner = machine.to_owned();
    let keep = move |vif: &ManagedObject| {
        let is_wanted = vif.text("owner_vm_id") == Some(&owner);
        is_wanted.then(|| vif.text("lport_attachment_id").map(str::to_owned))?
    };
    let read = |kind| Read::new(kind, cx.scope, By::All);
    let mut ids = match is_in_project {
        true => {
            let read = Arc::new(read(&VIF_OF_PROJECT));
            cx.collect_from(RowSource::Search, &read, keep).await?
        }
        false => {
            let base = Tree::of(cx.scope.deployment).base();
            let point = &cx.scope.enforcement_point;
            let path = format!("{base}/realized-state/enforcement-points/{point}");
            let read = Arc::new(read(&VIF).below("enforcement point", path));
            cx.collect(&read, keep).await?
        }
    };
    ids.sort();
    // An interface is listed once for each of its sources.
    ids.dedup();
    Ok(ids)
}
