//! `pulumi convert --from terraform` on every data source that has a mapping, with the engine's own converter. By
//! hand, since the converter takes minutes to build: `cargo xtask convert`.

use std::fs;
use std::path::Path;

use heck::ToSnakeCase as _;
use netmgr_lookups::ALL;
use serde_json::{Map, Value};

use crate::engine::Engine;
use crate::{Error, process};

/// The Terraform provider whose data sources are converted.
const PROVIDER: &str = "nsxt";

/// Converts a module with one data source per function and looks for the functions in the outcome.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let engine = Engine::of(root);
    let converter = engine.converter()?;
    let folder = engine.folder.join("terraform");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("main.tf"), module()?)?;
    let program = process::output(
        process::command(converter, root)
            .args(["-provider", PROVIDER, "-mapping"])
            .arg(root.join("schema/netmgr.terraform.json"))
            .arg("-schema")
            .arg(root.join("schema/netmgr.package.json"))
            .arg(&folder),
    )?;
    fs::write(folder.join("main.pp"), &program)?;
    for entry in ALL {
        let (name, token) = (entry.spec.name, entry.spec.token());
        let call = format!("invoke(\"{token}\"");
        if !program.contains(&call) {
            return Err(format!("{name} is not called in {}", folder.join("main.pp").display()).into());
        }
    }
    for wrong in ["notImplemented", "failed to", "nsxt_"] {
        if program.contains(wrong) {
            return Err(format!("{wrong:?} is in {}", folder.join("main.pp").display()).into());
        }
    }
    println!("converted {} data sources", ALL.len());
    Ok(())
}

/// A Terraform module with the example of every function.
fn module() -> Result<String, Error> {
    let mut text = format!("provider \"{PROVIDER}\" {{\n  host = \"manager.example.com\"\n}}\n");
    for entry in ALL {
        let function = entry.describe();
        let name = function.name.trim_start_matches("get").to_snake_case();
        let input = function.example.as_object().ok_or("an example is an object")?;
        text.push_str(&format!("\ndata \"{PROVIDER}_{name}\" \"{name}\" {{\n"));
        attributes(input, "  ", &mut text);
        text.push_str("}\n");
        for output in &function.outputs {
            let output = output.name.to_snake_case();
            text.push_str(&format!(
                "\noutput \"{name}_{output}\" {{\n  value = data.{PROVIDER}_{name}.{name}.{output}\n}}\n"
            ));
        }
    }
    Ok(text)
}

/// Attributes, and blocks for objects.
fn attributes(values: &Map<String, Value>, indent: &str, text: &mut String) {
    for (name, value) in values {
        let name = name.to_snake_case();
        match value {
            Value::Object(members) => {
                text.push_str(&format!("{indent}{name} {{\n"));
                attributes(members, &format!("{indent}  "), text);
                text.push_str(&format!("{indent}}}\n"));
            }
            value => text.push_str(&format!("{indent}{name} = {value}\n")),
        }
    }
}
