//! From names to objects, and to the members whose groups are theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use futures_util::future::try_join_all;
use netmgr_lookups::Tree;
use netmgr_lookups::typed::{AnyObject, GetPolicyObject};
use netmgr_types::PolicyPath;
use serde::Serialize;
use serde_json::Value;

use super::addresses::{self, Range, is_named};
use super::lookup;
use super::survey::{BOUND, DISCOVERED, INTERFACE, MACHINE, Survey, addresses_at, member_at, network_path};
use crate::exit::Exit;
use crate::failure::CliError;
use crate::session::LookupSession;

/// Places of the addresses of allocations.
const ALLOCATED: [&[&str]; 2] = [&["allocation_ip"], &["allocation_ips"]];

/// An object or address that a name matches, with its groups.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WhoAnswer {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) subject: Subject,
    /// The objects that it is connected to or contained in.
    pub(super) objects: Vec<Subject>,
    pub(super) groups: Vec<MemberGroup>,
    #[serde(skip)]
    pub(super) members: BTreeSet<PossibleMember>,
    /// The trees whose groups are meant, by their paths.
    #[serde(skip)]
    pub(super) trees: BTreeMap<String, Tree>,
}

/// An object, or an address without one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Subject {
    pub(super) resource_type: String,
    pub(super) display_name: String,
    pub(super) id: String,
    pub(super) path: String,
}

/// A group with the rules that name it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MemberGroup {
    pub(super) path: String,
    pub(super) display_name: String,
    pub(super) rules: Vec<NamingRule>,
}

/// A rule or policy that names a group.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NamingRule {
    pub(super) path: String,
    pub(super) display_name: String,
    pub(super) resource_type: String,
    /// Empty for policies.
    pub(super) action: String,
    /// The members that name the group.
    pub(super) members: Vec<String>,
}

/// A possible member of groups.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum PossibleMember {
    Address(IpAddr),
    Machine(String),
    Interface(String),
    Path(String),
}

impl Subject {
    fn of(object: &AnyObject) -> Self {
        Self {
            resource_type: object.resource_type.clone(),
            display_name: object.display_name.clone(),
            id: object.id.clone(),
            path: object.path.clone(),
        }
    }

    fn address(address: IpAddr) -> Self {
        Self {
            resource_type: "IPAddress".to_owned(),
            display_name: address.to_string(),
            id: address.to_string(),
            path: String::new(),
        }
    }

    /// The path, or the name of an object of the inventory.
    pub(super) fn name(&self) -> &str {
        if self.path.is_empty() {
            &self.display_name
        } else {
            &self.path
        }
    }
}

/// The answers for the names in their order, and the names that no object has.
pub(super) async fn of(
    names: &[String],
    survey: &Survey,
    session: &LookupSession,
) -> Result<(Vec<WhoAnswer>, Vec<String>), CliError> {
    let found = names.iter().map(async |name| match addresses::parse(name) {
        _ if name.starts_with('/') => at_path(name, survey, session).await,
        Some(address) => {
            let named = by_name(name, survey);
            Ok([by_address(name, address, survey), named].concat())
        }
        None => Ok(by_name(name, survey)),
    });
    let found = try_join_all(found).await?;
    let missing = names.iter().zip(&found).filter(|(_, answers)| answers.is_empty());
    let missing = missing.map(|(name, _)| name.clone()).collect();
    Ok((found.into_iter().flatten().collect(), missing))
}

/// The object at a path, of any type.
async fn at_path(name: &str, survey: &Survey, session: &LookupSession) -> Result<Vec<WhoAnswer>, CliError> {
    let path = PolicyPath::trusted(name);
    if survey.is_of_project && !path.is_within(&survey.places[0]) {
        return Ok(Vec::new());
    }
    let mut known = survey
        .ports
        .iter()
        .chain(&survey.networks)
        .chain(&survey.allocations);
    if let Some(object) = known.find(|object| object.path == path.as_str()) {
        return Ok(vec![of_object(name, object, survey)]);
    }
    let object = match lookup(session, GetPolicyObject::at(path.as_str()).on_missing("null")).await {
        // The manager has no such collection.
        Err(failure) if failure.exit() == Exit::Unsupported => return Ok(Vec::new()),
        found => found?,
    };
    if !object.exists {
        return Ok(Vec::new());
    }
    let mut answer = WhoAnswer::new(
        name,
        Subject {
            resource_type: object.resource_type,
            display_name: object.display_name,
            id: object.id,
            path: object.path,
        },
        survey,
    );
    answer.add_path(path.as_str(), survey);
    Ok(vec![answer])
}

