import * as pulumi from "@pulumi/pulumi";
import * as clusterpkg from "@netmgr/clusterpkg";

const config = new pulumi.Config();
const subnets = [config.require("firstSubnet"), config.require("secondSubnet")];

// The default add-ons, with gateways instead of the retired ingress controllers.
const cluster = new clusterpkg.Cluster("main", {
    clusterSubnetIds: subnets,
    systemNodeSubnetIds: subnets,
    systemNodeMinCount: 2,
    enableLoadBalancerController: true,
    enableGatewayApi: true,
    proxyIngressConfig: { enableExternal: false, enableInternal: false },
    tags: { team: "platform" },
});

export const clusterName = cluster.clusterName;
export const kubeconfig = cluster.kubeconfig;
