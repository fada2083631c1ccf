//! Access entries for additional principals. Unlike role mappings, they are revoked immediately and support
//! paths.

use std::collections::{BTreeMap, BTreeSet};

use pulumi_plugin::components::{
    Alias, ChildOptions, InputProblems, List, Output, Plain, Properties, Resource, Scope, TextRule, all,
    format_output, properties, record,
};

use pulumi_plugin::values::PropertyPath;

use crate::aws::Partition;
use crate::check;
use crate::cluster::allowed::ENTRY_NAME;
use crate::tags::Tags;

/// Access entries, keyed by names that the program chooses.
pub(super) type AccessEntries = BTreeMap<String, AccessEntry>;

/// The name or ARN of a policy.
const POLICY: TextRule = TextRule::new(
    "^(arn:[a-z0-9-]+:eks::aws:cluster-access-policy/)?[A-Za-z0-9]+$",
    "must be the name or ARN of an access policy, such as AmazonEKSViewPolicy",
);
/// The problem of a principal with two entries.
const TAKEN: &str = "already has an access entry: a principal can have only one, whatever the path and case of its name, and \
                     the administrator's is created by the cluster";

/// Types of entries, and the first one, which can have groups and a user name.
const TYPES: [&str; 7] = [
    STANDARD,
    "EC2",
    "EC2_LINUX",
    "EC2_WINDOWS",
    "FARGATE_LINUX",
    "HYBRID_LINUX",
    "HYPERPOD_LINUX",
];
const STANDARD: &str = "STANDARD";
/// Types that can have policies.
const WITH_POLICIES: [&str; 2] = [STANDARD, "EC2"];

record! {
    /// A principal with access to the cluster: through AWS access policies, Kubernetes groups, or both. Not
    /// part of the original specification.
    pub struct AccessEntry {
        /// Former name of the entry, if it was renamed. A principal has only one entry, so AWS rejects an entry with a new
        /// name until the old one is deleted; with its former name, the entry stays as it is. Remove this input after the
        /// next update, or keep it.
        #[schemars(transform = ENTRY_NAME.rule())]
        pub former_name: Option<Plain<String>>,
        /// Kubernetes groups of the principal. Their permissions are defined by role bindings in the cluster.
        /// Names that begin with `system:`, `eks:`, `aws:`, `amazon:` or `iam:` are reserved.
        #[schemars(extend("items" = { "type": "string", "minLength": 1, "not": check::RESERVED_NAME.schema() }))]
        pub groups: Option<List<String>>,
        /// Namespaces that the policies are limited to. Without them, the policies apply to the whole cluster. Default: none.
        #[schemars(extend("minItems" = 1, "items" = { "type": "string", "minLength": 1 }))]
        pub namespaces: Option<List<String>>,
        /// AWS access policies, by name or ARN, such as `AmazonEKSViewPolicy`.
        #[schemars(extend("items" = POLICY.schema()))]
        pub policies: Option<Plain<Vec<String>>>,
        /// ARN of the role or user, including its path.
        #[schemars(transform = check::PRINCIPAL.rule())]
        pub principal_arn: Output<String>,
        /// Kind of principal: `STANDARD` for people and programs; `EC2` for nodes of own node pools with `autoMode`;
        /// `EC2_LINUX`, `EC2_WINDOWS`, `FARGATE_LINUX`, `HYBRID_LINUX` or `HYPERPOD_LINUX` for roles of other nodes, which
        /// AWS gives their rights. A change replaces the entry.
        #[schemars(extend("enum" = TYPES))]
        pub kind as "type": Option<Plain<String>> where default(STANDARD),
        /// User name of the principal in the cluster. Names that begin with `system:`, `eks:`, `aws:`, `amazon:` or `iam:`
        /// are reserved. AWS keeps the name if this input is removed. Default: chosen by AWS, from the ARN.
        #[schemars(extend("minLength" = 1, "not" = check::RESERVED_NAME.schema()))]
        pub user_name: Option<Output<String>>,
    }
}

/// Registers the entries of the program, each with its policies.
pub(super) fn register(
    scope: &Scope,
    entries: &AccessEntries,
    tags: &Tags,
    partition: &Partition,
    control_plane: &Resource,
    administrator: &Output<String>,
) {
    for (name, entry) in entries {
        let principal = other_principal(name, &entry.principal_arn, administrator);
        let name = child_name(scope, name);
        let former = entry
            .former_name
            .as_ref()
            .map(|former| child_name(scope, former.get()));
        let properties = properties! {
            "clusterName": control_plane.output::<String>("name"),
            "principalArn": principal,
            // AWS keeps the former groups if there are none.
            "kubernetesGroups": entry
                .is_standard()
                .then(|| entry.groups.clone().unwrap_or_else(|| Output::known(Vec::new()))),
            "type": entry.kind(),
            "userName": entry.user_name.clone(),
            "tags": tags.clone(),
        };
        let token = "aws:eks/accessEntry:AccessEntry";
        let registered = scope.register(
            token,
            name.clone(),
            properties,
            renamed(ChildOptions::below(control_plane), former.clone()),
        );
        for policy in entry.policies() {
            let properties = properties! {
                "clusterName": control_plane.output::<String>("name"),
                "principalArn": registered.output::<String>("principalArn"),
                "policyArn": policy_arn(partition, policy),
                "accessScope": entry.scope(),
            };
            let token = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation";
            let policy_of = |name: &str| format!("{name}-{}", short_name(policy));
            // A principal has a policy once: the old association is also the new one, and its deletion would end it.
            let options = ChildOptions::below(&registered).delete_before_replace(true);
            let options = renamed(options, former.as_deref().map(policy_of));
            let name = policy_of(&name);
            scope.register(token, name, properties, options);
        }
    }
}

