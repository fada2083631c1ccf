//! Tests of `login`, `config set` and `version`.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Manager, Run, netmgr, program};
use crate::terminal::Terminal;

/// netmgr with its own home, without settings.
fn at(home: &Path, arguments: &[&str]) -> Command {
    let mut command = program(arguments);
    command.env("HOME", home);
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command
}

fn file(home: &Path) -> PathBuf {
    home.join(".config/netmgr/config.toml")
}

fn text(home: &Path) -> String {
    std::fs::read_to_string(file(home)).unwrap()
}

#[test]
fn a_login_on_a_terminal_stores_a_profile_without_the_password() {
    let manager = Manager::serve(&[]);
    let (host, password) = (
        manager.variable("NETMGR_HOST"),
        manager.variable("NETMGR_PASSWORD"),
    );
    let home = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::run(&at(home.path(), &["login"]), 120);
    terminal.wait_for("Host name or address of the manager: ");
    terminal.type_line(host);
    terminal.wait_for("User name: ");
    terminal.type_line("admin");
    terminal.wait_for("enter it each time): ");
    terminal.type_line("");
    terminal.wait_for("Password: ");
    terminal.type_line(password);
    let ended = terminal.end();
    assert_eq!(ended.code, 0, "{}", ended.screen);
    assert!(
        ended.screen.contains("logged in: manager version 9.1.1"),
        "{}",
        ended.screen
    );
    assert!(!ended.output.contains(password), "{ended:?}");
    assert_eq!(
        text(home.path()),
        format!("[profiles.default]\nhost = \"{host}\"\nusername = \"admin\"\n")
    );
    // The profile is used, and prompts.
    let mut terminal = Terminal::run(&at(home.path(), &["get", "manager-info"]), 120);
    terminal.wait_for("Password of admin");
    terminal.type_line(password);
    assert_eq!(terminal.end().code, 0);
}

#[test]
fn a_login_with_a_command_for_the_password_is_checked_and_needs_no_terminal() {
    let manager = Manager::start();
    let of = |name| manager.variable(name);
    let (host, password, ca) = (of("NETMGR_HOST"), of("NETMGR_PASSWORD"), of("NETMGR_CA_FILE"));
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| Run::of(&mut at(home.path(), arguments));
    let login = [
        "login",
        "--host",
        host,
        "--username",
        "admin",
        "--ca-file",
        ca,
        "--password-command",
    ];
    let wrong = run(&[&login[..], &["echo wrong"]].concat());
    assert!(
        wrong.failure(5).contains("hint: check user name and password"),
        "{wrong:?}"
    );
    assert!(!file(home.path()).exists());
    let print = format!("echo '{password}'");
    let stored = run(&[&login[..], &[&print, "--profile", "lab"]].concat());
    assert_eq!(stored.code, 0, "{stored:?}");
    assert!(!stored.stderr.contains(password), "{stored:?}");
    let info = run(&["get", "manager-info", "-o", "json"]).answer();
    assert_eq!(info["version"], "9.1.1.0.25108400");
    // A second profile is not selected, and the first one remains the default.
    let more = run(&[&login[..], &[&print, "--profile", "prod"]].concat());
    assert!(
        more.stderr
            .contains("make it the default with `netmgr config use prod`"),
        "{more:?}"
    );
    let profiles = run(&["config", "profiles", "-o", "csv"]).stdout;
    assert_eq!(
        profiles,
        format!("name,selected,host,username\nlab,true,{host},admin\nprod,false,{host},admin\n")
    );
    let mode = std::fs::metadata(file(home.path())).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
    let unasked = run(&["login"]);
    assert!(unasked.failure(2).contains("--host is required"), "{unasked:?}");
}

/// A stand-in for the keyring's program, which stores each password in a file.
#[cfg(not(target_os = "macos"))]
const SECRET_TOOL: &str = r#"#!/bin/sh
folder=$(dirname "$0")
case "$1" in
store) [ "$2 $3" = "--label netmgr $5" ] && cat > "$folder/$4.$5" ;;
lookup) cat "$folder/$2.$3" ;;
esac
"#;

