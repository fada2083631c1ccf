// A thousand lookups at once. Each asks for another object, so none shares an answer.
import * as netmgr from "@netmgr/netmgr";

const ids = Array.from({ length: 1000 }, (_, index) => `group-${index}`);

export const names = Promise.all(ids.map(async (id) => (await netmgr.getNsGroup({ id })).displayName));