/// The name of the child of an entry.
fn child_name(scope: &Scope, entry: &str) -> String {
    format!("{}-access-{entry}", scope.name())
}

/// Options of a child that may have had another name.
fn renamed(options: ChildOptions, former: Option<String>) -> ChildOptions {
    match former {
        Some(former) => options.alias(Alias::named(former)),
        None => options,
    }
}

/// The principal of an entry. The default administrator is only known after AWS reports the identity that runs the
/// program.
fn other_principal(
    entry: &str,
    principal: &Output<String>,
    administrator: &Output<String>,
) -> Output<String> {
    let path = path_of(entry);
    all((principal.clone(), administrator.clone())).try_map(move |(principal, administrator)| {
        if check::identity(&principal) == check::identity(&administrator) {
            return Err(format!("{path}.principalArn {TAKEN}"));
        }
        Ok(principal)
    })
}

fn path_of(entry: &str) -> String {
    let path = PropertyPath::default().join("accessEntries");
    path.join(entry.to_owned()).to_string()
}

fn short_name(policy: &str) -> &str {
    policy.rsplit('/').next().unwrap_or(policy)
}

fn policy_arn(partition: &Partition, policy: &str) -> Output<String> {
    let name = short_name(policy).to_owned();
    format_output!(
        "arn:{partition}:eks::aws:cluster-access-policy/{name}",
        partition = partition.name.clone(),
        name = Output::known(name)
    )
}

impl AccessEntry {
    fn policies(&self) -> &[String] {
        self.policies.as_ref().map_or(&[], |policies| policies.get())
    }

    fn is_standard(&self) -> bool {
        self.kind().get() == STANDARD
    }

    fn scope(&self) -> Properties {
        match &self.namespaces {
            Some(namespaces) => properties! { "type": "namespace", "namespaces": namespaces.clone() },
            None => properties! { "type": "cluster" },
        }
    }

    fn check(&self, path: &str, problems: &mut InputProblems) {
        let principal = Some(&self.principal_arn);
        check::principal(&format!("{path}.principalArn"), principal, problems);
        let has_groups = self
            .groups
            .as_ref()
            .is_some_and(|groups| groups.peek_known().is_none_or(|list| !list.is_empty()));
        if self.is_standard() && self.policies().is_empty() && !has_groups {
            problems.add(path, "must have policies or groups");
        }
        self.check_type(path, has_groups, problems);
        for (index, policy) in self.policies().iter().enumerate() {
            let path = format!("{path}.policies[{index}]");
            if self.policies()[..index]
                .iter()
                .any(|other| short_name(other) == short_name(policy))
            {
                problems.add(path, "is a duplicate");
            }
        }
        if self.namespaces.is_some() {
            let path = format!("{path}.namespaces");
            if self.policies().is_empty() {
                problems.add(path, "requires policies, but there are none");
            }
        }
    }
}

impl AccessEntry {
    /// AWS gives nodes their groups, user names and rights.
    fn check_type(&self, path: &str, has_groups: bool, problems: &mut InputProblems) {
        let kind = self.kind();
        let has_policies = !self.policies().is_empty() && !WITH_POLICIES.contains(&kind.get().as_str());
        let has_user = self.user_name.is_some() && !self.is_standard();
        for (member, is_wrong) in [
            ("groups", has_groups && !self.is_standard()),
            ("policies", has_policies),
            ("userName", has_user),
        ] {
            if is_wrong {
                let reason = format!("cannot be set for an entry of type {}", kind.get());
                problems.add(format!("{path}.{member}"), reason);
            }
        }
        let is_role = |arn: &str| !arn.contains(":user/");
        if !self.is_standard() {
            let rule = "must be a role, because nodes have no users";
            let path = format!("{path}.principalArn");
            check::form(&path, Some(&self.principal_arn), is_role, rule, problems);
        }
    }
}

/// Checks the entries. A principal can only have one entry, and the administrator already has one.
pub(super) fn check(
    entries: &AccessEntries,
    administrator: Option<&Output<String>>,
    problems: &mut InputProblems,
) {
    let identity = |arn: &Output<String>| Some(check::identity(arn.peek_known()?));
    let mut principals: BTreeSet<_> = administrator.and_then(identity).into_iter().collect();
    for (name, entry) in entries {
        let path = path_of(name);
        if let Some(former) = entry.former_name.as_ref().map(Plain::get) {
            let path = format!("{path}.formerName");
            let is_former = |other: &AccessEntry| {
                other
                    .former_name
                    .as_ref()
                    .is_some_and(|name| name.get() == former)
            };
            let is_taken = entries
                .range::<String, _>(..name)
                .any(|(_, other)| is_former(other));
            if entries.contains_key(former) || is_taken {
                problems.add(&path, "is the name of another entry");
            }
        }
        entry.check(&path, problems);
        if identity(&entry.principal_arn).is_some_and(|principal| !principals.insert(principal)) {
            problems.add(format!("{path}.principalArn"), TAKEN);
        }
    }
}
