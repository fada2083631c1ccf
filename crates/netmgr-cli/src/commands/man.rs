//! `man`: manual pages.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_mangen::Man;

use crate::app::App;
use crate::arguments::unknown_command;
use crate::catalog;
use crate::completion::words::complete_command;
use crate::failure::CliError;
use crate::files;
use crate::output::standard_output;
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "man",
    command,
    shared: SharedOptions::None,
    run,
};

fn command() -> Command {
    Command::new("man")
        .about("Print the manual page of a command")
        .after_help("Examples:\n  netmgr man | man -l -\n  netmgr man get policy-edge-cluster | man -l -\n  netmgr man --dir /usr/local/share/man/man1")
        .arg(complete_command(
            Arg::new("command")
                .value_name("COMMAND")
                .num_args(0..)
                .help("Command, such as `get policy-group` [default: netmgr itself]"),
        ))
        .arg(
            Arg::new("dir")
                .long("dir")
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("command")
                .help("Folder to write the pages of all commands to"),
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    if let Some(folder) = matches.get_one::<PathBuf>("dir") {
        return write_all(app, folder);
    }
    let words = matches.get_many::<String>("command").into_iter().flatten();
    let mut words: Vec<&str> = words.map(String::as_str).collect();
    let function = match words.as_slice() {
        ["get", word] => catalog::find(word),
        ["list", word] => catalog::find_listed(word),
        _ => None,
    };
    if let Some(function) = function {
        words[1] = &function.name;
    }
    let (name, page) = pages(app)
        .into_iter()
        .find(|(_, page)| page.words[1..] == words[..])
        .map(|(name, page)| (name, page.command))
        .ok_or_else(|| unknown_command(&words, &app.command_line))?;
    standard_output(&String::from_utf8_lossy(&rendered(&name, page)?))
}

/// A command and the words that call it.
struct ManualPage {
    words: Vec<String>,
    command: Command,
}

/// The commands by the names of their pages: `netmgr-get-ip-pool`.
fn pages(app: &App) -> Vec<(String, ManualPage)> {
    // Instead of a list of all options.
    let mut root = app
        .command_line
        .clone()
        .override_usage("netmgr [OPTIONS] <COMMAND>");
    root.build();
    let mut pages = Vec::new();
    collect(&root, &[], &mut pages);
    pages
}

fn collect(command: &Command, above: &[String], pages: &mut Vec<(String, ManualPage)>) {
    let mut words = above.to_vec();
    words.push(command.get_name().to_owned());
    for below in command.get_subcommands() {
        if below.get_name() != "help" && !below.is_hide_set() {
            collect(below, &words, pages);
        }
    }
    let command = with_examples(command.clone());
    pages.push((words.join("-"), ManualPage { words, command }));
}

/// The command with what precedes the options in its help at the end, because manual pages omit it.
fn with_examples(command: Command) -> Command {
    let Some(before) = command.get_before_help().map(ToString::to_string) else {
        return command;
    };
    let after = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    command.after_help(format!("{before}\n\n{after}"))
}

fn rendered(name: &str, command: Command) -> Result<Vec<u8>, CliError> {
    let mut page = Vec::new();
    // Without the words of the commands above, which clap has put in front of the name.
    let command = command.display_name(name.to_owned()).name(name.to_owned());
    Man::new(command)
        .title(name.to_uppercase())
        .manual("netmgr")
        .source(concat!("netmgr ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)
        .map_err(CliError::Output)?;
    Ok(page)
}

fn write_all(app: &App, folder: &Path) -> Result<(), CliError> {
    let unusable = |path: &Path, error| CliError::unwritable(path.display(), error);
    fs::create_dir_all(folder).map_err(|error| unusable(folder, error))?;
    for (name, page) in pages(app) {
        let text = rendered(&name, page.command)?;
        let file = folder.join(format!("{name}.1"));
        files::create(&file, &text).map_err(|error| unusable(&file, error))?;
    }
    Ok(())
}
