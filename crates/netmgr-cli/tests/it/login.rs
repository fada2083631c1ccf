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
    for (flag, reason) in [
        ("--stats", "--host is required"),
        ("--simulate", "a simulated manager needs no login"),
    ] {
        let refused = run(&["login", flag]);
        assert!(refused.failure(2).contains(reason), "{refused:?}");
    }
}

/// A stand-in for the keyring's program, which stores each password in a file that is named for its attributes.
#[cfg(not(target_os = "macos"))]
const SECRET_TOOL: &str = r#"#!/bin/sh
command=$1; shift
[ "$command" = store ] && shift 2
file=$(dirname "$0")/$(echo "$*" | tr -c '[:alnum:]\n' -)
case "$command" in
store) cat > "$file" ;;
lookup) cat "$file" ;;
esac
"#;

/// A folder with the stand-in, and a PATH that begins with it.
#[cfg(not(target_os = "macos"))]
fn keyring(home: &Path) -> (PathBuf, String) {
    let programs = home.join("programs");
    std::fs::create_dir(&programs).unwrap();
    let tool = programs.join("secret-tool");
    std::fs::write(&tool, SECRET_TOOL).unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    (programs, path)
}

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

    let (programs, path) = keyring(home.path());
    let entries = || std::fs::read_dir(&programs).unwrap().count() - 1;
    // A wrong password is not stored.
    let wrong = log_in(&path, "wrong");
    assert_eq!(wrong.code, 5, "{}", wrong.screen);
    assert_eq!(entries(), 0);
    let stored = log_in(&path, password);
    assert_eq!(stored.code, 0, "{}", stored.screen);
    assert_eq!(entries(), 1);
    assert!(
        text(home.path()).contains("passwordKeyring = true"),
        "{}",
        text(home.path())
    );
    assert!(!text(home.path()).contains(password));
    let info = Run::of(at(home.path(), &["get", "manager-info", "-o", "json"]).env("PATH", &path)).answer();
    assert_eq!(info["version"], "9.1.1.0.25108400");
}

#[cfg(not(target_os = "macos"))]
#[test]
fn a_password_in_the_keyring_belongs_to_a_host_a_user_and_a_profile() {
    let managers = [Manager::serve(&[]), Manager::serve(&[])];
    let home = tempfile::tempdir().unwrap();
    let (programs, path) = keyring(home.path());
    let run = |arguments: &[&str], input: &str| {
        Run::with_input(at(home.path(), arguments).env("PATH", &path), input)
    };
    let hosts = managers.each_ref().map(|manager| manager.variable("NETMGR_HOST"));
    let files = ["a.toml", "b.toml"].map(|name| home.path().join(name).display().to_string());
    for ((manager, host), file) in managers.iter().zip(hosts).zip(&files) {
        let login = [
            "login",
            "--keyring",
            "--username=admin",
            "--password-stdin",
            "--host",
            host,
            "--config",
            file,
        ];
        let stored = run(&login, manager.variable("NETMGR_PASSWORD"));
        assert_eq!(stored.code, 0, "{stored:?}");
    }
    assert_eq!(std::fs::read_dir(&programs).unwrap().count(), 3);
    let info = |file: &str| run(&["get", "manager-info", "-o", "json", "--config", file], "");
    for file in &files {
        assert_eq!(info(file).answer()["id"], "manager-info");
    }
    // A file that names another host, user or profile has no password.
    let text = std::fs::read_to_string(&files[0]).unwrap();
    for (old, new) in [
        (hosts[0], "http://127.0.0.1:1"),
        ("admin", "root"),
        ("default", "lab"),
    ] {
        let profile = if old == "default" { new } else { "default" };
        let changed = format!("profile = {profile:?}\n{}", text.replace(old, new));
        std::fs::write(&files[0], changed).unwrap();
        let run = info(&files[0]);
        let report = run.failure(2);
        assert!(
            report.contains("error: cannot read the password (keyring entry of ")
                && report.ends_with(
                    "hint: `netmgr login --keyring` stores the password for this host, user and profile\n"
                ),
            "{report}"
        );
    }
}

