//! Facts about lookup functions, as data: names, availability and minimum versions.
//!
//! Reads are in [`crate::finding::read`], selections in [`crate::finding::selection`].

use netmgr_types::{Deployment, ManagerVersion};

use crate::wording::nouns;

/// Facts about a lookup function.
#[derive(Debug, Clone, Copy)]
pub struct LookupSpec {
    /// Function name as in its token: `getIpPool`.
    pub name: &'static str,
    /// Description in one sentence, for users.
    pub summary: &'static str,
    /// Name of an object in messages: `IP pool`.
    pub noun: &'static str,
    /// Deployments on which the function is available.
    pub availability: Availability,
    /// Minimum versions of the manager.
    pub since: &'static [Since],
    /// First version of the manager that lacks the API of this function.
    pub removed_in: Option<&'static str>,
    /// Functions to use on managers without the API of this function.
    pub successors: &'static [&'static str],
    /// Kind of the result.
    pub answer: ResultKind,
    /// Errors in addition to the errors of the kind of result: name or exact text, and when each occurs.
    pub own_errors: &'static [(&'static str, &'static str)],
    /// Inputs that have no effect on the lookup; some are returned.
    pub without_effect: &'static [&'static str],
    /// Outputs that need additional requests, so that lists do not contain them, nor filter by inputs of the same names.
    pub completed: &'static [&'static str],
    /// Example input as JSON. The default simulated manager has a matching object.
    pub example: &'static str,
    /// Sections of the specification; empty if the function is not part of it.
    pub source: &'static str,
    /// Whether the Terraform provider `nsxt` has a data source for it.
    pub has_counterpart: bool,
}

impl LookupSpec {
    /// A function that is available on every deployment and version, and that the specification does not contain.
    #[must_use]
    pub const fn new(name: &'static str, noun: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            noun,
            summary,
            availability: Availability::NotStated,
            since: &[],
            removed_in: None,
            successors: &[],
            answer: ResultKind::Object,
            own_errors: &[],
            without_effect: &[],
            completed: &[],
            example: "{}",
            source: "",
            has_counterpart: true,
        }
    }

    /// Name of several objects in messages: `IP pools`.
    #[must_use]
    pub fn nouns(&self) -> String {
        nouns::plural(self.noun)
    }

    /// Token of the function: `netmgr:index/getIpPool:getIpPool`.
    #[must_use]
    pub fn token(&self) -> String {
        format!("netmgr:index/{0}:{0}", self.name)
    }

    /// Minimum version on `deployment`, if any.
    #[must_use]
    pub fn minimum_version(&self, deployment: Deployment) -> Option<ManagerVersion> {
        self.since
            .iter()
            .find(|since| since.deployment.is_none_or(|only| only == deployment))
            .map(|since| since.version.parse().expect("versions in specs are numbers"))
    }
}

/// Kind of the result of a function, which determines its errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultKind {
    /// An object, selected from all objects of its kind.
    Object,
    /// A map of all objects of a kind.
    Table,
    /// A state that the function waits for.
    State,
    /// A fact about the manager.
    Fact,
}

impl ResultKind {
    /// Name in messages.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Table => "map",
            Self::Object | Self::State | Self::Fact => "answer",
        }
    }
}

/// Subject of a function, by which lists are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FunctionGroup {
    /// Groups with their members, services and context profiles.
    GroupsAndServices,
    /// Gateways, segments and their parts.
    GatewaysAndSegments,
    /// Transport zones, nodes and sites.
    Transport,
    /// Policies, profiles and certificates.
    Security,
    /// Projects, VPCs and their contents.
    VpcsAndProjects,
    /// Waits for the realization of objects.
    Realization,
    /// The manager itself, compute managers and upgrades.
    System,
    /// Policy objects of any type.
    AnyObject,
    /// Objects of the older manager API.
    ManagerApi,
}

impl FunctionGroup {
    /// All groups in the order of lists.
    pub const ALL: &'static [Self] = &[
        Self::GroupsAndServices,
        Self::GatewaysAndSegments,
        Self::Transport,
        Self::Security,
        Self::VpcsAndProjects,
        Self::Realization,
        Self::System,
        Self::AnyObject,
        Self::ManagerApi,
    ];

    /// Name of the group: `security`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.texts().0
    }

    /// Heading of the group.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.texts().1
    }

    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::GroupsAndServices => ("groups-and-services", "Groups and services"),
            Self::GatewaysAndSegments => ("gateways-and-segments", "Gateways and segments"),
            Self::Transport => ("transport", "Transport"),
            Self::Security => ("security", "Security"),
            Self::VpcsAndProjects => ("vpcs-and-projects", "VPCs and projects"),
            Self::Realization => ("realization", "Realization"),
            Self::System => ("system", "System"),
            Self::AnyObject => ("any-object", "Any object"),
            Self::ManagerApi => ("manager-api", "Older manager API"),
        }
    }
}

/// Deployments on which a function is available.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// Not stated by the specification. Not restricted.
    NotStated,
    /// Only these deployments.
    Only(&'static [Deployment]),
}

impl Availability {
    /// Whether the function is available on `deployment`.
    #[must_use]
    pub fn includes(self, deployment: Deployment) -> bool {
        match self {
            Self::NotStated => true,
            Self::Only(deployments) => deployments.contains(&deployment),
        }
    }
}

/// A minimum version of the manager.
#[derive(Debug, Clone, Copy)]
pub struct Since {
    /// Deployment that it applies to; `None` for all.
    pub deployment: Option<Deployment>,
    /// The version.
    pub version: &'static str,
}

impl Since {
    /// From `version` on, on every deployment.
    #[must_use]
    pub const fn version(version: &'static str) -> Self {
        Self {
            deployment: None,
            version,
        }
    }

    /// From `version` on, on `deployment`.
    #[must_use]
    pub const fn on(deployment: Deployment, version: &'static str) -> Self {
        Self {
            deployment: Some(deployment),
            version,
        }
    }
}

/// Name of a deployment in sentences.
pub(crate) fn a_deployment(deployment: Deployment) -> &'static str {
    match deployment {
        Deployment::PolicyManager => "a policy manager",
        Deployment::GlobalManager => "a global manager",
        Deployment::HostedCloud => "the hosted cloud",
    }
}

/// Name of a deployment in lists.
#[must_use]
pub fn deployment_name(deployment: Deployment) -> &'static str {
    match deployment {
        Deployment::PolicyManager => "policy manager",
        Deployment::GlobalManager => "global manager",
        Deployment::HostedCloud => "hosted cloud",
    }
}
