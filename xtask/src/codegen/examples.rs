//! One call of a function, written for the command line and in the languages that need no types.
//!
//! Functions define the calls. Go, C# and Java are in `samples`.

use heck::{ToKebabCase as _, ToSnakeCase as _};
use serde_json::{Map, Value};

use super::language::{npm_package, python_package};
use crate::release::Release;

/// A call and the displayed output.
pub(super) struct Call<'a> {
    pub(super) release: &'a Release,
    pub(super) package: &'a str,
    pub(super) function: &'a str,
    pub(super) token: &'a str,
    pub(super) input: &'a Map<String, Value>,
    pub(super) output: &'a str,
}

impl Call<'_> {
    /// A line for a shell.
    pub(super) fn command_line(&self) -> String {
        let command = self
            .function
            .strip_prefix("get")
            .unwrap_or(self.function)
            .to_kebab_case();
        let mut line = format!("{} get {command}", self.package);
        flags("-", self.input, &mut line);
        line
    }

    /// A program in TypeScript.
    pub(super) fn typescript(&self) -> String {
        let arguments = match self.input.is_empty() {
            true => String::new(),
            false => typescript_value(&Value::Object(self.input.clone())),
        };
        format!(
            "import * as {package} from \"{npm}\";\n\n\
             const found = {package}.{function}Output({arguments});\n\n\
             export const {output} = found.{output};\n",
            package = self.package,
            npm = npm_package(self.release, self.package),
            function = self.function,
            output = self.output,
        )
    }

    /// A program in Python.
    pub(super) fn python(&self) -> String {
        let arguments: Vec<String> = self
            .input
            .iter()
            .map(|(name, value)| format!("{}={}", name.to_snake_case(), python_value(value)))
            .collect();
        format!(
            "import pulumi\nimport {module} as {package}\n\n\
             found = {package}.{function}_output({arguments})\n\n\
             pulumi.export(\"{output}\", found.{property})\n",
            module = python_package(self.package),
            package = self.package,
            function = self.function.to_snake_case(),
            arguments = arguments.join(", "),
            output = self.output,
            property = self.output.to_snake_case(),
        )
    }

    /// The parts of a program in YAML that call the function and export the output.
    pub(super) fn yaml(&self) -> String {
        let mut text = format!(
            "variables:\n  found:\n    fn::invoke:\n      function: {}\n",
            self.token
        );
        if !self.input.is_empty() {
            text.push_str("      arguments:\n");
            yaml_object("        ", self.input, &mut text);
        }
        text.push_str(&format!("outputs:\n  {0}: ${{found.{0}}}\n", self.output));
        text
    }
}

/// Flags for all values; the flag of a nested property begins with the outer names.
fn flags(prefix: &str, object: &Map<String, Value>, line: &mut String) {
    for (name, value) in object {
        let flag = match format!("{prefix}-{}", name.to_kebab_case()).as_str() {
            "--context-project-id" => "--project".to_owned(),
            flag => flag.to_owned(),
        };
        match value {
            Value::Object(inner) => flags(&flag, inner, line),
            Value::String(text) => line.push_str(&format!(
                " {flag} {}",
                shlex::try_quote(text).expect("inputs have no NUL")
            )),
            Value::Bool(true) => line.push_str(&format!(" {flag}")),
            Value::Bool(false) => line.push_str(&format!(" {flag}=false")),
            other => line.push_str(&format!(" {flag} {other}")),
        }
    }
}

/// A member in Python's case. Keys of maps, such as labels, are unchanged.
fn python_name(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        name.to_snake_case()
    } else {
        name.to_owned()
    }
}

/// The name of the setting that a string of an example refers to as `${name}`.
pub(super) fn reference(text: &str) -> Option<&str> {
    text.strip_prefix("${")?.strip_suffix('}')
}

