//! netmgr on a terminal: progress, colours, widths, prompts, and interruption.

use crate::support::{Manager, program};
use crate::terminal::Terminal;

const PENDING: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013";
const SLOW: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0011";

#[test]
fn a_wait_has_one_line_that_is_renewed_and_then_removed() {
    let manager = Manager::start();
    let wait = ["get", "compute-manager-realization", "--delay=0", "--id", SLOW];
    let ended = Terminal::run(&manager.program(&wait), 120).end();
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.output.contains("next poll in"), "{ended:?}");
    assert!(
        ended.output.contains("\r\x1b[2Kwaiting for compute manager"),
        "{ended:?}"
    );
    assert!(!ended.screen.contains("waiting for"), "{}", ended.screen);
    assert!(ended.screen.contains("registrationStatus"), "{}", ended.screen);
}

#[test]
fn a_status_line_fits_the_width_of_the_terminal() {
    let manager = Manager::start();
    let wait = ["get", "compute-manager-realization", "--delay=0", "--id", PENDING];
    let mut terminal = Terminal::run(&manager.program(&wait), 80);
    // The name of the object is cut, but not its state.
    terminal.wait_for("waiting for compute manager 9c8d3c5e");
    terminal.wait_for("…: pending after ");
    terminal.ctrl_c();
    let ended = terminal.end();
    assert_eq!(ended.code, 130, "{ended:?}");
    assert_eq!(ended.screen.trim(), "error: interrupted");
}

#[test]
fn a_login_without_a_response_is_shown_after_two_seconds() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = program(["get", "policy-group", "web"]);
    command
        .env("NETMGR_HOST", format!("http://{}", silent.local_addr().unwrap()))
        .envs([("NETMGR_USERNAME", "admin"), ("NETMGR_PASSWORD", "secret")]);
    let mut terminal = Terminal::run(&command, 80);
    terminal.wait_for("no response from the manager for 2 s");
    terminal.wait_for("no response from the manager for 3 s");
    terminal.ctrl_c();
    let ended = terminal.end();
    assert_eq!(ended.code, 130, "{ended:?}");
    assert_eq!(ended.screen.trim(), "error: interrupted");
}

#[test]
fn rows_fit_a_narrow_terminal_and_the_members_of_an_object_are_whole() {
    let list = [
        "--simulate",
        "list",
        "policy-edge-cluster",
        "--fields",
        "displayName,path",
    ];
    let ended = Terminal::run(&program(list), 60).end();
    // The end of a path distinguishes it.
    assert!(ended.screen.contains("  …"), "{}", ended.screen);
    assert!(
        ended.screen.contains("2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0010\n"),
        "{}",
        ended.screen
    );
    assert!(ended.output.contains("\x1b[1mDISPLAY NAME"), "{ended:?}");
    let piped = Terminal::with_piped_output(&program(list), 60).end();
    assert!(!piped.piped.contains(['…', '\x1b']), "{piped:?}");

    let get = ["--simulate", "get", "policy-edge-cluster", "edge"];
    let ended = Terminal::run(&program(get), 40).end();
    assert!(!ended.screen.contains('…'), "{}", ended.screen);
    assert!(
        ended
            .screen
            .replace('\n', "")
            .contains("/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0010"),
        "{}",
        ended.screen
    );

    let functions = Terminal::run(&program(["types"]), 80).end().screen;
    assert!(
        functions.contains("\n  policy-edge-transport-node-realization                Waits "),
        "{functions}"
    );
    assert!(functions.contains('…'), "{functions}");
}

#[test]
fn a_list_shows_the_rows_and_pages_read() {
    let manager = Manager::with(&["--objects", "3000"]);
    let list = ["list", "policy-certificate", "-o", "json"];
    let ended = Terminal::with_piped_output(&manager.program(&list), 100).end();
    assert!(
        ended.output.contains(" certificates; read 1 page, "),
        "{}",
        ended.output
    );
    // The line is removed at the end.
    assert_eq!(ended.screen.trim(), "", "{}", ended.screen);
    assert!(ended.piped.starts_with("[\n"), "{ended:?}");
}

#[test]
fn rows_that_are_printed_as_they_arrive_replace_the_status_line() {
    for (format, screen) in [
        ("name", "app-servers\n"),
        ("csv", "displayName\napp-servers\n"),
        ("ndjson", "{\"displayName\":\"app-servers\"}\n"),
    ] {
        let list = ["--simulate", "list", "policy-group", "--limit", "1", "-o", format];
        let mut command = program(list);
        // The line is also shown on a terminal that does not report its width.
        let ended = Terminal::run(command.args(["--fields", "displayName"]), 0).end();
        assert!(ended.output.contains("; read 1 page"), "{ended:?}");
        assert_eq!(ended.screen, format!("{screen}the list ended at --limit 1"));
    }
}

#[test]
fn a_table_has_no_colours_with_no_color() {
    let list = ["--simulate", "list", "ip-pool"];
    let ended = Terminal::run(program(list).env("NO_COLOR", "1"), 80).end();
    // Only the status line moves the cursor.
    assert!(!ended.output.contains("\x1b[1m"), "{ended:?}");
}

