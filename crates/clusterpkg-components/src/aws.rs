//! Children and calls that several components share: roles, policies, and the caller's partition and region.

use pulumi_plugin::components::{ChildOptions, Output, Resource, Scope, format_output, properties};

use crate::policy::PolicyDocument;
use crate::tags::Tags;

/// The AWS partition: `aws`, `aws-cn`, `aws-us-gov`, `aws-eusc`.
#[derive(Clone)]
pub(crate) struct Partition {
    /// Its name, the second part of every ARN.
    pub(crate) name: Output<String>,
}

impl Partition {
    /// Requests the facts from the provider.
    pub(crate) fn of(scope: &Scope) -> Self {
        let answer = scope.call("aws:index/getPartition:getPartition", properties! {});
        Self {
            name: answer.output("partition"),
        }
    }

    /// ARN of an AWS-managed policy.
    pub(crate) fn managed_policy(&self, name: &'static str) -> Output<String> {
        format_output!(
            "arn:{partition}:iam::aws:policy/{name}",
            partition = self.name.clone()
        )
    }
}

/// The AWS region.
pub(crate) fn region(scope: &Scope) -> Output<String> {
    scope
        .call("aws:index/getRegion:getRegion", properties! {})
        .output("region")
}

/// ARN of the policy that limits the permissions of roles.
pub(crate) type Boundary = Option<Output<String>>;

/// A role.
pub(crate) fn role(
    scope: &Scope,
    name: String,
    trust: Output<PolicyDocument>,
    boundary: &Boundary,
    tags: &Tags,
) -> Resource {
    let inputs = properties! {
        "assumeRolePolicy": trust,
        "permissionsBoundary": boundary.clone(),
        "tags": tags.clone(),
    };
    scope.register("aws:iam/role:Role", name, inputs, ChildOptions::new())
}

/// A role for the machines of a node group. The machine service has a name of its own in China, unlike the
/// other services.
pub(crate) fn node_role(
    scope: &Scope,
    name: String,
    partition: &Partition,
    boundary: &Boundary,
    tags: &Tags,
) -> Resource {
    let trust = partition.name.clone().map(|partition| {
        PolicyDocument::service_trust(match partition.as_str() {
            "aws-cn" => "ec2.amazonaws.com.cn",
            _ => "ec2.amazonaws.com",
        })
    });
    role(scope, name, trust, boundary, tags)
}

/// Policies of all nodes: join a cluster, pull images, and connect to the session manager.
pub(crate) fn node_policies(
    scope: &Scope,
    prefix: &str,
    role: &Resource,
    partition: &Partition,
) -> Vec<Resource> {
    [
        ("worker", "AmazonEKSWorkerNodePolicy"),
        ("ecr", "AmazonEC2ContainerRegistryPullOnly"),
        ("ssm", "AmazonSSMManagedInstanceCore"),
    ]
    .map(|(name, policy)| {
        attach(
            scope,
            format!("{prefix}-{name}-policy"),
            role,
            partition.managed_policy(policy),
        )
    })
    .into()
}

/// Registers a policy and attaches it to a role. Returns the attachment.
pub(crate) fn grant(
    scope: &Scope,
    name: String,
    role: &Resource,
    description: &str,
    document: Output<PolicyDocument>,
    tags: &Tags,
) -> Resource {
    let inputs = properties! { "policy": document, "description": description, "tags": tags.clone() };
    let policy = scope.register(
        "aws:iam/policy:Policy",
        name.clone(),
        inputs,
        ChildOptions::below(role),
    );
    attach(scope, name, role, policy.output("arn"))
}

/// Attaches a policy to a role.
pub(crate) fn attach(scope: &Scope, name: String, role: &Resource, policy_arn: Output<String>) -> Resource {
    let inputs = properties! { "role": role.output::<String>("name"), "policyArn": policy_arn };
    scope.register(
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
        name,
        inputs,
        ChildOptions::below(role),
    )
}

/// The identity that runs the program.
#[derive(Clone)]
pub(crate) struct CallerIdentity {
    /// Its account.
    pub(crate) account: Output<String>,
    /// Its ARN: a user, or a session of a role.
    pub(crate) arn: Output<String>,
}

impl CallerIdentity {
    /// Requests the facts from the provider.
    pub(crate) fn of(scope: &Scope) -> Self {
        let answer = scope.call("aws:index/getCallerIdentity:getCallerIdentity", properties! {});
        Self {
            account: answer.output("accountId"),
            arn: answer.output("arn"),
        }
    }
}
