// Asks the functions that the configuration `ask` lists, all at once, and exports what each answers
// or why it fails.
import * as pulumi from "@pulumi/pulumi";
import * as netmgr from "@netmgr/netmgr";

interface Question {
    function: string;
    arguments?: Record<string, unknown>;
    /** Settings of a provider for this question alone. */
    provider?: netmgr.ProviderArgs;
}

type Lookup = (args?: object, options?: pulumi.InvokeOptions) => Promise<unknown>;

const functions = netmgr as unknown as Record<string, Lookup>;
const questions = new pulumi.Config().requireObject<Question[]>("ask");

export const answers = Promise.all(
    questions.map(async (question, index) => {
        const provider = question.provider && new netmgr.Provider(`provider-${index}`, question.provider);
        try {
            return await functions[question.function](question.arguments ?? {}, { provider });
        } catch (error) {
            return { error: (error as Error).message };
        }
    }),
);
