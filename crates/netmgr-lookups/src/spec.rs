//! Facts about a lookup function, as data: what it is called, where it is available, since when.
//!
//! Not here: how it asks ([`crate::Read`]) and how it chooses ([`crate::Choose`]).

use netmgr_types::{Deployment, ManagerVersion};

/// What is known of a lookup function before it runs.
#[derive(Debug, Clone, Copy)]
pub struct LookupSpec {
    /// Function name as in its token: `getIpPool`.
    pub name: &'static str,
    /// What it does, in one sentence for its users.
    pub summary: &'static str,
    /// What one object is called: `IP pool`.
    pub noun: &'static str,
    /// Where the function may be used. Source: the "Applicable to" column of lookup-provider 4.2.
    pub availability: Availability,
    /// Lowest manager versions. Source: lookup-provider section 9.
    pub since: &'static [Since],
    /// The function to use on managers that no longer have this one's API.
    pub successor: Option<&'static str>,
    /// What the policy API has instead on managers that no longer have this function's API, when no
    /// function reads it: its objects and their collection.
    pub counterpart: Option<&'static str>,
    /// What it answers with.
    pub answer: Answer,
    /// Errors beside those that follow from its answer, by name or fixed text, each with the cases
    /// it stands for. Source: lookup-provider section 7.
    pub own_errors: &'static [(&'static str, &'static str)],
    /// An input as JSON, for documentation. The default simulated manager answers it.
    pub example: &'static str,
    /// Where the specification describes it.
    pub source: &'static str,
}

impl LookupSpec {
    /// A function available everywhere, from any version on.
    #[must_use]
    pub const fn new(name: &'static str, noun: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            noun,
            summary,
            availability: Availability::NotStated,
            since: &[],
            successor: None,
            counterpart: None,
            answer: Answer::Object,
            own_errors: &[],
            example: "{}",
            source: "lookup-provider 4.2",
        }
    }

    /// The same, available only on the given deployments.
    #[must_use]
    pub const fn on(mut self, deployments: &'static [Deployment]) -> Self {
        self.availability = Availability::Only(deployments);
        self
    }

    /// The same, with lowest versions.
    #[must_use]
    pub const fn since(mut self, since: &'static [Since]) -> Self {
        self.since = since;
        self
    }

    /// The same, with the function that replaces it.
    #[must_use]
    pub const fn successor(mut self, name: &'static str) -> Self {
        self.successor = Some(name);
        self
    }

    /// The same, with what the policy API has instead and no function reads.
    #[must_use]
    pub const fn counterpart(mut self, objects: &'static str) -> Self {
        self.counterpart = Some(objects);
        self
    }

    /// The same, answering with something else than one object that was selected.
    #[must_use]
    pub const fn answers(mut self, answer: Answer) -> Self {
        self.answer = answer;
        self
    }

    /// The same, with errors beside those that follow from its answer.
    #[must_use]
    pub const fn own_errors(mut self, errors: &'static [(&'static str, &'static str)]) -> Self {
        self.own_errors = errors;
        self
    }

    /// The same, with an input for documentation.
    #[must_use]
    pub const fn example(mut self, input: &'static str) -> Self {
        self.example = input;
        self
    }

    /// The same, described in other sections of the specification too.
    #[must_use]
    pub const fn source(mut self, sections: &'static str) -> Self {
        self.source = sections;
        self
    }

    /// Token of the function: `netmgr:index/getIpPool:getIpPool`. Source: lookup-provider section 1.
    #[must_use]
    pub fn token(&self) -> String {
        format!("netmgr:index/{0}:{0}", self.name)
    }

    /// Lowest version on `deployment`, when one is stated.
    #[must_use]
    pub fn minimum_version(&self, deployment: Deployment) -> Option<ManagerVersion> {
        self.since
            .iter()
            .find(|since| since.deployment.is_none_or(|only| only == deployment))
            .map(|since| since.version.parse().expect("versions in specs are numbers"))
    }
}

/// What a function answers with, which decides how it can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// One object, selected among those of its kind.
    Object,
    /// A table of all objects of a kind.
    Table,
    /// A state that the function waits for.
    State,
    /// Something of which the manager has one.
    Fact,
}

/// Where a function may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// The specification does not say: nothing is restricted.
    NotStated,
    /// On these deployments only.
    Only(&'static [Deployment]),
}

impl Availability {
    /// Whether the function may be used on `deployment`.
    #[must_use]
    pub fn includes(self, deployment: Deployment) -> bool {
        match self {
            Self::NotStated => true,
            Self::Only(deployments) => deployments.contains(&deployment),
        }
    }
}

/// A lowest manager version.
#[derive(Debug, Clone, Copy)]
pub struct Since {
    /// The deployment it holds for; none for all.
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

/// What a deployment is called in sentences.
pub(crate) fn a_deployment(deployment: Deployment) -> &'static str {
    match deployment {
        Deployment::PolicyManager => "a policy manager",
        Deployment::GlobalManager => "a global manager",
        Deployment::HostedCloud => "the hosted cloud",
    }
}

/// What a deployment is called in lists.
#[must_use]
pub fn deployment_name(deployment: Deployment) -> &'static str {
    match deployment {
        Deployment::PolicyManager => "policy manager",
        Deployment::GlobalManager => "global manager",
        Deployment::HostedCloud => "hosted cloud",
    }
}
