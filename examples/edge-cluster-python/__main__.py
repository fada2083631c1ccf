import pulumi
import pulumi_netmgr as netmgr

# The edge cluster "edge", or the only one whose name begins with "edge".
cluster = netmgr.get_policy_edge_cluster_output(display_name="edge")
node = netmgr.get_policy_edge_node_output(edge_cluster_path=cluster.path, member_index=0)

pulumi.export("clusterPath", cluster.path)
pulumi.export("firstNode", node.display_name)
