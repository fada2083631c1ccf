//! `netmgr completions` and `netmgr man`.

use std::process::Command;
use std::time::Duration;

use crate::support::{Manager, Run, SilentHost, assert_takes_less_than, netmgr, program};

/// The candidates for the last of `words`, as requested by the scripts of zsh and bash.
fn candidates(command: &mut Command, words: &[&str]) -> Vec<String> {
    if !command.get_envs().any(|(name, _)| name == "COMPLETE") {
        command.env("COMPLETE", "bash");
    }
    let run = Run::of(
        command
            .env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string())
            .env("_CLAP_COMPLETE_COMP_TYPE", "9")
            .env("_CLAP_COMPLETE_SPACE", "true")
            .env("_CLAP_IFS", "\n")
            .arg("--")
            .args(words),
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn commands_functions_and_inputs_are_completed() {
    let complete = |words: &[&str]| candidates(&mut program::<[&str; 0]>([]), words);
    assert_eq!(complete(&["netmgr", "doc"]), ["doctor"]);
    assert_eq!(
        complete(&["netmgr", "get", "policy-edge-t"]),
        [
            "policy-edge-transport-node",
            "policy-edge-transport-node-realization"
        ]
    );
    assert_eq!(
        complete(&["netmgr", "get", "ip-pool", "--disp"]),
        ["--display-name"]
    );
    assert_eq!(complete(&["netmgr", "completions", "f"]), ["fish"]);
    assert_eq!(complete(&["netmgr", "-o", "j"]), ["json"]);
    assert_eq!(complete(&["netmgr", "schema", "ip-"]), ["ip-pool"]);
    assert_eq!(complete(&["netmgr", "man", "sche"]), ["schema"]);
    assert_eq!(complete(&["netmgr", "man", "get", "ip-"]), ["ip-pool"]);
    assert_eq!(complete(&["netmgr", "man", "list", "ns-groups"]), [""; 0]);
    assert_eq!(
        complete(&["netmgr", "list", "ip-pool", "--fields", "d"]),
        ["description", "displayName"]
    );
    // A plural is the name of the list even if it is also the name of a map.
    assert_eq!(
        complete(&["netmgr", "list", "policy-services", "--fields", "d"]),
        ["description", "displayName"]
    );
    assert_eq!(
        complete(&["netmgr", "list", "ip-pool", "--sort-by", "di"]),
        ["displayName"]
    );
    assert_eq!(
        complete(&["netmgr", "get", "ip-pool", "--fields", "id,displ"]),
        ["id,displayName"]
    );
    assert_eq!(
        complete(&["netmgr", "find", "--type", "policy-group", "--fields", "id,r"]),
        ["id,resourceType"]
    );
    assert_eq!(
        complete(&["netmgr", "references", "/infra/x", "--fields", "m"]),
        ["members"]
    );
    // Without a connection.
    assert!(complete(&["netmgr", "get", "ip-pool", "--display-name", "te"]).is_empty());
}

#[test]
fn types_settings_common_options_and_files_are_completed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a $(x).json"), "").unwrap();
    let complete = |words: &[&str]| {
        let mut command = program::<[&str; 0]>([]);
        candidates(command.current_dir(folder.path()), words)
    };
    for command in [
        &["find"][..],
        &["references", "/infra/x"],
        &["export"],
        &["diff", "a", "b"],
    ] {
        let words = |typed| [&["netmgr"], command, &["--type", typed]].concat();
        assert!(
            complete(&words("Gro")).contains(&"Group".to_owned()),
            "{command:?}"
        );
        assert!(
            complete(&words("policy-gro")).contains(&"policy-group".to_owned()),
            "{command:?}"
        );
        assert!(
            complete(&words("Segment,Gro")).contains(&"Segment,Group".to_owned()),
            "{command:?}"
        );
    }
    for command in ["set", "get", "unset"] {
        assert_eq!(complete(&["netmgr", "config", command, "ca-"]), ["ca-file"]);
    }
    for (typed, offered) in [("--simu", "--simulate"), ("--prof", "--profile")] {
        assert_eq!(complete(&["netmgr", "get", "policy-group", typed]), [offered]);
    }
    let options = complete(&["netmgr", "get", "policy-group", "--"]);
    assert!(
        options.contains(&"--simulate".to_owned()) && options.contains(&"--profile".to_owned()),
        "{options:?}"
    );
    let commands = complete(&["netmgr", ""]);
    assert!(
        commands.contains(&"man".to_owned()) && commands.contains(&"version".to_owned()),
        "{commands:?}"
    );
    for words in [
        &["netmgr", "--config", "a"][..],
        &["netmgr", "--ca-file", "a"],
        &["netmgr", "diff", "a"],
    ] {
        assert_eq!(complete(words), ["a\\ \\$\\(x\\).json"], "{words:?}");
    }
    assert_eq!(
        complete(&["netmgr", "get", "policy-group", "--input", "@a"]),
        ["@a\\ \\$\\(x\\).json"]
    );
}

