import pulumi
import pulumi_clusterpkg as clusterpkg

config = pulumi.Config()
subnets = [config.require("firstSubnet"), config.require("secondSubnet")]

# Every add-on that is on by default, and no ingress controller for traffic from outside.
cluster = clusterpkg.Cluster(
    "main",
    cluster_subnet_ids=subnets,
    system_node_subnet_ids=subnets,
    system_node_min_count=2,
    proxy_ingress_config={"enable_external": False},
    tags={"team": "platform"},
)

pulumi.export("clusterName", cluster.cluster_name)
pulumi.export("kubeconfig", cluster.kubeconfig)
