//! Completed names as words of a shell: of objects, profiles, files, functions and types.
//!
//! The scripts for bash and PowerShell insert candidates unchanged, so that a name with spaces would become several
//! words, and one with `$(…)` or `;` a command that runs. Those for zsh, fish and Elvish quote them.

use std::ffi::OsStr;

use clap_complete::CompletionCandidate;
use netmgr_types::foreign;

use super::bash::BashWord;
use super::call::{self, CompletionCall};

/// The beginning of a name that a word stands for; `None` if the shell expands the word.
pub(super) fn begun(typed: &OsStr) -> Option<String> {
    Some(TypedWord::of(call::current()?, typed)?.begun)
}

/// A word that is being typed, or the last part of a list such as `id,na`.
struct TypedWord {
    /// The beginning of a name that it stands for.
    begun: String,
    /// The quotes of bash.
    bash: Option<BashWord>,
}

impl TypedWord {
    fn of(call: &CompletionCall, typed: &OsStr) -> Option<Self> {
        let typed = typed.to_string_lossy();
        if call.shell != "bash" {
            let begun = unquoted(&call.shell, &typed);
            return Some(Self { begun, bash: None });
        }
        // A quote can begin before the part that is completed.
        let whole = call.words.last()?;
        let before = whole.strip_suffix(&*typed).unwrap_or_default();
        let word = BashWord::parse(whole)?;
        let begun = word.text.strip_prefix(&BashWord::parse(before)?.text)?.to_owned();
        Some(Self {
            begun,
            bash: Some(word),
        })
    }

    /// `name` as it is inserted into the command line instead of the text `typed`; `None` if it cannot be typed or
    /// shown, such as one with control characters.
    fn completed(&self, shell: &str, typed: &str, name: &str) -> Option<String> {
        let rest = name.strip_prefix(&self.begun)?;
        if name.chars().any(foreign::steers) {
            return None;
        }
        match &self.bash {
            Some(word) => Some(word.completed(typed, rest)),
            None => quoted(shell, name),
        }
    }
}

/// Names that begin with the typed word, quoted for the shell. Each name has a help text.
pub(super) fn candidates(
    typed: &OsStr,
    names: impl IntoIterator<Item = (String, Option<String>)>,
) -> Vec<CompletionCandidate> {
    candidates_of(None, typed, names)
}

/// Candidates for an argument that can also be given as a flag.
pub(super) fn candidates_of(
    flag: Option<&str>,
    typed: &OsStr,
    names: impl IntoIterator<Item = (String, Option<String>)>,
) -> Vec<CompletionCandidate> {
    let Some(call) = call::current() else {
        return Vec::new();
    };
    let Some(word) = TypedWord::of(call, typed) else {
        return Vec::new();
    };
    let typed = typed.to_string_lossy();
    let candidates = names.into_iter().filter_map(|(name, help)| {
        let inserted = word.completed(&call.shell, &typed, &name)?;
        let inserted = match name.starts_with('-') {
            true => no_option(&call.shell, &call.words, flag, inserted)?,
            false => inserted,
        };
        let help = help.map(|help| foreign::one_line(&help).into());
        Some(CompletionCandidate::new(inserted).help(help))
    });
    candidates.collect()
}

/// A word that begins with `-` in a form that is not an option; `None` if the shell cannot insert it.
fn no_option(shell: &str, words: &[String], flag: Option<&str>, inserted: String) -> Option<String> {
    let (last, before) = words.split_last()?;
    let is_value = last.starts_with("--") && last.contains('=');
    if is_value || before.iter().any(|word| word == "--") {
        return Some(inserted);
    }
    let is_argument = last.is_empty() && !before.last()?.starts_with('-');
    match flag.filter(|_| is_argument) {
        Some(flag) => Some(format!("--{flag}={inserted}")),
        // Other shells quote the blank.
        None => (shell == "bash" && is_argument).then(|| format!("-- {inserted}")),
    }
}

