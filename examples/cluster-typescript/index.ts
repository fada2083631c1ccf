import * as pulumi from "@pulumi/pulumi";
import * as clusterpkg from "@netmgr/clusterpkg";

const config = new pulumi.Config();
const subnets = [config.require("firstSubnet"), config.require("secondSubnet")];

// Every add-on that is on by default, and no ingress controller for traffic from outside.
const cluster = new clusterpkg.Cluster("main", {
    clusterSubnetIds: subnets,
    systemNodeSubnetIds: subnets,
    systemNodeMinCount: 2,
    proxyIngressConfig: { enableExternal: false },
    tags: { team: "platform" },
});

export const clusterName = cluster.clusterName;
export const kubeconfig = cluster.kubeconfig;
