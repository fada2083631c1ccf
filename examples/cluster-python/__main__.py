import pulumi
import pulumi_clusterpkg as clusterpkg

config = pulumi.Config()
subnets = [config.require("firstSubnet"), config.require("secondSubnet")]

# The default add-ons, with gateways instead of the retired ingress controllers.
cluster = clusterpkg.Cluster(
    "main",
    cluster_subnet_ids=subnets,
    system_node_subnet_ids=subnets,
    system_node_min_count=2,
    enable_load_balancer_controller=True,
    enable_gateway_api=True,
    proxy_ingress_config={"enable_external": False, "enable_internal": False},
    tags={"team": "platform"},
)

pulumi.export("clusterName", cluster.cluster_name)
pulumi.export("kubeconfig", cluster.kubeconfig)
