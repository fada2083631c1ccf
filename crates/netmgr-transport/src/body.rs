//! One line that tells a person what a body is, for messages about bodies that are not the
//! manager's JSON.
//!
//! Not here: reading the manager's JSON errors (`classify.rs`).

/// Longest line shown, in characters.
const LONGEST: usize = 120;

/// `empty body`, `HTML page "<title>"`, or the first line of the text.
pub(crate) fn first_line(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    if text.is_empty() {
        return "empty body".to_owned();
    }
    if is_html(text) {
        return match html_title(text) {
            Some(title) => format!("HTML page \"{}\"", shorten(&title)),
            None => "HTML page".to_owned(),
        };
    }
    shorten(text.lines().next().unwrap_or_default().trim())
}

fn is_html(text: &str) -> bool {
    let start: String = text.chars().take(15).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// The text of the title, or the first text of the page when it has none.
fn html_title(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let titled = lower.find("<title").map(|at| &text[at..]);
    visible_text(titled.unwrap_or(text))
}

/// The first text outside of tags that is not blank.
fn visible_text(html: &str) -> Option<String> {
    html.split('<')
        .filter_map(|piece| piece.split_once('>'))
        .map(|(_, text)| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .find(|text| !text.is_empty())
}

fn shorten(line: &str) -> String {
    // Control characters of a foreign body have no place on a terminal.
    let mut shown = line.chars().filter(|c| !c.is_control());
    let mut short: String = shown.by_ref().take(LONGEST).collect();
    if shown.next().is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_named_by_its_title() {
        let page =
            b"<!DOCTYPE html>\n<html><head><title>502 Bad\n Gateway</title></head><body>x</body></html>";
        assert_eq!(first_line(page), "HTML page \"502 Bad Gateway\"");
    }

    #[test]
    fn a_page_without_title_is_named_by_its_first_text() {
        assert_eq!(
            first_line(b"<html><body>\n<h1>Restarting</h1></body></html>"),
            "HTML page \"Restarting\""
        );
        assert_eq!(first_line(b"<html></html>"), "HTML page");
    }

    #[test]
    fn blank_bodies_are_empty() {
        assert_eq!(first_line(b""), "empty body");
        assert_eq!(first_line(b" \r\n "), "empty body");
    }

    #[test]
    fn text_is_cut_after_one_line_and_120_characters() {
        assert_eq!(first_line(b"\n upstream \x1b[31mgone\nmore"), "upstream [31mgone");
        let long = "ü".repeat(130);
        assert_eq!(first_line(long.as_bytes()), format!("{}…", "ü".repeat(120)));
    }
}
