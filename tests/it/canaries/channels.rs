//! The output channels of the products, as data: where each is in the source, and the tests that search it for secrets.
//!
//! A file that prints, writes files, logs or reports and is in no channel fails the test below. Add it to the channel
//! that it belongs to, or add a channel with a test that plants canaries ([`super::plants`]) and searches it.

use std::fs;

use super::find;
use super::sources::outlets;
use crate::programs::root;

/// A channel through which text leaves the products.
struct Channel {
    name: &'static str,
    /// The files that write to it.
    files: &'static [&'static str],
    /// The tests that search it: file and function.
    searched: &'static [(&'static str, &'static str)],
}

const CHANNELS: &[Channel] = &[
    Channel {
        name: "events, errors with their causes, and Debug forms of the client",
        files: &[],
        searched: &[
            (
                "tests/it/manager/secrets.rs",
                "sessions_and_passwords_never_appear",
            ),
            ("tests/it/manager/secrets.rs", "tokens_never_appear"),
            ("tests/it/manager/secrets.rs", "private_keys_never_appear"),
        ],
    },
    Channel {
        name: "streams, log and files of the command line",
        files: &[
            "crates/netmgr-cli/src/files.rs",
            "crates/netmgr-cli/src/log.rs",
            "crates/netmgr-cli/src/log/requests.rs",
            "crates/netmgr-cli/src/output/filter/worker.rs",
            "crates/netmgr-cli/src/output/streams.rs",
            "crates/netmgr-cli/src/output/terminal.rs",
            "crates/netmgr-cli/src/settings/edit.rs",
            "crates/netmgr-cli/src/settings/prompt.rs",
        ],
        searched: &[
            (
                COMMAND_LINE,
                "no_secret_of_the_environment_is_printed_written_or_traced",
            ),
            (
                COMMAND_LINE,
                "no_secret_of_a_configuration_file_is_printed_or_written",
            ),
            (
                COMMAND_LINE,
                "no_password_of_a_command_a_file_or_standard_input_is_printed",
            ),
            (COMMAND_LINE, "no_credential_of_an_address_is_printed"),
        ],
    },
    Channel {
        name: "files of logins",
        files: &["crates/netmgr-transport/src/login_record/account_file.rs"],
        searched: &[
            (
                "crates/netmgr-transport/src/login_record/tests.rs",
                "the_file_belongs_to_its_user_and_contains_nothing_of_the_password",
            ),
            (
                COMMAND_LINE,
                "no_secret_of_the_environment_is_printed_written_or_traced",
            ),
        ],
    },
    Channel {
        name: "spans for a collector",
        files: &[
            "crates/netmgr-cli/src/log/traces.rs",
            "crates/pulumi-plugin/src/rpc/traced.rs",
            "crates/pulumi-plugin/src/traces.rs",
        ],
        searched: &[
            (
                COMMAND_LINE,
                "no_secret_of_the_environment_is_printed_written_or_traced",
            ),
            ("crates/netmgr-plugin/tests/it/traces.rs", "traces_hold_no_secret"),
        ],
    },
    Channel {
        name: "messages, log, errors and state of the Pulumi engine",
        files: &[
            "crates/clusterpkg-components/src/bin/pulumi-resource-clusterpkg/graph.rs",
            "crates/pulumi-plugin/src/rpc/log.rs",
            "crates/pulumi-plugin/src/rpc/program.rs",
            "crates/pulumi-plugin/src/rpc/serve.rs",
            "crates/pulumi-plugin/src/rpc/stderr.rs",
        ],
        searched: &[
            (HOSTS, "no_secret_is_in_the_engines_output_log_or_state"),
            (
                "crates/netmgr-plugin/tests/it/log.rs",
                "requests_are_logged_without_credentials_or_secret_arguments",
            ),
            (
                "tests/it/engine/configuration.rs",
                "secrets_stay_out_of_the_state_and_the_output",
            ),
        ],
    },
    Channel {
        name: "diagnostics, log, panics, state and plans of Terraform",
        files: &[
            "crates/terraform-plugin/src/log.rs",
            "crates/terraform-plugin/src/panics.rs",
            "crates/terraform-plugin/src/program.rs",
            "crates/terraform-plugin/src/serve.rs",
        ],
        searched: &[
            (HOSTS, "no_secret_is_in_the_output_log_or_state_of_terraform"),
            (HOSTS, "no_secret_of_the_environment_is_in_a_saved_plan"),
        ],
    },
    Channel {
        name: "recordings of managers",
        files: &["crates/netmgr-cli/src/commands/export/partial.rs"],
        searched: &[(
            "crates/netmgr-cli/tests/it/exports.rs",
            "a_recording_has_no_credential",
        )],
    },
    Channel {
        name: "the simulated manager, whose secrets are examples",
        files: &[
            "crates/netmgr-cli/src/commands/simulate/request_log.rs",
            "crates/netmgr-sim/src/simulator.rs",
        ],
        searched: &[(
            "tests/it/canaries/channels.rs",
            "no_snapshot_or_generated_file_has_a_secret",
        )],
    },
    Channel {
        name: "snapshots and generated files of the repository",
        files: &[],
        searched: &[(
            "tests/it/canaries/channels.rs",
            "no_snapshot_or_generated_file_has_a_secret",
        )],
    },
    Channel {
        name: "texts of panics",
        files: &[],
        searched: &[(
            "tests/it/canaries/channels.rs",
            "no_panic_of_a_product_formats_a_value",
        )],
    },
];

