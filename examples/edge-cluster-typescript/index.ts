import * as netmgr from "@netmgr/netmgr";

// The edge cluster whose name begins with "edge"; two of them would be an error.
const cluster = netmgr.getPolicyEdgeClusterOutput({ displayName: "edge" });
const node = netmgr.getPolicyEdgeNodeOutput({ edgeClusterPath: cluster.path, memberIndex: 0 });

export const clusterPath = cluster.path;
export const firstNode = node.displayName;
