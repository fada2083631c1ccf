//! `completions`: the script with which a shell completes the command line.
//!
//! The script calls the binary, which answers in `completion.rs`.

use clap::{Arg, ArgMatches, Command};
use clap_complete::env::Shells;

use crate::app::App;
use crate::completion::{VARIABLE, WORD};
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

fn run(_: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let shell: &String = matches.get_one("shell").expect("it is required");
    let shells = Shells::builtins();
    let adapter = shells.completer(shell).expect("every shell has an adapter");
    let mut script = Vec::new();
    let name = "netmgr";
    adapter
        .write_registration(VARIABLE, name, name, name, &mut script)
        .map_err(CliError::Output)?;
    let script = String::from_utf8_lossy(&script);
    // bash removes quotes from the word that is completed, and the answer depends on them.
    let call = format!("{VARIABLE}=\"bash\"");
    let word = format!("{WORD}=\"${{COMP_WORDS[COMP_CWORD]}}\"");
    let script = script.replace(&call, &format!("{word} {call}"));
    standard_output(&with_joined_values(&script))
}

/// The script of bash, which splits words at `=` and `:`, with such words joined, and completed after the last of these
/// signs: `--type=Seg`, `7f6e:host`.
fn with_joined_values(script: &str) -> String {
    const WORDS: &str = "    local words=(\"${COMP_WORDS[@]}\")\n";
    const CALL: &str = "    COMPREPLY=( $( \\\n";
    const END: &str = "compopt -o nospace\n    fi\n}";
    const JOINED_WORDS: &str = r#"    local words=() word="" previous="" joined="" last i
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        word="${COMP_WORDS[i]}" last=$((${#words[@]} - 1))
        if ((i == COMP_CWORD)) && [[ $word != = && ! $word =~ ^:+$ && "${BASH_VERSINFO[0]}" -ge 4 ]]; then
            word="$2"
        fi
        if ((last > 0)) && [[ $previous == = && ${words[last]} == --*= || $word == = && ${words[last]} == --* ||
            $previous =~ ^:+$ || $word =~ ^:+$ ]]; then
            words[last]+="$word"
            ((i == COMP_CWORD)) && joined=1 _CLAP_COMPLETE_INDEX=$last
        else
            words+=("$word")
            ((i == COMP_CWORD)) && _CLAP_COMPLETE_INDEX=$((last + 1))
        fi
        previous="${COMP_WORDS[i]}"
    done
"#;
    let Some((before, rest)) = script.split_once(WORDS) else {
        return script.to_owned();
    };
    let (_, rest) = rest.split_once(CALL).expect("the script of bash calls netmgr");
    let whole = [before, JOINED_WORDS, CALL, rest].concat();
    const STRIPPED: &str = r#"compopt -o nospace
    fi
    word="${words[_CLAP_COMPLETE_INDEX]}"
    if [[ $joined && $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*:}"}"}")
    elif [[ $joined ]]; then
        COMPREPLY=("${COMPREPLY[@]#--*=}")
    fi
}"#;
    whole.replace(END, STRIPPED)
}
