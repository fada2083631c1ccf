//! The data sources of the provider `nsxt` from both providers, in one run of the real host, with the examples of the
//! functions. Switching the provider of all of them changes nothing, in either direction.
//!
//! Run manually: the variable `NETMGR_TERRAFORM_PEER` is the path of a binary of that provider. The guide on migrating
//! explains the differences in the snapshot, which are those of version 3.8.0.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, FunctionEntry};
use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator, User};
use serde_json::{Map, Value, json};

use super::support::{Host, Module, host, install, serve};

/// The provider `nsxt` escapes passwords for reads of manager-mode objects, so other passwords are rejected.
pub(super) const PASSWORD: &str = "Secret-1";

/// The providers, which are also the labels of data sources.
const OURS: &str = "netmgr";
const THEIRS: &str = "nsxt";

#[tokio::test(flavor = "multi_thread")]
async fn the_other_provider_returns_the_same_but_for_known_differences() {
    let name = "the_other_provider_returns_the_same_but_for_known_differences";
    let host = host!("the_other_provider_returns_the_same_but_for_known_differences");
    let Some(peer) = std::env::var_os("NETMGR_TERRAFORM_PEER").map(PathBuf::from) else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped {name}: no provider to compare with is set"
        );
        return;
    };
    let (newer, older): (Vec<&FunctionEntry>, Vec<&FunctionEntry>) = ALL
        .iter()
        .filter(|entry| entry.spec.has_counterpart)
        .partition(|entry| !entry.spec.since.is_empty());
    let mut lines = compare(host, &peer, "4.2.3.3.0.25171318", &older).await;
    lines.extend(compare(host, &peer, "9.1.1.0.25108400", &newer).await);
    lines.sort();
    insta::assert_snapshot!(lines.join("\n"));
}

/// The name of a data source without its prefix.
fn bare(entry: &FunctionEntry) -> String {
    entry.spec.name.trim_start_matches("get").to_snake_case()
}

/// A line for each data source that is not the same in both providers.
async fn compare(host: &'static Host, peer: &Path, version: &str, entries: &[&FunctionEntry]) -> Vec<String> {
    let settings = ManagerSettings {
        version: version.to_owned(),
        ..ManagerSettings::default()
    };
    let builder = Simulator::builder().user(User::local("admin", PASSWORD));
    let manager = serve(builder.manager(Manager::new(settings, Inventory::default()))).await;
    let module = module(host, peer, &manager);
    let schema: Value =
        serde_json::from_str(&module.run("providers schema -json").await.succeeded()).unwrap();
    let address = format!("{}/vmware/nsxt", host.registry());
    let theirs = &schema["provider_schemas"][address]["data_source_schemas"];
    // Without arguments that this version does not have yet.
    let examples: BTreeMap<String, Value> = entries
        .iter()
        .filter_map(|entry| {
            let name = format!("{THEIRS}_{}", bare(entry));
            let block = theirs.get(&name)?["block"].clone();
            let mut example = in_snake_case(&entry.describe().example);
            example.as_object_mut()?.retain(|name, _| {
                ["attributes", "block_types"]
                    .iter()
                    .any(|kind| block[kind].get(name).is_some())
            });
            Some((name, example))
        })
        .collect();
    let mut data: BTreeMap<String, BTreeSet<&str>> = examples
        .keys()
        .map(|name| (name.clone(), [OURS, THEIRS].into()))
        .collect();
    let failed = apply(&module, &examples, &mut data).await;
    let state = module.run("show -json").await.succeeded();
    let state: Value = serde_json::from_str(&state).unwrap();
    let resources = state["values"]["root_module"]["resources"].as_array().unwrap();
    let values: BTreeMap<(&str, &str), &Value> = resources
        .iter()
        .map(|one| {
            (
                (one["type"].as_str().unwrap(), one["name"].as_str().unwrap()),
                &one["values"],
            )
        })
        .collect();
    let mut lines = Vec::new();
    let mut equal = BTreeMap::new();
    for name in examples.keys() {
        let [ours, theirs] = [OURS, THEIRS].map(|label| failed.contains(&(name.clone(), label)));
        let what = match (ours, theirs) {
            (false, false) => {
                let [ours, theirs] = [OURS, THEIRS].map(|label| values[&(name.as_str(), label)]);
                let (same, different) = compared(ours, theirs);
                equal.insert(name.clone(), same);
                different.join(", ")
            }
            (true, true) => "both fail".to_owned(),
            (true, false) => "fails here".to_owned(),
            (false, true) => "fails there".to_owned(),
        };
        if !what.is_empty() {
            lines.push(format!("{}: {what}", name.trim_start_matches("nsxt_")));
        }
    }
    switch(&module, &examples, &equal).await;
    lines
}

