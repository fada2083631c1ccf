//! Lists that the manager derives from other objects: virtual machines of a tree, members of groups, groups of a
//! member, and tags.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::SimulatedState;
use super::matcher::texts_at;
use super::paging::{self, Parameters};
use crate::manager_error::ManagerError;

const MACHINES: &str = "/api/v1/fabric/virtual-machines";
const INTERFACES: &str = "/api/v1/fabric/vifs";

/// The contents of a derived list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Virtual machines: all below `/infra`, and in a project those that are connected to it.
    Machines,
    /// Interfaces of virtual machines.
    Interfaces,
    /// Bare-metal inventory of this type that a group contains.
    Members(&'static str),
    /// Groups with the inventory of this type that a parameter names.
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
            View::Interfaces => Ok(self.store.listing(INTERFACES).to_vec()),
            View::Members(member_type) => {
                let group = path.rsplitn(3, '/').nth(2).unwrap_or_default();
                let members = members(self.existing(group)?, member_type);
                let is_member = |row: &&Arc<Value>| members.contains(&text(&row["external_id"]));
                let inventory = self.store.listing(inventory(member_type));
                Ok(inventory.iter().filter(is_member).cloned().collect())
            }
            View::Associations(member_type, parameter) => {
                let member = parameters.require(parameter)?;
                let below = format!("{tree}/domains/");
                let groups = self.store.below(&below).filter(|object| {
                    object["resource_type"] == "Group" && members(object, member_type).contains(member)
                });
                Ok(groups.map(|group| Arc::new(reference(group))).collect())
            }
            View::Tags => Ok(self.tags(tree)),
        }
    }

    fn machines(&self, tree: &str) -> Vec<Arc<Value>> {
        let mut machines = self.store.listing(MACHINES).to_vec();
        if let Some(project) = tree.strip_suffix("/infra").filter(|project| !project.is_empty()) {
            let connected = self.connected_to(project);
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
        let interfaces = self.store.listing(INTERFACES);
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

/// The tree that a path belongs to: `/infra`, `/orgs/default/projects/dev/infra`.
fn tree(path: &str) -> &str {
    path.find("infra/").map_or(path, |at| &path[..at + "infra".len()])
}

fn inventory(member_type: &str) -> &'static str {
    match member_type {
        "BareMetalServer" => "/inventory/bare-metal-servers",
        _ => "/inventory/bare-metal-server-interfaces",
    }
}

/// The external ids of the type in the expressions of a group.
fn members(group: &Value, member_type: &str) -> BTreeSet<String> {
    let expressions = group["expression"].as_array().into_iter().flatten();
    let of_type = expressions.filter(|expression| expression["member_type"] == member_type);
    of_type
        .flat_map(|expression| texts_at("external_ids", expression))
        .collect()
}

fn reference(group: &Value) -> Value {
    json!({
        "path": group["path"], "target_id": group["path"], "target_display_name": group["display_name"],
        "target_type": "Group", "is_valid": true,
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
