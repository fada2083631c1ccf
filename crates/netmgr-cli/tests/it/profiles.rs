//! Tests of profiles, of `config`, and of where passwords come from.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{INTERRUPT, Manager, Run, TERMINATE, assert_shown, program, signal};

/// A folder for the configuration with `config.toml` in it.
fn home(text: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".config/netmgr");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("config.toml");
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600)).unwrap();
    home
}

fn at(home: &tempfile::TempDir, arguments: &[&str]) -> Command {
    let mut command = program(arguments);
    command.env("HOME", home.path());
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command
}

fn without(home: &Path, text: &str) -> String {
    text.replace(home.to_str().unwrap(), "[home]")
}

/// Two profiles of a running manager, with passwords from different sources.
fn profiles(manager: &Manager) -> String {
    let of = |name| manager.variable(name);
    let (host, user, ca) = (of("NETMGR_HOST"), of("NETMGR_USERNAME"), of("NETMGR_CA_FILE"));
    let password = of("NETMGR_PASSWORD");
    format!(
        "# Kept.\nprofile = \"lab\"\ncaFile = '{ca}'\n\n\
         [profiles.lab]\nhost = '{host}'\nusername = '{user}'\npasswordCommand = ['echo', '{password}']\n\n\
         [profiles.prod]\nhost = '127.0.0.1:1'\nusername = 'reader'\npassword = 'hunter2'\nmaxRetries = 0\n"
    )
}

#[test]
fn a_profile_configures_a_connection_and_another_one_can_be_selected() {
    let manager = Manager::start();
    let home = home(&profiles(&manager));
    let run = |arguments: &[&str]| Run::of(&mut at(&home, arguments));
    let info = run(&["get", "manager-info", "-o", "json"]);
    assert_eq!(info.answer()["version"], "9.1.1.0.25108400");
    let prod = run(&["get", "manager-info", "--profile", "prod"]);
    assert!(
        prod.failure(6).contains("127.0.0.1:1: connection refused"),
        "{prod:?}"
    );
    let mistyped = run(&["get", "manager-info", "--profile", "prd"]);
    assert!(
        mistyped.failure(2).ends_with("hint: did you mean `prod`?\n"),
        "{mistyped:?}"
    );
    assert_eq!(run(&["config", "use", "prod"]).code, 0);
    let text = std::fs::read_to_string(home.path().join(".config/netmgr/config.toml")).unwrap();
    assert_eq!(
        text,
        profiles(&manager).replace("profile = \"lab\"", "profile = \"prod\"")
    );
    assert_eq!(run(&["get", "manager-info"]).code, 6);
    assert!(
        run(&["config", "use", "nothing"])
            .failure(2)
            .contains("the profiles are lab, prod")
    );
}

#[test]
fn the_settings_are_shown_with_their_origins_and_without_secrets() {
    let home = home(
        "profile = 'lab'\nenforcementPoint = 'east'\n\n[profiles.lab]\nhost = 'lab.example.com'\n\
         username = 'admin'\npassword = 'hunter2'\n\n[profiles.prod]\nhost = 'prod.example.com'\n",
    );
    let mut command = at(&home, &["config", "show", "--origin", "--max-retries", "2"]);
    command.envs([
        ("NETMGR_USERNAME", "auditor"),
        ("NETMGR_CLOUD_CLIENT_SECRET", "hunter2"),
    ]);
    let shown = Run::of(&mut command);
    assert!(!shown.stdout.contains("hunter2"), "{shown:?}");
    let profiles = Run::of(&mut at(&home, &["config", "profiles"]));
    let path = Run::of(&mut at(&home, &["config", "path"]));
    let all = format!("{shown}\n{profiles}\n{path}");
    assert_shown!("config", without(home.path(), &all));
}

