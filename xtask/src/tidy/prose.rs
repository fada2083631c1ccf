//! Words that are never right in documentation, comments and messages. `docs/style.md` describes the style.

use super::TextFile;

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

/// Phrases without a noun, which make a riddle of the first sentence of a doc comment.
const NOUNLESS: &[&str] = &["that of", "those of", "the one"];

/// Pages that have to quote the words.
const EXCEPT: &[&str] = &["docs/style.md", "xtask/src/tidy/prose.rs"];

/// Lines with one of the words, in comments, string literals and names of functions of Rust files and in all other files,
/// and first sentences of doc comments without a noun.
pub(super) fn findings(files: &[TextFile]) -> Vec<String> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| !EXCEPT.contains(&file.path.as_str())) {
        for (number, line) in file.text.lines().enumerate() {
            let prose = if file.is_rust() {
                prose_of(line)
            } else {
                line.to_owned()
            };
            for (words, instead) in AVOID.iter().filter(|(words, _)| contains(&prose, words)) {
                let place = format!("{}:{}", file.path, number + 1);
                findings.push(format!("{place}: \"{words}\"; use: {instead}"));
            }
        }
        if file.is_rust() {
            findings.extend(nounless(file));
        }
    }
    findings
}

/// First sentences of doc comments that have a phrase in the place of a noun.
fn nounless(file: &TextFile) -> Vec<String> {
    let mut findings = Vec::new();
    let mut sentence = String::new();
    let mut is_first = true;
    for (number, line) in file.text.lines().enumerate() {
        let line = line.trim_start();
        let Some(text) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            sentence.clear();
            is_first = true;
            continue;
        };
        if !is_first {
            continue;
        }
        let end = text.find(". ").unwrap_or(text.len());
        sentence.push_str(&text[..end]);
        is_first = end == text.len() && !text.is_empty() && !text.ends_with('.');
        for phrase in NOUNLESS.iter().filter(|phrase| contains(&sentence, phrase)) {
            let place = format!("{}:{}", file.path, number + 1);
            findings.push(format!(
                "{place}: \"{phrase}\" in a first sentence; repeat the noun"
            ));
            is_first = false;
        }
    }
    findings
}

/// The comment, the string literals and the name of the function of a line of Rust.
fn prose_of(line: &str) -> String {
    let (code, comment) = line.split_once("//").unwrap_or((line, ""));
    let literals: Vec<&str> = code.split('"').skip(1).step_by(2).collect();
    let function = code.trim_start().split_once("fn ").map_or("", |(_, rest)| rest);
    let name = function.split(['(', '<']).next().unwrap_or_default();
    [literals.join(" "), comment.to_owned(), name.replace('_', " ")].join(" ")
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

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        findings(&[source(path, text)])
    }

    #[test]
    fn a_word_in_the_name_of_a_function_is_found() {
        assert_eq!(found("a.rs", "    async fn it_tells_all() {}\n").len(), 1);
    }

    #[test]
    fn a_word_in_a_comment_or_a_string_is_found() {
        let word = "Tells";
        let text = format!("//! {word} more.\nconst A: &str = \"x {word} y\";\n");
        let expected = |line| format!("a.rs:{line}: \"tells\"; use: reports, returns or logs");
        assert_eq!(found("a.rs", &text), [expected(1), expected(2)]);
    }

    #[test]
    fn code_and_parts_of_words_are_not_found() {
        let text = "fn untold(told: &str) -> char { x } // retold, un-told\nlet asks = told;\n";
        assert_eq!(found("a.rs", text), [""; 0]);
    }

    #[test]
    fn a_first_sentence_without_its_noun_is_found_also_across_lines() {
        let text = "/// The age, or that\n/// of a twin. More.\nfn a() {}\n//! Those of b.\n";
        let expected =
            |line, phrase| format!("a.rs:{line}: \"{phrase}\" in a first sentence; repeat the noun");
        assert_eq!(
            found("a.rs", text),
            [expected(2, "that of"), expected(4, "those of")]
        );
        let later = "/// The age. By default, that of\n/// a twin.\n\n/// The name.\n///\n/// The one.\n// The one.\n";
        assert_eq!(found("a.rs", later), [""; 0]);
    }

    #[test]
    fn a_page_is_prose_as_a_whole() {
        assert_eq!(
            found("docs/a.md", "one\nwaits in vain\n"),
            ["docs/a.md:2: \"in vain\"; use: without success"]
        );
    }
}
