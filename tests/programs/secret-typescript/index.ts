// A lookup with a secret argument: what comes back is secret too.
import * as pulumi from "@pulumi/pulumi";
import * as netmgr from "@netmgr/netmgr";

const displayName = new pulumi.Config().requireSecret("displayName");

export const found = netmgr.getComputeManagerOutput({ displayName }).server;
