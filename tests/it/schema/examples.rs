//! Every documented example: it fits the schema, and the default simulated manager answers it.

use std::fs;

use netmgr_lookups::{ALL, Call, Lookups, Waits};
use netmgr_sim::{Inventory, Manager, ManagerKind, ManagerSettings, Simulator};
use netmgr_transport::Client;
use netmgr_types::{Deployment, ProviderConfig};
use serde_json::Value;

use super::{errors, input_schema, output_schema, validator};
use crate::programs::root;

/// A file of the workspace.
pub(super) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The blocks of Markdown in `language`.
pub(super) fn blocks<'a>(markdown: &'a str, language: &str) -> Vec<&'a str> {
    let opening = format!("```{language}\n");
    let blocks = markdown.split(opening.as_str()).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn every_example_fits_its_schema_and_its_page_shows_it() {
    for entry in ALL.iter() {
        let name = entry.spec.name;
        let example = entry.describe().example;
        assert_eq!(
            errors(&validator(&input_schema(entry)), &example),
            [""; 0],
            "{name}"
        );
        let page = read(&format!("docs/functions/{name}.md"));
        let [command] = blocks(&page, "sh")[..] else {
            panic!("{name}: not one example")
        };
        for value in example.as_object().unwrap().values().filter_map(Value::as_str) {
            assert!(command.contains(value), "{name}: {value} is not in {command}");
        }
    }
}

#[test]
fn the_page_of_all_functions_shows_a_program_in_each_language() {
    let page = read("docs/functions/README.md");
    for language in ["sh", "typescript", "python", "go", "csharp", "java", "yaml"] {
        assert_eq!(blocks(&page, language).len(), 1, "{language}");
    }
}

#[test]
fn json_of_the_command_line_page_fits_the_schema_of_its_function() {
    let page = read("docs/command-line.md");
    let mut inputs = page
        .split("--input '")
        .skip(1)
        .map(|rest| rest.split('\'').next().unwrap());
    let entry = Lookups::entry("getPolicyEdgeCluster").unwrap();
    let input: Value = serde_json::from_str(inputs.next().unwrap()).unwrap();
    assert_eq!(errors(&validator(&input_schema(entry)), &input), [""; 0]);
    assert_eq!(inputs.next(), None, "another example needs its function here");
}

#[tokio::test]
async fn the_simulated_manager_answers_every_example_with_what_the_schema_promises() {
    let local = Simulator::builder().start().await.unwrap();
    let settings = ManagerSettings {
        kind: ManagerKind::Global,
        ..ManagerSettings::default()
    };
    let manager = Manager::new(settings, Inventory::default());
    let global = Simulator::builder().manager(manager).start().await.unwrap();
    let (of_local, of_global) = (client(&local, false), client(&global, true));
    // States are read once, so that nothing waits in real time.
    let call = Call::default().waits(Waits::ReportOnce);
    let mut failed = Vec::new();
    for entry in ALL.iter() {
        let name = entry.spec.name;
        let lookups = match entry.spec.availability.includes(Deployment::PolicyManager) {
            true => &of_local,
            false => &of_global,
        };
        let output = match lookups.invoke(name, entry.describe().example, &call).await {
            Ok(output) => output,
            Err(error) => {
                failed.push(error.to_string());
                continue;
            }
        };
        assert_eq!(
            errors(&validator(&output_schema(entry)), &output),
            [""; 0],
            "{name}: {output}"
        );
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    local.shutdown().await;
    global.shutdown().await;
}

/// The functions with a client of the simulator.
fn client(simulator: &Simulator, is_global: bool) -> Lookups {
    let variables = simulator.env();
    let variable = |name: &str| {
        let found = variables.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, value)| value.clone())
    };
    let mut config = ProviderConfig::default().with_env(variable).unwrap();
    config.global_manager = Some(is_global);
    Lookups::new(Client::builder(config.resolve().unwrap()).build().unwrap())
}
