//! The objects that names are compared with. They are read once for all names, each type in one search.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

use futures_util::future::try_join_all;
use netmgr_lookups::Tree;
use netmgr_lookups::typed::{AnyObject, GetPolicyObjects, GlobalContext};
use netmgr_types::{Deployment, PolicyPath};
use serde_json::Value;

use super::addresses;
use super::lookup;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::session::LookupSession;

pub(super) const MACHINE: &str = "VirtualMachine";
pub(super) const INTERFACE: &str = "VirtualNetworkInterface";
/// Objects without a path.
const INVENTORY: [&str; 2] = [MACHINE, INTERFACE];
const PORTS: [&str; 2] = ["SegmentPort", "VpcSubnetPort"];
const NETWORKS: [&str; 2] = ["Segment", "VpcSubnet"];
const ALLOCATIONS: [&str; 3] = [
    "IpAddressAllocation",
    "ProjectIpAddressAllocation",
    "VpcIpAddressAllocation",
];
const POOLS: [&str; 2] = ["IpAddressPoolBlockSubnet", "IpAddressPoolStaticSubnet"];

/// Places of the addresses that are bound to a port, and those that are discovered on an interface.
pub(super) const BOUND: &[&str] = &["address_bindings", "ip_address"];
pub(super) const DISCOVERED: &[&str] = &["ip_address_info", "ip_addresses"];

/// The objects of a manager or a project.
pub(super) struct Survey {
    pub(super) deployment: Deployment,
    /// The paths below which objects were read.
    pub(super) places: Vec<String>,
    /// Whether only a project was read.
    pub(super) is_of_project: bool,
    pub(super) machines: Vec<AnyObject>,
    pub(super) interfaces: Vec<AnyObject>,
    pub(super) ports: Vec<AnyObject>,
    pub(super) networks: Vec<AnyObject>,
    pub(super) allocations: Vec<AnyObject>,
    pub(super) pools: Vec<AnyObject>,
    index: Index,
}

/// Positions of objects, so that many names are found quickly.
#[derive(Default)]
struct Index {
    /// Machines by external id.
    machines: HashMap<String, usize>,
    /// Ports by the id of their attachment.
    ports: HashMap<String, usize>,
    /// Interfaces by the external id of their machine.
    by_owner: HashMap<String, Vec<usize>>,
    /// Interfaces by the id of their attachment.
    by_attachment: HashMap<String, Vec<usize>>,
    /// Interfaces by address.
    by_address: HashMap<IpAddr, Vec<usize>>,
    /// Ports by bound address.
    bound: HashMap<IpAddr, Vec<usize>>,
}

impl Survey {
    /// Reads the objects of the manager, or of one of its projects.
    pub(super) async fn read(session: &LookupSession, project: Option<&str>) -> Result<Self, CliError> {
        let deployment = session.deployment();
        let is_global = deployment == Deployment::GlobalManager;
        let places = match project {
            Some(id) => vec![format!("/orgs/default/projects/{id}")],
            None if is_global => vec![Tree::Global.base()],
            None => vec![Tree::Local.base(), "/orgs/default".to_owned()],
        };
        let policy = [&PORTS[..], &NETWORKS, &ALLOCATIONS, &POOLS].concat();
        let mut survey = Self {
            deployment,
            places,
            is_of_project: project.is_some(),
            machines: Vec::new(),
            interfaces: Vec::new(),
            ports: Vec::new(),
            networks: Vec::new(),
            allocations: Vec::new(),
            pools: Vec::new(),
            index: Index::default(),
        };
        // First, because it shows whether the project exists.
        let mut objects = survey.objects(session, &policy).await?;
        // Global managers have no inventory.
        if !is_global {
            objects.extend(inventory(session, project).await?);
        }
        for object in objects {
            let kind = object.resource_type.as_str();
            let list = match kind {
                MACHINE => &mut survey.machines,
                INTERFACE => &mut survey.interfaces,
                _ if PORTS.contains(&kind) => &mut survey.ports,
                _ if NETWORKS.contains(&kind) => &mut survey.networks,
                _ if ALLOCATIONS.contains(&kind) => &mut survey.allocations,
                _ => &mut survey.pools,
            };
            list.push(object);
        }
        // An interface is listed once for each of its sources.
        survey.interfaces.sort_by(|one, other| one.id.cmp(&other.id));
        survey.interfaces.dedup_by(|one, other| one.id == other.id);
        if project.is_some() {
            survey.narrow();
        }
        survey.index = Index::of(&survey);
        Ok(survey)
    }

    /// The objects of these types in the places of the survey.
    pub(super) async fn objects(
        &self,
        session: &LookupSession,
        types: &[&str],
    ) -> Result<Vec<AnyObject>, CliError> {
        let lists = self
            .places
            .iter()
            .map(async |place| match below(session, place, types).await {
                // The place is empty, because only a project can be missing.
                Err(failure) if !self.is_of_project && failure.exit() == Exit::NotFound => Ok(Vec::new()),
                found => found,
            });
        Ok(try_join_all(lists).await?.into_iter().flatten().collect())
    }

