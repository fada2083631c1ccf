//! Failure reasons that the manager reports for an object.
//!
//! Both functions that wait read failures in the same way: the message and code of the object, followed by those of its
//! parts.

use netmgr_types::foreign::{LONGEST, Secrets};
use netmgr_types::sensitive;
use netmgr_types::wire::{StateDetail, StatusError};

/// Failure reasons without duplicates, in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct Reasons {
    /// The reasons without the names of parts, to detect duplicates.
    known: Vec<String>,
    texts: Vec<String>,
}

impl Reasons {
    /// Adds the reason of the object itself.
    pub(crate) fn whole(mut self, message: Option<&str>, code: Option<i64>) -> Self {
        self.add(None, message, code);
        self
    }

    /// Adds the reasons of parts, each with the name, type or id of its part.
    pub(crate) fn parts(mut self, details: &[StateDetail]) -> Self {
        for detail in details {
            let names = [
                &detail.sub_system_name,
                &detail.sub_system_type,
                &detail.sub_system_id,
            ];
            let name = names
                .into_iter()
                .flatten()
                .map(|name| name.trim())
                .find(|name| !name.is_empty());
            self.add(name, detail.failure_message.as_deref(), detail.failure_code);
        }
        self
    }

    /// Adds the reasons of an error list.
    pub(crate) fn errors<'a>(mut self, errors: impl IntoIterator<Item = &'a StatusError>) -> Self {
        for error in errors {
            self.add(None, error.error_message.as_deref(), error.error_code);
        }
        self
    }

    fn add(&mut self, part: Option<&str>, message: Option<&str>, code: Option<i64>) {
        let Some(reason) = reason(message, code).filter(|reason| !self.known.contains(reason)) else {
            return;
        };
        self.texts.push(match part {
            Some(part) => format!("{part}: {reason}"),
            None => reason.clone(),
        });
        self.known.push(reason);
    }

    /// All reasons in one sentence. `None` if there are none.
    pub(crate) fn text(self) -> Option<String> {
        (!self.texts.is_empty()).then(|| self.texts.join("; "))
    }
}

fn reason(message: Option<&str>, code: Option<i64>) -> Option<String> {
    // The text becomes part of a sentence.
    let message = message
        .map(|text| text.trim().trim_end_matches('.'))
        .filter(|text| !text.is_empty());
    let message = message.map(|text| sensitive::sanitized_within(&Secrets::default(), text, LONGEST));
    match (message, code) {
        (Some(message), Some(code)) => Some(format!("{message} (failure code {code})")),
        (Some(message), None) => Some(message.to_owned()),
        (None, Some(code)) => Some(format!("failure code {code}")),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(name: &str, message: &str, code: i64) -> StateDetail {
        StateDetail {
            sub_system_name: Some(name.to_owned()),
            failure_message: Some(message.to_owned()),
            failure_code: Some(code),
            ..StateDetail::default()
        }
    }

    #[test]
    fn a_reason_that_parts_repeat_is_given_once() {
        let reasons = Reasons::default()
            .whole(Some("No space."), Some(7))
            .parts(&[detail("disk", "No space", 7), detail("host", "No link.", 8)]);
        assert_eq!(
            reasons.text().unwrap(),
            "No space (failure code 7); host: No link (failure code 8)"
        );
    }

    #[test]
    fn a_reason_with_a_secret_is_hidden() {
        let reasons = Reasons::default().whole(Some("login failed with password: hidden-1"), Some(7));
        assert_eq!(reasons.text().unwrap(), "[redacted] (failure code 7)");
    }

    #[test]
    fn a_code_without_a_message_is_a_reason() {
        let reasons = Reasons::default().whole(Some(" "), Some(16020));
        assert_eq!(reasons.text().unwrap(), "failure code 16020");
        assert_eq!(Reasons::default().whole(None, None).text(), None);
    }

    #[test]
    fn a_part_without_a_name_goes_by_its_type_or_id() {
        let unnamed = StateDetail {
            sub_system_name: Some(String::new()),
            sub_system_id: Some("vm-7".to_owned()),
            ..detail("", "No link", 8)
        };
        let text = Reasons::default().parts(&[unnamed]).text().unwrap();
        assert_eq!(text, "vm-7: No link (failure code 8)");
    }
}
