//! From names to objects, and to the members whose groups are theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use futures_util::future::try_join_all;
use netmgr_lookups::Tree;
use netmgr_lookups::typed::AnyObject;
use netmgr_types::PolicyPath;
use serde::Serialize;
use tokio::try_join;

use super::SUBCOMMAND;
use super::addresses::{self, texts_at};
use super::objects::{
    ADDRESSES, ATTACHMENT_OF_PORT, EXTERNAL_ID, INTERFACE, MACHINE, MACHINE_OF_INTERFACE, MACS, NAMED, NAMES,
    NETWORKS, OWNERS, ObjectFinder, PATH, PORTS, is_of, places, text_at,
};
use crate::failure::CliError;
use crate::session::LookupSession;

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
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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

    /// The path, or the name of an object of the inventory.
    pub(super) fn name(&self) -> &str {
        if self.path.is_empty() {
            &self.display_name
        } else {
            &self.path
        }
    }
}

/// Finds what names mean on a manager or in one of its projects.
pub(super) struct Finder<'s> {
    pub(super) objects: ObjectFinder<'s>,
    /// Policy path of the project.
    project: Option<String>,
    /// The tree whose groups are meant in any case.
    base: Tree,
}

impl<'s> Finder<'s> {
    /// Fails if the project does not exist.
    pub(super) async fn new(
        session: &'s LookupSession,
        project: Option<&str>,
        names: &[String],
    ) -> Result<Self, CliError> {
        let base = match project {
            Some(id) => session.project(SUBCOMMAND.name, id).await?,
            None => Tree::of(session.deployment()),
        };
        Ok(Self {
            objects: ObjectFinder::new(session, names),
            project: base.project_path(),
            base,
        })
    }

    /// The objects that a name means.
    pub(super) async fn answers(&self, name: &str) -> Result<Vec<WhoAnswer>, CliError> {
        let (mut answers, mut named) = (Vec::new(), Vec::new());
        if name.starts_with('/') {
            named.extend(self.objects.at_path(name).await?);
        } else {
            let of_address = async {
                match addresses::parse(name) {
                    Some(address) => self.of_address(name, address).await,
                    None => Ok(Vec::new()),
                }
            };
            let mac = addresses::mac(name).unwrap_or_default();
            let with_mac = self.objects.with_value(OWNERS, MACS, &mac);
            let found = try_join!(of_address, self.objects.with_value(NAMED, NAMES, name), with_mac)?;
            answers = found.0;
            named.extend(found.1.into_iter().chain(found.2));
        }
        let named = named.into_iter().map(|object| self.of_object(name, object));
        answers.extend(try_join_all(named).await?.into_iter().flatten());
        Ok(answers)
    }

    /// The answer for an object, unless it is outside of the project.
    async fn of_object(&self, name: &str, object: AnyObject) -> Result<Option<WhoAnswer>, CliError> {
        let mut answer = self.about(name, Subject::of(&object));
        let interfaces = match &*object.resource_type {
            MACHINE => {
                self.objects
                    .with_value(&[INTERFACE], MACHINE_OF_INTERFACE, &object.id)
                    .await?
            }
            INTERFACE => vec![object],
            _ => {
                self.add(&mut answer, &object).await?;
                self.objects.interfaces_on(&object).await?
            }
        };
        if answer.subject.resource_type == MACHINE {
            answer
                .members
                .insert(PossibleMember::Machine(answer.subject.id.clone()));
        }
        for interface in interfaces {
            self.add_interface(&mut answer, &interface).await?;
        }
        Ok(self.narrowed(answer))
    }

    /// The owners of an address, and what else contains it. Equal addresses of several projects are several answers.
    async fn of_address(&self, name: &str, address: IpAddr) -> Result<Vec<WhoAnswer>, CliError> {
        let text = address.to_string();
        let (owners, containing) = try_join!(
            self.objects.with_value(OWNERS, ADDRESSES, &text),
            self.containing(address)
        )?;
        let subject = Subject {
            resource_type: "IPAddress".to_owned(),
            display_name: text.clone(),
            id: text,
            path: String::new(),
        };
        let alone = self.about(name, subject);
        let mut answers: Vec<WhoAnswer> = Vec::new();
        for object in owners {
            let interfaces = match is_of(&object, PORTS) {
                true => self.objects.interfaces_on(&object).await?,
                false => vec![object.clone()],
            };
            let mut found = alone.clone();
            for interface in &interfaces {
                self.add_interface(&mut found, interface).await?;
            }
            if interfaces.is_empty() {
                self.add(&mut found, &object).await?;
            }
            merge(&mut answers, self.narrowed(found.about_owner()));
        }
        for (_, tree) in &containing {
            let project = tree.project_path();
            if project.is_some() && !answers.iter().any(|answer| answer.is_in(&project)) {
                let mut answer = alone.clone();
                answer.add_tree(tree);
                answers.push(answer);
            }
        }
        if answers.is_empty() {
            answers.push(alone);
        }
        for answer in &mut answers {
            for (object, tree) in &containing {
                let project = tree.project_path();
                if project.is_none() || answer.is_in(&project) {
                    answer.show(object);
                    answer.add_tree(tree);
                }
            }
            let is_other = |member: &PossibleMember| !matches!(member, PossibleMember::Address(_));
            answer.members.retain(is_other);
            answer.members.insert(PossibleMember::Address(address));
        }
        Ok(answers)
    }

