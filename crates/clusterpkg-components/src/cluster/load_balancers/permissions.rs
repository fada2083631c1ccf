//! Permissions of the load balancer controller: the statements of the upstream policy of version 3.5. It only
//! changes load balancers and security groups with its own tag.

use crate::policy::{PolicyDocument, Statement};

/// The tag of the controller in requests that create resources.
const REQUESTED: &str = "aws:RequestTag/elbv2.k8s.aws/cluster";
/// The tag of the controller on existing resources.
const OWN: &str = "aws:ResourceTag/elbv2.k8s.aws/cluster";

/// The policy in a partition.
pub(super) fn policy(partition: &str) -> PolicyDocument {
    let machine = |resource: &str| format!("arn:{partition}:ec2:*:*:{resource}");
    let balancer = |resource: &str| format!("arn:{partition}:elasticloadbalancing:*:*:{resource}");
    PolicyDocument::new([
        Statement::allow(["iam:CreateServiceLinkedRole"]).on(["*"]).when(
            "StringEquals",
            "iam:AWSServiceName",
            ["elasticloadbalancing.amazonaws.com"],
        ),
        Statement::allow([
            "ec2:DescribeAccountAttributes",
            "ec2:DescribeAddresses",
            "ec2:DescribeAvailabilityZones",
            "ec2:DescribeInternetGateways",
            "ec2:DescribeVpcs",
            "ec2:DescribeVpcPeeringConnections",
            "ec2:DescribeSubnets",
            "ec2:DescribeSecurityGroups",
            "ec2:DescribeInstances",
            "ec2:DescribeNetworkInterfaces",
            "ec2:DescribeTags",
            "ec2:GetCoipPoolUsage",
            "ec2:DescribeCoipPools",
            "ec2:GetSecurityGroupsForVpc",
            "ec2:DescribeIpamPools",
            "ec2:DescribeRouteTables",
            "elasticloadbalancing:DescribeLoadBalancers",
            "elasticloadbalancing:DescribeLoadBalancerAttributes",
            "elasticloadbalancing:DescribeListeners",
            "elasticloadbalancing:DescribeListenerCertificates",
            "elasticloadbalancing:DescribeSSLPolicies",
            "elasticloadbalancing:DescribeRules",
            "elasticloadbalancing:DescribeTargetGroups",
            "elasticloadbalancing:DescribeTargetGroupAttributes",
            "elasticloadbalancing:DescribeTargetHealth",
            "elasticloadbalancing:DescribeTags",
            "elasticloadbalancing:DescribeTrustStores",
            "elasticloadbalancing:DescribeListenerAttributes",
            "elasticloadbalancing:DescribeCapacityReservation",
        ])
        .on(["*"]),
        Statement::allow([
            "cognito-idp:DescribeUserPoolClient",
            "acm:ListCertificates",
            "acm:DescribeCertificate",
            "iam:ListServerCertificates",
            "iam:GetServerCertificate",
            "waf-regional:GetWebACL",
            "waf-regional:GetWebACLForResource",
            "waf-regional:AssociateWebACL",
            "waf-regional:DisassociateWebACL",
            "wafv2:GetWebACL",
            "wafv2:GetWebACLForResource",
            "wafv2:AssociateWebACL",
            "wafv2:DisassociateWebACL",
            "shield:GetSubscriptionState",
            "shield:DescribeProtection",
            "shield:CreateProtection",
            "shield:DeleteProtection",
        ])
        .on(["*"]),
        Statement::allow([
            "ec2:AuthorizeSecurityGroupIngress",
            "ec2:RevokeSecurityGroupIngress",
        ])
        .on(["*"]),
        Statement::allow(["ec2:CreateSecurityGroup"]).on(["*"]),
        Statement::allow(["ec2:CreateTags"])
            .on([machine("security-group/*")])
            .when("StringEquals", "ec2:CreateAction", ["CreateSecurityGroup"])
            .when("Null", REQUESTED, ["false"]),
        Statement::allow(["ec2:CreateTags", "ec2:DeleteTags"])
            .on([machine("security-group/*")])
            .when("Null", REQUESTED, ["true"])
            .when("Null", OWN, ["false"]),
        Statement::allow([
            "ec2:AuthorizeSecurityGroupIngress",
            "ec2:RevokeSecurityGroupIngress",
            "ec2:DeleteSecurityGroup",
        ])
        .on(["*"])
        .when("Null", OWN, ["false"]),
        Statement::allow([
            "elasticloadbalancing:CreateLoadBalancer",
            "elasticloadbalancing:CreateTargetGroup",
        ])
        .on(["*"])
        .when("Null", REQUESTED, ["false"]),
        Statement::allow([
            "elasticloadbalancing:CreateListener",
            "elasticloadbalancing:DeleteListener",
            "elasticloadbalancing:CreateRule",
            "elasticloadbalancing:DeleteRule",
        ])
        .on(["*"]),
        Statement::allow(["elasticloadbalancing:AddTags", "elasticloadbalancing:RemoveTags"])
            .on([
                balancer("targetgroup/*/*"),
                balancer("loadbalancer/net/*/*"),
                balancer("loadbalancer/app/*/*"),
            ])
            .when("Null", REQUESTED, ["true"])
            .when("Null", OWN, ["false"]),
        Statement::allow(["elasticloadbalancing:AddTags", "elasticloadbalancing:RemoveTags"]).on([
            balancer("listener/net/*/*/*"),
            balancer("listener/app/*/*/*"),
            balancer("listener-rule/net/*/*/*"),
            balancer("listener-rule/app/*/*/*"),
        ]),
        Statement::allow([
            "elasticloadbalancing:ModifyLoadBalancerAttributes",
            "elasticloadbalancing:SetIpAddressType",
            "elasticloadbalancing:SetSecurityGroups",
            "elasticloadbalancing:SetSubnets",
            "elasticloadbalancing:DeleteLoadBalancer",
            "elasticloadbalancing:ModifyTargetGroup",
            "elasticloadbalancing:ModifyTargetGroupAttributes",
            "elasticloadbalancing:DeleteTargetGroup",
            "elasticloadbalancing:ModifyListenerAttributes",
            "elasticloadbalancing:ModifyCapacityReservation",
            "elasticloadbalancing:ModifyIpPools",
        ])
        .on(["*"])
        .when("Null", OWN, ["false"]),
        Statement::allow(["elasticloadbalancing:AddTags"])
            .on([
                balancer("targetgroup/*/*"),
                balancer("loadbalancer/net/*/*"),
                balancer("loadbalancer/app/*/*"),
            ])
            .when(
                "StringEquals",
                "elasticloadbalancing:CreateAction",
                ["CreateTargetGroup", "CreateLoadBalancer"],
            )
            .when("Null", REQUESTED, ["false"]),
        Statement::allow([
            "elasticloadbalancing:RegisterTargets",
            "elasticloadbalancing:DeregisterTargets",
        ])
        .on([balancer("targetgroup/*/*")]),
        Statement::allow([
            "elasticloadbalancing:SetWebAcl",
            "elasticloadbalancing:ModifyListener",
            "elasticloadbalancing:AddListenerCertificates",
            "elasticloadbalancing:RemoveListenerCertificates",
            "elasticloadbalancing:ModifyRule",
            "elasticloadbalancing:SetRulePriorities",
        ])
        .on(["*"]),
    ])
}
