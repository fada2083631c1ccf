// Makes the resources that the configuration `resources` lists, and exports what `exports` names.
// Among inputs, {"from": "main.clusterName"} is an output of a resource listed before, and
// {"secret": …} a secret.
import * as aws from "@pulumi/aws";
import * as clusterpkg from "@netmgr/clusterpkg";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

interface Entry {
    name: string;
    type: string;
    inputs?: Record<string, unknown>;
    /** Whether to do without the SDK's class, which lets few mistakes through. */
    untyped?: boolean;
    /** Options; resources are named, and aliases are former names. */
    options?: {
        /** Children that exist, by type and name: their ids, and what is left as it is. */
        adopt?: Record<string, { import: string; ignoreChanges: string[] }>;
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

const packages: Record<string, any> = { aws, clusterpkg, kubernetes };

/** The SDK's class of a type: of `aws:eks/cluster:Cluster` it is `aws.eks.Cluster`. */
function classOf(type: string): any {
    const [first, module, name] = type.split(":");
    if (first === "pulumi") {
        return packages[name].Provider;
    }
    return module.split("/").reduce((at, part) => at[part] ?? at, packages[first])[name];
}

/** Imports children that exist. */
function adoption(existing: Record<string, pulumi.CustomResourceOptions>): pulumi.ResourceTransform {
    return ({ type, name, props, opts }) => {
        const adopted = existing[`${type} ${name}`];
        return adopted && { props, opts: pulumi.mergeOptions(opts, adopted) };
    };
}

/** Makes one resource. */
function make({ name, type, inputs, options, untyped }: Entry): any {
    const named = (names?: string[]) => names?.map((name) => made[name]);
    const { adopt, ...others } = options ?? {};
    const given = {
        ...others,
        transforms: adopt && [adoption(adopt)],
        aliases: options?.aliases?.map((name) => ({ name })),
        dependsOn: named(options?.dependsOn),
        parent: options?.parent && made[options.parent],
        provider: options?.provider && made[options.provider],
        providers: named(options?.providers),
    } as any;
    if (untyped) {
        return new (class extends pulumi.CustomResource {})(type, name, value(inputs ?? {}), given);
    }
    return new (classOf(type))(name, value(inputs ?? {}), given);
}

for (const entry of config.requireObject<Entry[]>("resources")) {
    made[entry.name] = make(entry);
}

export const outputs = value(config.getObject("exports") ?? {});