/// The objects with a display name or an id.
fn by_name(name: &str, survey: &Survey) -> Vec<WhoAnswer> {
    let is_meant = |object: &&AnyObject| object.display_name == name || object.id == name;
    let lists = [
        &survey.machines,
        &survey.interfaces,
        &survey.ports,
        &survey.networks,
        &survey.allocations,
    ];
    let objects = lists.into_iter().flatten().filter(is_meant);
    objects.map(|object| of_object(name, object, survey)).collect()
}

/// The owners of an address, and what else contains it. Equal addresses of several projects are several answers.
fn by_address(name: &str, address: IpAddr, survey: &Survey) -> Vec<WhoAnswer> {
    let mut answers: Vec<WhoAnswer> = Vec::new();
    let owners = owners(address, survey);
    for (object, interface) in owners {
        let subject = Subject::of(object);
        let known = answers.iter().position(|answer| answer.subject == subject);
        let at = known.unwrap_or_else(|| {
            answers.push(WhoAnswer::new(name, subject, survey));
            answers.len() - 1
        });
        match interface {
            Some(interface) => {
                answers[at].add_interface(interface, survey);
                answers[at].add_owner(interface, survey);
            }
            None => answers[at].add(object, survey),
        }
    }
    let containing = containing(address, survey);
    for object in &containing {
        let project = project_of(&object.path, survey);
        let is_known = project.is_none() || answers.iter().any(|answer| answer.is_in(&project));
        if !is_known {
            let mut answer = WhoAnswer::new(name, Subject::address(address), survey);
            answer.add_tree(&object.path, survey);
            answers.push(answer);
        }
    }
    if answers.is_empty() {
        answers.push(WhoAnswer::new(name, Subject::address(address), survey));
    }
    for answer in &mut answers {
        for object in &containing {
            let project = project_of(&object.path, survey);
            if project.is_none() || answer.is_in(&project) {
                answer.show(object);
                answer.add_tree(&object.path, survey);
            }
        }
        answer
            .members
            .retain(|member| !matches!(member, PossibleMember::Address(_)));
        answer.members.insert(PossibleMember::Address(address));
    }
    answers
}

