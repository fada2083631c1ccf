//! The errors of each function, for the documentation.
//!
//! Derived from the facts of a function. The error type is [`crate::Error`].

use crate::contract::registry::FunctionEntry;
use crate::contract::spec::{Availability, ResultKind};

/// An error of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorDescription {
    /// Name: `not found`, or a fixed text.
    pub name: &'static str,
    /// Conditions under which it occurs, as a clause.
    pub when: String,
}

impl ErrorDescription {
    fn new(name: &'static str, when: impl Into<String>) -> Self {
        Self {
            name,
            when: when.into(),
        }
    }
}

impl FunctionEntry {
    /// Errors of the function in addition to the errors of every request, most specific first.
    #[must_use]
    pub fn failures(&self) -> Vec<ErrorDescription> {
        let noun = self.spec.noun;
        let mut failures: Vec<ErrorDescription> = self
            .spec
            .own_errors
            .iter()
            .map(|(text, when)| ErrorDescription::new(text, *when))
            .collect();
        match self.spec.answer {
            ResultKind::Object => {
                failures.push(ErrorDescription::new(
                    "not found",
                    format!("no {noun} matches the inputs"),
                ));
                failures.push(ErrorDescription::new(
                    "ambiguous",
                    format!(
                        "more than one {noun} matches; the message lists up to ten of them with their ids"
                    ),
                ));
            }
            ResultKind::State => {
                failures.push(ErrorDescription::new(
                    "not found",
                    format!("the {noun} does not exist"),
                ));
                failures.push(ErrorDescription::new(
                    "realization failed",
                    "the object reached a final state other than success; the message includes the reasons that the manager gives",
                ));
                failures.push(ErrorDescription::new(
                    "deadline exceeded",
                    "`timeout` expired; the message includes the elapsed time and the last state",
                ));
            }
            ResultKind::Table | ResultKind::Fact => {}
        }
        failures.push(ErrorDescription::new("invalid input", self.invalid_input()));
        if self.may_be_unsupported() {
            failures.push(ErrorDescription::new(
                "unsupported",
                "the manager is of an unsupported kind or version",
            ));
        }
        failures
    }

    fn invalid_input(&self) -> String {
        let inputs = self.describe().inputs;
        let mut cases = vec!["a property is unknown or has an invalid value"];
        if inputs.iter().any(|input| input.required) {
            cases.push("a required one is missing or empty");
        }
        cases.join(", or ")
    }

    /// Whether the function may be unsupported and has no specific error for this.
    fn may_be_unsupported(&self) -> bool {
        let restricted = self.spec.availability != Availability::NotStated
            || !self.spec.since.is_empty()
            || self.spec.removed_in.is_some()
            || !self.spec.successors.is_empty();
        restricted && self.spec.own_errors.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use crate::Lookups;

    fn names(function: &str) -> Vec<&'static str> {
        let failures = Lookups::entry(function).unwrap().failures();
        failures.into_iter().map(|failure| failure.name).collect()
    }

    #[test]
    fn errors_follow_from_what_a_function_answers_with() {
        assert_eq!(
            names("getComputeManager"),
            ["not found", "ambiguous", "invalid input"]
        );
        assert_eq!(names("getManagerInfo"), ["invalid input"]);
        assert_eq!(names("getNsGroups"), ["invalid input", "unsupported"]);
        assert_eq!(
            names("getPolicyEdgeTransportNodeRealization"),
            [
                "not found",
                "realization failed",
                "deadline exceeded",
                "invalid input",
                "unsupported"
            ]
        );
    }

    #[test]
    fn fixed_texts_stand_for_their_cases_alone() {
        assert_eq!(
            names("getPolicyClusterSecurityConfig"),
            ["Cluster not found", "API not supported", "invalid input"]
        );
    }

    #[test]
    fn a_required_property_can_be_missing() {
        let when = |function: &str| {
            let failures = Lookups::entry(function).unwrap().failures();
            let invalid = failures
                .into_iter()
                .find(|failure| failure.name == "invalid input");
            invalid.unwrap().when
        };
        assert_eq!(when("getIpPool"), "a property is unknown or has an invalid value");
        assert_eq!(
            when("getComputeCollection"),
            "a property is unknown or has an invalid value, or a required one is missing or empty"
        );
    }
}
