//! A word of bash that is being typed: the text it stands for, and how it continues.

use std::str::Chars;

/// A word that is being typed.
#[derive(Debug, PartialEq)]
pub(super) struct BashWord {
    /// The text that it stands for so far.
    pub(super) text: String,
    /// The quote that is open at its end.
    quote: Option<char>,
}

impl BashWord {
    /// `None` if the word has characters that bash expands.
    pub(super) fn parse(typed: &str) -> Option<Self> {
        let mut word = Self {
            text: String::new(),
            quote: None,
        };
        let mut letters = typed.chars();
        while let Some(letter) = letters.next() {
            match (word.quote, letter) {
                (Some(quote), letter) if letter == quote => word.quote = None,
                (Some('\''), letter) => word.text.push(letter),
                (_, '\\') => word.escaped(&mut letters),
                (None, '"' | '\'') => word.quote = Some(letter),
                (_, '$' | '`' | '!') => return None,
                (None, letter) if "*?[{<>|&;()".contains(letter) => return None,
                (None, '~' | '#') if word.text.is_empty() || word.text.ends_with(['=', ':']) => return None,
                (_, letter) => word.text.push(letter),
            }
        }
        Some(word)
    }

    /// Adds the character after a backslash. At the end of the word, there is none yet.
    fn escaped(&mut self, letters: &mut Chars<'_>) {
        let Some(letter) = letters.next() else { return };
        if self.quote.is_some() && !is_special_in_quotes(letter) {
            self.text.push('\\');
        }
        self.text.push(letter);
    }

    /// The word that replaces `typed`, from which this one was parsed, if `rest` completes the name.
    pub(super) fn completed(&self, typed: &str, rest: &str) -> String {
        let backslashes = typed.len() - typed.trim_end_matches('\\').len();
        let is_escaping = self.quote != Some('\'') && backslashes % 2 == 1;
        let mut inserted = typed[..typed.len() - usize::from(is_escaping)].to_owned();
        for letter in rest.chars() {
            match (self.quote, letter) {
                (Some('\''), '\'') => inserted.push_str(r"'\''"),
                // Inside double quotes, bash would keep a backslash before it.
                (Some('"'), '!') => inserted.push_str(r#""\!""#),
                (Some('"'), letter) if is_special_in_quotes(letter) => inserted.extend(['\\', letter]),
                (None, letter) if !letter.is_alphanumeric() && !"_-./:@%+,".contains(letter) => {
                    inserted.extend(['\\', letter]);
                }
                (_, letter) => inserted.push(letter),
            }
        }
        // bash adds the closing quote unless the word ends with one.
        let ending = self.quote.filter(|quote| inserted.ends_with(*quote));
        inserted.extend(ending);
        inserted
    }
}

/// Whether a backslash escapes a character inside double quotes.
fn is_special_in_quotes(letter: char) -> bool {
    matches!(letter, '"' | '$' | '`' | '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_continues_as_it_was_typed() {
        for (typed, name, completed) in [
            ("", "gr\u{fc}n 1", "gr\u{fc}n\\ 1"),
            ("", "$(x);`y`", "\\$\\(x\\)\\;\\`y\\`"),
            ("", "it's", "it\\'s"),
            ("", "~x*", "\\~x\\*"),
            ("a\\ ", "a b", "a\\ b"),
            ("a\\", "a b", "a\\ b"),
            ("a=", "a=b=c", "a=b\\=c"),
            ("'team:", "team:web servers", "'team:web servers"),
            ("te'am:", "team:web servers", "te'am:web servers"),
            ("'a b'", "a b c", "'a b'\\ c"),
            ("\"a b", "a b$c`d\"e*", "\"a b\\$c\\`d\\\"e*"),
            ("'a b", "a b$c'd*", "'a b$c'\\''d*"),
            ("'it'\\''", "it's", "'it'\\''s"),
            ("\"Hel", "Hello World!", "\"Hello World\"\\!\"\""),
            ("\"Hel", "Hello! World", "\"Hello\"\\!\" World"),
            ("\"sa", "say \"x\"", "\"say \\\"x\\\"\""),
            ("'a", "a'", "'a'\\'''"),
            ("\"a\\", "a\\b", "\"a\\\\b"),
        ] {
            let word = BashWord::parse(typed).unwrap();
            let rest = name.strip_prefix(&word.text).unwrap();
            assert_eq!(word.completed(typed, rest), completed);
        }
    }

    #[test]
    fn a_word_that_bash_expands_has_no_text() {
        for typed in [
            "$x", "\"$x", "`x`", "a*", "a!", "\"a!b", "~x", "#x", "{a", "a>b", "$'a",
        ] {
            assert_eq!(BashWord::parse(typed), None, "{typed}");
        }
        for (typed, text) in [("a\\*", "a*"), ("'$x", "$x"), ("a~#", "a~#"), ("\"\\!", "\\!")] {
            assert_eq!(BashWord::parse(typed).unwrap().text, text);
        }
    }
}
