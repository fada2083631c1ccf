//! A one-line description of bodies that are not the manager's JSON, for error messages.
//!
//! The line is not truncated here, because secrets in it have to be found first (`error.rs`).

/// Number of bytes of a body that are examined.
const LOOKED_AT: usize = 128 << 10;

/// `empty body`, `HTML page "<title>"`, or the first line of the text.
pub(crate) fn first_line(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(LOOKED_AT)]);
    let text = text.trim();
    if text.is_empty() {
        return "empty body".to_owned();
    }
    if is_html(text) {
        return match html_title(text) {
            Some(title) => format!("HTML page \"{title}\""),
            None => "HTML page".to_owned(),
        };
    }
    if text.starts_with(['{', '[']) {
        // The first line of indented JSON is only a bracket.
        return joined(text);
    }
    text.lines().next().unwrap_or_default().trim().to_owned()
}

fn is_html(text: &str) -> bool {
    let start: String = text.chars().take(15).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// The title, or the first text of a page without a title.
fn html_title(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let titled = lower.find("<title").map(|at| &text[at..]);
    visible_text(titled.unwrap_or(text))
}

/// The first non-blank text outside tags.
fn visible_text(html: &str) -> Option<String> {
    html.split('<')
        .filter_map(|piece| piece.split_once('>'))
        .map(|(_, text)| joined(text))
        .find(|text| !text.is_empty())
}

/// Joins the lines. Spaces within a line are preserved because they may be part of a secret.
fn joined(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join(" ")
}

/// The hint if a body has this first line and is a web page.
pub(crate) fn web_page(line: &str) -> Option<&'static str> {
    const HINT: &str =
        "the response is a web page; host may refer to another product or to a proxy, or lack a path prefix";
    line.starts_with("HTML").then_some(HINT)
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
    fn indented_json_is_one_line() {
        assert_eq!(
            first_line(b"{\n  \"redirectUrl\" :\n    \"/login\"\n}\n"),
            r#"{ "redirectUrl" : "/login" }"#
        );
    }

    #[test]
    fn blank_bodies_are_empty() {
        assert_eq!(first_line(b""), "empty body");
        assert_eq!(first_line(b" \r\n "), "empty body");
    }

    #[test]
    fn of_a_text_the_first_line_that_is_not_blank_counts() {
        assert_eq!(first_line(b"\n upstream gone \nmore"), "upstream gone");
        assert!(first_line(&vec![b'x'; 64 << 20]).len() <= LOOKED_AT);
    }
}
