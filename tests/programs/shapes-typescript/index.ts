// One lookup of each output shape, by types that the SDK has.
import * as netmgr from "@netmgr/netmgr";

// Scalars.
export const server = netmgr.getComputeManagerOutput({ displayName: "vc-prod" }).server;
// A map by name.
export const groups = netmgr.getNsGroupsOutput({}).items;
// An object inside, in and out.
export const context = netmgr.getPolicyContextProfileOutput({
    context: { projectId: "dev" },
    displayName: "demoprof",
}).context;
// Numbers and booleans in, echoed.
const realization = netmgr.getComputeManagerRealizationOutput({
    id: "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001",
    checkRegistration: true,
    delay: 0,
    timeout: 5.5,
});
export const state = realization.state;
export const timeout = realization.timeout;
export const checked = realization.checkRegistration;
// No inputs at all.
export const thumbprint = netmgr.getManagementClusterOutput().nodeSha256Thumbprint;
