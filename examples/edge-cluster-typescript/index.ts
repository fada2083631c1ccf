import * as netmgr from "@netmgr/netmgr";

// The edge cluster "edge", or the only one whose name begins with "edge".
const cluster = netmgr.getPolicyEdgeClusterOutput({ displayName: "edge" });
const node = netmgr.getPolicyEdgeNodeOutput({ edgeClusterPath: cluster.path, memberIndex: 0 });

export const clusterPath = cluster.path;
export const firstNode = node.displayName;