    /// Leaves out the interfaces of machines outside the project.
    fn narrow(&mut self) {
        let machines: HashSet<&str> = self.machines.iter().map(|machine| machine.id.as_str()).collect();
        self.interfaces
            .retain(|interface| machines.contains(text(interface, "owner_vm_id")));
    }

    /// The virtual machine of an interface.
    pub(super) fn owner_of(&self, interface: &AnyObject) -> Option<&AnyObject> {
        let at = self.index.machines.get(text(interface, "owner_vm_id"))?;
        self.machines.get(*at)
    }

    /// The port that an interface is attached to.
    pub(super) fn port_of(&self, interface: &AnyObject) -> Option<&AnyObject> {
        let at = self.index.ports.get(text(interface, "lport_attachment_id"))?;
        self.ports.get(*at)
    }

    /// The interfaces of a virtual machine.
    pub(super) fn interfaces_of(&self, machine: &AnyObject) -> impl Iterator<Item = &AnyObject> {
        self.interfaces_at(self.index.by_owner.get(&machine.id))
    }

    /// The interfaces that are attached to a port.
    pub(super) fn interfaces_on(&self, port: &AnyObject) -> impl Iterator<Item = &AnyObject> {
        self.interfaces_at(attachment(port).and_then(|id| self.index.by_attachment.get(id)))
    }

    /// The interfaces with an address.
    pub(super) fn interfaces_with(&self, address: IpAddr) -> impl Iterator<Item = &AnyObject> {
        self.interfaces_at(self.index.by_address.get(&address))
    }

    /// The ports that an address is bound to.
    pub(super) fn ports_with(&self, address: IpAddr) -> impl Iterator<Item = &AnyObject> {
        let bound = self.index.bound.get(&address);
        bound.into_iter().flatten().map(|at| &self.ports[*at])
    }

    fn interfaces_at(&self, positions: Option<&Vec<usize>>) -> impl Iterator<Item = &AnyObject> {
        let positions = positions.cloned().unwrap_or_default();
        positions.into_iter().map(|at| &self.interfaces[at])
    }
}

impl Index {
    fn of(survey: &Survey) -> Self {
        let mut index = Self::default();
        for (at, machine) in survey.machines.iter().enumerate() {
            index.machines.insert(machine.id.clone(), at);
        }
        for (at, port) in survey.ports.iter().enumerate() {
            if let Some(id) = attachment(port) {
                index.ports.insert(id.to_owned(), at);
            }
            for address in addresses_at(port, BOUND) {
                index.bound.entry(address).or_default().push(at);
            }
        }
        for (at, interface) in survey.interfaces.iter().enumerate() {
            let member = |name| text(interface, name).to_owned();
            index.by_owner.entry(member("owner_vm_id")).or_default().push(at);
            index
                .by_attachment
                .entry(member("lport_attachment_id"))
                .or_default()
                .push(at);
            for address in addresses_at(interface, DISCOVERED) {
                index.by_address.entry(address).or_default().push(at);
            }
        }
        index
    }
}

/// The id that connects a port with an interface.
fn attachment(port: &AnyObject) -> Option<&str> {
    let id = port.object.get("attachment")?.get("id")?.as_str();
    id.filter(|id| !id.is_empty())
}

/// The addresses at a place in an object.
pub(super) fn addresses_at(object: &AnyObject, place: &[&str]) -> Vec<IpAddr> {
    let mut found = Vec::new();
    if let Some((value, rest)) = member_at(object, place) {
        addresses::all(value, rest, &mut found);
    }
    found
}

/// The first member of a place in an object, and the rest of the place.
pub(super) fn member_at<'o, 'p>(
    object: &'o AnyObject,
    place: &'p [&'p str],
) -> Option<(&'o Value, &'p [&'p str])> {
    let (first, rest) = place.split_first()?;
    Some((object.object.get(*first)?, rest))
}

/// The objects of these types below a path.
pub(super) async fn below(
    session: &LookupSession,
    place: &str,
    types: &[&str],
) -> Result<Vec<AnyObject>, CliError> {
    let list = GetPolicyObjects::new()
        .parent_path(place)
        .resource_types(types.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
        .limit(u32::MAX);
    Ok(lookup(session, list).await?.objects)
}

/// The virtual machines and their interfaces. The search does not distinguish projects.
async fn inventory(session: &LookupSession, project: Option<&str>) -> Result<Vec<AnyObject>, CliError> {
    let lists = INVENTORY.map(|name| {
        let mut list = GetPolicyObjects::new()
            .resource_types(vec![name.to_owned()])
            .limit(u32::MAX);
        list.context = project.filter(|_| name == MACHINE).map(GlobalContext::project);
        list
    });
    let lists = lists.map(async |list| lookup(session, list).await);
    let found = try_join_all(lists).await?.into_iter().zip(INVENTORY);
    let objects = found.flat_map(|(list, name)| {
        list.objects.into_iter().map(move |mut object| {
            name.clone_into(&mut object.resource_type);
            object
        })
    });
    Ok(objects.collect())
}

/// A text member of an object as the manager sent it; empty if there is none.
pub(super) fn text<'a>(object: &'a AnyObject, member: &str) -> &'a str {
    object
        .object
        .get(member)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The path of the network that a port is on.
pub(super) fn network_path(port: &AnyObject) -> &str {
    PolicyPath::trusted(&port.path).parent()
}
