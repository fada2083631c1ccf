//! Completion of the command line: a shell's script calls netmgr with the words so far (variable `COMPLETE`), so that
//! the candidates match the installed version.
//!
//! `netmgr completions` prints the scripts. Names of objects are in `completion/objects.rs`, their quoting in
//! `completion/quoting.rs` and `completion/bash.rs`, and names of functions, fields and profiles in
//! `completion/words.rs`, `completion/fields.rs` and `completion/profiles.rs`.

mod bash;
mod call;
pub(crate) mod fields;
mod objects;
pub(crate) mod profiles;
mod quoting;
pub(crate) mod words;

use std::env;
use std::ffi::{OsStr, OsString};

use clap::{ArgMatches, Command, ValueHint};
use clap_complete::{ArgValueCompleter, CompleteEnv};
use serde_json::{Map, Value};

use crate::arguments::{self, Commands};
use crate::catalog;
use crate::exit::Exit;
use crate::flags;
use crate::options::ConnectionOptions;
use crate::output::standard_error;

use call::CompletionCall;
pub(crate) use objects::complete_names;

/// Variable with which the script of a shell calls netmgr.
pub(crate) const VARIABLE: &str = "COMPLETE";

/// Variable in which the scripts pass the index of the word that is completed. Without it, this is the last one.
const INDEX: &str = "_CLAP_COMPLETE_INDEX";

/// Options of the connection that are offered, although the help of commands does not list them.
const OFFERED: [&str; 4] = ["config", "host", "profile", "simulate"];

/// The command with the completion of files, whose names are quoted like all others, and of common options. Before a
/// letter is typed, options are only offered if nothing else is.
fn completed(command: Command, is_empty: bool) -> Command {
    let mut command = command.mut_args(|argument| {
        let is_file = matches!(
            argument.get_value_hint(),
            ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath
        );
        let is_offered = OFFERED.contains(&argument.get_id().as_str());
        let argument = match is_file && argument.get::<ArgValueCompleter>().is_none() {
            true => argument.add(profiles::files()),
            false => argument,
        };
        let is_option = !argument.is_positional();
        match is_offered {
            true => argument.hide(is_empty),
            false if is_option && is_empty => argument.hide(true),
            false => argument,
        }
    });
    for below in command.get_subcommands_mut() {
        *below = completed(std::mem::take(below), is_empty);
    }
    command
}

/// The inputs of the function of `get` or `list` that its list has.
fn inputs(matches: &ArgMatches) -> Option<Map<String, Value>> {
    let (_, command) = matches.subcommand()?;
    let (name, inputs) = command.subcommand()?;
    Some(flags::object(&catalog::find(name)?.list_flags(), inputs))
}

/// Whether a word is `-` and a letter that is no option.
fn is_unknown_letter(word: &OsStr, commands: Commands) -> bool {
    let mut letters = word
        .to_str()
        .and_then(|word| word.strip_prefix('-'))
        .unwrap_or_default()
        .chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return false;
    };
    let mut command = arguments::command(commands);
    command.build();
    letter != '-'
        && !command
            .get_arguments()
            .any(|argument| argument.get_short() == Some(letter))
}

/// Answers a call of a completion script. Returns whether this was one.
pub(crate) fn answer(commands: Commands) -> bool {
    let Some(shell) = env::var_os(VARIABLE) else {
        return false;
    };
    let words: Vec<OsString> = env::args_os().skip_while(|word| word != "--").skip(1).collect();
    let options_last = arguments::options_last(words.clone());
    let matches = arguments::naming(arguments::command(commands), &words)
        .ignore_errors(true)
        .try_get_matches_from(options_last);
    let (options, inputs) = matches.map_or_else(
        |_| (ConnectionOptions::default(), Map::new()),
        |matches| {
            let options = ConnectionOptions::of(arguments::innermost(&matches));
            (options, inputs(&matches).unwrap_or_default())
        },
    );
    let index = env::var(INDEX).ok().and_then(|index| index.parse().ok());
    let so_far = &words[..index.map_or(words.len(), |index: usize| words.len().min(index + 1))];
    call::begin(CompletionCall {
        shell: shell.to_string_lossy().into_owned(),
        words: so_far
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        commands: commands.iter().map(|command| command.name).collect(),
        options,
        inputs,
    });
    let here = env::current_dir().ok();
    let is_empty = so_far.last().is_none_or(|word| word.is_empty());
    // After an unknown letter, the others would be offered, as if it were an option.
    if so_far
        .last()
        .is_some_and(|word| is_unknown_letter(word, commands))
    {
        return true;
    }
    let answered = CompleteEnv::with_factory(|| {
        let mut command = arguments::naming(arguments::command(commands), &words);
        // The flags of functions exist from now on.
        command.build();
        completed(command, is_empty)
    })
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