#[test]
fn other_users_cannot_access_the_folder_of_the_configuration() {
    let manager = Manager::serve(&[]);
    let home = tempfile::tempdir().unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let script = format!(
        "umask 000; exec {} login --host {} --username admin --password-stdin",
        env!("CARGO_BIN_EXE_netmgr"),
        manager.variable("NETMGR_HOST")
    );
    let mut shell = Command::new("sh");
    shell.env_clear().env("HOME", home.path()).args(["-c", &script]);
    let path = file(home.path());
    let folder = path.parent().unwrap();
    for _ in 0..2 {
        let stored = Run::with_input(&mut shell, manager.variable("NETMGR_PASSWORD"));
        assert_eq!(stored.code, 0, "{stored:?}");
        assert_eq!((mode(folder), mode(&path)), (0o700, 0o600));
        // As another program may have created it.
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
}

#[test]
fn a_login_offers_to_become_the_default() {
    let manager = Manager::serve(&[]);
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(file(home.path()).parent().unwrap()).unwrap();
    std::fs::write(file(home.path()), "profile = \"old\"\n[profiles.old]\n").unwrap();
    for (answer, selected) in [("", "old"), ("n", "old"), ("y", "lab")] {
        let print = format!("echo '{}'", manager.variable("NETMGR_PASSWORD"));
        let access = [
            "--host",
            manager.variable("NETMGR_HOST"),
            "--username",
            "admin",
            "--password-command",
            &print,
        ];
        let login = at(
            home.path(),
            &[&["login", "--profile", "lab"], &access[..]].concat(),
        );
        let mut terminal = Terminal::run(&login, 200);
        terminal.wait_for("from now on? [y/N] ");
        terminal.type_line(answer);
        assert_eq!(terminal.end().code, 0);
        assert!(
            text(home.path()).starts_with(&format!("profile = \"{selected}\"\n")),
            "{answer}"
        );
    }
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
fn a_login_whose_profile_could_not_be_used_is_refused() {
    let manager = Manager::start();
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join("netmgr.toml");
    let text = "host = \"https://old.example\"\nusername = \"admin\"\npassword = \"old\"\n";
    std::fs::write(&config, text).unwrap();
    let mut login = at(
        home.path(),
        &["login", "--username", "admin", "--password-stdin", "--config"],
    );
    login.args([
        config.to_str().unwrap(),
        "--host",
        manager.variable("NETMGR_HOST"),
    ]);
    let run = Run::with_input(&mut login, "new\n");
    assert!(
        run.failure(2).contains("sent only to the host of the file"),
        "{run:?}"
    );
    assert_eq!(std::fs::read_to_string(&config).unwrap(), text);
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
    // A file has one source of the password.
    set(&["password-file", "secret", "--profile", "new"]);
    set(&["password-command", "pass show lab", "--profile", "new"]);
    assert_eq!(
        text(home.path()),
        lines.replace("\"a\"", "\"b\"")
            + "retryOnStatusCodes = [500, 503]\nallowUnverifiedSsl = true\n\n[profiles.new]\n\
               passwordCommand = \"pass show lab\"\n"
    );
    set(&["ca-file", "x/../ca.pem", "--profile", "new"]);
    let get = |setting: &str| run(&["config", "get", setting, "--profile", "new"]);
    let here = std::env::current_dir().unwrap().join("x/../ca.pem");
    assert_eq!(get("caFile").stdout, format!("{}\n", here.display()));
    assert_eq!(get("password-command").stdout, "(output of pass)\n");
    assert!(
        get("password-file")
            .failure(3)
            .contains("passwordFile is not set")
    );
    assert_eq!(get("maxRetries").stdout, "3\n");
    let unset = run(&["config", "unset", "ca-file", "--profile", "new"]);
    assert_eq!(unset.code, 0, "{unset:?}");
    assert!(get("ca-file").failure(3).contains("caFile is not set"));
    // A stored password is not sent to a new host.
    set(&["host", "old", "--profile", "new"]);
    let moved = run(&["config", "set", "host", "evil", "--profile", "new"]);
    assert!(
        moved.failure(2).contains("has credentials for another host"),
        "{moved:?}"
    );
    let unset = run(&["config", "unset", "host", "--profile", "new"]);
    assert!(
        unset.failure(2).contains("has credentials for this host"),
        "{unset:?}"
    );
    set(&["host", "https://old", "--profile", "new"]);
    for command in ["get", "unset"] {
        let unknown = run(&["config", command, "caFle"]);
        assert!(
            unknown.failure(2).contains("hint: did you mean `ca-file`?"),
            "{unknown:?}"
        );
    }
    for (arguments, error) in [
        (["password", "x"], "password is a secret"),
        (
            ["host", "admin:hidden@lab"],
            "must not contain a user name or password",
        ),
        (["max-retries", "many"], "invalid value \"many\" for max-retries"),
        (["caFle", "x"], "hint: did you mean `ca-file`?"),
        (
            ["retry-on-status-codes", "503,99"],
            "`retryOnStatusCodes[1]` must be a status from 100 to 599",
        ),
        (["enforcement-point", "a/b"], "use its id, not its path"),
        (["cloud-auth-mode", "basic"], "must be Default, Bearer or Basic"),
    ] {
        let failed = run(&[&["config", "set"], &arguments[..]].concat());
        assert!(failed.failure(2).contains(error), "{failed:?}");
    }
    // An unknown setting may be a misspelt secret.
    let misspelt = home.path().join("misspelt.toml");
    std::fs::write(
        &misspelt,
        "host = \"a\"\npasswd = \"hidden-1\"\n[profiles.p]\nx = {password = \"hidden-2\"}\n",
    )
    .unwrap();
    let shown = run(&[
        "config",
        "show",
        "--profile",
        "p",
        "--config",
        misspelt.to_str().unwrap(),
    ]);
    assert!(
        shown.stdout.contains("passwd") && !shown.stdout.contains("hidden-"),
        "{shown:?}"
    );
    let other = home.path().join("settings.yaml");
    std::fs::write(&other, "host: a\n").unwrap();
    let failed = run(&["config", "set", "host", "b", "--config", other.to_str().unwrap()]);
    assert!(failed.failure(2).contains("only TOML files"), "{failed:?}");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "host: a\n");
}

#[test]
fn a_profile_with_credentials_gets_no_other_host_from_the_file() {
    let shared = "host = \"old\"\n\n[profiles.lab]\npasswordCommand = \"pass show lab\"\n";
    let own = shared.replace("[profiles.lab]\n", "[profiles.lab]\nhost = \"other\"\n");
    for (before, change) in [
        (shared, &["set", "host", "new"][..]),
        (&own, &["unset", "host", "--profile", "lab"]),
    ] {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(file(home.path()).parent().unwrap()).unwrap();
        std::fs::write(file(home.path()), before).unwrap();
        let changed = Run::of(&mut at(home.path(), &[&["config"], change].concat()));
        let error = changed.failure(2);
        assert!(error.contains("profile lab of "), "{error}");
        assert!(error.contains("has credentials for another host"), "{error}");
        assert_eq!(text(home.path()), before);
    }
}

#[test]
fn what_credentials_belong_to_is_not_removed_before_them() {
    let settings = "host = \"old\"\nusername = \"u\"\npasswordCommand = \"pass\"\ncloudAuthHost = \"c\"\n\
                    cloudToken = \"t\"\n";
    for setting in ["host", "username", "cloudAuthHost"] {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(file(home.path()).parent().unwrap()).unwrap();
        std::fs::write(file(home.path()), settings).unwrap();
        let unset = Run::of(&mut at(home.path(), &["config", "unset", setting]));
        let error = unset.failure(2);
        assert!(
            error.contains(&format!("has credentials for this {setting}")),
            "{error}"
        );
        assert_eq!(text(home.path()), settings);
    }
}

#[test]
fn changes_of_several_processes_are_all_kept() {
    let home = tempfile::tempdir().unwrap();
    let profiles: Vec<String> = (0..12).map(|number| format!("p{number}")).collect();
    let set = |profile: &String| {
        let arguments = ["config", "set", "max-retries", "1", "--profile", profile];
        at(home.path(), &arguments).spawn().unwrap()
    };
    let running: Vec<_> = profiles.iter().map(set).collect();
    for mut process in running {
        assert!(process.wait().unwrap().success());
    }
    let text = text(home.path());
    for profile in &profiles {
        assert!(text.contains(&format!("[profiles.{profile}]\n")), "{text}");
    }
}

#[test]
fn a_setting_that_replaces_a_password_says_so() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(file(home.path()).parent().unwrap()).unwrap();
    std::fs::write(file(home.path()), "password = \"x\"\n").unwrap();
    let set = Run::of(&mut at(
        home.path(),
        &["config", "set", "password-command", "pass"],
    ));
    assert!(
        set.code == 0 && set.stderr.trim_end().ends_with("where it replaces password"),
        "{set:?}"
    );
}

