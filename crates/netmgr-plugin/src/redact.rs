//! Removal of secret arguments and settings from messages. Errors of lookups quote arguments and settings;
//! the parts that a program marked as secret are replaced. They are found by `netmgr_types::foreign`.

use std::sync::Arc;

use netmgr_types::Host;
use netmgr_types::foreign::Secrets;
use pulumi_plugin::rpc::Error;
use pulumi_plugin::values::{Object, Value};

/// Maximum length in bytes of a text that is often part of a word.
const SHORT: usize = 3;

/// Texts that must not be shown.
#[derive(Debug, Default)]
pub(crate) struct Hidden {
    texts: Secrets,
    /// Whether they can be part of a request, and so of the log.
    in_requests: bool,
    /// Secrets of the configuration.
    settings: Option<Arc<Self>>,
}

impl Hidden {
    /// The texts of everything secret in `arguments` and in the configuration.
    pub(crate) fn of(arguments: &Object, settings: &Arc<Self>) -> Arc<Self> {
        let mut hidden = Self::default();
        for value in arguments.values() {
            hidden.collect(value, false);
        }
        if hidden.texts.is_empty() {
            return Arc::clone(settings);
        }
        Arc::new(Self {
            settings: Some(Arc::clone(settings)),
            ..hidden
        })
    }

    /// The texts of everything secret in a configuration. Settings that are not text are not changed: messages
    /// contain other numbers.
    pub(crate) fn of_settings<'a>(texts: impl IntoIterator<Item = (&'a str, &'a Value)>) -> Self {
        let mut hidden = Self::default();
        for (name, value) in texts {
            hidden.collect(value, false);
            hidden.in_requests |= name != "username" && value.contains_secret();
            // Errors name the host as URLs do.
            if name == "host"
                && value.contains_secret()
                && let Some(host) = value
                    .clone()
                    .strip()
                    .0
                    .as_str()
                    .and_then(|text| Host::parse(text).ok())
            {
                hidden.texts.add(&host.name);
                hidden.texts.add(&host.authority());
            }
        }
        hidden
    }

    /// Values that a message about the setting `name` might quote if nothing in the configuration is marked: the string
    /// with its parts, and numbers, because settings are also compared as numbers. Short strings are not changed: they
    /// are parts of other words, and not secret.
    pub(crate) fn of_unmarked(name: &str, settings: &Object) -> Self {
        let mut hidden = Self::default();
        for (setting, value) in settings {
            let text = value.to_json().to_string();
            let of_a_name = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
            for part in text.split(|letter| !of_a_name(letter)) {
                let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
                if part.len() >= SHORT && (setting == name || is_number) {
                    hidden.add(part);
                }
            }
        }
        hidden
    }

    /// Whether something secret can be part of a request.
    pub(crate) fn is_in_requests(&self) -> bool {
        self.in_requests
    }

    fn collect(&mut self, value: &Value, secret: bool) {
        match value {
            Value::Secret(inner) => self.collect(inner, true),
            Value::Output(output) => {
                if let Some(inner) = &output.value {
                    self.collect(inner, secret || output.secret);
                }
            }
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
            Value::String(text) if secret => self.add(text),
            Value::Number(number) if secret => self.add(&number.to_string()),
            _ => {}
        }
    }

    /// Adds a secret. A short one is part of many words.
    fn add(&mut self, text: &str) {
        if text.len() <= SHORT {
            self.texts.add_word(text);
        } else {
            self.texts.add(text);
        }
    }

    /// `text` without them.
    pub(crate) fn hide(&self, text: &str) -> String {
        let text = self.texts.redacted(text);
        match &self.settings {
            Some(settings) => settings.hide(&text),
            None => text,
        }
    }

    /// `error` without them.
    pub(crate) fn hide_in(&self, error: Error) -> Error {
        match error {
            Error::Failed(text) => Error::Failed(self.hide(&text)),
            error => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(arguments: &Object) -> Arc<Hidden> {
        Hidden::of(arguments, &Arc::default())
    }

    #[test]
    fn secret_settings_are_hidden_and_the_host_in_the_form_of_urls_too() {
        let settings = arguments([
            ("host", Value::secret("https://Manager.Example:8443/")),
            ("enforcementPoint", "default".into()),
            ("username", Value::secret("jane")),
        ]);
        let settings = Hidden::of_settings(settings.iter().map(|(name, value)| (name.as_str(), value)));
        assert!(settings.is_in_requests());
        let hidden = Hidden::of(&arguments([("id", Value::secret("blue"))]), &Arc::new(settings));
        assert_eq!(
            hidden.hide(
                "GET /pools/blue on manager.example:8443 (https://Manager.Example:8443/, default, jane)"
            ),
            "GET /pools/[redacted] on [redacted] ([redacted], default, [redacted])"
        );
        assert_eq!(
            hidden.hide_in(Error::Failed("manager.example refused".into())),
            Error::Failed("[redacted] refused".into())
        );
    }

    fn arguments<const N: usize>(members: [(&str, Value); N]) -> Object {
        members.map(|(name, value)| (name.to_owned(), value)).into()
    }

    #[test]
    fn secrets_are_replaced_however_they_are_quoted() {
        let hidden = hidden(&arguments([
            ("id", Value::secret(r#"a "b" c"#)),
            ("context", Value::from([("projectId", Value::secret("blue/2"))])),
            ("delay", Value::secret(42.5)),
            ("displayName", "edge".into()),
        ]));
        assert_eq!(
            hidden.hide(r#"no edge has id "a \"b\" c" (a "b" c) at /projects/blue%2F2/blue/2 after 42.5 s"#),
            r#"no edge has id "[redacted]" ([redacted]) at /projects/[redacted]/[redacted] after [redacted] s"#
        );
    }

    #[test]
    fn secrets_are_replaced_in_paths_with_colons_and_in_queries() {
        let hidden = hidden(&arguments([
            ("id", Value::secret("web-1:a b")),
            ("path", Value::secret(r"\")),
        ]));
        assert_eq!(
            hidden.hide(r"GET /pools/web-1:a%20b: bad query id:web\-1\:a\ b or \"),
            r"GET /pools/[redacted]: bad query id:[redacted] or [redacted]"
        );
    }

    #[test]
    fn a_short_secret_is_not_replaced_inside_words() {
        let hidden = hidden(&arguments([
            ("id", Value::secret("x")),
            ("delay", Value::secret(1.0)),
        ]));
        assert_eq!(
            hidden.hide(r#"/pools/x does not exist: "x" after 1 s of 10"#),
            r#"/pools/[redacted] does not exist: "[redacted]" after [redacted] s of 10"#
        );
    }

    #[test]
    fn without_secrets_nothing_is_replaced() {
        let hidden = hidden(&arguments([("id", "edge".into()), ("name", Value::secret(""))]));
        assert_eq!(hidden.hide("edge é"), "edge é");
    }
}
