//! netmgr in a terminal: width, colours and Ctrl-C.

use std::process::Command;

use crate::support::{Manager, Run, netmgr, program};
use crate::terminal::Terminal;

/// A compute manager whose realization never ends.
const PENDING: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013";

/// Starts an escape sequence.
const ESCAPE: char = '\x1b';

#[test]
fn help_fits_the_width_of_the_terminal() {
    for columns in [60, 100] {
        let ended = Terminal::run(&program(["simulate", "--help"]), columns).end();
        assert_eq!(ended.code, 0);
        let widest = ended.screen.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(columns.into()), "{widest:?}\n{}", ended.screen);
        assert!(widest > Some(usize::from(columns) - 20), "{widest:?}");
    }
}

#[test]
fn the_help_of_the_program_fits_a_screen() {
    let ended = Terminal::run(&program(["--help"]), 80).end();
    // The prompt is the 24th line.
    assert!(ended.screen.trim_end().lines().count() < 24, "{}", ended.screen);
    assert!(ended.screen.contains("convert-terraform") && ended.screen.contains("options "));
    let longest = ended.screen.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(80), "{}", ended.screen);
}

#[test]
fn references_are_whole_even_if_their_paths_do_not_fit() {
    let path = "/infra/domains/default/groups/web-servers";
    let ended = Terminal::run(&program(["--simulate", "references", path]), 80).end();
    assert!(ended.output.contains("SecurityPolicy  scope[0]"), "{ended:?}");
    assert!(ended.output.contains("destination_groups[0]"), "{ended:?}");
}

#[test]
fn options_name_flags_and_variables() {
    let options = netmgr(&["options"]).stdout.replace('\n', " ");
    let options: String = options.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Takes precedence over `--ca-file`.",
        "Requires `NETMGR_CLIENT_AUTH_KEY`.",
        "unless the function has an input `timeout`",
        " --allow-unverified-ssl[=<true|false>] ",
    ] {
        assert!(options.contains(part), "{part}: {options}");
    }
    let failed = Run::of(
        program(["get", "manager-info", "--host", "h", "--username", "u"])
            .args(["--retry-max-delay=1", "--retry-min-delay=5"]),
    );
    let error = "`--retry-max-delay` is 1 ms, but must not be less than `--retry-min-delay` (5 ms)";
    assert!(failed.failure(2).contains(error), "{failed:?}");
}

#[test]
fn help_has_colours_on_a_terminal_and_none_with_no_color() {
    let help = |command: &mut Command| Terminal::run(command, 80).end().output;
    assert!(help(&mut program(["--help"])).contains(ESCAPE));
    assert!(!help(program(["--help"]).env("NO_COLOR", "1")).contains(ESCAPE));
    assert!(!help(program(["--help"]).env("TERM", "dumb")).contains(ESCAPE));
}

#[test]
fn help_in_a_pipe_has_no_colours() {
    let ended = Terminal::with_piped_output(&program(["--help"]), 80).end();
    assert!(ended.piped.contains("Usage: netmgr"), "{ended:?}");
    assert!(!ended.piped.contains(ESCAPE), "{ended:?}");
    assert_eq!(ended.output, "");
}

#[test]
fn ctrl_c_in_the_terminal_ends_the_simulator() {
    let mut terminal = Terminal::run(&program(["simulate"]), 120);
    terminal.wait_for("press Ctrl-C to stop");
    terminal.ctrl_c();
    let ended = terminal.end();
    assert_eq!(ended.code, 0, "{ended:?}");
}

#[test]
fn ctrl_c_in_the_terminal_interrupts_a_wait() {
    let manager = Manager::start();
    let wait = ["get", "compute-manager-realization", "--id", PENDING];
    let mut terminal = Terminal::run(&manager.program(&wait), 200);
    terminal.wait_for("pending");
    terminal.ctrl_c();
    let ended = terminal.end();
    assert_eq!(ended.code, 130, "{ended:?}");
    assert!(ended.screen.ends_with("error: interrupted"), "{}", ended.screen);
}

#[test]
fn an_input_can_be_typed() {
    let arguments = ["--simulate", "get", "manager-info", "--input", "-"];
    let mut terminal = Terminal::run(&program(arguments), 100);
    terminal.type_line("{}");
    // Ctrl-D ends the input.
    terminal.type_keys("\x04");
    let ended = terminal.end();
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.screen.contains("9.1.1.0"), "{}", ended.screen);
}