/// `name` as a word of a shell that does not replace a part of it; `None` if it cannot be typed.
fn quoted(shell: &str, name: &str) -> Option<String> {
    Some(match shell {
        "powershell"
            if !name.starts_with(char::is_alphanumeric) || !name.chars().all(is_safe_in_powershell) =>
        {
            // In PowerShell, typographic quotes are also quotes.
            let doubled = name.chars().flat_map(|letter| {
                let times = if is_quote(letter) { 2 } else { 1 };
                std::iter::repeat_n(letter, times)
            });
            format!("'{}'", doubled.collect::<String>())
        }
        // The shell quotes all other characters.
        "fish" if name.starts_with('~') => return None,
        _ => name.to_owned(),
    })
}

/// Removes the quoting from the word that is being typed.
fn unquoted(shell: &str, typed: &str) -> String {
    if shell == "powershell" {
        let inner = typed
            .strip_prefix(|letter| is_quote(letter) || letter == '"')
            .unwrap_or(typed);
        let inner = inner.strip_suffix(is_quote).unwrap_or(inner);
        return inner.replace("''", "'");
    }
    let (text, quote) = match typed.chars().next() {
        Some(quote @ ('"' | '\'')) => (&typed[1..], Some(quote)),
        _ => (typed, None),
    };
    if quote == Some('\'') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' {
            letters.next()
        } else {
            Some(letter)
        });
    }
    plain
}

fn is_safe_in_powershell(letter: char) -> bool {
    letter.is_alphanumeric() || "_-./:".contains(letter)
}

/// Whether PowerShell treats a character as a single quote.
fn is_quote(letter: char) -> bool {
    matches!(letter, '\'' | '\u{2018}'..='\u{201b}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_word_of_their_shell() {
        for (name, powershell) in [
            ("tep-pool", "tep-pool"),
            ("gr\u{fc}n 1", "'gr\u{fc}n 1'"),
            ("$(x);`y`", "'$(x);`y`'"),
            ("it's", "'it''s'"),
            ("a\u{2019};b", "'a\u{2019}\u{2019};b'"),
            ("*", "'*'"),
            ("~x", "'~x'"),
            ("-x", "'-x'"),
        ] {
            assert_eq!(quoted("powershell", name).as_deref(), Some(powershell));
            for shell in ["zsh", "fish", "elvish"] {
                let expands = shell == "fish" && name.starts_with('~');
                assert_eq!(quoted(shell, name).as_deref(), (!expands).then_some(name));
            }
        }
        assert_eq!(unquoted("powershell", "'it''s"), "it's");
        for shell in ["zsh", "fish", "powershell"] {
            assert_eq!(unquoted(shell, "\"te"), "te");
        }
    }

    #[test]
    fn names_that_control_the_terminal_are_left_out() {
        let word = TypedWord {
            begun: String::new(),
            bash: None,
        };
        for steering in ["a\nb", "\u{1b}[2J", "\u{202e}", "\0"] {
            assert_eq!(word.completed("zsh", "", steering), None);
        }
    }

    #[test]
    fn a_name_that_begins_with_a_dash_is_no_option() {
        let flag = Some("display-name");
        for (shell, words, flag, inserted) in [
            (
                "bash",
                &["get", "policy-group", ""][..],
                flag,
                Some("--display-name=-x"),
            ),
            (
                "fish",
                &["get", "policy-group", ""],
                flag,
                Some("--display-name=-x"),
            ),
            ("bash", &["config", "use", ""], None, Some("-- -x")),
            ("zsh", &["config", "use", ""], None, None),
            ("zsh", &["get", "policy-group", "--", "-"], flag, Some("-x")),
            (
                "fish",
                &["get", "policy-group", "--display-name=-"],
                None,
                Some("-x"),
            ),
            ("bash", &["get", "policy-group", "--display-name", ""], None, None),
        ] {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            assert_eq!(
                no_option(shell, &words, flag, "-x".to_owned()).as_deref(),
                inserted,
                "{shell} {words:?}"
            );
        }
    }
}
