//! Usage errors in the form of all errors: the problem, and a hint.

use std::borrow::Cow;
use std::error::Error as _;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use heck::ToKebabCase as _;
use netmgr_lookups::similar;
use netmgr_types::ProviderConfig;

use crate::catalog;
use crate::failure::CliError;
use crate::suggest::{self, UnknownWord};

/// The output of the program without a command.
pub(super) const FIRST_SCREEN: &str = "netmgr looks up objects of a VMware NSX manager.

Try it against a simulated manager:
  netmgr --simulate get policy-edge-cluster edge

Use it with yours:
  export NETMGR_HOST=manager.example.com NETMGR_USERNAME=admin
  netmgr get policy-edge-cluster edge

Discover more:
  netmgr types     lists all object types
  netmgr --help    lists the commands
  netmgr options   lists the connection options";

/// An error of clap for these words.
pub(super) fn explained(error: &clap::Error, words: &[OsString], command_line: &Command) -> CliError {
    if let Some(UnknownWord { what, hint }) = error.source().and_then(|source| source.downcast_ref()) {
        return CliError::usage(what, hint);
    }
    let rendered = error.render().to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return CliError::Incomplete(rendered.trim_end().to_owned());
    }
    let (message, rest) = rendered.split_once("\n\n").unwrap_or((&rendered, ""));
    let message = message.trim();
    let what = message.strip_prefix("error: ").unwrap_or(message).to_owned();
    let usage = rest.lines().find_map(|line| line.strip_prefix("Usage: "));
    let running = RunningCommand::of(usage.unwrap_or_default(), words, command_line);
    // For an unknown argument, clap adds the options that it guesses.
    let usage = usage.map(|usage| match error.kind() {
        ErrorKind::UnknownArgument => format!("usage: {}", running.usage()),
        _ => format!("usage: {usage}"),
    });
    let (what, hint) = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let (what, hint) = running.unknown_name(&strings(error, ContextKind::InvalidSubcommand).concat());
            (what, Some(hint))
        }
        ErrorKind::UnknownArgument => {
            let (what, hint) = running.unknown_argument(&strings(error, ContextKind::InvalidArg).concat());
            (what, hint.or(usage))
        }
        ErrorKind::InvalidValue => {
            let values = strings(error, ContextKind::ValidValue);
            let value = strings(error, ContextKind::InvalidValue).concat();
            let what = match what.split_once("\n  [possible values: ") {
                Some((what, _)) => format!("{what}; the values are {}", values.join(", ")),
                None => what,
            };
            (what, near(&value, &values))
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = strings(error, ContextKind::InvalidArg);
            let what = match missing.as_slice() {
                [only] => format!("{only} is required"),
                [others @ .., last] => format!("{} and {last} are required", others.join(", ")),
                [] => what,
            };
            (what, usage)
        }
        _ => (what, usage),
    };
    CliError::usage(
        what,
        hint.unwrap_or_else(|| "`--help` describes the options".to_owned()),
    )
}

/// The error for words that are not UTF-8. They may be secret and are not shown.
pub(super) fn not_utf8(words: &[OsString]) -> CliError {
    let problems = words.iter().enumerate().filter_map(|(index, word)| {
        let problem = str::from_utf8(word.as_encoded_bytes()).err()?;
        let before = words[index.saturating_sub(1)]
            .to_str()
            .filter(|word| word.starts_with('-'));
        let after = before.map_or_else(String::new, |flag| format!(" after {flag}"));
        Some(format!("argument {index}{after}: {problem}"))
    });
    CliError::usage_because(
        "an argument is not UTF-8",
        problems.collect::<Vec<_>>().join("; "),
        "use a UTF-8 terminal and shell; only file names may contain other bytes",
    )
}

/// The error for words that name no command.
pub(crate) fn unknown_command(words: &[&str], command_line: &Command) -> CliError {
    let mut running = RunningCommand {
        command: command_line,
        name: String::new(),
        root: command_line,
        words: Vec::new(),
    };
    let mut unknown = "";
    for word in words {
        unknown = word;
        let Some(below) = running.command.find_subcommand(word) else {
            break;
        };
        running.command = below;
        running.name = format!("{} {word}", running.name).trim_start().to_owned();
    }
    let (what, hint) = running.unknown_name(unknown);
    CliError::usage(what, hint)
}

