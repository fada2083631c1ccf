//! Policy trees: the roots of policy paths.

use netmgr_types::{Deployment, PolicyPath};

/// A policy tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// `/infra` of a local manager or the hosted cloud.
    Local,
    /// `/global-infra` of a global manager.
    Global,
    /// `/global-infra` of a local manager: objects that a global manager has sent to it.
    GlobalOnLocal,
    /// The tree of one project.
    Project(String),
    /// The objects of a VPC.
    Vpc {
        /// Id of its project.
        project: String,
        /// Its id.
        vpc: String,
    },
}

impl Tree {
    /// The tree of the objects outside all projects.
    #[must_use]
    pub fn of(deployment: Deployment) -> Self {
        match deployment {
            Deployment::GlobalManager => Self::Global,
            Deployment::PolicyManager | Deployment::HostedCloud => Self::Local,
        }
    }

    /// Policy path of the root: `/infra`.
    #[must_use]
    pub fn base(&self) -> String {
        match self {
            Self::Local => "/infra".to_owned(),
            Self::Global | Self::GlobalOnLocal => "/global-infra".to_owned(),
            Self::Project(id) => format!("{PROJECTS}{id}/infra"),
            Self::Vpc { project, vpc } => format!("{PROJECTS}{project}/vpcs/{vpc}"),
        }
    }

    /// Policy path that all objects are below: the project, whose VPCs are beside its tree, or the root.
    pub(crate) fn top(&self) -> String {
        match self {
            Self::Project(id) => format!("{PROJECTS}{id}"),
            _ => self.base(),
        }
    }

    /// Whether `path` is the policy path of an object in a VPC of this project.
    pub(crate) fn has_in_vpc(&self, path: &str) -> bool {
        let Self::Project(project) = self else {
            return false;
        };
        let inside = path.strip_prefix(PROJECTS);
        let inside = inside.and_then(|inside| inside.strip_prefix(&**project)?.strip_prefix("/vpcs/"));
        inside.is_some_and(|inside| inside.contains('/'))
    }

    /// The tree that the object with the policy path `path` is in. `None` if the path is not one of this kind of
    /// manager.
    #[must_use]
    pub fn around(path: &str, deployment: Deployment) -> Option<Self> {
        let is_global = deployment == Deployment::GlobalManager;
        let segments: Vec<&str> = PolicyPath::trusted(path).segments().collect();
        match segments[..] {
            ["orgs", "default", "projects", "", ..] => None,
            ["orgs", "default", "projects", project, "vpcs", vpc, _, ..] => Some(Self::Vpc {
                project: project.to_owned(),
                vpc: vpc.to_owned(),
            }),
            ["orgs", "default", "projects", project, ..] => Some(Self::Project(project.to_owned())),
            ["infra", ..] if !is_global => Some(Self::Local),
            ["global-infra", ..] if is_global => Some(Self::Global),
            ["global-infra", ..] => Some(Self::GlobalOnLocal),
            _ => None,
        }
    }

    /// Policy path of the project, if the tree belongs to a project or to one of its VPCs.
    #[must_use]
    pub fn project_path(&self) -> Option<String> {
        match self {
            Self::Project(project) | Self::Vpc { project, .. } => Some(format!("{PROJECTS}{project}")),
            Self::Local | Self::Global | Self::GlobalOnLocal => None,
        }
    }

    /// URL path in front of policy paths.
    #[must_use]
    pub fn root(&self) -> &'static str {
        match self {
            Self::Global => "/global-manager/api/v1",
            Self::Local | Self::GlobalOnLocal | Self::Project(_) | Self::Vpc { .. } => "/policy/api/v1",
        }
    }
}

/// Prefix of the policy paths of projects. The organization is always `default`.
const PROJECTS: &str = "/orgs/default/projects/";