#[cfg(not(target_os = "macos"))]
#[test]
fn a_login_with_the_keyring_stores_the_password_there() {
    let manager = Manager::serve(&[]);
    let (host, password) = (
        manager.variable("NETMGR_HOST"),
        manager.variable("NETMGR_PASSWORD"),
    );
    let home = tempfile::tempdir().unwrap();
    let log_in = |path: &str, password: &str| {
        let flags = ["--host", host, "--username", "admin", "--profile", "my lab"];
        let mut login = at(home.path(), &[&["login", "--keyring"], &flags[..]].concat());
        login.env("PATH", path);
        let mut terminal = Terminal::run(&login, 200);
        terminal.wait_for("Password: ");
        terminal.type_line(password);
        terminal.end()
    };
    let missing = log_in("/nonexistent", password);
    assert_eq!(missing.code, 2, "{}", missing.screen);
    assert!(
        missing.screen.contains("caused by: secret-tool: No such file"),
        "{}",
        missing.screen
    );
    assert!(!file(home.path()).exists());

    let programs = home.path().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let tool = programs.join("secret-tool");
    std::fs::write(&tool, SECRET_TOOL).unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    // A wrong password is not stored.
    let wrong = log_in(&path, "wrong");
    assert_eq!(wrong.code, 5, "{}", wrong.screen);
    assert!(!programs.join("netmgr.my lab").exists());
    let stored = log_in(&path, password);
    assert_eq!(stored.code, 0, "{}", stored.screen);
    assert_eq!(
        std::fs::read_to_string(programs.join("netmgr.my lab")).unwrap(),
        password
    );
    let command = r#"passwordCommand = ["secret-tool", "lookup", "netmgr", "my lab"]"#;
    assert!(text(home.path()).contains(command), "{}", text(home.path()));
    assert!(!text(home.path()).contains(password));
    let info = Run::of(at(home.path(), &["get", "manager-info", "-o", "json"]).env("PATH", &path)).answer();
    assert_eq!(info["version"], "9.1.1.0.25108400");
}

#[test]
fn a_login_to_an_existing_profile_checks_the_settings_that_stay_in_it() {
    let manager = Manager::start();
    let of = |name| manager.variable(name);
    let print = format!("echo '{}'", of("NETMGR_PASSWORD"));
    let home = tempfile::tempdir().unwrap();
    let login = |ca_file: &str| {
        let file = home.path().join("netmgr.toml");
        let lines = format!("[profiles.lab] # Kept.\ncaFile = {ca_file:?}\npassword = \"old\"\n");
        std::fs::write(&file, &lines).unwrap();
        let config = file.to_str().unwrap();
        let options = [
            "login",
            "--config",
            config,
            "--profile",
            "lab",
            "--username",
            "admin",
        ];
        let access = ["--host", of("NETMGR_HOST"), "--password-command", &print];
        let run = Run::of(&mut at(home.path(), &[&options[..], &access].concat()));
        (run, lines, std::fs::read_to_string(&file).unwrap())
    };
    let (stored, _, text) = login(of("NETMGR_CA_FILE"));
    assert_eq!(stored.code, 0, "{stored:?}");
    assert!(text.contains("# Kept.") && !text.contains("old"), "{text}");
    let (refused, before, after) = login("/nonexistent/ca.pem");
    assert_ne!(refused.code, 0, "{refused:?}");
    assert_eq!(after, before);
}

#[test]
fn settings_are_written_into_the_file_which_keeps_the_rest() {
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| Run::of(&mut at(home.path(), arguments));
    let set = |arguments: &[&str]| {
        let done = run(&[&["config", "set"], arguments].concat());
        assert_eq!((done.code, done.stdout.as_str()), (0, ""), "{done:?}");
    };
    set(&["host", "lab.example.com"]);
    assert_eq!(text(home.path()), "host = \"lab.example.com\"\n");
    let lines = "# Kept.\nprofile = \"lab\"\nmaxRetries = 3 # three\n\n[profiles.lab]\nhost = \"a\" # here\n";
    std::fs::write(file(home.path()), lines).unwrap();
    set(&["host", "b"]);
    set(&["retry-on-status-codes", "500,503"]);
    set(&["allowUnverifiedSsl", "true"]);
    set(&["password-command", "pass show lab", "--profile", "new"]);
    assert_eq!(
        text(home.path()),
        lines.replace("\"a\"", "\"b\"")
            + "retryOnStatusCodes = [500, 503]\nallowUnverifiedSsl = true\n\n[profiles.new]\n\
               passwordCommand = \"pass show lab\"\n"
    );
    for (arguments, error) in [
        (["password", "x"], "password is a secret"),
        (
            ["host", "admin:hidden@lab"],
            "must not contain a user name or password",
        ),
        (["max-retries", "many"], "maxRetries must not be \"many\""),
        (["caFle", "x"], "hint: did you mean `ca-file`?"),
    ] {
        let failed = run(&[&["config", "set"], &arguments[..]].concat());
        assert!(failed.failure(2).contains(error), "{failed:?}");
    }
    let other = home.path().join("settings.yaml");
    std::fs::write(&other, "host: a\n").unwrap();
    let failed = run(&["config", "set", "host", "b", "--config", other.to_str().unwrap()]);
    assert!(failed.failure(2).contains("only TOML files"), "{failed:?}");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "host: a\n");
}

#[test]
fn the_version_has_what_the_program_is_built_with() {
    let version = netmgr(&["version", "-o", "json"]).answer();
    let short = netmgr(&["--version"]).stdout;
    assert_eq!(
        short,
        format!("netmgr {}\n", version["version"].as_str().unwrap())
    );
    assert_eq!(
        version["features"],
        serde_json::json!(["simulator", "traces", "yaml"])
    );
}