/// Switches the provider of all data sources in place. What is equal stays so in the outputs.
async fn switch(module: &Module, examples: &BTreeMap<String, Value>, equal: &BTreeMap<String, Vec<String>>) {
    for (step, provider) in [THEIRS, OURS, THEIRS].into_iter().enumerate() {
        let data: Map<String, Value> = equal
            .keys()
            .map(|name| {
                let mut arguments = examples[name].clone();
                arguments["provider"] = json!(provider);
                (name.clone(), json!({ "example": arguments }))
            })
            .collect();
        let outputs: Map<String, Value> = equal
            .iter()
            .map(|(name, attributes)| {
                let value = format!(
                    "${{{{for name, value in data.{name}.example : name => value if contains({}, name)}}}}",
                    json!(attributes)
                );
                (name.clone(), json!({ "value": value }))
            })
            .collect();
        let text = json!({ "data": data, "output": outputs }).to_string();
        module.write("main.tf.json", &text);
        if step > 0 {
            // The exit code also reflects types, such as that of an absent block with fewer members.
            let text = module.run("plan").await.succeeded();
            assert!(text.contains("No changes."), "{text}");
        }
        module.run("apply -auto-approve").await.succeeded();
    }
}

/// A module that requires both providers.
pub(super) fn module(host: &'static Host, peer: &Path, manager: &Simulator) -> Module {
    let mut module = Module::new(host, "").with(manager);
    let bin = module.path("bin");
    install(peer, &bin.join("terraform-provider-nsxt"));
    let bin = bin.display();
    module.configure_host(&format!(
        "provider_installation {{\n  dev_overrides {{\n    \"netmgr/netmgr\" = \"{bin}\"\n    \
         \"vmware/nsxt\" = \"{bin}\"\n  }}\n  direct {{}}\n}}\n"
    ));
    module.write(
        "versions.tf",
        "terraform {\n  required_providers {\n    netmgr = { source = \"netmgr/netmgr\" }\n    \
         nsxt = { source = \"vmware/nsxt\" }\n  }\n}\n",
    );
    for (name, value) in manager.env() {
        match name {
            "NETMGR_HOST" => module.set("NSXT_MANAGER_HOST", value.trim_start_matches("https://")),
            name => module.set(&name.replace(OURS.to_uppercase().as_str(), "NSXT"), value),
        }
    }
    module
}

/// Inputs as arguments.
fn in_snake_case(inputs: &Value) -> Value {
    match inputs {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.to_snake_case(), in_snake_case(value)));
            members.collect()
        }
        other => other.clone(),
    }
}

/// Reads all data sources, and returns those that fail; the others are then read without them.
async fn apply<'a>(
    module: &Module,
    examples: &BTreeMap<String, Value>,
    data: &mut BTreeMap<String, BTreeSet<&'a str>>,
) -> BTreeSet<(String, &'a str)> {
    let mut failed = BTreeSet::new();
    loop {
        let blocks: Map<String, Value> = data
            .iter()
            .map(|(name, labels)| {
                let instances = labels.iter().map(|label| {
                    let mut arguments = examples[name].clone();
                    arguments["provider"] = json!(label);
                    ((*label).to_owned(), arguments)
                });
                (name.clone(), instances.collect::<Map<_, _>>().into())
            })
            .collect();
        module.write("main.tf.json", &json!({ "data": blocks }).to_string());
        let outcome = module.run("apply -auto-approve -json").await;
        let messages = outcome
            .stdout
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let errors = messages.filter(|message| message["@level"] == "error");
        let before = failed.len();
        for error in errors {
            // Errors of arguments only have a location in the file.
            let address = error["diagnostic"]["address"].as_str();
            let place = error["diagnostic"]["snippet"]["context"].as_str();
            let place = address.or(place).unwrap_or_default();
            let words: Vec<&str> = place
                .split(['.', '"'])
                .filter(|word| !word.trim().is_empty())
                .collect();
            let found = data.iter().find(|(name, _)| words.contains(&name.as_str()));
            let Some((name, labels)) = found else { continue };
            let label = labels.iter().find(|label| words.last() == Some(label));
            failed.extend(label.map(|label| (name.clone(), *label)));
        }
        if outcome.code == Some(0) {
            return failed;
        }
        assert!(failed.len() > before, "{}\n{}", outcome.stdout, outcome.stderr);
        data.retain(|name, labels| {
            labels.retain(|label| !failed.contains(&(name.clone(), *label)));
            !labels.is_empty()
        });
    }
}

/// The attributes of both that are equal, and those that differ.
fn compared(ours: &Value, theirs: &Value) -> (Vec<String>, Vec<String>) {
    let theirs = theirs.as_object().unwrap().iter();
    let (same, different): (Vec<_>, Vec<_>) =
        theirs.partition(|(name, value)| ours[name.as_str()] == **value);
    let names = |found: Vec<(&String, &Value)>| found.into_iter().map(|(name, _)| name.clone()).collect();
    (names(same), names(different))
}
