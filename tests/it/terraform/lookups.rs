//! Data sources return the results of the command line.

use futures_util::StreamExt as _;
use futures_util::stream;
use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, Description, FunctionEntry};
use netmgr_sim::Simulator;
use netmgr_types::Deployment;
use serde_json::{Map, Value, json};
use tokio::process::Command;

use super::support::{Module, host, manager};
use crate::programs::program;

fn data_source(function: &Description) -> String {
    function.name.replacen("get", "netmgr_", 1).to_snake_case()
}

/// An argument in the language of the host.
fn argument(name: &str, value: &Value) -> String {
    let name = name.to_snake_case();
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| argument(name, value));
            format!("{name} = {{\n{}}}\n", members.collect::<String>())
        }
        value => format!("{name} = {value}\n"),
    }
}

/// The function's example. Waits poll at once.
fn example(entry: &FunctionEntry) -> Map<String, Value> {
    let function = entry.describe();
    let mut example = function.example.as_object().unwrap().clone();
    if function.inputs.iter().any(|input| input.name == "delay") {
        example.insert("delay".to_owned(), json!(0));
    }
    example
}

/// The data source with the function's example, and again by the id that it found.
fn configuration(entry: &FunctionEntry) -> String {
    let function = &entry.describe();
    let name = data_source(function);
    let example = example(entry);
    let arguments: String = example
        .iter()
        .map(|(name, value)| argument(name, value))
        .collect();
    let mut text = format!("data \"{name}\" \"example\" {{\n{arguments}}}\n");
    let is_input = |name: &str| {
        function
            .inputs
            .iter()
            .any(|input| input.name == name && !input.required)
    };
    let returns_one = function.outputs.iter().any(|output| output.name == "displayName");
    // A path excludes an id.
    let is_by_name = !example.contains_key("path");
    if is_input("id") && is_input("displayName") && returns_one && is_by_name {
        let others = example.iter().filter(|(name, _)| *name != "displayName");
        let others: String = others.map(|(name, value)| argument(name, value)).collect();
        text += &format!("data \"{name}\" \"by_id\" {{\nid = data.{name}.example.id\n{others}}}\n");
    }
    text
}

/// The output of the command line for the function's example.
async fn by_command_line(manager: &Simulator, entry: &FunctionEntry) -> Value {
    let output = Command::new(program("netmgr"))
        .args([
            "get",
            entry.spec.name,
            "--output",
            "json",
            "--input",
            &json!(example(entry)).to_string(),
        ])
        .envs(manager.env())
        .output()
        .await
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{}: {errors}", entry.spec.name))
}

/// An output with the names and types of the host.
fn expected(output: Value) -> Map<String, Value> {
    let Value::Object(members) = output else {
        panic!("{output} is no object")
    };
    let member = |(name, value): (String, Value)| match (name.as_str(), value) {
        // The keys of a map are not renamed.
        ("items", Value::Object(items)) => (name, Value::Object(items)),
        // An object as the manager sent it is JSON text.
        ("object", object @ Value::Object(_)) => (name, object.to_string().into()),
        (_, value) => (name.to_snake_case(), converted(value)),
    };
    members.into_iter().map(member).collect()
}

fn converted(value: Value) -> Value {
    match value {
        Value::Object(_) => json!(expected(value)),
        Value::Array(values) => values.into_iter().map(converted).collect(),
        // The host has one type of number.
        Value::Number(number) => json!(number.as_f64()),
        value => value,
    }
}

/// Values of an object of the state, with numbers as above and without the absent ones.
fn found(values: &Value) -> Map<String, Value> {
    let values = values.as_object().unwrap().iter();
    values
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.clone(), given(value)))
        .collect()
}

fn given(value: &Value) -> Value {
    match value {
        Value::Object(_) => json!(found(value)),
        Value::Array(values) => values.iter().map(given).collect(),
        Value::Number(number) => json!(number.as_f64()),
        value => value.clone(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_data_source_returns_what_the_command_line_does() {
    let host = host!("every_data_source_returns_what_the_command_line_does");
    let manager = manager().await;
    // The manager is a local one.
    let is_here = |entry: &&FunctionEntry| entry.spec.availability.includes(Deployment::PolicyManager);
    let entries: Vec<&FunctionEntry> = ALL.iter().filter(is_here).collect();
    let text: String = entries.iter().map(|entry| configuration(entry)).collect();
    let module = Module::new(host, &text).with(&manager);
    module.run("apply -auto-approve").await.succeeded();
    let state: Value = serde_json::from_str(&module.run("show -json").await.succeeded()).unwrap();
    let resources = state["values"]["root_module"]["resources"].as_array().unwrap();
    let values = |address: String| {
        let mut found = resources
            .iter()
            .filter(|resource| resource["address"] == *address);
        let resource = found
            .next()
            .unwrap_or_else(|| panic!("{address} is not in the state"));
        self::found(&resource["values"])
    };

    // The manager limits the requests of its clients.
    let calls = entries.iter().map(|entry| by_command_line(&manager, entry));
    let outputs: Vec<Value> = stream::iter(calls).buffered(8).collect().await;
    let mut by_id = 0;
    for (entry, output) in entries.iter().zip(outputs) {
        let name = data_source(&entry.describe());
        let mut expected = expected(output);
        expected.retain(|_, value| !value.is_null());
        // Arguments are returned unchanged.
        let mut arguments = self::expected(json!(example(entry)));
        let with = |arguments: &Map<String, Value>| {
            let mut expected = expected.clone();
            expected.extend(arguments.clone());
            expected
        };
        assert_eq!(values(format!("data.{name}.example")), with(&arguments), "{name}");
        if text.contains(&format!("data \"{name}\" \"by_id\"")) {
            by_id += 1;
            arguments.remove("display_name");
            assert_eq!(
                values(format!("data.{name}.by_id")),
                with(&arguments),
                "{name} by id"
            );
        }
    }
    assert!(by_id >= 24, "{by_id}");
}

#[tokio::test(flavor = "multi_thread")]
async fn configured_arguments_come_back_as_written() {
    let host = host!("configured_arguments_come_back_as_written");
    let manager = manager().await;
    // A prefix of the name, and an id that is treated as unset.
    let text = r#"
        data "netmgr_policy_edge_cluster" "prefix" {
          display_name = "edge-cluster-pr"
          id           = ""
        }
        output "found" { value = data.netmgr_policy_edge_cluster.prefix }
    "#;
    let module = Module::new(host, text).with(&manager);
    module.run("apply -auto-approve").await.succeeded();
    let found = &module.outputs().await["found"];
    assert_eq!(found["display_name"], "edge-cluster-pr");
    assert_eq!(found["id"], "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001");
}