#[test]
fn a_password_is_read_from_standard_input_and_from_a_file() {
    let manager = Manager::start();
    let password = manager.variable("NETMGR_PASSWORD").to_owned();
    let info = |flags: &[&str]| {
        let mut command = manager.program(&["get", "manager-info"]);
        command.env_remove("NETMGR_PASSWORD").args(flags);
        command
    };
    let typed = Run::with_input(&mut info(&["--password-stdin"]), &format!("{password}\n"));
    assert_eq!(typed.code, 0, "{typed:?}");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{password}\n")).unwrap();
    let path = file.path().to_str().unwrap();
    assert_eq!(Run::of(&mut info(&["--password-file", path])).code, 0);
    let missing = Run::of(&mut info(&["--password-file", "/nonexistent"]));
    assert!(
        missing.failure(2).contains("caused by: No such file"),
        "{missing:?}"
    );
    let both = Run::of(&mut info(&["--password-stdin", "--input", "-"]));
    assert!(both.failure(2).contains("both read standard input"), "{both:?}");
}

/// `netmgr get manager-info` with a password that a shell prints.
fn with_password_command(manager: &Manager, script: &str) -> Command {
    let mut command = manager.program(&["get", "manager-info", "-o", "json"]);
    command
        .env_remove("NETMGR_PASSWORD")
        .env("RIGHT", manager.variable("NETMGR_PASSWORD"))
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("NETMGR_PASSWORD_COMMAND", script);
    command
}

#[test]
fn only_the_first_line_of_a_password_command_counts_and_nothing_that_it_leaves_behind_is_awaited() {
    let manager = Manager::start();
    for script in [
        "echo \"$RIGHT\"; echo second line",
        "printf %s \"$RIGHT\"; sleep 60 &",
        "echo \"$RIGHT\"; sleep 60",
        "echo \"$RIGHT\"; exec >&-; sleep 60",
        "echo \"$RIGHT\"; yes",
        "echo \"$RIGHT\"; yes & true",
        "printf %s \"$RIGHT\"; (sleep 10; while echo; do sleep 0.1; done) &",
    ] {
        #[allow(clippy::disallowed_methods, reason = "another process, so no paused clock")]
        let start = Instant::now();
        // A process that is left behind would also keep standard error open.
        let script = format!("exec 2> /dev/null; {script}");
        let run = Run::of(&mut with_password_command(&manager, &script));
        assert_eq!(run.code, 0, "{script}: {run:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{script}");
    }
    for (script, reason) in [
        ("cat /dev/zero", "the first line is too long"),
        ("echo \"$RIGHT\"; exit 3", "sh failed with exit status: 3"),
        ("true", "the password (output of true) is empty"),
    ] {
        let run = Run::of(&mut with_password_command(&manager, script));
        assert!(run.failure(2).contains(reason), "{script}: {run:?}");
    }
}

#[test]
fn a_password_command_ends_with_the_program() {
    let manager = Manager::start();
    for by in [INTERRUPT, TERMINATE] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("process");
        let script = format!(
            "echo $$ > {0}.new; mv {0}.new {0}; exec sleep 600",
            file.display()
        );
        let child = with_password_command(&manager, &script)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while !file.exists() {
            std::thread::yield_now();
        }
        #[allow(clippy::disallowed_methods, reason = "another process, so no paused clock")]
        let start = Instant::now();
        signal(&child, by);
        // The command has standard error open as long as it runs.
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
        assert!(start.elapsed() < Duration::from_secs(20), "{by}");
    }
}

#[test]
fn the_credentials_of_a_profile_go_to_its_host_only() {
    let manager = Manager::start();
    let home = home(&profiles(&manager));
    let elsewhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let host = elsewhere.local_addr().unwrap().to_string();
    let info = |flags: &[&str], variables: &[(&str, &str)]| {
        let arguments = [
            &["get", "manager-info", "-o", "json", "--max-retries", "0"],
            flags,
        ]
        .concat();
        Run::of(at(&home, &arguments).envs(variables.iter().copied()))
    };
    // A named profile is used as a whole, and variables fill in the rest.
    let variables = [
        ("NETMGR_HOST", host.as_str()),
        ("NETMGR_PASSWORD", "hunter2"),
        ("NETMGR_CLOUD_TOKEN", "hunter3"),
    ];
    for variables in [&variables[..1], &variables] {
        let named = info(&["--profile", "lab"], variables);
        assert_eq!(named.answer()["id"], "manager-info");
    }
    for refused in [
        info(&[], &variables[..1]),
        info(&["--host", &host], &[]),
        info(&["--profile", "lab", "--host", &host], &[]),
    ] {
        let report = refused.failure(2);
        assert!(
            report.starts_with(
                "error: the credentials of a profile are sent only to the host of the profile\n"
            ),
            "{report}"
        );
        assert!(report.contains("password is from profile lab in "), "{report}");
        assert!(
            report.contains("environment NETMGR_HOST") || report.contains("flag --host"),
            "{report}"
        );
    }
    assert!(elsewhere.accept().is_err(), "something was sent");
    // With its own credentials, another host is used.
    let other = info(&[], &[("NETMGR_HOST", "127.0.0.1:1"), ("NETMGR_PASSWORD", "x")]);
    assert!(other.failure(6).contains("127.0.0.1:1"), "{other:?}");
}

