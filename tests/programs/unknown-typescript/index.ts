// A lookup whose argument comes from a resource that does not exist yet in the first preview.
import * as pulumi from "@pulumi/pulumi";
import * as netmgr from "@netmgr/netmgr";

const creates: pulumi.dynamic.ResourceProvider = {
    async create(inputs) {
        return { id: "rack-1", outs: { manager: `vc-${inputs.stage}` } };
    },
};

class Rack extends pulumi.dynamic.Resource {
    declare public readonly manager: pulumi.Output<string>;

    constructor(name: string, stage: string) {
        super(creates, name, { stage, manager: undefined });
    }
}

const rack = new Rack("rack", "prod");

export const server = netmgr.getComputeManagerOutput({ displayName: rack.manager }).server;
