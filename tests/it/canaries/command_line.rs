//! The command line: both streams, the log, the lines of `--trace`, spans, and the files that it writes.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use netmgr_sim::Simulator;
use pulumi_testing::Collector;
use serde_json::Value;

use super::find;
use super::plants::{Plant, manager, plants, text_of};
use crate::programs::program;

const POOL: &str = "1d2c3b4a-5968-4778-8695-a4b3c2d10001";

/// Every command that reads settings, with the most verbose output.
const COMMANDS: &[&str] = &[
    "-vv get ip-pool --id 1d2c3b4a-5968-4778-8695-a4b3c2d10001 -o json",
    "--trace get ip-pool --id 1d2c3b4a-5968-4778-8695-a4b3c2d10001",
    "-vv --stats get policy-edge-cluster --display-name no-such-cluster",
    "--trace list ip-pool -o ndjson",
    "-vv doctor -o json",
    "config show --origin -o json",
    "config show -o yaml",
    "config profiles -o json",
    "batch -vv",
];

/// A run of netmgr in its own folder: everything that it printed.
fn printed(home: &Path, line: &str, environment: &[(&str, String)], input: &str) -> String {
    let mut command = Command::new(program("netmgr"));
    command
        .env_clear()
        .env("HOME", home)
        .env("TMPDIR", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("RUST_LOG", "trace")
        .env("RUST_BACKTRACE", "full")
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .args(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read it closes it early.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&text).into_owned()
}

/// The contents of all files below `folder`, except those that the test wrote.
fn files(folder: &Path, except: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &files(&path, except);
        } else if path != except {
            text += &format!(
                "{}:\n{}\n",
                path.display(),
                String::from_utf8_lossy(&fs::read(&path).unwrap())
            );
        }
    }
    text
}

fn search(plant: &Plant, manager: &Simulator, environment: &[(&str, String)], home: &Path, file: &Path) {
    let mut said = 0;
    for line in COMMANDS {
        let question = format!("{{\"function\":\"getIpPool\",\"input\":{{\"id\":\"{POOL}\"}}}}\n");
        let output = printed(home, line, environment, &question);
        plant.is_not_in(&output, &format!("output of `netmgr {line}`"), manager);
        said += output.len();
    }
    assert!(said > 2000, "the commands print too little to be searched");
    plant.is_not_in(&files(home, file), "files of the command line", manager);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_the_environment_is_printed_written_or_traced() {
    let manager = manager().await;
    let collector = Collector::default();
    let address = collector.serve().await;
    for plant in plants(&manager) {
        let home = tempfile::tempdir().unwrap();
        let mut environment = plant.environment(&manager);
        environment.extend([
            ("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{address}")),
            (
                "OTEL_EXPORTER_OTLP_HEADERS",
                "authorization=Bearer%20canary-of-otlp-7193".to_owned(),
            ),
        ]);
        search(&plant, &manager, &environment, home.path(), Path::new(""));
        let spans: String = collector.spans().into_iter().map(|span| span.whole).collect();
        assert!(spans.contains("command"), "there are no spans");
        plant.is_not_in(&spans, "spans", &manager);
        assert_eq!(find(&spans, "canary-of-otlp-7193"), None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_a_configuration_file_is_printed_or_written() {
    let manager = manager().await;
    for plant in plants(&manager) {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("netmgr.json");
        fs::write(&file, Value::Object(plant.whole(&manager)).to_string()).unwrap();
        let environment = [("NETMGR_CONFIG", file.display().to_string())];
        search(&plant, &manager, &environment, home.path(), &file);
        // A truncated file.
        let text = fs::read_to_string(&file).unwrap();
        for (name, text) in [
            ("cut.json", &text[..text.len() - 1]),
            ("cut.yaml", &text[..text.len() - 1]),
            ("cut.toml", &text),
        ] {
            let file = home.path().join(name);
            fs::write(&file, text).unwrap();
            let environment = [("NETMGR_CONFIG", file.display().to_string())];
            let output = printed(home.path(), "-vv get ip-pool --id x", &environment, "");
            assert!(output.contains(name), "{output}");
            plant.is_not_in(&output, "error about a file", &manager);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_password_of_a_command_a_file_or_standard_input_is_printed() {
    let manager = manager().await;
    let plants = plants(&manager);
    let plant = plants
        .iter()
        .find(|plant| plant.setting == "password" && plant.accepted)
        .unwrap();
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("password");
    let password = text_of("password");
    fs::write(&file, &password).unwrap();
    let mut base = plant.environment(&manager);
    base.retain(|(name, _)| *name != "NETMGR_PASSWORD");
    for (variable, value, line) in [
        ("NETMGR_PASSWORD_FILE", file.display().to_string(), "-vv"),
        (
            "NETMGR_PASSWORD_COMMAND",
            format!("cat {}", file.display()),
            "-vv",
        ),
        // The secret is an argument of the command, which fails.
        (
            "NETMGR_PASSWORD_COMMAND",
            "false canary-argument-7193".to_owned(),
            "-vv",
        ),
        ("UNUSED", String::new(), "-vv --password-stdin"),
    ] {
        let environment = [&base[..], &[(variable, value)]].concat();
        for command in ["get ip-pool --id x", "doctor", "config show --origin -o json"] {
            let output = printed(
                home.path(),
                &format!("{line} {command}"),
                &environment,
                &format!("{password}\n"),
            );
            plant.is_not_in(&output, command, &manager);
            assert_eq!(find(&output, "canary-argument-7193"), None, "{command}");
        }
    }
}

/// Credentials in an address: of a proxy, of a manager, of the cloud, of a collector.
#[tokio::test(flavor = "multi_thread")]
async fn no_credential_of_an_address_is_printed() {
    const ADDRESS: &str = "canary-of-address-7193";
    const LOGIN: &str = "canary-of-login-7193";
    let home = tempfile::tempdir().unwrap();
    let base = |host: &str| {
        [
            ("NETMGR_HOST", host.to_owned()),
            ("NETMGR_USERNAME", "jane".to_owned()),
            ("NETMGR_PASSWORD", LOGIN.to_owned()),
            ("NETMGR_MAX_RETRIES", "0".to_owned()),
        ]
    };
    // There is no listener. A proxy resolves the name of the manager itself; the other hosts are not names.
    for (variable, host) in [
        ("HTTPS_PROXY", "manager.invalid"),
        ("ALL_PROXY", "manager.invalid"),
        ("NETMGR_HOST", ""),
        ("NETMGR_CLOUD_AUTH_HOST", "127.0.0.1:1"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:1"),
    ] {
        for more in ["", "/?token=canary-of-address-7193"] {
            let address = format!("http://jane:{ADDRESS}@127.0.0.1:1{more}");
            let environment = [&base(host)[..], &[(variable, address.clone())]].concat();
            for line in [
                "-vv get ip-pool --id x",
                "-vv doctor -o json",
                "config show --origin -o json",
            ] {
                let output = printed(home.path(), line, &environment, "");
                for secret in [ADDRESS, LOGIN] {
                    assert_eq!(find(&output, secret), None, "{variable}={address} {line}");
                }
            }
        }
    }
    let file = home.path().join("netmgr.toml");
    let text = format!("[profiles.lab]\nhost = \"jane:{ADDRESS}@127.0.0.1:1\"\n");
    fs::write(&file, text).unwrap();
    let environment = [("NETMGR_CONFIG", file.display().to_string())];
    let output = printed(home.path(), "config profiles -o json", &environment, "");
    assert!(output.contains("lab"), "{output}");
    assert_eq!(find(&output, ADDRESS), None);
}
