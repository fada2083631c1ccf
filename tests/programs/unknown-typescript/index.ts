// A lookup whose argument depends on something that does not exist yet in the first preview: the
// identifier of a provider resource.
import * as netmgr from "@netmgr/netmgr";

const later = new netmgr.Provider("later", {}).id;

export const server = netmgr.getComputeManagerOutput({
    displayName: later.apply(() => "vc-prod"),
}).server;
