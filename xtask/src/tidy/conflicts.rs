//! Marks that an unfinished merge leaves in a file. In a text they compile.

use super::Source;

/// Lines with a mark.
pub(super) fn findings(files: &[Source]) -> Vec<String> {
    let marks = ["<", ">"].map(|sign| format!("{} ", sign.repeat(7)));
    let mut findings = Vec::new();
    for Source { path, text } in files {
        for (number, line) in text.lines().enumerate() {
            if marks.iter().any(|mark| line.contains(mark)) {
                findings.push(format!("{path}:{}: the mark of a merge", number + 1));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_wherever_it_is_in_a_line() {
        let mark = "<".repeat(7);
        let file = |text: String| Source {
            path: "a.md".to_owned(),
            text,
        };
        let found = findings(&[file(format!("a\nb {mark} HEAD\n")), file("a << b\n".to_owned())]);
        assert_eq!(found, ["a.md:2: the mark of a merge"]);
    }
}