/// The strings of a kind in an error of clap.
fn strings(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(one)) => vec![one.clone()],
        Some(ContextValue::Strings(all)) => all.clone(),
        _ => Vec::new(),
    }
}

/// A word, or its beginning if it is long or has several lines, such as a key.
fn short(word: &str) -> Cow<'_, str> {
    const LONGEST: usize = 60;
    let line = word.lines().next().unwrap_or_default();
    match line.len() < word.len() || line.chars().count() > LONGEST {
        true => format!("{}…", line.chars().take(LONGEST).collect::<String>()).into(),
        false => word.into(),
    }
}

/// The question whether one of the similar names was meant, if there are any.
fn near<T: AsRef<str>>(given: &str, names: &[T]) -> Option<String> {
    let similar = similar(given, names);
    (!similar.is_empty()).then(|| suggest::did_you_mean(&similar))
}

/// The command that runs, and the words that it was given.
struct RunningCommand<'a> {
    command: &'a Command,
    /// Its words without the name of the binary: `config set`.
    name: String,
    /// The whole command line, whose arguments are the options that commands share.
    root: &'a Command,
    words: Vec<Cow<'a, str>>,
}

impl<'a> RunningCommand<'a> {
    /// The command whose usage begins with its words.
    fn of(usage: &str, words: &'a [OsString], command_line: &'a Command) -> Self {
        let (mut command, mut name) = (command_line, Vec::new());
        for word in usage.split(' ').skip(1) {
            let Some(below) = command.find_subcommand(word) else {
                break;
            };
            command = below;
            name.push(word);
        }
        Self {
            command,
            name: name.join(" "),
            root: command_line,
            words: words.iter().map(|word| word.to_string_lossy()).collect(),
        }
    }

    /// Its usage, in one line.
    fn usage(&self) -> String {
        let mut command = self
            .command
            .clone()
            .bin_name(format!("netmgr {}", self.name).trim_end().to_owned());
        let usage = command.render_usage().to_string();
        usage
            .strip_prefix("Usage: ")
            .unwrap_or(&usage)
            .trim_end()
            .to_owned()
    }

    /// A command or function that does not exist.
    fn unknown_name(&self, name: &str) -> (String, String) {
        let is_function = ["get", "list"].contains(&&*self.name);
        let run =
            catalog::find(name).map(|function| format!("`netmgr get {}` runs the function", function.name));
        let what = match (is_function, &run) {
            // Only lists exclude functions.
            (true, Some(_)) => format!("the function {name:?} does not support lists"),
            (true, None) => format!("there is no function {name:?}"),
            (false, _) => format!("there is no command {name:?}"),
        };
        let similar = || {
            let names: Vec<&str> = self.command.get_subcommands().map(Command::get_name).collect();
            let space = if self.name.is_empty() { "" } else { " " };
            let help = match names.is_empty() {
                true => format!("`netmgr {}` has no commands of its own", self.name),
                false => format!("`netmgr{space}{} --help` lists the commands", self.name),
            };
            suggest::hint(name, &names, &help)
        };
        let hint = match is_function {
            true => run.unwrap_or_else(|| catalog::similar(name)),
            false if self.name.is_empty() => run.unwrap_or_else(similar),
            false => similar(),
        };
        (what, hint)
    }

