//! The data sources of the provider `nsxt` and ours, in one run of the real host, with the examples of the functions.
//!
//! Run manually: the variable `NETMGR_TERRAFORM_PEER` is the path of a binary of that provider. The guide on migrating
//! explains the differences in the snapshot, which are those of version 3.8.0.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, Entry};
use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator, User};
use serde_json::{Map, Value, json};

use super::support::{Host, Module, host, install, serve};

/// The provider `nsxt` escapes passwords for reads of manager-mode objects, so other passwords are rejected.
const PASSWORD: &str = "Secret-1";

/// The prefixes of data sources: ours and theirs.
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
    let (newer, older): (Vec<&Entry>, Vec<&Entry>) = ALL
        .iter()
        .filter(|entry| entry.spec.has_counterpart)
        .partition(|entry| !entry.spec.since.is_empty());
    let mut lines = compare(host, &peer, "4.2.3.3.0.25171318", &older).await;
    lines.extend(compare(host, &peer, "9.1.1.0.25108400", &newer).await);
    lines.sort();
    insta::assert_snapshot!(lines.join("\n"));
}

/// The name of a data source without its prefix.
fn bare(entry: &Entry) -> String {
    entry.spec.name.trim_start_matches("get").to_snake_case()
}

/// A line for each data source that is not the same in both providers.
async fn compare(host: &'static Host, peer: &Path, version: &str, entries: &[&Entry]) -> Vec<String> {
    let settings = ManagerSettings {
        version: version.to_owned(),
        ..ManagerSettings::default()
    };
    let builder = Simulator::builder().user(User::local("admin", PASSWORD));
    let manager = serve(builder.manager(Manager::new(settings, Inventory::default()))).await;
    let module = module(host, peer, &manager);
    let schema: Value =
        serde_json::from_str(&module.run("providers schema -json").await.succeeded()).unwrap();
    let schemas = schema["provider_schemas"].as_object().unwrap();
    let known = |name: &str| {
        schemas
            .values()
            .any(|schema| schema["data_source_schemas"].get(name).is_some())
    };
    let mut data = Map::new();
    for entry in entries
        .iter()
        .filter(|entry| known(&format!("{THEIRS}_{}", bare(entry))))
    {
        let example = entry.describe().example;
        for prefix in [OURS, THEIRS] {
            data.insert(
                format!("{prefix}_{}", bare(entry)),
                json!({ "example": in_snake_case(&example) }),
            );
        }
    }
    let compared: Vec<String> = data
        .keys()
        .filter_map(|name| name.strip_prefix("netmgr_"))
        .map(str::to_owned)
        .collect();
    let failed = apply(&module, data).await;
    let state = module.run("show -json").await.succeeded();
    let state: Value = serde_json::from_str(&state).unwrap();
    let resources = state["values"]["root_module"]["resources"].as_array().unwrap();
    let values: BTreeMap<&str, &Value> = resources
        .iter()
        .map(|one| (one["type"].as_str().unwrap(), &one["values"]))
        .collect();
    let line = |name: &String| {
        let [ours, theirs] = [OURS, THEIRS].map(|prefix| format!("{prefix}_{name}"));
        let what = match (failed.contains(&ours), failed.contains(&theirs)) {
            (false, false) => differences(values[ours.as_str()], values[theirs.as_str()]),
            (true, true) => "both fail".to_owned(),
            (true, false) => "fails here".to_owned(),
            (false, true) => "fails there".to_owned(),
        };
        (!what.is_empty()).then(|| format!("{name}: {what}"))
    };
    compared.iter().filter_map(line).collect()
}

/// A module that requires both providers.
fn module(host: &'static Host, peer: &Path, manager: &Simulator) -> Module {
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
async fn apply(module: &Module, mut data: Map<String, Value>) -> BTreeSet<String> {
    let mut failed = BTreeSet::new();
    loop {
        module.write("main.tf.json", &json!({ "data": data }).to_string());
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
            let words = address.or(place).unwrap_or_default().split(['.', '"']);
            failed.extend(words.filter(|word| data.contains_key(*word)).map(str::to_owned));
        }
        if outcome.code == Some(0) {
            return failed;
        }
        assert!(failed.len() > before, "{}\n{}", outcome.stdout, outcome.stderr);
        data.retain(|name, _| !failed.contains(name));
    }
}

/// The attributes of both that differ.
fn differences(ours: &Value, theirs: &Value) -> String {
    let is_unset = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    // A block of `nsxt` is an attribute of ours.
    let shared = theirs
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| *name != "context");
    let different = shared.filter(|(name, theirs)| {
        let ours = ours.get(name.as_str());
        ours.is_some_and(|ours| ours != *theirs && !(is_unset(ours) && is_unset(theirs)))
    });
    let names: Vec<&str> = different.map(|(name, _)| name.as_str()).collect();
    names.join(", ")
}
