//! The manager's error body.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;

use super::tolerant;

/// Error body of the manager, every field optional. A value of another type counts as its JSON text.
///
/// Its `Display` is one line: message, details, code and module, then the same for each error
/// below it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ApiError {
    /// Symbolic status such as `NOT_FOUND`.
    #[serde(
        rename = "httpStatus",
        alias = "http_status",
        deserialize_with = "tolerant::text"
    )]
    pub http_status: Option<String>,
    /// The manager's error number; on the wire a number or its text.
    #[serde(deserialize_with = "tolerant::number")]
    pub error_code: Option<i64>,
    /// Module of the manager that failed.
    #[serde(deserialize_with = "tolerant::text")]
    pub module_name: Option<String>,
    /// Human-readable message.
    #[serde(deserialize_with = "tolerant::text")]
    pub error_message: Option<String>,
    /// Human-readable details.
    #[serde(deserialize_with = "tolerant::text")]
    pub details: Option<String>,
    /// Errors below this one.
    #[serde(deserialize_with = "tolerant::objects")]
    pub related_errors: Vec<RelatedError>,
}

/// An error below another one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RelatedError {
    /// The manager's error number.
    #[serde(deserialize_with = "tolerant::number")]
    pub error_code: Option<i64>,
    /// Module of the manager that failed.
    #[serde(deserialize_with = "tolerant::text")]
    pub module_name: Option<String>,
    /// Human-readable message.
    #[serde(deserialize_with = "tolerant::text")]
    pub error_message: Option<String>,
    /// Human-readable details.
    #[serde(deserialize_with = "tolerant::text")]
    pub details: Option<String>,
}

impl ApiError {
    /// Whether this error or one below it has one of `codes`.
    #[must_use]
    pub fn has_code(&self, codes: &[i64]) -> bool {
        let one_of = |code: Option<i64>| code.is_some_and(|code| codes.contains(&code));
        one_of(self.error_code)
            || self
                .related_errors
                .iter()
                .any(|related| one_of(related.error_code))
    }

    /// All texts, most important first.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut Option<String>> {
        let own = [
            &mut self.error_message,
            &mut self.details,
            &mut self.module_name,
            &mut self.http_status,
        ];
        let related = self.related_errors.iter_mut().flat_map(|related| {
            [
                &mut related.error_message,
                &mut related.details,
                &mut related.module_name,
            ]
        });
        own.into_iter().chain(related)
    }
}

/// Maximum number of related errors that a message lists. For others, it states the number.
const NAMED: usize = 5;

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_error(
            f,
            self.error_message.as_deref(),
            self.details.as_deref(),
            self.error_code,
            self.module_name.as_deref(),
        )?;
        let related = self.related_errors.iter().filter(|related| !related.is_silent());
        for related in related.clone().take(NAMED) {
            f.write_str("; related: ")?;
            write_error(
                f,
                related.error_message.as_deref(),
                related.details.as_deref(),
                related.error_code,
                related.module_name.as_deref(),
            )?;
        }
        match related.count().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

impl RelatedError {
    /// Whether it states nothing about the problem.
    fn is_silent(&self) -> bool {
        let mut texts = [&self.error_message, &self.details].into_iter().flatten();
        self.error_code.is_none() && texts.all(|text| text.trim().is_empty())
    }
}

fn write_error(
    f: &mut fmt::Formatter<'_>,
    message: Option<&str>,
    details: Option<&str>,
    code: Option<i64>,
    module: Option<&str>,
) -> fmt::Result {
    // The manager's sentences end with a full stop; here they become parts of one sentence.
    let part = |text: &'_ str| text.trim().trim_end_matches('.').to_owned();
    let stated = |text: Option<&str>| text.map(part).filter(|text| !text.is_empty());
    f.write_str(stated(message).as_deref().unwrap_or("no message"))?;
    if let Some(details) = stated(details) {
        write!(f, ": {details}")?;
    }
    match (code, module) {
        (Some(code), Some(module)) => write!(f, " (error_code {code}, module_name {module})"),
        (Some(code), None) => write!(f, " (error_code {code})"),
        (None, Some(module)) => write!(f, " (module_name {module})"),
        (None, None) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn related_errors_that_state_nothing_are_left_out() {
        let body = r#"{"error_message":"","details":" ","related_errors":[{},{"error_message":""},
            {"details":"full."},{"error_code":7},{"error_message":" ","module_name":"m"}]}"#;
        let error: ApiError = serde_json::from_str(body).unwrap();
        assert_eq!(
            error.to_string(),
            "no message; related: no message: full; related: no message (error_code 7)"
        );
    }

    #[test]
    fn a_field_of_another_type_leaves_the_others_readable() {
        let body = r#"{"error_code":"600","error_message":"Not found.","details":["a",{"b":1}],"module_name":7,
            "httpStatus":404,"related_errors":[null,"x",{"error_code":[1],"error_message":{"m":1}}]}"#;
        let error: ApiError = serde_json::from_str(body).unwrap();
        assert_eq!(
            error.to_string(),
            r#"Not found: ["a",{"b":1}] (error_code 600, module_name 7); related: {"m":1}"#
        );
        for related in ["7", "null", r#""x""#, "{}"] {
            let body = format!(r#"{{"error_code":1,"related_errors":{related}}}"#);
            let error: ApiError = serde_json::from_str(&body).unwrap();
            assert_eq!(
                (error.error_code, error.related_errors.len()),
                (Some(1), 0),
                "{related}"
            );
        }
    }
}