    /// An option that does not exist, or a word too many. `flag` is the beginning of the word.
    fn unknown_argument(&self, flag: &str) -> (String, Option<String>) {
        let separator = self.words.iter().position(|word| word == "--");
        let named = self.words.iter().rposition(|word| *word == flag);
        let at = named.or_else(|| self.words.iter().position(|word| word.starts_with(flag)));
        let word = at.map_or(flag, |at| &self.words[at]);
        if let (Some(separator), Some(at)) = (separator, at)
            && at > separator
        {
            return (
                format!("unexpected argument {word:?}"),
                Some("everything after `--` is a name; put options before it".to_owned()),
            );
        }
        if !flag.starts_with('-') {
            let has_path = self
                .command
                .get_arguments()
                .any(|option| option.get_long() == Some("path"));
            let hint = match (flag.starts_with('/') && has_path, self.argument()) {
                (true, None) if self.options(false).iter().any(|option| option == "--path") => {
                    Some(format!("write `--path {flag}`"))
                }
                (true, _) | (_, Some("PATH")) => Some("only one path is accepted".to_owned()),
                (false, Some("NAME")) => Some("put a name with spaces in quotes".to_owned()),
                _ => None,
            };
            return (format!("unexpected argument {flag:?}"), hint);
        }
        let before = at.and_then(|at| self.words.get(at.checked_sub(1)?));
        let is_value = !word.starts_with("--");
        // No name of a field begins with `-`.
        let is_of_fields = |option: &str| ["--fields", "--sort-by"].contains(&option);
        if let Some(option) =
            before.filter(|before| is_value && !is_of_fields(before) && self.takes_value(before))
        {
            return (
                format!("{option} has no value, because {word} begins with `-`"),
                Some(format!("write `{option}={word}`")),
            );
        }
        if self.root.get_arguments().any(|shared| is_named(shared, flag)) {
            return (
                format!("{flag} has no effect on `netmgr {}`", self.name),
                Some("remove it; it is an option of other commands".to_owned()),
            );
        }
        let name = flag.trim_start_matches('-');
        let of_connection = || {
            let options = self.options(true);
            // Words such as `file` are part of many options.
            let similar = similar(name, &options);
            (1..=2)
                .contains(&similar.len())
                .then(|| suggest::did_you_mean(&similar))
        };
        let similar = || near(name, &self.options(false)).or_else(of_connection);
        let of_value = || {
            let option = before.filter(|before| !is_of_fields(before) && self.takes_value(before))?;
            Some(format!(
                "a value that begins with `--` is written `{option}={}`",
                short(word)
            ))
        };
        let hint = secret(flag).or_else(similar).or_else(of_value).or_else(|| {
            let advice = match (&*self.name, flag.starts_with("--")) {
                ("get", true) => {
                    "inputs follow the name of a function, as in `netmgr get policy-group --id x`"
                }
                ("list", true) => {
                    "inputs follow the name of a function, as in `netmgr list policy-group --tag env:prod`"
                }
                (_, false) if self.argument() == Some("NAME") => {
                    "`--` precedes a name that begins with `-`, as in `-- -x`"
                }
                (_, false) if self.argument().is_some() => {
                    "`--` precedes a value that begins with `-`, as in `-- -x`"
                }
                _ => return None,
            };
            Some(advice.to_owned())
        });
        // A word after a single `-` can be a misspelt option, or a name.
        let shown = short(if word.contains('=') { flag } else { word });
        (format!("there is no option {shown}"), hint)
    }

    /// The name of the value of its first argument.
    fn argument(&self) -> Option<&str> {
        let first = self.command.get_positionals().next()?;
        Some(first.get_value_names()?.first()?.as_str())
    }

    /// Whether a word is an option that the next word is the value of.
    fn takes_value(&self, word: &str) -> bool {
        let option = self
            .command
            .get_arguments()
            .find(|argument| is_named(argument, word));
        option.is_some_and(|option| option.get_action().takes_values() && !option.is_require_equals_set())
    }

    /// The options that the command has and was not given: its own, or the connection options as well.
    fn options(&self, with_connection: bool) -> Vec<String> {
        let is_shown = |argument: &&Arg| with_connection || !argument.is_hide_set();
        let is_given = |option: &Arg| {
            let mut given = self.words.iter().filter_map(|word| word.split('=').next());
            given.any(|given| is_named(option, given))
        };
        let options = self.command.get_arguments().filter(is_shown);
        let options = options.filter(|option| !is_given(option));
        options
            .filter_map(|option| Some(format!("--{}", option.get_long()?)))
            .collect()
    }
}

/// Whether a word is the long or the short name of an option.
fn is_named(option: &Arg, word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => option
            .get_long_and_visible_aliases()
            .is_some_and(|names| names.contains(&long)),
        None => option
            .get_short()
            .is_some_and(|short| *word == format!("-{short}")),
    }
}

/// Explains how to pass a secret that was given as a flag.
fn secret(flag: &str) -> Option<String> {
    let mut settings = ProviderConfig::ENV.iter();
    let (property, variable) = settings.find(|(property, _)| {
        ProviderConfig::SECRET.contains(property)
            && flag.strip_prefix("--") == Some(&property.to_kebab_case())
    })?;
    Some(format!(
        "secrets have no flags because other users can read command lines; set {variable}, or `{property}` in the \
         configuration file"
    ))
}
