//! The forms in which a secret can appear in an output.

use std::fmt::Write as _;

use serde_json::json;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FOR_URLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The name of an encoding of `secret` that `output` contains, with the line that it is in.
pub(crate) fn find(output: &str, secret: &str) -> Option<String> {
    forms(secret).into_iter().find_map(|(name, form)| {
        let at = output.find(&form)?;
        let start = output[..at].rfind('\n').map_or(0, |end| end + 1);
        Some(format!("{name}: {}", &output[start..at + form.len()]))
    })
}

/// A secret in all encodings.
fn forms(secret: &str) -> Vec<(&'static str, String)> {
    assert!(secret.len() >= 8, "{secret:?} is too short to be recognised");
    let quoted = |text: String| text[1..text.len() - 1].to_owned();
    let json = quoted(json!(secret).to_string());
    let mut forms = vec![
        ("plain", secret.to_owned()),
        ("debug", quoted(format!("{secret:?}"))),
        ("go", go_json(&json)),
        ("json", json),
        ("ascii", secret.escape_default().to_string()),
        ("hex", hex(secret, false)),
        ("HEX", hex(secret, true)),
        ("form", percent(secret, "*-._").replace("%20", "+")),
        ("html", html(secret)),
    ];
    for (name, kept) in [
        ("url", "-._~"),
        ("url of a path", "-._~!$&'()*+,;=:@"),
        ("url of JavaScript", "-._~!*'()"),
    ] {
        let encoded = percent(secret, kept);
        forms.push((name, encoded.replace('%', "%25")));
        forms.push((name, lower_case_escapes(&encoded)));
        forms.push((name, encoded));
    }
    for alphabet in [STANDARD, FOR_URLS] {
        for before in 0..3 {
            forms.push(("base64", base64(secret.as_bytes(), before, alphabet)));
        }
    }
    forms
}

/// Go writes some HTML characters as escapes.
fn go_json(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&#34;")
}

fn hex(text: &str, upper: bool) -> String {
    text.bytes().fold(String::new(), |mut hex, byte| {
        match upper {
            true => write!(hex, "{byte:02X}"),
            false => write!(hex, "{byte:02x}"),
        }
        .unwrap();
        hex
    })
}

/// Percent-encoded except for letters, digits and `kept`.
fn percent(text: &str, kept: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        match byte.is_ascii_alphanumeric() || kept.contains(char::from(byte)) {
            true => encoded.push(byte.into()),
            false => write!(encoded, "%{byte:02X}").unwrap(),
        }
        encoded
    })
}

fn lower_case_escapes(encoded: &str) -> String {
    let mut parts = encoded.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (digits, rest) = part.split_at(2);
        format!("{text}%{}{rest}", digits.to_lowercase())
    })
}

/// The characters of Base64 that only depend on `bytes` if this number of bytes precedes them.
fn base64(bytes: &[u8], before: usize, alphabet: &[u8; 64]) -> String {
    let bit = |at: usize| bytes[at / 8] >> (7 - at % 8) & 1;
    // The first bit of the first whole character.
    let skipped = [0, 4, 2][before];
    let whole = (bytes.len() * 8 - skipped) / 6;
    let character = |number: usize| {
        let first = skipped + number * 6;
        let value = (first..first + 6).fold(0, |value, at| value << 1 | bit(at));
        char::from(alphabet[usize::from(value)])
    };
    (0..whole).map(character).collect()
}

#[test]
fn a_secret_is_found_in_every_encoding() {
    let secret = "a b\"ö\\&<>/+7193?";
    for output in [
        secret,
        r#"{"password": "a b\"ö\\&<>/+7193?"}"#,
        r#"{"password": "a b\"ö\\\u0026\u003c\u003e/+7193?"}"#,
        "password=a+b%22%C3%B6%5C%26%3C%3E%2F%2B7193%3F&x=1",
        "https://m/a%20b%22%c3%b6%5c%26%3c%3e%2f%2b7193%3f",
        "https://m/a%2520b%2522%25C3%25B6%255C%2526%253C%253E%252F%252B7193%253F",
        "6120622213c3b6",
        "61206222c3b65c263c3e2f2b373139333f",
        // "user:" and two more bytes before it.
        "dXNlcjphIGIiw7ZcJjw+Lys3MTkzPw==",
        "dXNlci46YSBiIsO2XCY8Pi8rNzE5Mz8=",
        "dXNlci4uOmEgYiLDtlwmPD4vKzcxOTM/",
        "dXNlci4uOmEgYiLDtlwmPD4vKzcxOTM_",
        r"a b\x22",
        r#""a b\"\u{f6}\\&<>/+7193?""#,
    ] {
        // Two of the lines are not part of the secret.
        let expected = !["6120622213c3b6", r"a b\x22"].contains(&output);
        assert_eq!(find(output, secret).is_some(), expected, "{output}");
    }
    assert_eq!(
        find("first\n x=longer-secret", "longer-secret").unwrap(),
        "plain:  x=longer-secret"
    );
}
