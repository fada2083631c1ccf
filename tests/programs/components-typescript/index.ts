// Makes the resources that the configuration `resources` lists, and exports what `exports` names.
// Among inputs, {"from": "main.clusterName"} is an output of a resource listed before, and
// {"secret": …} a secret.
import * as pulumi from "@pulumi/pulumi";

interface Entry {
    name: string;
    type: string;
    inputs?: Record<string, unknown>;
    /** Options; resources are named, and aliases are former names. */
    options?: {
        aliases?: string[];
        dependsOn?: string[];
        parent?: string;
        protect?: boolean;
        provider?: string;
        providers?: string[];
        retainOnDelete?: boolean;
    };
}

const config = new pulumi.Config();
const made: Record<string, any> = {};

/** What a value of the configuration stands for. */
function value(given: any): any {
    if (Array.isArray(given)) {
        return given.map(value);
    }
    if (typeof given !== "object" || given === null) {
        return given;
    }
    if ("from" in given) {
        const [name, first, ...path] = given.from.split(".");
        const read = (from: any, key: string) => pulumi.output(from).apply((from: any) => from[key]);
        return path.reduce(read, made[name][first]);
    }
    if ("secret" in given) {
        return pulumi.secret(value(given.secret));
    }
    return Object.fromEntries(Object.entries(given).map(([key, member]) => [key, value(member)]));
}

const OUTPUTS = ["arn", "name", "clusterName", "controlPlane", "kubeconfig", "systemNodes", "nodeAutoscalerNodeRole",
    "nodeAutoscalerRole", "nodeAutoscalerQueueName", "oidcProvider", "nodeGroup", "nodeRole", "profile", "role"];

class Component extends pulumi.ComponentResource {
    constructor(type: string, name: string, inputs: any, options: any) {
        super(type, name, inputs, options, true);
    }
}

/** Makes one resource. */
function make({ name, type, inputs, options }: Entry): any {
    const named = (names?: string[]) => names?.map((name) => made[name]);
    const wanted = Object.fromEntries(OUTPUTS.map((output) => [output, undefined]));
    const properties = { ...wanted, ...value(inputs ?? {}) };
    const given = {
        ...options,
        aliases: options?.aliases?.map((name) => ({ name })),
        dependsOn: named(options?.dependsOn),
        parent: options?.parent && made[options.parent],
        provider: options?.provider && made[options.provider],
        providers: named(options?.providers),
    };
    if (type.startsWith("pulumi:providers:")) {
        return new (class extends pulumi.ProviderResource {})(type.split(":")[2], name, value(inputs ?? {}), given as any);
    }
    if (type.startsWith("clusterpkg:")) {
        return new Component(type, name, properties, given);
    }
    return new (class extends pulumi.CustomResource {})(type, name, properties, given as any);
}

for (const entry of config.requireObject<Entry[]>("resources")) {
    made[entry.name] = make(entry);
}

export const outputs = value(config.getObject("exports") ?? {});