/// Names of the settings that inputs refer to.
pub(super) fn references(inputs: &Map<String, Value>) -> Vec<&str> {
    let lists = inputs.values().filter_map(Value::as_array).flatten();
    let texts = inputs.values().chain(lists).filter_map(Value::as_str);
    texts.filter_map(reference).collect()
}

/// A value as TypeScript writes it.
pub(super) fn typescript_value(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
                let name = if plain { name.clone() } else { format!("{name:?}") };
                format!("{name}: {}", typescript_value(value))
            });
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(typescript_value).collect();
            format!("[{}]", items.join(", "))
        }
        Value::String(text) => reference(text).map_or_else(|| value.to_string(), str::to_owned),
        other => other.to_string(),
    }
}

/// A value as Python writes it. Members are named as properties are there, so keys of maps have to be
/// in lower case.
pub(super) fn python_value(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Null => "None".to_owned(),
        Value::Number(_) => value.to_string(),
        Value::String(text) => reference(text).map_or_else(|| value.to_string(), |name| name.to_snake_case()),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(python_value).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("\"{}\": {}", python_name(name), python_value(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

/// Members on separate lines; JSON strings and numbers are valid YAML.
pub(super) fn yaml_object(indent: &str, object: &Map<String, Value>, text: &mut String) {
    for (name, value) in object {
        match value {
            Value::Object(inner) => {
                text.push_str(&format!("{indent}{name}:\n"));
                yaml_object(&format!("{indent}  "), inner, text);
            }
            other => text.push_str(&format!("{indent}{name}: {other}\n")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn show(input: Value, write: fn(&Call<'_>) -> String) -> String {
        let Value::Object(input) = input else {
            unreachable!("tests give objects")
        };
        write(&Call {
            release: &crate::release::sample(false),
            package: "netmgr",
            function: "getPolicyEdgeNode",
            token: "netmgr:index/getPolicyEdgeNode:getPolicyEdgeNode",
            input: &input,
            output: "memberIndex",
        })
    }

    fn input() -> Value {
        json!({ "context": { "projectId": "dev" }, "displayName": "it's $1", "on": true, "timeout": 600 })
    }

    #[test]
    fn a_command_line_quotes_what_the_shell_would_read() {
        assert_eq!(
            show(input(), |call| call.command_line()),
            r#"netmgr get policy-edge-node --project dev --display-name "it's "'$1' --on --timeout 600"#
        );
    }

    #[test]
    fn typescript_takes_one_object_or_nothing() {
        assert_eq!(
            show(input(), |call| call.typescript()),
            "import * as netmgr from \"@acme/netmgr\";\n\n\
             const found = netmgr.getPolicyEdgeNodeOutput({ context: { projectId: \"dev\" }, \
             displayName: \"it's $1\", on: true, timeout: 600 });\n\n\
             export const memberIndex = found.memberIndex;\n"
        );
        assert!(show(json!({}), |call| call.typescript()).contains("getPolicyEdgeNodeOutput();"));
    }

    #[test]
    fn python_takes_named_arguments() {
        assert_eq!(
            show(input(), |call| call.python()),
            "import pulumi\nimport pulumi_netmgr as netmgr\n\n\
             found = netmgr.get_policy_edge_node_output(context={\"project_id\": \"dev\"}, \
             display_name=\"it's $1\", on=True, timeout=600)\n\n\
             pulumi.export(\"memberIndex\", found.member_index)\n"
        );
    }

    #[test]
    fn yaml_nests_objects() {
        assert_eq!(
            show(input(), |call| call.yaml()),
            "variables:\n  found:\n    fn::invoke:\n      function: netmgr:index/getPolicyEdgeNode:getPolicyEdgeNode\n      \
             arguments:\n        context:\n          projectId: \"dev\"\n        displayName: \"it's $1\"\n        on: true\n        \
             timeout: 600\noutputs:\n  memberIndex: ${found.memberIndex}\n"
        );
        assert!(!show(json!({}), |call| call.yaml()).contains("arguments"));
    }
}
