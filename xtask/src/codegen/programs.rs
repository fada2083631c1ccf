//! A component in a program, in the languages that need no types.
//!
//! Components define the inputs. Values are formatted in `examples`; Go, C# and Java are in `samples`.

use heck::ToSnakeCase as _;
use serde_json::{Map, Value};

use super::examples::{python_value, references, typescript_value, yaml_object};
use super::language::{npm_package, python_package};
use crate::release::Release;

/// A component with its inputs and the displayed output.
pub(super) struct Program<'a> {
    pub(super) release: &'a Release,
    pub(super) package: &'a str,
    pub(super) component: &'a str,
    pub(super) token: &'a str,
    pub(super) inputs: &'a Map<String, Value>,
    pub(super) output: Option<&'a str>,
    /// Whether the program passes a provider for its cluster.
    pub(super) in_cluster: bool,
}

const TYPESCRIPT_CLUSTER: [&str; 2] = [
    "import * as kubernetes from \"@pulumi/kubernetes\";\nimport * as pulumi from \"@pulumi/pulumi\";\n",
    "const kubeconfig = new pulumi.Config().requireSecret(\"kubeconfig\");\n\
     const cluster = new kubernetes.Provider(\"cluster\", { kubeconfig });\n\n",
];

const PYTHON_CLUSTER: [&str; 2] = [
    "import pulumi_kubernetes as kubernetes\n",
    "kubeconfig = pulumi.Config().require_secret(\"kubeconfig\")\n\
     cluster = kubernetes.Provider(\"cluster\", kubeconfig=kubeconfig)\n\n",
];

const YAML_CLUSTER: [&str; 2] = [
    "config:\n  kubeconfig:\n    type: string\n    secret: true\n",
    "  cluster:\n    type: pulumi:providers:kubernetes\n    properties:\n      kubeconfig: ${kubeconfig}\n",
];

impl Program<'_> {
    /// A program in TypeScript.
    pub(super) fn typescript(&self) -> String {
        let [imports, cluster] = self.cluster(TYPESCRIPT_CLUSTER);
        let package = self.package;
        let settings =
            self.settings(|name| format!("const {name} = new pulumi.Config().require(\"{name}\");\n"));
        let mut text = format!(
            "{imports}import * as {package} from \"{}\";\n\n{settings}{cluster}{}new {package}.{}(\"main\", {{\n",
            npm_package(self.release, package),
            self.if_shown("const main = "),
            self.component
        );
        for (name, value) in self.inputs {
            text.push_str(&format!("    {name}: {},\n", typescript_value(value)));
        }
        text.push_str(if self.in_cluster {
            "}, { providers: [cluster] });\n"
        } else {
            "});\n"
        });
        if let Some(output) = self.output {
            text.push_str(&format!("\nexport const {output} = main.{output};\n"));
        }
        text
    }

    /// A program in Python.
    pub(super) fn python(&self) -> String {
        let [imports, cluster] = self.cluster(PYTHON_CLUSTER);
        let package = self.package;
        let settings =
            self.settings(|name| format!("{} = pulumi.Config().require(\"{name}\")\n", name.to_snake_case()));
        let mut text = format!(
            "import pulumi\n{imports}import {} as {package}\n\n{settings}{cluster}{}{package}.{}(\n    \"main\",\n",
            python_package(package),
            self.if_shown("main = "),
            self.component
        );
        for (name, value) in self.inputs {
            text.push_str(&format!(
                "    {}={},\n",
                name.to_snake_case(),
                python_value(value)
            ));
        }
        if self.in_cluster {
            text.push_str("    opts=pulumi.ResourceOptions(providers=[cluster]),\n");
        }
        text.push_str(")\n");
        if let Some(output) = self.output {
            let property = output.to_snake_case();
            text.push_str(&format!("\npulumi.export(\"{output}\", main.{property})\n"));
        }
        text
    }

    /// The parts of a program in YAML that declare the component and export the output.
    pub(super) fn yaml(&self) -> String {
        let [config, cluster] = self.cluster(YAML_CLUSTER);
        let settings = self.settings(|name| format!("  {name}:\n    type: string\n"));
        let mut text = format!(
            "{config}{settings}resources:\n{cluster}  main:\n    type: {}\n    properties:\n",
            self.token
        );
        yaml_object("      ", self.inputs, &mut text);
        if self.in_cluster {
            text.push_str("    options:\n      providers:\n        - ${cluster}\n");
        }
        if let Some(output) = self.output {
            text.push_str(&format!("outputs:\n  {output}: ${{main.{output}}}\n"));
        }
        text
    }

    /// The parts that declare the provider, if there is one.
    fn cluster(&self, parts: [&'static str; 2]) -> [&'static str; 2] {
        if self.in_cluster { parts } else { [""; 2] }
    }

    /// Declarations of the settings that the inputs refer to.
    fn settings(&self, declare: fn(&str) -> String) -> String {
        references(self.inputs).into_iter().map(declare).collect()
    }

    /// The start of a declaration, which is only needed if the variable is used later.
    fn if_shown(&self, declaration: &'static str) -> &'static str {
        self.output.map_or("", |_| declaration)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn show(in_cluster: bool, write: fn(&Program<'_>) -> String) -> String {
        let Value::Object(inputs) = json!({
            "subnetIds": ["a"], "rules": [{ "minSize": 2, "on": true }], "labels": { "a/b": "c" },
        }) else {
            unreachable!("an object")
        };
        write(&Program {
            release: &crate::release::sample(false),
            package: "clusterpkg",
            component: "FunctionGroup",
            token: "clusterpkg:index:FunctionGroup",
            inputs: &inputs,
            output: (!in_cluster).then_some("nodeRole"),
            in_cluster,
        })
    }

    #[test]
    fn typescript_quotes_only_names_that_need_it() {
        assert_eq!(
            show(false, |program| program.typescript()),
            "import * as clusterpkg from \"@acme/clusterpkg\";\n\n\
             const main = new clusterpkg.FunctionGroup(\"main\", {\n    labels: { \"a/b\": \"c\" },\n    \
             rules: [{ minSize: 2, on: true }],\n    subnetIds: [\"a\"],\n});\n\n\
             export const nodeRole = main.nodeRole;\n"
        );
    }

    #[test]
    fn python_names_arguments_and_members_in_its_own_way() {
        assert_eq!(
            show(false, |program| program.python()),
            "import pulumi\nimport pulumi_clusterpkg as clusterpkg\n\n\
             main = clusterpkg.FunctionGroup(\n    \"main\",\n    labels={\"a/b\": \"c\"},\n    \
             rules=[{\"min_size\": 2, \"on\": True}],\n    subnet_ids=[\"a\"],\n)\n\n\
             pulumi.export(\"nodeRole\", main.node_role)\n"
        );
    }

    #[test]
    fn what_lives_in_a_cluster_is_given_its_provider() {
        let typescript = show(true, |program| program.typescript());
        assert!(
            typescript.ends_with("\n}, { providers: [cluster] });\n"),
            "{typescript}"
        );
        let python = show(true, |program| program.python());
        let options = "    opts=pulumi.ResourceOptions(providers=[cluster]),\n)\n";
        assert!(python.ends_with(options), "{python}");
        let yaml = show(true, |program| program.yaml());
        assert!(
            yaml.contains("    type: clusterpkg:index:FunctionGroup\n"),
            "{yaml}"
        );
        assert!(yaml.contains("      labels:\n        a/b: \"c\"\n"), "{yaml}");
        assert!(
            yaml.ends_with("      providers:\n        - ${cluster}\n"),
            "{yaml}"
        );
    }
}