#[test]
fn the_credentials_of_a_file_go_to_its_host_and_are_for_its_user() {
    let elsewhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let host = elsewhere.local_addr().unwrap().to_string();
    let access = "host = '127.0.0.1:1'\nusername = 'admin'\n";
    for secret in [
        "password = 'x'",
        "passwordFile = '/dev/null'",
        "passwordCommand = 'echo x'",
        "passwordKeyring = true",
        "cloudToken = 'x'",
        "clientAuthCert = 'x'\nclientAuthKey = 'x'",
        "password = 'x'\n[profiles.default]\nhost = 'HOST'",
        "[profiles.default]\npassword = 'x'",
    ] {
        let home = home(&format!("{access}{secret}\n").replace("HOST", &host));
        let commands = [
            "get manager-info",
            "doctor",
            "login --username=admin --password-stdin",
        ];
        // A login replaces a password, but no other credentials.
        let has_password = secret.contains("password");
        for command in &commands[..if has_password { 2 } else { 3 }] {
            let mut command = at(&home, &command.split(' ').collect::<Vec<_>>());
            let run = Run::with_input(command.args(["--host", &host]), "x\n");
            let report = run.failure(2);
            assert!(
                report.contains("are sent only to the host of the "),
                "{secret}: {report}"
            );
        }
    }
    assert!(elsewhere.accept().is_err(), "something was sent");
    let home = home(&format!(
        "{access}password = 'x'\n[profiles.cloud]\ncloudToken = 'y'\n"
    ));
    for (flags, rule) in [
        (&["--username=root"][..], "used only for the user of the file"),
        (
            &["--profile=cloud", "--cloud-auth-host=x"],
            "sent only to the authorization service of the profile",
        ),
    ] {
        let run = Run::of(&mut at(&home, &[&["get", "manager-info"], flags].concat()));
        assert!(run.failure(2).contains(rule), "{run:?}");
    }
    // The same host in another form.
    let same = Run::of(&mut at(
        &home,
        &[
            "get",
            "manager-info",
            "--host=https://127.0.0.1:1",
            "--max-retries=0",
        ],
    ));
    assert_eq!(same.code, 6, "{same:?}");
}

#[test]
fn a_warning_names_a_file_with_credentials_that_others_can_access() {
    let manager = Manager::start();
    let home = home(&profiles(&manager));
    let file = home.path().join(".config/netmgr/config.toml");
    let set =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let warning = || Run::of(&mut at(&home, &["get", "manager-info"])).stderr;
    for (mode, access) in [(0o644, "read it"), (0o666, "change it"), (0o620, "change it")] {
        set(&file, mode);
        let start = format!(
            "warning: {} has credentials, and other users can {access}; ",
            file.display()
        );
        assert!(warning().starts_with(&start), "{mode:o}: {}", warning());
    }
    set(&file, 0o600);
    set(file.parent().unwrap(), 0o777);
    assert!(warning().contains("other users can replace it"), "{}", warning());
    set(file.parent().unwrap(), 0o700);
    assert_eq!(warning(), "");
    let password = home.path().join("password");
    std::fs::write(&password, manager.variable("NETMGR_PASSWORD")).unwrap();
    set(&password, 0o600);
    // Files without credentials, and with the name of a file that has them.
    for (text, mode, is_named) in [
        ("maxRetries = 0", 0o666, false),
        ("passwordFile = '../../password'", 0o644, false),
        ("passwordFile = '../../password'", 0o666, true),
        ("cloudToken = 'x'", 0o644, true),
    ] {
        std::fs::write(&file, format!("host = '127.0.0.1:1'\nusername = 'x'\n{text}\n")).unwrap();
        set(&file, mode);
        let shown = Run::of(&mut at(&home, &["doctor"])).stderr;
        assert_eq!(shown.contains("warning: "), is_named, "{text}: {shown}");
    }
    set(&password, 0o644);
    let mut command = manager.program(&["get", "manager-info"]);
    let run = Run::of(
        command
            .env_remove("NETMGR_PASSWORD")
            .arg("--password-file")
            .arg(&password),
    );
    assert!(run.stderr.contains("other users can read it"), "{run:?}");
}