#[cfg(not(target_os = "macos"))]
#[test]
fn a_keyring_that_hangs_is_waited_for_until_the_deadline() {
    let manager = Manager::serve(&[]);
    let home = tempfile::tempdir().unwrap();
    let (programs, path) = keyring(home.path());
    std::fs::write(programs.join("secret-tool"), "#!/bin/sh\nexec sleep 60\n").unwrap();
    let host = manager.variable("NETMGR_HOST");
    let flags = [
        "--password-stdin",
        "--host",
        host,
        "--username",
        "admin",
        "--deadline",
        "5",
    ];
    let mut login = at(home.path(), &[&["login", "--keyring"], &flags[..]].concat());
    let password = format!("{}\n", manager.variable("NETMGR_PASSWORD"));
    let run = Run::with_input(login.env("PATH", path), &password);
    assert!(run.failure(8).contains("in the keyring"), "{run:?}");
}

#[test]
fn licence_keys_of_a_file_belong_to_its_host() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(file(home.path()).parent().unwrap()).unwrap();
    let settings = "host = \"old\"\nlicenseKeys = [\"AAAAA-BBBBB-CCCCC-DDDDD-EEEEE\"]\n";
    std::fs::write(file(home.path()), settings).unwrap();
    let mut lookup = at(
        home.path(),
        &["get", "manager-info", "--host", "http://127.0.0.1:9"],
    );
    let run = Run::of(lookup.env("NETMGR_USERNAME", "u").env("NETMGR_PASSWORD", "x"));
    let error = run.failure(2);
    assert!(
        error.contains("sent only to the host of the file") && error.contains("licenseKeys"),
        "{error}"
    );
    // They are no login, so those of the environment are used with a profile that has only keys.
    let profile = format!("[profiles.a]\n{}", settings.replace("old", "http://127.0.0.1:9"));
    std::fs::write(file(home.path()), profile).unwrap();
    let mut lookup = at(
        home.path(),
        &["get", "manager-info", "--profile", "a", "--max-retries", "0"],
    );
    let run = Run::of(lookup.env("NETMGR_USERNAME", "u").env("NETMGR_PASSWORD", "x"));
    assert_eq!(run.code, 6, "{run:?}");
}

#[test]
fn a_private_key_beside_a_certificate_is_not_shown() {
    let home = tempfile::tempdir().unwrap();
    let pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nhidden-1\n\
               -----END PRIVATE KEY-----\n";
    for arguments in [&["config", "show"][..], &["config", "get", "ca"]] {
        let shown = Run::of(at(home.path(), arguments).env("NETMGR_CA", pem));
        assert!(shown.code == 0 && !shown.stdout.contains("hidden-1"), "{shown:?}");
    }
    let refused = Run::of(&mut at(home.path(), &["get", "manager-info", "--ca", pem]));
    let error = refused.failure(2);
    assert!(!error.contains("hidden-1") && error.contains("--ca"), "{error}");
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
