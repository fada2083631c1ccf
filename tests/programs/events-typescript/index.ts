// A component of the package `events`, and a method of it.
import * as pulumi from "@pulumi/pulumi";

class EventQueue extends pulumi.ComponentResource {
    public readonly arn!: pulumi.Output<string>;

    constructor(name: string, inputs: pulumi.Inputs) {
        super("events:index:EventQueue", name, { arn: undefined, ...inputs }, {}, true);
    }

    consumerPolicy(inputs: pulumi.Inputs): pulumi.Output<{ json: string }> {
        return pulumi.runtime.call("events:index:EventQueue/consumerPolicy", { __self__: this, ...inputs }, this);
    }
}

const config = new pulumi.Config();
const queue = new EventQueue("orders", {
    pattern: config.get("pattern") ?? JSON.stringify({ source: ["shop.orders"] }),
    consumer: config.getObject("consumer"),
    deadLetterQueueUrl: config.get("deadLetterQueueUrl"),
    encryption: config.get("encryption"),
    retentionSeconds: config.getNumber("retentionSeconds"),
    tags: { owner: "me", token: pulumi.secret("hunter2") },
});

export const arn = queue.arn;
export const policy = queue.consumerPolicy({ purge: true }).json;