#[test]
fn a_missing_password_is_prompted_for_and_not_shown() {
    let manager = Manager::start();
    let mut command = manager.program(&["get", "manager-info"]);
    command.env_remove("NETMGR_PASSWORD");
    let mut terminal = Terminal::run(&command, 100);
    terminal.wait_for("Password of");
    terminal.type_line(manager.variable("NETMGR_PASSWORD"));
    let ended = terminal.end();
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(
        !ended.output.contains(manager.variable("NETMGR_PASSWORD")),
        "{ended:?}"
    );
    assert!(ended.screen.contains("9.1.1.0"), "{}", ended.screen);
}

#[test]
fn ctrl_c_ends_a_prompt_and_a_filter_that_never_ends() {
    let manager = Manager::start();
    let mut command = manager.program(&["get", "manager-info"]);
    command.env_remove("NETMGR_PASSWORD");
    let mut terminal = Terminal::run(&command, 100);
    terminal.wait_for("Password of");
    terminal.ctrl_c();
    assert_eq!(terminal.end().code, 130);
    let endless = ["get", "manager-info", "--stats", "--query", "last(repeat(.))"];
    let mut command = manager.program(&endless);
    command.arg("-v");
    let mut terminal = Terminal::run(&command, 100);
    terminal.wait_for("path=/api/v1/node/version");
    terminal.ctrl_c();
    assert_eq!(terminal.end().code, 130);
}

#[test]
fn a_word_that_bash_completes_is_the_name_that_was_begun() {
    let names = [
        ("pool", "first $(pool) \"1\" of"),
        ("team", "team:web servers"),
        ("web", "web servers"),
        ("hello", "Hello World!"),
        ("colon", "a:b=c d"),
        ("sum", "=1+1"),
        ("equal", "a=b"),
        ("star", "x*y"),
    ];
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x*y"), "").unwrap();
    let inventory = folder.path().join("pools.json");
    let pools = names.map(|(id, name)| serde_json::json!({ "id": id, "display_name": name }));
    let pools = serde_json::json!({ "/api/v1/pools/ip-pools": pools });
    std::fs::write(&inventory, pools.to_string()).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", inventory.to_str().unwrap()]);
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_netmgr"));
    let mut bash = std::process::Command::new("/bin/bash");
    bash.args(["--norc", "--noprofile", "-i"])
        .envs(manager.environment())
        .env("HOME", folder.path())
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", program.parent().unwrap().display()),
        )
        .env("PS1", "> ");
    let mut terminal = Terminal::run(&bash, 200);
    terminal.type_line("cd; source <(netmgr completions bash); echo rea''dy");
    terminal.wait_for("ready");
    let begun = [
        ("--display-name \"fi", "pool"),
        ("--display-name 'fi", "pool"),
        ("--display-name fi", "pool"),
        ("--display-name='team:", "team"),
        ("--display-name=\"team:w", "team"),
        ("'te'am:", "team"),
        ("team:", "team"),
        ("\"Hel", "hello"),
        ("'Hel", "hello"),
        ("--display-name=a:b=", "colon"),
        ("=", "sum"),
        ("--display-name =", "sum"),
        ("--display-name a=", "equal"),
        ("\"x", "star"),
        ("x", "star"),
    ];
    for (number, (begun, id)) in begun.into_iter().enumerate() {
        terminal.type_line(&format!(
            "netmgr get ip-pool {begun}\t -o csv --fields id; echo {number}'-th'"
        ));
        terminal.wait_for(&format!("\n{number}-th"));
        assert!(
            terminal
                .output()
                .contains(&format!("\nid\r\n{id}\r\n{number}-th")),
            "{begun}: {}",
            terminal.screen()
        );
    }
    terminal.type_line("exit");
    terminal.end();
}

#[test]
fn programs_get_names_as_they_are_and_terminals_without_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = folder.path().join("pools.json");
    let name = "\u{1f469}\u{200d}\u{1f4bb} \u{1b}[31m\u{202e}x";
    let pools = serde_json::json!({ "/api/v1/pools/ip-pools": [{ "id": "1", "display_name": name }] });
    std::fs::write(&inventory, pools.to_string()).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", inventory.to_str().unwrap()]);
    // The results of a filter in the usual format.
    let filtered = manager.program(&["list", "ip-pool", "--query", ".[].displayName"]);
    let piped = Terminal::with_piped_output(&filtered, 80).end();
    assert_eq!(piped.piped, format!("{name}\n"));
    let shown = Terminal::run(&filtered, 80).end();
    assert!(shown.screen.contains("\\u{1b}[31m\\u{202e}x"), "{shown:?}");
    for (format, output) in [
        ("name", format!("{name}\n")),
        ("csv", format!("displayName\n{name}\n")),
    ] {
        let list = manager.program(&["list", "ip-pool", "-o", format, "--fields", "displayName"]);
        let piped = Terminal::with_piped_output(&list, 80).end();
        assert_eq!(piped.piped, output);
        let shown = Terminal::run(&list, 80).end();
        assert!(!shown.output.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
        assert!(shown.screen.contains("\\u{1b}[31m\\u{202e}x"), "{shown:?}");
        let get = [
            "get",
            "ip-pool",
            "-o",
            format,
            "--fields",
            "displayName",
            "--display-name",
        ];
        let mut get = manager.program(&get);
        let found = crate::support::Run::of(get.arg(piped.piped.lines().last().unwrap()));
        assert_eq!(found.stdout, output);
    }
}