#[test]
fn each_completed_profile_is_one_word_for_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("profiles.toml");
    let names = [
        "plain",
        "$(touch RAN)",
        "one; touch RAN",
        "tick`touch RAN`",
        "*",
        "-x",
    ];
    let steering = ["two\nlines", "\u{1b}[31mred", "\u{202e}x"];
    let sections = names
        .iter()
        .chain(&steering)
        .map(|name| format!("[profiles.{}]\n", serde_json::json!(name)));
    std::fs::write(&file, sections.collect::<String>()).unwrap();
    let mut command = program::<[&str; 0]>([]);
    let typed = ["netmgr", "config", "use", "--config", file.to_str().unwrap(), ""];
    let words = candidates(&mut command, &typed);
    assert_eq!(words.len(), names.len(), "{words:?}");
    for word in words.iter().filter(|word| !word.starts_with('-')) {
        let mut bash = Command::new("bash");
        let script = format!("set -- {word}; printf %s \"${{@: -1}}\"");
        let run = Run::of(bash.current_dir(folder.path()).args(["--norc", "-c", &script]));
        assert!(names.contains(&run.stdout.as_str()), "{word}: {run:?}");
    }
    assert!(!folder.path().join("RAN").exists());
    for shell in ["bash", "zsh", "fish"] {
        let words = candidates(program::<[&str; 0]>([]).env("COMPLETE", shell), &typed);
        let dash = words.iter().find(|word| word.starts_with('-'));
        assert_eq!(
            dash.map(String::as_str),
            Some("--profile=-x"),
            "{shell}: {words:?}"
        );
    }
    let used = netmgr(&[
        "config",
        "use",
        "--profile=-x",
        "--config",
        file.to_str().unwrap(),
    ]);
    assert!(used.stderr.ends_with(" uses the profile -x\n"), "{used:?}");
}

#[test]
fn profiles_of_the_configuration_file_are_completed() {
    let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    std::fs::write(file.path(), "[profiles.lab]\n[profiles.lan]\n[profiles.prod]\n").unwrap();
    let complete = |words: &[&str]| {
        let mut command = program::<[&str; 0]>([]);
        candidates(command.env("NETMGR_CONFIG", file.path()), words)
    };
    assert_eq!(complete(&["netmgr", "config", "use", "p"]), ["prod"]);
    assert_eq!(
        complete(&["netmgr", "list", "ip-pool", "--profile", "la"]),
        ["lab", "lan"]
    );
    assert_eq!(complete(&["netmgr", "--profile", "x"]), [""; 0]);
}

#[test]
fn names_and_ids_of_objects_are_completed_with_a_connection() {
    let manager = Manager::start();
    let complete = |words: &[&str]| {
        let mut command = manager.program(&[]);
        candidates(&mut command, words)
    };
    assert_eq!(
        complete(&["netmgr", "get", "ip-pool", "--display-name", "te"]),
        ["tep-pool", "tep-pool-edge"]
    );
    let ids = complete(&[
        "netmgr",
        "get",
        "policy-edge-cluster",
        "--id",
        "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c001",
    ]);
    assert!(
        ids.contains(&"2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0010".to_owned()),
        "{ids:?}"
    );
    // The objects are those of the project.
    let of_project = complete(&["netmgr", "get", "policy-group", "--project", "dev", ""]);
    assert!(!of_project.contains(&"web-servers".to_owned()), "{of_project:?}");
    assert!(of_project.contains(&"dev-servers".to_owned()), "{of_project:?}");
    // An unknown letter is no option.
    assert!(complete(&["netmgr", "get", "policy-group", "-d"]).is_empty());
    // Options are offered if there is no name, or after a letter.
    let names = complete(&["netmgr", "get", "policy-group", ""]);
    assert!(names.contains(&"web-servers".to_owned()), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with('-')), "{names:?}");
}

