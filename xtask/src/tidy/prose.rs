//! Words that are never right in documentation, comments and messages. `docs/style.md` describes the style.

use super::Source;

/// Words and phrases in lower case, each with a replacement.
const AVOID: &[(&str, &str)] = &[
    ("tell", "report, return or log"),
    ("tells", "reports, returns or logs"),
    ("told", "reported, or: unless configured otherwise"),
    ("telling", "reporting"),
    ("asks", "requests or requires"),
    ("whoever", "name the subject"),
    ("nobody", "name the subject"),
    ("somebody", "name the subject"),
    ("in vain", "without success"),
    ("for ever", "indefinitely"),
];

/// Pages that have to quote the words.
const EXCEPT: &[&str] = &["docs/style.md", "xtask/src/tidy/prose.rs"];

/// Lines with one of the words, in comments and string literals of Rust files and in all other files.
pub(super) fn findings(files: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    for Source { path, text } in files {
        if EXCEPT.contains(&path.as_str()) {
            continue;
        }
        let prose = if path.ends_with(".rs") {
            prose_of(text)
        } else {
            text.clone()
        };
        for (number, line) in prose.lines().enumerate() {
            for (words, instead) in AVOID {
                if contains(line, words) {
                    findings.push(format!("{path}:{}: \"{words}\"; use: {instead}", number + 1));
                }
            }
        }
    }
    findings
}

/// Whether `line` contains `words`, between characters that are not part of a word. A name in braces is code.
fn contains(line: &str, words: &str) -> bool {
    let line = line.to_lowercase();
    line.match_indices(words).any(|(start, _)| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '{');
        let before = line[..start].chars().next_back();
        let after = line[start + words.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// What the lexer is inside of.
enum Inside {
    Code,
    Comment,
    Text,
    /// A raw string with so many `#`.
    Raw(usize),
}

/// The Rust file with all code replaced by blanks, so that comments and string literals keep their lines.
fn prose_of(text: &str) -> String {
    let mut prose = String::with_capacity(text.len());
    let mut inside = Inside::Code;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match inside {
            Inside::Code => {
                if rest.starts_with("//") {
                    inside = Inside::Comment;
                } else if c == '"' {
                    inside = Inside::Text;
                } else if let Some(hashes) = raw_string(rest) {
                    inside = Inside::Raw(hashes);
                    length = 2 + hashes;
                } else if let Some(literal) = character(rest) {
                    length = literal;
                }
            }
            Inside::Comment if c == '\n' => inside = Inside::Code,
            Inside::Text if c == '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
            Inside::Text if c == '"' => inside = Inside::Code,
            Inside::Raw(hashes) if c == '"' && rest[1..].starts_with(&"#".repeat(hashes)) => {
                inside = Inside::Code
            }
            _ => {}
        }
        let part = &rest[..length];
        match inside {
            Inside::Code => prose.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' })),
            _ => prose.push_str(part),
        }
        rest = &rest[length..];
    }
    prose
}

/// The number of `#` of a raw string that starts here.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

/// The length of a character literal that starts here; none for lifetimes.
fn character(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('\'')?;
    let content = match after.strip_prefix('\\') {
        Some(escaped) => 1 + escaped.chars().next()?.len_utf8(),
        None => after.chars().next()?.len_utf8(),
    };
    after[content..].starts_with('\'').then_some(content + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        findings(&[Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }])
    }

    #[test]
    fn a_word_in_a_comment_or_a_string_is_found() {
        let word = "Tells";
        let text = format!(
            "//! {word} more.\nconst A: &str = \"x {word} y\";\nconst B: &str = r#\"{word} \"z\"\"#;\n"
        );
        let expected = |line| format!("a.rs:{line}: \"tells\"; use: reports, returns or logs");
        assert_eq!(found("a.rs", &text), [expected(1), expected(2), expected(3)]);
    }

    #[test]
    fn code_and_parts_of_words_are_not_found() {
        let text = "fn told(told: &str) -> char { '\"' } // retold, un-told\nlet tell: &'static str = \"\\\"\"; let asks = told;\n";
        assert_eq!(found("a.rs", text), [""; 0]);
    }

    #[test]
    fn a_page_is_prose_as_a_whole() {
        assert_eq!(
            found("docs/a.md", "one\nwaits in vain\n"),
            ["docs/a.md:2: \"in vain\"; use: without success"]
        );
    }
}
