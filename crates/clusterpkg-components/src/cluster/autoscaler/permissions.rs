//! Permissions of the autoscaler: it can start and terminate machines, but only those that are tagged as this
//! cluster's. The statements of the upstream template of version 1.14, in the same six policies, because a
//! single one would be too long.

use pulumi_plugin::components::{Resource, all};

use crate::aws;
use crate::cluster::foundation::ControlPlane;
use crate::policy::{PolicyDocument, Statement};

/// Names and identifiers that the policies contain.
#[derive(Debug, Clone)]
struct PolicyParameters {
    partition: String,
    region: String,
    account: String,
    cluster: String,
    cluster_arn: String,
    queue_arn: String,
    node_role_arn: String,
}

/// A policy: name, description and document.
type Policy = (
    &'static str,
    &'static str,
    fn(&PolicyParameters) -> PolicyDocument,
);

const POLICIES: [Policy; 6] = [
    ("nodes", "Start and end machines of this cluster", nodes),
    ("profiles", "Give machines of this cluster their role", profiles),
    ("cluster", "Read what the cluster is like", cluster),
    ("interruption", "Read interruption events", interruption),
    ("zonal-shift", "Read which zone is to be left", zonal_shift),
    (
        "discovery",
        "Read what machines there are and what they cost",
        discovery,
    ),
];

/// Attaches all policies to the role of the autoscaler. Returns the attachments.
pub(super) fn grant(
    base: &ControlPlane,
    role: &Resource,
    node_role: &Resource,
    queue: &Resource,
) -> Vec<Resource> {
    let place = all((
        base.partition.name.clone(),
        base.region.clone(),
        base.account.clone(),
    ));
    let parameters = all((
        place,
        base.cluster_name(),
        base.control_plane.output::<String>("arn"),
        queue.output::<String>("arn"),
        node_role.output::<String>("arn"),
    ))
    .map(
        |((partition, region, account), cluster, cluster_arn, queue_arn, node_role_arn)| PolicyParameters {
            partition,
            region,
            account,
            cluster,
            cluster_arn,
            queue_arn,
            node_role_arn,
        },
    );
    let grant = |(suffix, description, document): Policy| {
        let name = base.name(&format!("autoscaler-{suffix}"));
        aws::grant(
            &base.scope,
            name,
            role,
            description,
            parameters.clone().map(move |parameters| document(&parameters)),
            &base.tags,
        )
    };
    POLICIES.map(grant).into()
}

const POOL_REQUEST: &str = "aws:RequestTag/karpenter.sh/nodepool";
const POOL_RESOURCE: &str = "aws:ResourceTag/karpenter.sh/nodepool";
const CLASS_REQUEST: &str = "aws:RequestTag/karpenter.k8s.aws/ec2nodeclass";
const CLASS_RESOURCE: &str = "aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass";
const REGION_REQUEST: &str = "aws:RequestTag/topology.kubernetes.io/region";
const REGION_RESOURCE: &str = "aws:ResourceTag/topology.kubernetes.io/region";
const CLUSTER_NAME_REQUEST: &str = "aws:RequestTag/eks:eks-cluster-name";

impl PolicyParameters {
    /// ARNs of machines and related resources in the region, in any account.
    fn ec2<const N: usize>(&self, kinds: [&str; N]) -> [String; N] {
        kinds.map(|kind| format!("arn:{}:ec2:{}:*:{kind}/*", self.partition, self.region))
    }

    /// ARNs of resources without an account.
    fn shared<const N: usize>(&self, kinds: [&str; N]) -> [String; N] {
        kinds.map(|kind| format!("arn:{}:ec2:{}::{kind}/*", self.partition, self.region))
    }

    /// Limits a statement to requests that tag created resources as this cluster's.
    fn as_ours(&self, statement: Statement) -> Statement {
        let owner = format!("aws:RequestTag/kubernetes.io/cluster/{}", self.cluster);
        statement.when("StringEquals", owner, ["owned"]).when(
            "StringEquals",
            CLUSTER_NAME_REQUEST,
            [&self.cluster],
        )
    }

    /// Limits a statement to resources that are tagged as this cluster's.
    fn if_ours(&self, statement: Statement) -> Statement {
        let owner = format!("aws:ResourceTag/kubernetes.io/cluster/{}", self.cluster);
        statement.when("StringEquals", owner, ["owned"])
    }
}

