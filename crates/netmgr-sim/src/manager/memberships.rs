//! Members of groups, evaluated from their expressions and the inventory.
//!
//! Source: `Group`, `Condition`, `ExternalIDExpression`, `PathExpression`, `IPAddressExpression`,
//! `IdentityGroupExpression` and `NestedExpression` of the VMware NSX policy API. `AND` binds more closely than `OR`.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError};

use serde_json::{Value, json};

use super::SimulatedState;
use super::matcher::texts_at;

pub(crate) const ADDRESS: &str = "IPAddress";
pub(crate) const MACHINE: &str = "VirtualMachine";
pub(crate) const INTERFACE: &str = "VirtualNetworkInterface";
pub(crate) const SEGMENT: &str = "Segment";
pub(crate) const PORT: &str = "SegmentPort";
pub(crate) const SUBNET: &str = "VpcSubnet";
pub(crate) const SUBNET_PORT: &str = "VpcSubnetPort";
pub(crate) const IDENTITY_GROUP: &str = "IdentityGroup";
const GROUP: &str = "Group";
/// Collection of the interfaces of virtual machines.
pub(super) const INTERFACES: &str = "/api/v1/fabric/vifs";

/// Members by their type: an external id, a path, a distinguished name, or a text with addresses.
pub(crate) type Members = BTreeSet<(String, String)>;

impl SimulatedState {
    /// The effective members of a group, which are kept until an object changes.
    pub(super) fn effective_members(&self, group: &Value) -> Arc<Members> {
        let path = text(&group["path"]);
        let mut known = self.memberships.lock().unwrap_or_else(PoisonError::into_inner);
        let members = known.entry(path).or_insert_with(|| {
            let mut members = self.members(group, &mut BTreeSet::new());
            self.add_connected(group, &mut members);
            Arc::new(members)
        });
        Arc::clone(members)
    }

    /// The members that the expressions of a group and of those below it select. A group below itself adds nothing.
    fn members(&self, group: &Value, above: &mut BTreeSet<String>) -> Members {
        let path = text(&group["path"]);
        if !above.insert(path.clone()) {
            return Members::new();
        }
        let members = self.expressions(tree(&path), &group["expression"], above);
        above.remove(&path);
        members
    }

    /// The members of expressions with operators between them.
    fn expressions(&self, tree: &str, expressions: &Value, above: &mut BTreeSet<String>) -> Members {
        let mut members = Members::new();
        let mut chain: Option<Members> = None;
        let mut narrows = false;
        for item in expressions.as_array().into_iter().flatten() {
            if let Some(operator) = item["conjunction_operator"].as_str() {
                narrows = operator == "AND";
                continue;
            }
            let set = self.expression(tree, item, above);
            chain = match chain.take() {
                Some(before) if narrows => Some(&before & &set),
                before => {
                    members.extend(before.unwrap_or_default());
                    Some(set)
                }
            };
            narrows = false;
        }
        members.extend(chain.unwrap_or_default());
        members
    }

    fn expression(&self, tree: &str, expression: &Value, above: &mut BTreeSet<String>) -> Members {
        let of_type = |kind: &str, values: Vec<String>| -> Members {
            values.into_iter().map(|value| (kind.to_owned(), value)).collect()
        };
        match expression["resource_type"].as_str().unwrap_or_default() {
            "IPAddressExpression" => of_type(ADDRESS, texts_at("ip_addresses", expression)),
            "ExternalIDExpression" => of_type(
                &text(&expression["member_type"]),
                texts_at("external_ids", expression),
            ),
            "IdentityGroupExpression" => {
                let names = texts_at("identity_groups.distinguished_name", expression);
                of_type(IDENTITY_GROUP, names)
            }
            "NestedExpression" => self.expressions(tree, &expression["expressions"], above),
            "PathExpression" => {
                let paths = texts_at("paths", expression);
                let objects = paths.iter().filter_map(|path| self.store.get(path));
                let members: Vec<&Arc<Value>> = objects.map(|(_, body)| body).collect();
                self.selected(members, above)
            }
            "Condition" => {
                let kind = text(&expression["member_type"]);
                let candidates = self.candidates(tree, &kind);
                let fitting = candidates
                    .iter()
                    .filter(|object| condition_fits(expression, object));
                self.selected(fitting.collect(), above)
            }
            _ => Members::new(),
        }
    }

    /// Objects as members. Groups are members together with their own.
    fn selected(&self, objects: Vec<&Arc<Value>>, above: &mut BTreeSet<String>) -> Members {
        let mut members = Members::new();
        for object in objects {
            let kind = text(&object["resource_type"]);
            if kind == GROUP {
                members.extend(self.members(object, above));
            }
            let id = object.get("path").or_else(|| object.get("external_id"));
            members.insert((kind, id.map(text).unwrap_or_default()));
        }
        members
    }

    /// The objects that a condition about this type selects from.
    fn candidates(&self, tree: &str, kind: &str) -> Vec<Arc<Value>> {
        match kind {
            MACHINE => self.machines(tree),
            _ => {
                let below = format!("{tree}/");
                let objects = self.store.below(&below);
                let of_type = objects.filter(|object| object["resource_type"] == kind);
                of_type.cloned().collect()
            }
        }
    }