const COMMAND_LINE: &str = "tests/it/canaries/command_line.rs";
const HOSTS: &str = "tests/it/canaries/hosts.rs";

#[test]
fn every_place_that_lets_text_out_belongs_to_a_channel_that_is_searched() {
    let listed: Vec<&str> = CHANNELS
        .iter()
        .flat_map(|channel| channel.files)
        .copied()
        .collect();
    let outlets = outlets();
    let new: Vec<&String> = outlets
        .iter()
        .filter(|file| !listed.contains(&file.as_str()))
        .collect();
    assert!(
        new.is_empty(),
        "add these files to a channel whose tests search them for secrets: {new:#?}"
    );
    let gone: Vec<&&str> = listed
        .iter()
        .filter(|file| !outlets.contains(&(**file).to_owned()))
        .collect();
    assert!(gone.is_empty(), "these files write nothing: {gone:#?}");
    for channel in CHANNELS {
        assert!(!channel.searched.is_empty(), "{} is not searched", channel.name);
        for (file, function) in channel.searched {
            let text = fs::read_to_string(root().join(file)).unwrap();
            assert!(
                text.contains(&format!("fn {function}(")),
                "{file} has no test {function}"
            );
        }
    }
}

/// Secrets of tests and of the simulated manager, none of which may be in committed output.
const KNOWN: [&str; 6] = [
    "hunter2-never-shown",
    "Pass+word-7193",
    "Canary \"7193",
    "CANAR-Y7193",
    "-----BEGIN PRIVATE KEY-----\n",
    netmgr_sim::DEFAULT_PASSWORD,
];

/// Committed files that are generated or compared. The simulated manager prints its own password.
#[test]
fn no_snapshot_or_generated_file_has_a_secret() {
    let mut searched = 0;
    let mut folders = vec![
        root().join("crates"),
        root().join("tests"),
        root().join("schema"),
        root().join("xtask"),
    ];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let extension = path.extension().unwrap_or_default();
            if extension != "snap" && !path.starts_with(root().join("schema")) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let is_of_the_simulated_manager = path.to_str().unwrap().contains("simulate");
            searched += 1;
            for secret in KNOWN {
                if is_of_the_simulated_manager && secret == netmgr_sim::DEFAULT_PASSWORD {
                    continue;
                }
                assert_eq!(find(&text, secret), None, "{}", path.display());
            }
        }
    }
    assert!(searched > 100, "only {searched} files are searched");
}

/// A panic prints its message. No message of a product contains a value, except those of `expect` on an error, whose
/// `Debug` form is searched with the errors.
#[test]
fn no_panic_of_a_product_formats_a_value() {
    let found = super::sources::panics_with_values();
    let known = [
        // The author of an inventory in Rust gets the name of the mistake in it.
        "crates/netmgr-sim/src/manager/inventory.rs",
    ];
    assert_eq!(found, known);
}
