//! `completions`: the script with which a shell completes the command line.
//!
//! The script calls the binary, which answers in `completion.rs`.

use clap::{Arg, ArgMatches, Command};
use clap_complete::env::Shells;

use crate::app::App;
use crate::completion::VARIABLE;
use crate::failure::CliError;
use crate::output::standard_output;
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "completions",
    command,
    shared: SharedOptions::None,
    run,
};

/// Shells with completions.
const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

fn command() -> Command {
    Command::new("completions")
        .about("Print the completion script for a shell")
        .long_about(
            "Print the completion script for a shell. It completes commands, functions, inputs and the names of \
             objects on the configured manager. Load it in the shell's start file:\n\n  \
             bash        source <(netmgr completions bash)\n  \
             zsh         source <(netmgr completions zsh)\n  \
             fish        netmgr completions fish | source\n  \
             PowerShell  netmgr completions powershell | Out-String | Invoke-Expression\n\n\
             Object names are completed if the settings allow a login without a prompt. After a rejected login, they \
             are not completed for 15 minutes, so completion cannot lock the account.",
        )
        .after_help(
            "Examples:\n  netmgr completions bash > ~/.local/share/bash-completion/completions/netmgr\n  \
             netmgr completions zsh > ~/.zfunc/_netmgr",
        )
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .help("Shell that loads the script")
                .value_parser(SHELLS),
        )
}

/// The script of bash. It passes words with their quotes, and replaces only the part of a word that bash does.
const BASH: &str = include_str!("completions.bash");

fn run(_: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let shell: &String = matches.get_one("shell").expect("it is required");
    if shell == "bash" {
        return standard_output(BASH);
    }
    let shells = Shells::builtins();
    let adapter = shells.completer(shell).expect("every shell has an adapter");
    let mut script = Vec::new();
    let name = "netmgr";
    adapter
        .write_registration(VARIABLE, name, name, name, &mut script)
        .map_err(CliError::Output)?;
    standard_output(&String::from_utf8_lossy(&script))
}
