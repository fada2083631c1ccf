//! Keeping secret arguments out of messages. Errors of lookups quote what was asked for; the parts of
//! it that a program marked as secret are replaced here, however they are quoted.

use engine_values::{Object, Output, Value};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

/// What stands in place of a secret.
const PLACEHOLDER: &str = "[secret]";
/// What queries in messages have percent-encoded.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
/// What paths have.
const IN_PATH: &AsciiSet = &RESERVED.remove(b':');

/// Texts that must not be shown.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Hidden(Vec<String>);

impl Hidden {
    /// The texts of everything secret in `arguments`.
    pub(crate) fn of(arguments: &Object) -> Self {
        let mut hidden = Self::default();
        for value in arguments.values() {
            hidden.collect(value, false);
        }
        // Of texts that begin alike the longest is replaced.
        hidden.0.sort_by_key(|text| std::cmp::Reverse(text.len()));
        hidden.0.dedup();
        hidden
    }

    fn collect(&mut self, value: &Value, secret: bool) {
        match value {
            Value::Secret(inner) => self.collect(inner, true),
            Value::Output(Output {
                value: Some(inner),
                secret: marked,
                ..
            }) => self.collect(inner, secret || *marked),
            Value::Array(elements) => {
                for element in elements {
                    self.collect(element, secret);
                }
            }
            Value::Object(members) => {
                for member in members.values() {
                    self.collect(member, secret);
                }
            }
            Value::String(text) if secret && !text.is_empty() => self.add(text),
            Value::Number(number) if secret => self.0.push(number.to_string()),
            _ => {}
        }
    }

    /// A text, and the ways in which messages quote it.
    fn add(&mut self, text: &str) {
        let quoted = format!("{text:?}");
        self.0.push(quoted[1..quoted.len() - 1].to_owned());
        for encoded in [RESERVED, IN_PATH] {
            self.0.push(percent_encode(text.as_bytes(), encoded).to_string());
        }
        self.0.push(text.to_owned());
    }

    /// `text` without them.
    pub(crate) fn hide(&self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            match self.0.iter().find_map(|hidden| beginning(rest, hidden)) {
                Some(length) => {
                    shown.push_str(PLACEHOLDER);
                    rest = &rest[length..];
                }
                None => {
                    shown.push(next);
                    rest = &rest[next.len_utf8()..];
                }
            }
        }
        shown
    }

    /// `arguments` as JSON text for a message, secrets replaced and unset ones left out.
    pub(crate) fn describe(arguments: &Object) -> String {
        let shown = arguments.iter().filter(|(_, value)| !value.is_null());
        let shown = shown.map(|(name, value)| (name.clone(), mask(value)));
        Value::Object(shown.collect()).to_json().to_string()
    }
}

/// How much of `text` is `hidden`, if it begins with it. Backslashes do not count: messages quote, and the
/// search language of the manager has one before each sign.
fn beginning(text: &str, hidden: &str) -> Option<usize> {
    let mut wanted = hidden.chars().filter(|character| *character != '\\').peekable();
    if wanted.peek().is_none() {
        return text.starts_with(hidden).then_some(hidden.len());
    }
    for (at, character) in text.char_indices() {
        if character == '\\' {
            continue;
        }
        if wanted.next() != Some(character) {
            return None;
        }
        if wanted.peek().is_none() {
            return Some(at + character.len_utf8());
        }
    }
    None
}

fn mask(value: &Value) -> Value {
    match value {
        Value::Secret(_) => PLACEHOLDER.into(),
        Value::Output(output) if output.secret => PLACEHOLDER.into(),
        Value::Output(Output {
            value: Some(inner), ..
        }) => mask(inner),
        Value::Array(elements) => elements.iter().map(mask).collect(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| (name.clone(), mask(member)));
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments<const N: usize>(members: [(&str, Value); N]) -> Object {
        members.map(|(name, value)| (name.to_owned(), value)).into()
    }

    #[test]
    fn secrets_are_replaced_however_they_are_quoted() {
        let hidden = Hidden::of(&arguments([
            ("id", Value::secret(r#"a "b" c"#)),
            ("context", Value::from([("projectId", Value::secret("blue/2"))])),
            ("delay", Value::secret(42.5)),
            ("displayName", "edge".into()),
        ]));
        assert_eq!(
            hidden.hide(r#"no edge has id "a \"b\" c" (a "b" c) at /projects/blue%2F2/blue/2 after 42.5 s"#),
            r#"no edge has id "[secret]" ([secret]) at /projects/[secret]/[secret] after [secret] s"#
        );
    }

    #[test]
    fn secrets_are_replaced_in_paths_with_colons_and_in_queries() {
        let hidden = Hidden::of(&arguments([
            ("id", Value::secret("web-1:a b")),
            ("path", Value::secret(r"\")),
        ]));
        assert_eq!(
            hidden.hide(r"GET /pools/web-1:a%20b: bad query id:web\-1\:a\ b or \"),
            r"GET /pools/[secret]: bad query id:[secret] or [secret]"
        );
    }

    #[test]
    fn of_secrets_that_begin_alike_the_longest_is_replaced() {
        let hidden = Hidden::of(&arguments([
            ("a", Value::secret("pool")),
            ("b", Value::secret("pool-1")),
        ]));
        assert_eq!(hidden.hide("pool-1 or pool"), "[secret] or [secret]");
    }

    #[test]
    fn without_secrets_nothing_is_replaced() {
        let hidden = Hidden::of(&arguments([("id", "edge".into()), ("name", Value::secret(""))]));
        assert_eq!(hidden, Hidden::default());
        assert_eq!(hidden.hide("edge é"), "edge é");
    }

    #[test]
    fn arguments_are_described_without_secrets_and_unset_ones() {
        let arguments = arguments([
            ("id", Value::Null),
            ("displayName", Value::secret("blue")),
            ("context", Value::from([("projectId", "dev".into())])),
        ]);
        assert_eq!(
            Hidden::describe(&arguments),
            r#"{"context":{"projectId":"dev"},"displayName":"[secret]"}"#
        );
    }
}
