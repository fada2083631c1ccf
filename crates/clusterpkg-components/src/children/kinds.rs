//! Types of children: the properties that the components decide, and those that are JSON text.

use pulumi_plugin::components::{Child, ChildKind, Own};

use super::{node_groups, rules};

/// Properties that refer to other children.
pub(super) const fn refers(paths: &'static [&'static str]) -> Own {
    let reason = "it refers to another child of the component";
    Own { paths, reason }
}

/// Properties that name a child.
pub(super) const fn named(paths: &'static [&'static str]) -> Own {
    let reason = "the component names its children";
    Own { paths, reason }
}

/// Properties of which there is an input.
pub(super) const fn input(paths: &'static [&'static str], reason: &'static str) -> Own {
    Own { paths, reason }
}

const REGION: Own = Own {
    paths: &["region"],
    reason: "all children are in the region of the provider",
};
const TYPE: Own = Own {
    paths: &["apiVersion", "kind"],
    reason: "they are the type of the child",
};
const OBJECT_NAME: Own = named(&["metadata.name", "metadata.generateName", "metadata.namespace"]);

const fn kind(token: &'static str, own: &'static [Own], json_texts: &'static [&'static str]) -> ChildKind {
    ChildKind {
        token,
        own,
        json_texts,
        keeps_null: &[],
        instead: &[],
        rules: |_| Vec::new(),
    }
}

pub(super) const CONTROL_PLANE: ChildKind = kind(
    "aws:eks/cluster:Cluster",
    &[
        REGION,
        input(&["name"], "set the input `name`"),
        input(&["deletionProtection"], "set the input `deletionProtection`"),
        input(
            &["accessConfig.authenticationMode"],
            "set the input `authenticationMode`",
        ),
        input(
            &[
                "computeConfig.enabled",
                "kubernetesNetworkConfig.elasticLoadBalancing",
                "storageConfig",
            ],
            "set the input `autoMode`",
        ),
        input(&["computeConfig.nodePools"], "set the input `autoModeNodePools`"),
        input(&["kubernetesNetworkConfig.ipFamily"], "set the input `ipFamily`"),
        input(&["encryptionConfig"], "set the input `secretsKmsKeyArn`"),
        Own {
            paths: &["bootstrapSelfManagedAddons", "defaultAddonsToRemoves"],
            reason: "the component installs the add-ons",
        },
        Own {
            paths: &["accessConfig.bootstrapClusterCreatorAdminPermissions"],
            reason: "the administrator has an access entry",
        },
        refers(&["roleArn", "computeConfig.nodeRoleArn"]),
    ],
    &[],
);

pub(super) const NODE_GROUP: ChildKind = ChildKind {
    instead: &[(
        "updateConfig.maxUnavailablePercentage",
        "updateConfig.maxUnavailable",
    )],
    rules: node_groups::broken,
    ..kind(
        "aws:eks/nodeGroup:NodeGroup",
        &[
            REGION,
            named(&["nodeGroupName", "nodeGroupNamePrefix"]),
            refers(&["clusterName", "nodeRoleArn"]),
            Own {
                paths: &["launchTemplate"],
                reason: "give the properties to the child with the launch template, which exists with `useLaunchTemplate`, or \
                     `systemNodesUseLaunchTemplate` of a cluster",
            },
        ],
        &[],
    )
};

pub(super) const LAUNCH_TEMPLATE: ChildKind = kind(
    "aws:ec2/launchTemplate:LaunchTemplate",
    &[
        REGION,
        named(&["name", "namePrefix"]),
        Own {
            paths: &[
                "iamInstanceProfile",
                "instanceInitiatedShutdownBehavior",
                "hibernationOptions",
            ],
            reason: "AWS rejects it in launch templates of node groups",
        },
    ],
    &[],
);

pub(super) const ROLE: ChildKind = kind(
    "aws:iam/role:Role",
    &[
        named(&["name", "namePrefix"]),
        Own {
            paths: &["inlinePolicies", "managedPolicyArns"],
            reason: "they would remove the policies of the component; attach further ones with resources of their own",
        },
    ],
    &["assumeRolePolicy"],
);

pub(super) const ATTACHMENT: ChildKind = kind(
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
    &[refers(&["role"])],
    &[],
);

// Attachments of the policies that roles of nodes have.

pub(super) const fn worker_policy(name: &'static str) -> Child {
    Child::new(name, &ATTACHMENT, "Right to join the cluster")
}

pub(super) const fn ecr_policy(name: &'static str) -> Child {
    Child::new(name, &ATTACHMENT, "Right to pull images")
}

pub(super) const fn ssm_policy(name: &'static str) -> Child {
    Child::new(
        name,
        &ATTACHMENT,
        "Right to be reached through the session manager",
    )
}

/// An attachment of a policy of the component.
pub(super) const OF_OWN_POLICY: &[Own] = &[refers(&["policyArn"])];

pub(super) const POLICY: ChildKind = kind(
    "aws:iam/policy:Policy",
    &[named(&["name", "namePrefix"])],
    &["policy"],
);

pub(super) const ROLE_POLICY: ChildKind = kind(
    "aws:iam/rolePolicy:RolePolicy",
    &[named(&["name", "namePrefix"]), refers(&["role"])],
    &["policy"],
);

pub(super) const KMS_KEY: ChildKind = kind("aws:kms/key:Key", &[REGION], &["policy"]);

