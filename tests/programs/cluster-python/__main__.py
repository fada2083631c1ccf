"""A cluster with node groups, and what uses its outputs."""

import pulumi
import pulumi_aws as aws
import pulumi_clusterpkg as clusterpkg
import pulumi_kubernetes as kubernetes

subnets = ["subnet-0a1", "subnet-0b2"]
cluster = clusterpkg.Cluster(
    "main",
    cluster_subnet_ids=subnets,
    system_node_subnet_ids=subnets,
    proxy_ingress_config={"enable_external": False, "enable_internal": False},
    tags={"team": "platform"},
)
node_role = cluster.node_autoscaler_node_role

# Another right for a role that the component made.
aws.iam.RolePolicyAttachment(
    "logs",
    role=node_role.apply(lambda role: role.name),
    policy_arn="arn:aws:iam::aws:policy/CloudWatchAgentServerPolicy",
)

# Nodes that the cluster's autoscaler starts: by their role, gone before the autoscaler is.
inside = kubernetes.Provider("inside", kubeconfig=cluster.kubeconfig)
clusterpkg.AutoscaledNodeGroup(
    "spot",
    node_role=node_role.apply(lambda role: role.name),
    subnet_ids=subnets,
    security_group_ids=[cluster.cluster_security_group_id],
    requirements=[{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]}],
    opts=pulumi.ResourceOptions(providers=[inside]),
)

# Nodes of a fixed number: by the cluster's name, gone before its network is.
clusterpkg.AttachedNodeGroup(
    "web",
    cluster_name=cluster.cluster_name,
    subnet_ids=subnets,
    scaling_config={"min_size": 2, "desired_size": 2, "max_size": 4},
)

pulumi.export("cluster", cluster.cluster_name)
pulumi.export("endpoint", cluster.control_plane.apply(lambda cluster: cluster.endpoint))
pulumi.export("kubeconfig", cluster.kubeconfig)
