//! `completions`: completion of the command line in a shell.
//!
//! The script that a shell loads calls the program for each completion, so that it fits the version that is
//! installed. Names of objects are in `completions/objects.rs`, and their quoting in
//! `completions/quoting.rs`.

mod objects;
mod quoting;

use std::env;
use std::sync::OnceLock;

use clap::{Arg, ArgMatches, Command, ValueEnum, builder::EnumValueParser};
use clap_complete::CompleteEnv;
use clap_complete::env::Shells;

use super::{Shared, Subcommand};
use crate::app::App;
use crate::arguments;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::output::{standard_error, standard_output};

pub(crate) use objects::complete_names;

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "completions",
    command,
    shared: Shared::NONE,
    run,
};

/// Variable with which the script of a shell calls the program.
const VARIABLE: &str = "COMPLETE";

/// Shells with completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    #[value(name = "powershell")]
    Pwsh,
    Elvish,
}

impl Shell {
    fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
            Self::Pwsh => "powershell",
            Self::Elvish => "elvish",
        }
    }
}

fn command() -> Command {
    Command::new("completions")
        .about("Prints the script with which a shell completes the command line")
        .long_about(
            "Prints the script with which a shell completes the command line: commands, functions, inputs, and the names \
             of objects on the manager of the settings. Load it in the start file of the shell:\n\n  \
             bash        source <(netmgr completions bash)\n  \
             zsh         source <(netmgr completions zsh)\n  \
             fish        netmgr completions fish | source\n  \
             PowerShell  netmgr completions powershell | Out-String | Invoke-Expression\n\n\
             Names of objects are completed when the settings describe a manager and a way to log in without a prompt. After a refused login they \
             are not completed for 15 minutes, so that completion does not lock the account.",
        )
        .after_help(
            "Examples:\n  netmgr completions bash > ~/.local/share/bash-completion/completions/netmgr\n  \
             netmgr completions zsh > ~/.zfunc/_netmgr",
        )
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .help("The shell")
                .value_parser(EnumValueParser::<Shell>::new()),
        )
}

fn run(_: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let shell: Shell = *matches.get_one("shell").expect("it is required");
    let shells = Shells::builtins();
    let adapter = shells
        .completer(shell.name())
        .expect("every shell has an adapter");
    let mut script = Vec::new();
    let name = SUBJECT;
    adapter
        .write_registration(VARIABLE, name, name, name, &mut script)
        .map_err(CliError::Output)?;
    standard_output(&String::from_utf8_lossy(&script))
}

/// Name of the program on the command line.
const SUBJECT: &str = "netmgr";

/// The shell whose script called the program.
static SHELL: OnceLock<String> = OnceLock::new();

/// The shell whose script called the program; empty without such a call.
fn shell() -> &'static str {
    SHELL.get().map_or("", String::as_str)
}

/// Answers a call of a completion script. Returns whether this was one.
pub(crate) fn answer() -> bool {
    let Some(shell) = env::var_os(VARIABLE) else {
        return false;
    };
    // The variable is removed before candidates are made.
    let _ = SHELL.set(shell.to_string_lossy().into_owned());
    let here = env::current_dir().ok();
    let answered = CompleteEnv::with_factory(arguments::command)
        .var(VARIABLE)
        .try_complete(env::args_os(), here.as_deref());
    match answered {
        Ok(answered) => answered,
        Err(error) => {
            standard_error(&format!("{}", error.render()));
            std::process::exit(Exit::Usage as i32);
        }
    }
}