pub(super) const LOG_GROUP: ChildKind = kind(
    "aws:cloudwatch/logGroup:LogGroup",
    &[
        REGION,
        input(&["name", "namePrefix"], "AWS writes to the group with this name"),
    ],
    &[],
);

pub(super) const ACCESS_ENTRY: ChildKind = kind(
    "aws:eks/accessEntry:AccessEntry",
    &[
        REGION,
        refers(&["clusterName", "principalArn"]),
        Own {
            paths: &["type"],
            reason: "the component decides what has access; entries in `accessEntries` have an input for it",
        },
    ],
    &[],
);

pub(super) const ACCESS_POLICY: ChildKind = kind(
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
    &[REGION, refers(&["clusterName", "principalArn", "policyArn"])],
    &[],
);

pub(super) const ADDON: ChildKind = kind(
    "aws:eks/addon:Addon",
    &[REGION, named(&["addonName"]), refers(&["clusterName"])],
    &["configurationValues"],
);

/// An add-on whose role the component creates.
pub(super) const WITH_ROLE: &[Own] = &[refers(&["serviceAccountRoleArn"])];

pub(super) const OIDC_PROVIDER: ChildKind = kind(
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
    &[refers(&["url"])],
    &[],
);

pub(super) const QUEUE: ChildKind = kind(
    "aws:sqs/queue:Queue",
    &[
        REGION,
        named(&["name", "namePrefix"]),
        Own {
            paths: &["policy"],
            reason: "give it to the child with the policy of the queue",
        },
    ],
    &["redrivePolicy", "redriveAllowPolicy"],
);

pub(super) const QUEUE_POLICY: ChildKind = kind(
    "aws:sqs/queuePolicy:QueuePolicy",
    &[REGION, refers(&["queueUrl"])],
    &["policy"],
);

pub(super) const EVENT_RULE: ChildKind = kind(
    "aws:cloudwatch/eventRule:EventRule",
    &[REGION, named(&["name", "namePrefix"])],
    &["eventPattern"],
);

pub(super) const EVENT_TARGET: ChildKind = kind(
    "aws:cloudwatch/eventTarget:EventTarget",
    &[REGION, refers(&["rule", "arn"]), named(&["targetId"])],
    &["input"],
);

pub(super) const PROFILE: ChildKind = kind(
    "aws:eks/fargateProfile:FargateProfile",
    &[
        REGION,
        named(&["fargateProfileName"]),
        refers(&["clusterName", "podExecutionRoleArn"]),
    ],
    &[],
);

pub(super) const POD_IDENTITY: ChildKind = kind(
    "aws:eks/podIdentityAssociation:PodIdentityAssociation",
    &[
        REGION,
        refers(&["clusterName", "roleArn"]),
        input(
            &["namespace", "serviceAccount"],
            "set the inputs `namespaceName` and `serviceAccountName`",
        ),
    ],
    &[],
);

pub(super) const KUBERNETES: ChildKind = kind(
    "pulumi:providers:kubernetes",
    &[
        refers(&["kubeconfig", "clusterIdentifier"]),
        Own {
            paths: &["cluster", "context"],
            reason: "the kubeconfig has one of each",
        },
    ],
    &[],
);

pub(super) const RELEASE: ChildKind = ChildKind {
    keeps_null: &["values"],
    ..kind(
        "kubernetes:helm.sh/v3:Release",
        &[named(&["name", "namespace"])],
        &[],
    )
};

/// The service account of a chart, which has a role of the component.
pub(super) const ACCOUNT: Own = refers(&[
    "values.serviceAccount.create",
    "values.serviceAccount.name",
    r#"values.serviceAccount.annotations["eks.amazonaws.com/role-arn"]"#,
]);

pub(super) const STORAGE_CLASS: ChildKind = kind(
    "kubernetes:storage.k8s.io/v1:StorageClass",
    &[TYPE, OBJECT_NAME],
    &[],
);

pub(super) const GATEWAY_CLASS: ChildKind = kind(
    "kubernetes:gateway.networking.k8s.io/v1:GatewayClass",
    &[TYPE, OBJECT_NAME, refers(&["spec.controllerName"])],
    &[],
);

pub(super) const ISSUER: ChildKind = ChildKind {
    instead: &[
        ("spec.ca", "spec.acme"),
        ("spec.selfSigned", "spec.acme"),
        ("spec.vault", "spec.acme"),
        ("spec.venafi", "spec.acme"),
    ],
    ..kind(
        "kubernetes:cert-manager.io/v1:ClusterIssuer",
        &[TYPE, OBJECT_NAME],
        &[],
    )
};

pub(super) const OBJECT_TYPE: ChildKind = kind(
    "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition",
    &[TYPE, OBJECT_NAME],
    &[],
);

pub(super) const MAPPING: ChildKind = kind(
    "kubernetes:iamauthenticator.k8s.aws/v1alpha1:IAMIdentityMapping",
    &[TYPE, OBJECT_NAME, refers(&["spec.arn"])],
    &[],
);

pub(super) const NODE_CLASS: ChildKind = ChildKind {
    instead: &[("spec.instanceProfile", "spec.role")],
    rules: |object| rules::broken("EC2NodeClass", object),
    ..kind(
        "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
        &[TYPE, OBJECT_NAME],
        &[],
    )
};

pub(super) const NODE_POOL: ChildKind = ChildKind {
    rules: |object| rules::broken("NodePool", object),
    ..kind(
        "kubernetes:karpenter.sh/v1:NodePool",
        &[TYPE, OBJECT_NAME, refers(&["spec.template.spec.nodeClassRef"])],
        &[],
    )
};
