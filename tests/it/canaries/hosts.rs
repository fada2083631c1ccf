//! The plugin in the real engine, and the provider in the real Terraform: output, the most verbose logs, state and
//! plans.

use std::fmt::Write as _;
use std::io::Read as _;

use heck::ToSnakeCase as _;
use netmgr_types::ProviderConfig;
use serde_json::{Value, json};

use super::find;
use super::plants::{Plant, manager, plants, text_of};
use crate::engine::support::{Stack, tools};
use crate::terraform::support::{Module, POOL, host};

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_the_engines_output_log_or_state() {
    let tools = tools!("no_secret_is_in_the_engines_output_log_or_state");
    let manager = manager().await;
    let plants = plants(&manager);
    let stack = Stack::of(tools, "ask-typescript").await;
    // A provider for each plant. Those of a second update are rejected, some of them before they are created.
    for accepted in [true, false] {
        let plants = plants.iter().filter(|plant| plant.accepted == accepted);
        let question = |plant: &Plant| {
            json!({
                "function": "getIpPool", "arguments": { "displayName": "tep-pool" },
                "provider": plant.whole(&manager),
            })
        };
        let questions: Value = plants.clone().map(question).collect();
        stack
            .configure(&["--secret"], "ask", &questions.to_string())
            .await;
        let verbose = ["--logflow", "--logtostderr", "-v=9", "--non-interactive"];
        let output = stack
            .run(&[&["up", "--yes", "--skip-preview"], &verbose[..]].concat())
            .await;
        let text = without_the_engines_log(&output.text);
        let state = stack.exported().await;
        for plant in plants.clone() {
            plant.is_not_in(&text, "output and log of the engine", &manager);
            plant.is_not_in(&state, "state", &manager);
        }
        if accepted {
            assert!(
                text.contains("answered status=200"),
                "the plugin logs nothing: {text}"
            );
            output.succeeded();
            let answers = stack.outputs().await["answers"].clone();
            for (plant, answer) in plants.zip(answers.as_array().unwrap()) {
                assert!(answer["id"].is_string(), "{}: {answer}", plant.setting);
            }
            // They are in the state, encrypted.
            let providers = stack.providers().await;
            for setting in ProviderConfig::SECRET {
                assert!(
                    providers
                        .iter()
                        .any(|inputs| inputs[*setting]["ciphertext"].is_string()),
                    "{setting} is nowhere encrypted in {providers:?}"
                );
            }
        }
    }
}

/// The output without the engine's own log, which at this verbosity contains the arguments of providers as the program
/// passed them. The lines of the plugin contain the names of our crates.
fn without_the_engines_log(output: &str) -> String {
    let is_of_engine = |line: &&str| line.contains("{\"time\":") && !line.contains("netmgr_");
    let lines = output.lines().filter(|line| !is_of_engine(line));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// A configuration with a provider and a lookup for each plant; the values of the settings are in variables.
fn configuration(module: &mut Module, plants: &[&Plant], more: &[(&str, String)]) {
    let mut text = String::new();
    for (number, plant) in plants.iter().enumerate() {
        write!(text, "provider \"netmgr\" {{\n  alias = \"p{number}\"\n").unwrap();
        let mut settings = plant.settings.clone();
        settings.extend(
            more.iter()
                .map(|(name, value)| ((*name).to_owned(), json!(value))),
        );
        for (setting, value) in &settings {
            let setting = setting.to_snake_case();
            let variable = format!("{setting}_{number}");
            writeln!(text, "  {setting} = var.{variable}").unwrap();
            let kind = match value {
                Value::Array(_) => "list(string)",
                Value::Number(_) => "number",
                _ => "string",
            };
            let declared = format!("variable \"{variable}\" {{\n  sensitive = true\n  type = {kind}\n}}\n");
            text.insert_str(0, &declared);
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            module.set(&format!("TF_VAR_{variable}"), &value);
        }
        write!(
            text,
            "}}\n\
             data \"netmgr_ip_pool\" \"pool{number}\" {{\n  \
               provider = netmgr.p{number}\n  \
               display_name = \"tep-pool\"\n\
             }}\n\
             output \"id{number}\" {{ value = data.netmgr_ip_pool.pool{number}.id }}\n"
        )
        .unwrap();
    }
    module.write("main.tf", &text);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_the_output_log_or_state_of_terraform() {
    let host = host!("no_secret_is_in_the_output_log_or_state_of_terraform");
    let manager = manager().await;
    let all = plants(&manager);
    for accepted in [true, false] {
        let plants: Vec<&Plant> = all.iter().filter(|plant| plant.accepted == accepted).collect();
        let mut module = Module::new(host, "");
        let reach = [
            ("host", manager.host()),
            ("ca", manager.ca_pem().unwrap().to_owned()),
        ];
        configuration(&mut module, &plants, &reach);
        module.set("TF_LOG", "TRACE");
        module.set("RUST_BACKTRACE", "full");
        let applied = module.run("apply -auto-approve -parallelism=2").await;
        assert!(
            applied.stderr.contains("terraform-provider-netmgr"),
            "nothing is logged: {} {}",
            applied.stdout,
            applied.stderr
        );
        assert_eq!(applied.code, Some(i32::from(!accepted)), "{}", applied.stdout);
        let mut texts = vec![("output", applied.stdout), ("log", applied.stderr)];
        if accepted {
            texts.push(("state", module.read("terraform.tfstate")));
            texts.push(("state as JSON", module.run("show -json").await.succeeded()));
        }
        for (channel, text) in texts {
            for plant in &plants {
                plant.is_not_in(&text, &format!("{channel} of Terraform"), &manager);
            }
        }
    }
}

/// Terraform itself writes the values of variables into a saved plan, so the settings are in the environment.
#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_the_environment_is_in_a_saved_plan() {
    let host = host!("no_secret_of_the_environment_is_in_a_saved_plan");
    let manager = manager().await;
    for plant in plants(&manager).iter().filter(|plant| plant.accepted) {
        let mut module = Module::new(host, POOL);
        for (variable, value) in plant.environment(&manager) {
            module.set(variable, &value);
        }
        module.run("plan -out=saved").await.succeeded();
        let shown = module.run("show -json saved").await.succeeded();
        plant.is_not_in(&shown, "plan as JSON", &manager);
        let file = std::fs::File::open(module.path("module").join("saved")).unwrap();
        let mut archive = zip::ZipArchive::new(file).unwrap();
        for member in 0..archive.len() {
            let mut bytes = Vec::new();
            archive.by_index(member).unwrap().read_to_end(&mut bytes).unwrap();
            plant.is_not_in(&String::from_utf8_lossy(&bytes), "saved plan", &manager);
        }
    }
    // The search works on such a file: it finds a known value.
    assert!(find(&format!("\u{1}{}", text_of("password")), &text_of("password")).is_some());
}
