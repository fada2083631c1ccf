//! The objects of a manager by the values of their members: a name, an address, or an id that connects two of them.
//!
//! The manager searches a few values, which share requests. For many, all objects are read once.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;

use netmgr_lookups::typed::{AnyObject, GetPolicyObject, GetPolicyObjects, MemberValue};
use netmgr_lookups::{KeyField, composed_name};
use netmgr_types::PolicyPath;
use tokio::sync::OnceCell;

use super::addresses::{self, Range, texts_at};
use super::lookup;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::session::LookupSession;

pub(super) const MACHINE: &str = "VirtualMachine";
pub(super) const INTERFACE: &str = "VirtualNetworkInterface";
/// Types of the objects that are found: first those with names, and last pools, which have no groups.
const TYPES: [&str; 10] = [
    MACHINE,
    INTERFACE,
    "SegmentPort",
    "VpcSubnetPort",
    "Segment",
    "VpcSubnet",
    "IpAddressAllocation",
    "ProjectIpAddressAllocation",
    "VpcIpAddressAllocation",
    "IpAddressPoolStaticSubnet",
];
pub(super) const NAMED: &[&str] = TYPES.split_at(9).0;
pub(super) const OWNERS: &[&str] = TYPES.split_at(4).0.split_at(1).1;
pub(super) const PORTS: &[&str] = OWNERS.split_at(1).1;
const CONTAINERS: &[&str] = TYPES.split_at(4).1;
pub(super) const NETWORKS: &[&str] = CONTAINERS.split_at(2).0;

/// Members with names, with MAC addresses, and with the addresses that interfaces and ports have.
pub(super) const NAMES: &[KeyField] = &[
    KeyField::Whole("display_name"),
    KeyField::Whole("id"),
    KeyField::Whole("external_id"),
];
pub(super) const MACS: &[KeyField] = &[
    KeyField::Whole("mac_address"),
    KeyField::Whole("address_bindings.mac_address"),
];
pub(super) const ADDRESSES: &[KeyField] = &[
    KeyField::Whole("ip_address_info.ip_addresses"),
    KeyField::Whole("address_bindings.ip_address"),
];
/// Members that connect objects.
pub(super) const PATH: &[KeyField] = &[KeyField::Whole("path")];
pub(super) const EXTERNAL_ID: &[KeyField] = &[KeyField::Whole("external_id")];
pub(super) const MACHINE_OF_INTERFACE: &[KeyField] = &[KeyField::Whole("owner_vm_id")];
pub(super) const ATTACHMENT_OF_INTERFACE: &[KeyField] = &[KeyField::Whole("lport_attachment_id")];
pub(super) const ATTACHMENT_OF_PORT: &[KeyField] = &[KeyField::Whole("attachment.id")];
const KEYS: [&[KeyField]; 7] = [
    NAMES,
    MACS,
    ADDRESSES,
    PATH,
    MACHINE_OF_INTERFACE,
    ATTACHMENT_OF_INTERFACE,
    ATTACHMENT_OF_PORT,
];

/// Places of texts with the addresses that networks and allocations contain.
const CONTAINED: [&str; 5] = [
    "subnets.network",
    "subnets.gateway_address",
    "ip_addresses",
    "allocation_ip",
    "allocation_ips",
];

/// Number of names up to which objects are searched one by one.
const FEW: usize = 16;

/// Finds the objects of a manager.
pub(super) struct ObjectFinder<'s> {
    pub(super) session: &'s LookupSession,
    /// Whether all objects are read once, instead of a search for each value.
    reads_all: bool,
    all: OnceCell<AllObjects>,
    /// What addresses can be in, with the addresses.
    containers: OnceCell<Vec<(AnyObject, Vec<Range>)>>,
}

/// ObjectFinder by the values of their members.
struct AllObjects {
    objects: Vec<AnyObject>,
    by_value: HashMap<String, Vec<usize>>,
}

impl<'s> ObjectFinder<'s> {
    /// The objects that `names` may mean.
    pub(super) fn new(session: &'s LookupSession, names: &[String]) -> Self {
        // IPv6 addresses have several spellings.
        let has_spellings = |name: &String| addresses::parse(name).is_some_and(|address| address.is_ipv6());
        Self {
            session,
            reads_all: names.len() > FEW || names.iter().any(has_spellings),
            all: OnceCell::new(),
            containers: OnceCell::new(),
        }
    }

    /// The objects of these types in all trees.
    pub(super) async fn of_types(&self, types: &[&str]) -> Result<Vec<AnyObject>, CliError> {
        self.find(GetPolicyObjects::new(), types).await
    }

    /// The objects of these types that the manager finds by a value of one of these members.
    pub(super) async fn search(
        &self,
        types: &[&str],
        members: &'static [KeyField],
        value: &str,
    ) -> Result<Vec<AnyObject>, CliError> {
        let value = MemberValue::of(members, value);
        self.find(GetPolicyObjects::new().key(value), types).await
    }