#[test]
fn names_of_machines_are_completed_for_who() {
    let mut command = program::<[&str; 0]>([]);
    let words = ["netmgr", "--simulate", "who", "web-03"];
    assert_eq!(candidates(&mut command, &words), ["web-03"]);
}

#[test]
fn names_that_are_completed_are_one_word_of_bash() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = folder.path().join("pools.json");
    let names = [
        "p $(touch ran);'`touch ran`\"",
        "p*",
        "p\n;touch ran",
        "p\u{1b}]0;x\u{7}",
    ];
    let pools =
        names.map(|name| serde_json::json!({ "id": format!("{}", name.len()), "display_name": name }));
    let document = serde_json::json!({ "/api/v1/pools/ip-pools": pools });
    std::fs::write(&inventory, document.to_string()).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", inventory.to_str().unwrap()]);
    let complete = |typed: &str| {
        let mut command = manager.program(&[]);
        let words = ["netmgr", "get", "ip-pool", "--display-name", typed];
        candidates(&mut command, &words)
    };
    let found = complete("p");
    assert_eq!(found.len(), 2, "{found:?}");
    for word in &found {
        let run = Run::of(Command::new("bash").current_dir(folder.path()).args([
            "--norc",
            "-c",
            &format!("printf %s {word}"),
        ]));
        assert!(names.contains(&run.stdout.as_str()), "{run:?}");
    }
    assert!(!folder.path().join("ran").exists());
    assert_eq!(complete("p\\ \\$").len(), 1);
}

#[test]
fn names_with_secrets_are_not_completed() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = folder.path().join("pools.json");
    let pools = ["password=hidden-1", "plain"]
        .map(|name| serde_json::json!({ "id": name.len().to_string(), "display_name": name }));
    let document = serde_json::json!({ "/api/v1/pools/ip-pools": pools });
    std::fs::write(&inventory, document.to_string()).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", inventory.to_str().unwrap()]);
    let listed = Run::of(&mut manager.program(&["list", "ip-pool", "-o", "name"]));
    assert_eq!(listed.stdout, "[redacted]\nplain\n");
    let words = ["netmgr", "get", "ip-pool", "--display-name", ""];
    assert_eq!(candidates(&mut manager.program(&[]), &words), ["plain"]);
}

#[test]
fn a_refused_login_pauses_the_completion_of_names() {
    let manager = Manager::with(&["--counters"]);
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let mut command = manager.program(&[]);
        command
            .env("NETMGR_PASSWORD", "wrong")
            .env("XDG_STATE_HOME", folder.path());
        let words = ["netmgr", "get", "ip-pool", "--display-name", "te"];
        assert!(candidates(&mut command, &words).is_empty());
    }
    // Another account is not paused.
    let mut command = manager.program(&[]);
    command
        .env("NETMGR_USERNAME", "other")
        .env("XDG_STATE_HOME", folder.path());
    candidates(
        &mut command,
        &["netmgr", "get", "ip-pool", "--display-name", "te"],
    );
    let counted: serde_json::Value = serde_json::from_str(&manager.last_words()).unwrap();
    assert_eq!(counted["failedLogins"], 2);
}

