//! Names of objects as words of a shell.
//!
//! The scripts for bash and PowerShell insert candidates as they are, so that a name with blanks would become several
//! words, and one with `$(…)` or `;` a command that runs. Those for zsh, fish and Elvish quote them.

use netmgr_types::foreign;

/// `name` as it is inserted into the command line; `None` if it cannot be typed or shown, such as one with control
/// characters.
pub(super) fn quoted(shell: &str, name: &str) -> Option<String> {
    if name.chars().any(foreign::steers) {
        return None;
    }
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./:@%+,".contains(letter);
    Some(match shell {
        "bash" => name
            .chars()
            .flat_map(|letter| {
                let escape = (!is_plain(letter)).then_some('\\');
                escape.into_iter().chain([letter])
            })
            .collect(),
        "powershell"
            if !name.starts_with(char::is_alphanumeric) || !name.chars().all(is_safe_in_powershell) =>
        {
            // Typographic quotes are quotes there, too.
            let doubled = name.chars().flat_map(|letter| {
                let times = if is_quote(letter) { 2 } else { 1 };
                std::iter::repeat_n(letter, times)
            });
            format!("'{}'", doubled.collect::<String>())
        }
        _ => name.to_owned(),
    })
}

/// What is typed so far without its quoting.
pub(super) fn unquoted(shell: &str, typed: &str) -> String {
    match shell {
        "bash" => {
            let mut plain = String::with_capacity(typed.len());
            let mut letters = typed.chars();
            while let Some(letter) = letters.next() {
                plain.extend(if letter == '\\' {
                    letters.next()
                } else {
                    Some(letter)
                });
            }
            plain
        }
        "powershell" => {
            let inner = typed.strip_prefix(is_quote).unwrap_or(typed);
            inner.strip_suffix(is_quote).unwrap_or(inner).replace("''", "'")
        }
        _ => typed.to_owned(),
    }
}

fn is_safe_in_powershell(letter: char) -> bool {
    letter.is_alphanumeric() || "_-./:".contains(letter)
}

/// Whether PowerShell takes a character for a single quote.
fn is_quote(letter: char) -> bool {
    matches!(letter, '\'' | '\u{2018}'..='\u{201b}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_word_of_their_shell() {
        for (name, bash, powershell) in [
            ("tep-pool", "tep-pool", "tep-pool"),
            ("gr\u{fc}n 1", "gr\u{fc}n\\ 1", "'gr\u{fc}n 1'"),
            ("$(x);`y`", "\\$\\(x\\)\\;\\`y\\`", "'$(x);`y`'"),
            ("it's", "it\\'s", "'it''s'"),
            ("a\u{2019};b", "a\\\u{2019}\\;b", "'a\u{2019}\u{2019};b'"),
            ("*", "\\*", "'*'"),
            ("~x", "\\~x", "'~x'"),
            ("-x", "-x", "'-x'"),
        ] {
            assert_eq!(quoted("bash", name).as_deref(), Some(bash));
            assert_eq!(quoted("powershell", name).as_deref(), Some(powershell));
            for shell in ["zsh", "fish", "elvish"] {
                assert_eq!(quoted(shell, name).as_deref(), Some(name));
            }
            assert_eq!(unquoted("bash", bash), name);
        }
        for steering in ["a\nb", "\u{1b}[2J", "\u{202e}", "\0"] {
            assert_eq!(quoted("zsh", steering), None);
        }
        assert_eq!(unquoted("powershell", "'it''s"), "it's");
        assert_eq!(unquoted("bash", "ends\\"), "ends");
    }
}