#[test]
fn paths_of_a_file_and_its_password_command_are_relative_to_it() {
    let manager = Manager::start();
    let home = home("");
    let folder = home.path().join(".config/netmgr");
    let of = |name| manager.variable(name);
    std::fs::copy(of("NETMGR_CA_FILE"), folder.join("ca.pem")).unwrap();
    std::fs::write(folder.join("password"), of("NETMGR_PASSWORD")).unwrap();
    for source in ["passwordCommand = 'cat password'", "passwordFile = './password'"] {
        let text = format!(
            "host = '{}'\nusername = 'admin'\ncaFile = 'ca.pem'\n{source}\n",
            of("NETMGR_HOST")
        );
        std::fs::write(folder.join("config.toml"), text).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::fs::write(elsewhere.path().join("ca.pem"), "").unwrap();
        let info = Run::of(at(&home, &["get", "manager-info", "-o", "json"]).current_dir(elsewhere.path()));
        assert_eq!(
            (info.code, &*info.json()["id"].to_string()),
            (0, "\"manager-info\""),
            "{info:?}"
        );
    }
}

#[test]
fn the_configuration_file_keeps_its_comments_and_may_be_absent() {
    let text = "# Above.\nprofile  =  'lab'  # the usual one\n[profiles.lab]\nhost = 'l'\n[profiles.prod]\nhost = 'p'\n";
    let home = home(text);
    assert_eq!(Run::of(&mut at(&home, &["config", "use", "prod"])).code, 0);
    let file = home.path().join(".config/netmgr/config.toml");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        text.replace("'lab'", "\"prod\"")
    );
    std::fs::remove_file(&file).unwrap();
    let none = Run::of(&mut at(&home, &["config", "profiles"]));
    assert_eq!((none.code, none.stdout.as_str()), (0, ""), "{none:?}");
    let empty = Run::of(&mut at(&home, &["config", "profiles", "-o", "json"]));
    assert_eq!((empty.code, empty.stdout.as_str()), (0, "[]\n"), "{empty:?}");
    assert!(
        none.stderr.starts_with("there is no configuration file at "),
        "{none:?}"
    );
    let named = Run::of(&mut at(
        &home,
        &["config", "profiles", "--config", "/nonexistent"],
    ));
    assert!(
        named.failure(2).starts_with("error: cannot read /nonexistent\n"),
        "{named:?}"
    );
    let alone = Run::of(&mut at(&home, &["config"]));
    assert!(
        alone
            .failure(2)
            .starts_with("Show and change settings and profiles\n\nUsage: netmgr config "),
        "{alone:?}"
    );
}

#[test]
fn a_profile_without_a_file_has_one_error() {
    let empty = tempfile::tempdir().unwrap();
    for arguments in [
        &["config", "use", "lab"][..],
        &["config", "show", "--profile", "lab"],
        &["diff", "lab", "prod"],
    ] {
        let run = Run::of(
            program(arguments)
                .env("HOME", empty.path())
                .env("XDG_CONFIG_HOME", empty.path()),
        );
        let error = run.failure(2);
        assert!(
            error.contains("there is no configuration file with a profile \"lab\""),
            "{arguments:?}: {error}"
        );
    }
}