/// The objects that have an address: virtual machines with their interfaces, and ports without an interface.
fn owners(address: IpAddr, survey: &Survey) -> Vec<(&AnyObject, Option<&AnyObject>)> {
    let bound: Vec<&AnyObject> = survey.ports_with(address).collect();
    let on_bound = bound.iter().flat_map(|port| survey.interfaces_on(port));
    let mut owners: Vec<(&AnyObject, Option<&AnyObject>)> = Vec::new();
    for interface in survey.interfaces_with(address).chain(on_bound) {
        let owner = (survey.owner_of(interface).unwrap_or(interface), Some(interface));
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    let alone = bound
        .iter()
        .copied()
        .filter(|port| survey.interfaces_on(port).next().is_none());
    owners.extend(alone.map(|port| (port, None)));
    owners
}

/// The project that a path is in.
fn project_of(path: &str, survey: &Survey) -> Option<String> {
    Tree::around(path, survey.deployment)?.project_path()
}

/// The networks, allocations and pools that contain an address.
fn containing(address: IpAddr, survey: &Survey) -> Vec<&AnyObject> {
    let networks: &[&[&str]] = &[
        &["subnets", "network"],
        &["subnets", "gateway_address"],
        &["ip_addresses"],
    ];
    let is_any = |object: &&AnyObject, places: &[&[&str]]| {
        places
            .iter()
            .any(|place| member_at(object, place).is_some_and(|(value, rest)| is_named(value, rest, address)))
    };
    let in_ranges = |pool: &&AnyObject| {
        let ranges = pool.object.get("allocation_ranges").and_then(Value::as_array);
        ranges.into_iter().flatten().any(|range| {
            let end = |name: &str| range.get(name).and_then(Value::as_str).unwrap_or_default();
            let range = Range::parse(&format!("{}-{}", end("start"), end("end")));
            range.is_some_and(|range| range.contains(address))
        })
    };
    let networks = survey.networks.iter().filter(|object| is_any(object, networks));
    let allocations = survey
        .allocations
        .iter()
        .filter(|object| is_any(object, &ALLOCATED));
    networks
        .chain(allocations)
        .chain(survey.pools.iter().filter(in_ranges))
        .collect()
}

/// The answer for an object of the survey.
fn of_object(name: &str, object: &AnyObject, survey: &Survey) -> WhoAnswer {
    let mut answer = WhoAnswer::new(name, Subject::of(object), survey);
    match object.resource_type.as_str() {
        MACHINE => {
            answer.members.insert(PossibleMember::Machine(object.id.clone()));
            for interface in survey.interfaces_of(object) {
                answer.add_interface(interface, survey);
            }
        }
        INTERFACE => {
            answer.add_interface(object, survey);
            answer.add_owner(object, survey);
        }
        _ => {
            answer.add(object, survey);
            for interface in survey.interfaces_on(object) {
                answer.add_interface(interface, survey);
                answer.add_owner(interface, survey);
            }
        }
    }
    answer
}

impl WhoAnswer {
    fn new(name: &str, subject: Subject, survey: &Survey) -> Self {
        let tree = match survey.places[0].strip_prefix("/orgs/default/projects/") {
            Some(project) => Tree::Project(project.to_owned()),
            None => Tree::of(survey.deployment),
        };
        Self {
            name: name.to_owned(),
            subject,
            objects: Vec::new(),
            groups: Vec::new(),
            members: BTreeSet::new(),
            trees: BTreeMap::from([(tree.base(), tree)]),
        }
    }

    /// Adds an interface with its addresses, its port and its network.
    fn add_interface(&mut self, interface: &AnyObject, survey: &Survey) {
        self.show(interface);
        self.members
            .insert(PossibleMember::Interface(interface.id.clone()));
        self.add_addresses(interface, DISCOVERED);
        if let Some(port) = survey.port_of(interface) {
            self.add(port, survey);
        }
    }

    /// Adds the virtual machine of an interface.
    fn add_owner(&mut self, interface: &AnyObject, survey: &Survey) {
        if let Some(machine) = survey.owner_of(interface) {
            self.show(machine);
            self.members.insert(PossibleMember::Machine(machine.id.clone()));
        }
    }

    /// Adds a policy object with its addresses, and a port with its network.
    fn add(&mut self, object: &AnyObject, survey: &Survey) {
        self.show(object);
        self.add_path(&object.path, survey);
        self.add_addresses(object, BOUND);
        for place in ALLOCATED {
            self.add_addresses(object, place);
        }
        if object.resource_type.ends_with("Port") {
            let network = network_path(object);
            self.add_path(network, survey);
            if let Some(network) = survey.networks.iter().find(|object| object.path == network) {
                self.show(network);
            }
        }
    }

    fn add_addresses(&mut self, object: &AnyObject, place: &[&str]) {
        let found = addresses_at(object, place);
        self.members
            .extend(found.into_iter().map(PossibleMember::Address));
    }

    /// Whether the answer has objects of a project.
    fn is_in(&self, project: &Option<String>) -> bool {
        self.trees.values().any(|tree| tree.project_path() == *project)
    }

    /// Adds the object at a path as a member of groups of its tree.
    fn add_path(&mut self, path: &str, survey: &Survey) {
        self.members.insert(PossibleMember::Path(path.to_owned()));
        self.add_tree(path, survey);
    }

    fn add_tree(&mut self, path: &str, survey: &Survey) {
        if let Some(tree) = Tree::around(path, survey.deployment) {
            self.trees.insert(tree.base(), tree);
        }
    }

    fn show(&mut self, object: &AnyObject) {
        let shown = Subject::of(object);
        if shown != self.subject && !self.objects.contains(&shown) {
            self.objects.push(shown);
        }
    }
}