    /// Adds the interfaces, ports and addresses that follow from the selected members.
    fn add_connected(&self, group: &Value, members: &mut Members) {
        let has =
            |members: &Members, kind: &str, id: &str| members.contains(&(kind.to_owned(), id.to_owned()));
        let path = text(&group["path"]);
        let below = format!("{}/", tree(&path));
        let ports = self.store.below(&below);
        let mut attachments = BTreeSet::new();
        let mut connected = Vec::new();
        for port in ports.filter(|object| {
            [PORT, SUBNET_PORT]
                .iter()
                .any(|kind| object["resource_type"] == *kind)
        }) {
            let (kind, path) = (text(&port["resource_type"]), text(&port["path"]));
            let network = text(&port["parent_path"]);
            if has(members, &kind, &path) || [SEGMENT, SUBNET].iter().any(|kind| has(members, kind, &network))
            {
                attachments.extend(texts_at("attachment.id", port));
                let bound = texts_at("address_bindings.ip_address", port);
                connected.extend(bound.into_iter().map(|address| (ADDRESS.to_owned(), address)));
                connected.push((kind, path));
            }
        }
        for interface in self.inventory(INTERFACES) {
            let id = text(&interface["external_id"]);
            let is_member =
                has(members, INTERFACE, &id) || has(members, MACHINE, &text(&interface["owner_vm_id"]));
            if is_member || attachments.contains(&text(&interface["lport_attachment_id"])) {
                let own = texts_at("ip_address_info.ip_addresses", &interface);
                connected.extend(own.into_iter().map(|address| (ADDRESS.to_owned(), address)));
            }
            if is_member {
                connected.push((INTERFACE.to_owned(), id));
            }
        }
        members.extend(connected);
    }
}

/// Whether the members of a group include the member that a request names.
pub(crate) fn contains(members: &Members, kind: &str, wanted: &str) -> bool {
    let mut of_kind = members.iter().filter(|(of, _)| kind.is_empty() || of == kind);
    match wanted.parse::<IpAddr>() {
        Ok(address) if kind == ADDRESS => of_kind.any(|(_, text)| covers(text, address)),
        _ => of_kind.any(|(_, member)| member == wanted),
    }
}

/// Whether an address is in a subnet, in a range, or the same.
fn covers(text: &str, address: IpAddr) -> bool {
    let bits = |address: IpAddr| match address {
        IpAddr::V4(address) => u128::from(u32::from(address)),
        IpAddr::V6(address) => u128::from(address),
    };
    let parsed = |text: &str| {
        text.trim()
            .parse::<IpAddr>()
            .ok()
            .filter(|of| of.is_ipv4() == address.is_ipv4())
    };
    if let Some((first, last)) = text.split_once('-') {
        let bounds = parsed(first).zip(parsed(last));
        return bounds.is_some_and(|(first, last)| (bits(first)..=bits(last)).contains(&bits(address)));
    }
    let width: u32 = if address.is_ipv4() { 32 } else { 128 };
    let (network, length) = text.split_once('/').map_or((text, width), |(network, length)| {
        (network, length.parse().unwrap_or(width))
    });
    let shift = width.saturating_sub(length);
    let prefix = |address| bits(address).checked_shr(shift).unwrap_or_default();
    parsed(network).is_some_and(|network| prefix(network) == prefix(address))
}

/// Whether an object fits a condition. The value of a tag is `scope|tag`; an empty scope is any.
fn condition_fits(condition: &Value, object: &Value) -> bool {
    let value = text(&condition["value"]);
    let operator = condition["operator"].as_str().unwrap_or("EQUALS");
    let compared = |text: &str, wanted: &str| match operator {
        "CONTAINS" => text.contains(wanted),
        "STARTSWITH" => text.starts_with(wanted),
        "ENDSWITH" => text.ends_with(wanted),
        _ => text == wanted,
    };
    let is_met = match condition["key"].as_str().unwrap_or_default() {
        "Tag" => {
            let (scope, tag) = value.split_once('|').unwrap_or(("", &value));
            let is_other = condition["scope_operator"] == "NOTEQUALS";
            let fits = |own: &Value| {
                let has_scope = scope.is_empty() || (text(&own["scope"]) == scope) != is_other;
                has_scope && compared(&text(&own["tag"]), tag)
            };
            object["tags"]
                .as_array()
                .is_some_and(|tags| tags.iter().any(fits))
        }
        "Name" => compared(&text(&object["display_name"]), &value),
        "OSName" => compared(&text(&object["guest_info"]["os_name"]), &value),
        "ComputerName" => compared(&text(&object["guest_info"]["computer_name"]), &value),
        _ => false,
    };
    is_met != (operator == "NOTEQUALS")
}

/// A policy object as a member.
pub(crate) fn detail(object: &Value) -> Value {
    json!({"id": object["id"], "display_name": object["display_name"], "path": object["path"]})
}

/// The tree that a path belongs to: `/infra`, `/orgs/default/projects/dev/infra`, or the path of a VPC.
pub(super) fn tree(path: &str) -> &str {
    if let Some((before, vpc)) = path.split_once("/vpcs/") {
        let end = vpc.find('/').unwrap_or(vpc.len());
        return &path[..before.len() + "/vpcs/".len() + end];
    }
    path.find("infra/").map_or(path, |at| &path[..at + "infra".len()])
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