#[test]
fn bash_completes_with_the_script() {
    // bash splits words at `=` and `:`, and passes the word of the cursor (`|`), which is empty behind one of them.
    for (line, words, index, word, candidates) in [
        ("netmgr typ|", "netmgr typ", 1, "typ", "types"),
        ("netmgr typ|es", "netmgr types", 1, "typ", ""),
        (
            "netmgr completions |  -v",
            "netmgr completions '' -v",
            2,
            "",
            "bash zsh fish powershell elvish",
        ),
        (
            "netmgr list --type=MacDi|",
            "netmgr list --type = MacDi",
            4,
            "MacDi",
            "",
        ),
        (
            "netmgr find --type=MacDi|",
            "netmgr find --type = MacDi",
            4,
            "MacDi",
            "MacDiscoveryProfile",
        ),
        (
            "netmgr find --profile=lab --type=MacDi|",
            "netmgr find --profile = lab --type = MacDi",
            7,
            "MacDi",
            "MacDiscoveryProfile",
        ),
        (
            "netmgr find --global-manager=| --stats",
            "netmgr find --global-manager = --stats",
            3,
            "",
            "true false",
        ),
        (
            "netmgr find --global-manager =|",
            "netmgr find --global-manager =",
            3,
            "",
            "",
        ),
        (
            "netmgr --simulate get policy-host-transport-node --id 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:|",
            "netmgr --simulate get policy-host-transport-node --id 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910 :",
            6,
            "",
            "host-41 host-42 host-43",
        ),
    ] {
        let point = line.find('|').unwrap();
        let script = format!(
            "PATH={}:$PATH\nsource <(netmgr completions bash)\nCOMP_WORDS=({words}) COMP_CWORD={index}\n_netmgr_completion netmgr '{word}' x\necho \"${{COMPREPLY[@]}}\"",
            std::path::Path::new(env!("CARGO_BIN_EXE_netmgr"))
                .parent()
                .unwrap()
                .display()
        );
        let run = Run::of(
            Command::new("bash")
                .env_clear()
                .env("PATH", "/usr/bin:/bin")
                .env("COMP_LINE", line.replace('|', ""))
                .env("COMP_POINT", point.to_string())
                .args(["--norc", "-c", &script]),
        );
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
        assert_eq!(run.stdout.trim(), candidates, "{words}");
    }
}

#[test]
fn every_shell_has_a_script() {
    for (shell, part) in [
        ("bash", "complete "),
        ("zsh", "#compdef netmgr"),
        ("fish", "complete --keep-order"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let run = netmgr(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
        assert!(run.stdout.contains(part), "{run:?}");
        assert!(run.stdout.contains("netmgr"), "{run:?}");
    }
    let refused = netmgr(&["completions", "tcsh"]);
    assert!(
        refused.failure(2).contains("bash, zsh, fish, powershell"),
        "{refused:?}"
    );
}

#[test]
fn each_command_has_a_page() {
    let main = netmgr(&["man"]);
    assert!(main.stdout.contains(".TH NETMGR 1"), "{main:?}");
    assert!(main.stdout.contains("netmgr\\-get(1)"), "{main:?}");
    let pool = netmgr(&["man", "get", "ip-pool"]);
    assert!(pool.stdout.contains(".TH NETMGR-GET-IP-POOL 1"), "{pool:?}");
    assert!(pool.stdout.contains("\\-\\-display\\-name"), "{pool:?}");
    let unknown = netmgr(&["man", "get", "ip-pol"]);
    assert!(
        unknown
            .failure(2)
            .contains("there is no function \"ip-pol\"\n  hint: did you mean `"),
        "{unknown:?}"
    );
}

#[test]
fn all_pages_are_written_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    let run = netmgr(&["man", "--dir", pages.to_str().unwrap()]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    for page in ["netmgr.1", "netmgr-doctor.1", "netmgr-get-policy-edge-cluster.1"] {
        assert!(pages.join(page).is_file(), "{page}");
    }
    let unwritable = netmgr(&["man", "--dir", "/dev/null/man"]);
    assert!(
        unwritable.failure(2).contains("cannot write /dev/null/man"),
        "{unwritable:?}"
    );
}

#[test]
fn completion_gives_up_soon_when_the_host_is_silent() {
    let silent = SilentHost::start();
    let mut command = program::<[&str; 0]>([]);
    command.envs([
        ("NETMGR_HOST", silent.url.as_str()),
        ("NETMGR_USERNAME", "admin"),
        ("NETMGR_PASSWORD", "x"),
    ]);
    let words = ["netmgr", "get", "ip-pool", "--display-name", "te"];
    let strict = std::env::var_os("NETMGR_TIMES").is_some_and(|times| times == "strict");
    let limit = Duration::from_secs(if strict { 1 } else { 2 });
    assert_takes_less_than(limit, || {
        silent.time(|| assert!(candidates(&mut command, &words).is_empty()))
    });
}