fn nodes(parameters: &PolicyParameters) -> PolicyDocument {
    let made = || {
        parameters.ec2([
            "fleet",
            "instance",
            "volume",
            "network-interface",
            "launch-template",
            "spot-instances-request",
        ])
    };
    let used = parameters.ec2([
        "security-group",
        "subnet",
        "capacity-reservation",
        "placement-group",
    ]);
    let start = ["ec2:RunInstances", "ec2:CreateFleet"];
    let makers = ["RunInstances", "CreateFleet", "CreateLaunchTemplate"];
    PolicyDocument::new([
        Statement::allow(start)
            .on(parameters.shared(["image", "snapshot"]))
            .on(used),
        parameters
            .if_ours(Statement::allow(start).on(parameters.ec2(["launch-template"])))
            .when("StringLike", POOL_RESOURCE, ["*"]),
        parameters
            .as_ours(Statement::allow(makers.map(|maker| format!("ec2:{maker}"))).on(made()))
            .when("StringLike", POOL_REQUEST, ["*"]),
        parameters
            .as_ours(Statement::allow(["ec2:CreateTags"]).on(made()))
            .when("StringEquals", "ec2:CreateAction", makers)
            .when("StringLike", POOL_REQUEST, ["*"]),
        parameters
            .if_ours(Statement::allow(["ec2:CreateTags"]).on(parameters.ec2(["instance"])))
            .when("StringLike", POOL_RESOURCE, ["*"])
            .when(
                "StringEqualsIfExists",
                CLUSTER_NAME_REQUEST,
                [&parameters.cluster],
            )
            .when(
                "ForAllValues:StringEquals",
                "aws:TagKeys",
                ["eks:eks-cluster-name", "karpenter.sh/nodeclaim", "Name"],
            ),
        parameters
            .if_ours(
                Statement::allow(["ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"])
                    .on(parameters.ec2(["instance", "launch-template"])),
            )
            .when("StringLike", POOL_RESOURCE, ["*"]),
    ])
}

fn profiles(parameters: &PolicyParameters) -> PolicyDocument {
    let profiles = || {
        [format!(
            "arn:{}:iam::{}:instance-profile/*",
            parameters.partition, parameters.account
        )]
    };
    let of_our_class = |statement: Statement| {
        parameters
            .if_ours(statement)
            .when("StringEquals", REGION_RESOURCE, [&parameters.region])
            .when("StringLike", CLASS_RESOURCE, ["*"])
    };
    let as_our_class = |statement: Statement| {
        parameters
            .as_ours(statement)
            .when("StringEquals", REGION_REQUEST, [&parameters.region])
            .when("StringLike", CLASS_REQUEST, ["*"])
    };
    let change = [
        "iam:AddRoleToInstanceProfile",
        "iam:RemoveRoleFromInstanceProfile",
        "iam:DeleteInstanceProfile",
    ];
    PolicyDocument::new([
        Statement::allow(["iam:PassRole"])
            .on([&parameters.node_role_arn])
            .when(
                "StringEquals",
                "iam:PassedToService",
                ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"],
            ),
        as_our_class(Statement::allow(["iam:CreateInstanceProfile"]).on(profiles())),
        of_our_class(as_our_class(
            Statement::allow(["iam:TagInstanceProfile"]).on(profiles()),
        )),
        of_our_class(Statement::allow(change).on(profiles())),
        Statement::allow(["iam:GetInstanceProfile"]).on(profiles()),
        Statement::allow(["iam:ListInstanceProfiles"]).on(["*"]),
    ])
}

fn cluster(parameters: &PolicyParameters) -> PolicyDocument {
    PolicyDocument::new([Statement::allow(["eks:DescribeCluster"]).on([&parameters.cluster_arn])])
}

fn interruption(parameters: &PolicyParameters) -> PolicyDocument {
    let actions = ["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"];
    PolicyDocument::new([Statement::allow(actions).on([&parameters.queue_arn])])
}

fn zonal_shift(parameters: &PolicyParameters) -> PolicyDocument {
    PolicyDocument::new([Statement::allow(["arc-zonal-shift:GetManagedResource"])
        .on(["*"])
        .when(
            "StringEquals",
            "arc-zonal-shift:ResourceIdentifier",
            [&parameters.cluster_arn],
        )])
}

fn discovery(parameters: &PolicyParameters) -> PolicyDocument {
    let kinds = [
        "CapacityReservations",
        "Images",
        "InstanceStatus",
        "InstanceTypeOfferings",
        "InstanceTypes",
        "Instances",
        "LaunchTemplates",
        "PlacementGroups",
        "SecurityGroups",
        "SpotPriceHistory",
        "Subnets",
    ];
    let public_parameters = format!(
        "arn:{}:ssm:{}::parameter/aws/service/*",
        parameters.partition, parameters.region
    );
    PolicyDocument::new([
        Statement::allow(kinds.map(|kind| format!("ec2:Describe{kind}")))
            .on(["*"])
            .when("StringEquals", "aws:RequestedRegion", [&parameters.region]),
        Statement::allow(["ssm:GetParameter"]).on([public_parameters]),
        Statement::allow(["pricing:GetProducts"]).on(["*"]),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Maximum number of characters of a managed policy. Blanks do not count, and there are none.
    const LONGEST: usize = 6144;

    #[test]
    fn every_policy_fits_with_the_longest_names() {
        let name = "n".repeat(100);
        let parameters = PolicyParameters {
            partition: "aws-us-gov".to_owned(),
            region: "ap-southeast-99".to_owned(),
            account: "1".repeat(12),
            cluster_arn: format!(
                "arn:aws-us-gov:eks:ap-southeast-99:{}:cluster/{name}",
                "1".repeat(12)
            ),
            queue_arn: "q".repeat(150),
            node_role_arn: "r".repeat(600),
            cluster: name,
        };
        for (name, _, document) in POLICIES {
            let length = document(&parameters).to_json().len();
            assert!(length <= LONGEST, "{name} has {length} characters");
        }
    }
}
