//! Programs in Rust, which call functions with the crate `netmgr`.

use heck::{ToPascalCase as _, ToSnakeCase as _};
use netmgr_lookups::{Description, Property, Shape};
use serde_json::{Map, Value};

use super::quoted;
use crate::Error;

/// A program that runs the lookup `function` with `inputs` and prints `output`.
pub(in crate::codegen) fn program(
    function: &Description,
    inputs: &Map<String, Value>,
    output: &str,
) -> Result<String, Error> {
    let lookup = function.name.to_pascal_case();
    let call = call(&lookup, &function.inputs, inputs).map_err(|error| format!("{lookup}: {error}"))?;
    let duration = match call.contains("Duration::") {
        true => "use std::time::Duration;\n\n",
        false => "",
    };
    Ok(format!(
        "{duration}use netmgr::lookups::{lookup};\n\n\
         #[tokio::main]\n\
         async fn main() -> Result<(), netmgr::Error> {{\n    \
             let manager = netmgr::Client::from_env()?;\n    \
             let lookup = {call};\n    \
             let found = manager.run(lookup).await;\n    \
             manager.close().await;\n    \
             println!(\"{{:?}}\", found?.{output});\n    \
             Ok(())\n\
         }}\n",
        output = output.to_snake_case(),
    ))
}

/// The lookup as a value: a constructor for what selects the object, and setters for the other inputs.
fn call(lookup: &str, properties: &[Property], inputs: &Map<String, Value>) -> Result<String, String> {
    let mut rest = inputs.clone();
    let mut take = |name: &str| rest.remove(name).and_then(|value| value.as_str().map(quoted));
    let required = properties.iter().find(|property| property.required);
    let mut text = if let Some(name) = take("displayName") {
        format!("{lookup}::named({name})")
    } else if let Some(value) = required.and_then(|property| take(&property.name)) {
        format!("{lookup}::of({value})")
    } else if rest.is_empty() {
        format!("{lookup}::new()")
    } else {
        format!("{lookup}::default()")
    };
    for (name, value) in &rest {
        let property = properties.iter().find(|property| property.name == *name);
        let setter = match (property.map(|property| property.shape), value) {
            (Some(Shape::String), Value::String(value)) => {
                format!("{}({})", name.to_snake_case(), quoted(value))
            }
            (Some(Shape::Integer), Value::Number(value)) => {
                format!("{}({value}_u32)", name.to_snake_case())
            }
            // The only numbers that are not whole are times.
            (Some(Shape::Number), Value::Number(value)) => {
                format!("{}(Duration::from_secs({value}))", name.to_snake_case())
            }
            (Some(Shape::Object), Value::Object(context)) if name == "context" => {
                format!(
                    "project({})",
                    quoted(context["projectId"].as_str().unwrap_or_default())
                )
            }
            _ => return Err(format!("{name}: {value} has no form in Rust")),
        };
        text.push('.');
        text.push_str(&setter);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(function: &str, inputs: Value) -> String {
        let entry = netmgr_lookups::Lookups::entry(function).unwrap();
        let lookup = function.to_pascal_case();
        call(&lookup, &entry.describe().inputs, inputs.as_object().unwrap()).unwrap()
    }

    #[test]
    fn what_selects_the_object_is_a_constructor_and_other_inputs_are_setters() {
        for (function, inputs, expected) in [
            (
                "getPolicyCertificate",
                json!({ "context": { "projectId": "dev" }, "displayName": "web" }),
                r#"GetPolicyCertificate::named("web").project("dev")"#,
            ),
            (
                "getPolicyEdgeNode",
                json!({ "edgeClusterPath": "/c", "memberIndex": 1 }),
                r#"GetPolicyEdgeNode::of("/c").member_index(1_u32)"#,
            ),
            (
                "getComputeManagerRealization",
                json!({ "id": "cm", "timeout": 600 }),
                r#"GetComputeManagerRealization::of("cm").timeout(Duration::from_secs(600))"#,
            ),
            (
                "getDiscoveredNode",
                json!({ "ipAddress": "a" }),
                r#"GetDiscoveredNode::default().ip_address("a")"#,
            ),
            ("getManagerInfo", json!({}), "GetManagerInfo::new()"),
        ] {
            assert_eq!(written(function, inputs), expected);
        }
    }
}