    /// The networks, allocations and pools that contain an address, each with its tree.
    async fn containing(&self, address: IpAddr) -> Result<Vec<(&AnyObject, Tree)>, CliError> {
        let deployment = self.objects.session.deployment();
        let found = self.objects.containing(address).await?.into_iter();
        let found = found.filter(|object| self.is_inside(&object.path));
        Ok(found
            .filter_map(|object| Some((object, Tree::around(&object.path, deployment)?)))
            .collect())
    }

    fn about(&self, name: &str, subject: Subject) -> WhoAnswer {
        WhoAnswer {
            name: name.to_owned(),
            subject,
            objects: Vec::new(),
            groups: Vec::new(),
            members: BTreeSet::new(),
            trees: BTreeMap::from([(self.base.base(), self.base.clone())]),
        }
    }

    /// Whether a path is in the project, if there is one.
    fn is_inside(&self, path: &str) -> bool {
        let project = self.project.as_ref();
        project.is_none_or(|project| PolicyPath::trusted(path).is_within(project))
    }

    /// The part of an answer that is in the project, if there is any.
    fn narrowed(&self, mut answer: WhoAnswer) -> Option<WhoAnswer> {
        let mut paths = std::iter::once(&answer.subject).chain(&answer.objects);
        let is_inside = paths.any(|object| self.is_inside(&object.path));
        answer
            .objects
            .retain(|object| object.path.is_empty() || self.is_inside(&object.path));
        let is_meant = |tree: &Tree| self.project.is_none() || tree.project_path() == self.project;
        answer.trees.retain(|_, tree| is_meant(tree));
        is_inside.then_some(answer)
    }

    /// Adds an interface with its virtual machine, its addresses, its port and its network.
    async fn add_interface(&self, answer: &mut WhoAnswer, interface: &AnyObject) -> Result<(), CliError> {
        let machine = text_at(interface, "owner_vm_id");
        let attachment = text_at(interface, "lport_attachment_id");
        let (machines, ports) = try_join!(
            self.objects.with_value(&[MACHINE], EXTERNAL_ID, machine),
            self.objects.with_value(PORTS, ATTACHMENT_OF_PORT, attachment),
        )?;
        for machine in &machines {
            answer.show(machine);
            answer.members.insert(PossibleMember::Machine(machine.id.clone()));
        }
        answer.show(interface);
        answer
            .members
            .insert(PossibleMember::Interface(interface.id.clone()));
        answer.add_addresses(interface);
        for port in &ports {
            self.add(answer, port).await?;
        }
        Ok(())
    }

    /// Adds a policy object with its addresses, and a port with its network.
    async fn add(&self, answer: &mut WhoAnswer, object: &AnyObject) -> Result<(), CliError> {
        answer.show(object);
        answer.add_addresses(object);
        let network = PolicyPath::trusted(&object.path).parent();
        answer.members.insert(PossibleMember::Path(object.path.clone()));
        if let Some(tree) = Tree::around(&object.path, self.objects.session.deployment()) {
            answer.add_tree(&tree);
        }
        if is_of(object, PORTS) {
            answer.members.insert(PossibleMember::Path(network.to_owned()));
            let networks = self.objects.with_value(NETWORKS, PATH, network).await?;
            networks.iter().for_each(|network| answer.show(network));
        }
        Ok(())
    }
}

impl WhoAnswer {
    /// The answer about the owner of an address, which was added first.
    fn about_owner(mut self) -> Self {
        self.subject = self.objects.remove(0);
        self
    }

    fn add_addresses(&mut self, object: &AnyObject) {
        let places = places(ADDRESSES).chain(["allocation_ip", "allocation_ips"]);
        let texts = places.flat_map(|place| texts_at(&object.object, place));
        let own = texts.filter_map(|text| addresses::parse(text.split('/').next()?));
        self.members.extend(own.map(PossibleMember::Address));
    }

    /// Adds the groups of a tree. A VPC also has the groups of its project.
    fn add_tree(&mut self, tree: &Tree) {
        self.trees.insert(tree.base(), tree.clone());
        if let Tree::Vpc { project, .. } = tree {
            self.add_tree(&Tree::Project(project.clone()));
        }
    }

    /// Whether the answer has objects of a project.
    fn is_in(&self, project: &Option<String>) -> bool {
        self.trees.values().any(|tree| tree.project_path() == *project)
    }

    fn show(&mut self, object: &AnyObject) {
        let shown = Subject::of(object);
        if shown != self.subject && !self.objects.contains(&shown) {
            self.objects.push(shown);
        }
    }
}

/// Adds an answer, unless there is one about the same object, to which it adds the rest.
fn merge(answers: &mut Vec<WhoAnswer>, answer: Option<WhoAnswer>) {
    let Some(mut answer) = answer else { return };
    match answers.iter_mut().find(|known| known.subject == answer.subject) {
        None => answers.push(answer),
        Some(known) => {
            known.members.append(&mut answer.members);
            known.trees.append(&mut answer.trees);
            answer.objects.retain(|object| !known.objects.contains(object));
            known.objects.append(&mut answer.objects);
        }
    }
}
