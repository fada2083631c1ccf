//! Lists that the manager derives from other objects: virtual machines of a tree, members of groups, groups of a
//! member, and tags.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::SimulatedState;
use super::matcher::texts_at;
use super::memberships::{
    ADDRESS, IDENTITY_GROUP, INTERFACE, INTERFACES, MACHINE, contains, detail, text, tree,
};
use super::paging::{self, Parameters};
use crate::manager_error::ManagerError;

const MACHINES: &str = "/api/v1/fabric/virtual-machines";

/// The contents of a derived list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Virtual machines: all below `/infra`, and in a project those that are connected to it.
    Machines,
    /// Interfaces of virtual machines.
    Interfaces,
    /// Effective members of a group of this type.
    Members(&'static str),
    /// Groups with the member of this type, or of any type if it is empty, that a parameter names.
    Associations(&'static str, &'static str),
    /// Tags of the objects of a tree.
    Tags,
}

impl SimulatedState {
    /// The rows of a derived list, without its filters.
    pub(super) fn view(
        &self,
        view: View,
        path: &str,
        parameters: &Parameters<'_>,
    ) -> Result<Vec<Arc<Value>>, ManagerError> {
        let tree = tree(path);
        match view {
            View::Machines => Ok(self.machines(tree)),
            View::Interfaces => Ok(self.inventory(INTERFACES)),
            View::Members(kind) => {
                let group = path.rsplitn(3, '/').nth(2).unwrap_or_default();
                Ok(self.member_rows(self.existing(group)?, kind))
            }
            View::Associations(kind, parameter) => {
                let member = parameters.require(parameter)?;
                let below = format!("{tree}/");
                let groups = self.store.below(&below).filter(|object| {
                    let is_group = object["resource_type"] == "Group";
                    is_group && contains(&self.effective_members(object), kind, member)
                });
                Ok(groups.map(|group| Arc::new(reference(group))).collect())
            }
            View::Tags => Ok(self.tags(tree)),
        }
    }

    /// The rows of the list of a group's members of this type.
    fn member_rows(&self, group: &Value, kind: &str) -> Vec<Arc<Value>> {
        let members = self.effective_members(group);
        let ids = members.iter().filter(|(of, _)| of == kind).map(|(_, id)| id);
        let inventory = match kind {
            ADDRESS => return ids.map(|id| Arc::new(json!(id))).collect(),
            IDENTITY_GROUP => {
                return ids
                    .map(|id| Arc::new(json!({"id": id, "display_name": id})))
                    .collect();
            }
            MACHINE => MACHINES,
            INTERFACE => INTERFACES,
            "BareMetalServer" => "/inventory/bare-metal-servers",
            "BareMetalServerInterface" => "/inventory/bare-metal-server-interfaces",
            _ => {
                let objects = ids.filter_map(|path| self.store.get(path));
                return objects.map(|(_, object)| Arc::new(detail(object))).collect();
            }
        };
        let ids: BTreeSet<&String> = ids.collect();
        let inventory = self.inventory(inventory);
        let is_member = |row: &&Arc<Value>| ids.contains(&text(&row["external_id"]));
        inventory.iter().filter(is_member).cloned().collect()
    }

    /// The inventory of a collection. Recordings of a hosted cloud have only the lists that it derives.
    pub(super) fn inventory(&self, collection: &str) -> Vec<Arc<Value>> {
        let rows = self.store.listing(collection);
        let name = collection.rsplit('/').next().unwrap_or_default();
        let derived = self.recorded.lists.iter().filter(|(path, _)| {
            let end = path
                .strip_prefix("/infra/realized-state/")
                .and_then(|rest| rest.rsplit('/').next());
            rows.is_empty() && end == Some(name)
        });
        rows.iter()
            .chain(derived.flat_map(|(_, rows)| rows))
            .cloned()
            .collect()
    }

    /// The virtual machines of a tree: of a project or VPC those that are connected to it.
    pub(super) fn machines(&self, tree: &str) -> Vec<Arc<Value>> {
        let mut machines = self.inventory(MACHINES);
        if tree.starts_with("/orgs/") {
            let connected = self.connected_to(tree.strip_suffix("/infra").unwrap_or(tree));
            machines.retain(|machine| connected.contains(&text(&machine["external_id"])));
        }
        paging::sort(&mut machines, "external_id", true);
        machines
    }

    /// The virtual machines with an interface at a port of the project or of its VPCs.
    fn connected_to(&self, project: &str) -> BTreeSet<String> {
        let below = format!("{project}/");
        let ports = self.store.below(&below);
        let attachments: BTreeSet<String> = ports.flat_map(|port| texts_at("attachment.id", port)).collect();
        let interfaces = self.inventory(INTERFACES);
        let attached = interfaces
            .iter()
            .filter(|interface| attachments.contains(&text(&interface["lport_attachment_id"])));
        attached
            .map(|interface| text(&interface["owner_vm_id"]))
            .collect()
    }

    fn tags(&self, tree: &str) -> Vec<Arc<Value>> {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        let machines = self.machines(tree);
        let below = format!("{tree}/");
        let objects = self.store.below(&below).chain(&machines);
        for tag in objects.filter_map(|object| object["tags"].as_array()).flatten() {
            *counts
                .entry((text(&tag["scope"]), text(&tag["tag"])))
                .or_default() += 1;
        }
        let row = |((scope, tag), count)| {
            Arc::new(json!({"scope": scope, "tag": tag, "source": "Any", "tagged_objects_count": count}))
        };
        counts.into_iter().map(row).collect()
    }
}

fn reference(group: &Value) -> Value {
    json!({
        "path": group["path"], "target_id": group["path"], "target_display_name": group["display_name"],
        "target_type": "Group", "is_valid": true,
    })
}