    async fn find(&self, objects: GetPolicyObjects, types: &[&str]) -> Result<Vec<AnyObject>, CliError> {
        let types: Vec<String> = types.iter().map(|&name| name.to_owned()).collect();
        let objects = objects.resource_types(types).anywhere(true).limit(u32::MAX);
        Ok(lookup(self.session, objects).await?.objects)
    }

    async fn read_all(&self) -> Result<AllObjects, CliError> {
        let objects = self.of_types(&TYPES).await?;
        let mut by_value: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, object) in objects.iter().enumerate() {
            for value in KEYS.iter().flat_map(|members| values(object, members)) {
                by_value.entry(value).or_default().push(at);
            }
        }
        Ok(AllObjects { objects, by_value })
    }

    /// The objects of these types that have a value in one of these members.
    pub(super) async fn with_value(
        &self,
        types: &[&str],
        members: &'static [KeyField],
        value: &str,
    ) -> Result<Vec<AnyObject>, CliError> {
        let wanted: BTreeSet<String> = places(members).map(|place| compared(place, value)).collect();
        let mut found = if value.is_empty() {
            Vec::new()
        } else if self.reads_all {
            let all = self.all.get_or_try_init(|| self.read_all()).await?;
            let positions = wanted.iter().filter_map(|value| all.by_value.get(value));
            let positions: BTreeSet<&usize> = positions.flatten().collect();
            positions.into_iter().map(|at| all.objects[*at].clone()).collect()
        } else {
            self.search(types, members, value).await?
        };
        found.retain(|object| {
            is_of(object, types) && values(object, members).any(|own| wanted.contains(&own))
        });
        Ok(found)
    }

    pub(super) async fn interfaces_on(&self, port: &AnyObject) -> Result<Vec<AnyObject>, CliError> {
        let attachment = text_at(port, "attachment.id");
        self.with_value(&[INTERFACE], ATTACHMENT_OF_INTERFACE, attachment)
            .await
    }

    /// The object at a path, of any type.
    pub(super) async fn at_path(&self, path: &str) -> Result<Option<AnyObject>, CliError> {
        let path = PolicyPath::trusted(path).as_str();
        match lookup(self.session, GetPolicyObject::at(path).on_missing("null")).await {
            // The collection or the project does not exist.
            Err(failure) if failure.exit() == Exit::NotFound => Ok(None),
            found => Ok(found?.into_object()),
        }
    }

    /// The networks, allocations and pools that contain an address.
    pub(super) async fn containing(&self, address: IpAddr) -> Result<Vec<&AnyObject>, CliError> {
        let read = async || {
            let found = self.of_types(CONTAINERS).await?.into_iter();
            let with_ranges = found.map(|object| {
                let ranges = ranges_of(&object);
                (object, ranges)
            });
            Ok::<_, CliError>(with_ranges.collect())
        };
        let containers = self.containers.get_or_try_init(read).await?.iter();
        let containing = containers.filter(|(_, ranges)| ranges.iter().any(|range| range.contains(address)));
        Ok(containing.map(|(object, _)| object).collect())
    }
}

pub(super) fn is_of(object: &AnyObject, types: &[&str]) -> bool {
    types.contains(&&*object.resource_type)
}

pub(super) fn places(members: &'static [KeyField]) -> impl Iterator<Item = &'static str> {
    members.iter().filter_map(|member| match member {
        KeyField::Whole(place) => Some(*place),
        _ => None,
    })
}

/// The values of members in the form in which they are compared.
fn values(object: &AnyObject, members: &'static [KeyField]) -> impl Iterator<Item = String> {
    let of_place = |place| {
        texts_at(&object.object, place)
            .into_iter()
            .map(move |text| compared(place, text))
    };
    places(members).flat_map(of_place)
}

fn compared(place: &str, text: &str) -> String {
    let address = || addresses::parse(text.split('/').next()?);
    match place.rsplit('.').next() {
        Some("ip_address" | "ip_addresses") => {
            address().map(|address| address.to_string()).unwrap_or_default()
        }
        Some("mac_address") => text.to_ascii_lowercase(),
        _ => composed_name(text).into_owned(),
    }
}

/// The addresses that an object contains.
fn ranges_of(object: &AnyObject) -> Vec<Range> {
    let texts = CONTAINED.iter().flat_map(|place| texts_at(&object.object, place));
    let [first, last] =
        ["start", "end"].map(|end| texts_at(&object.object, &format!("allocation_ranges.{end}")));
    let between = first
        .into_iter()
        .zip(last)
        .filter_map(|(first, last)| Range::between(addresses::parse(first)?, addresses::parse(last)?));
    texts.filter_map(Range::parse).chain(between).collect()
}

/// A text member of an object; empty if there is none.
pub(super) fn text_at<'o>(object: &'o AnyObject, place: &str) -> &'o str {
    texts_at(&object.object, place)
        .first()
        .copied()
        .unwrap_or_default()
}
