//! Rules for the machines that the autoscaler may start, and their checks.

use pulumi_plugin::components::{InputProblems, List, Output, record};

use crate::label;

const OPERATORS: [&str; 4] = ["In", "NotIn", "Exists", "DoesNotExist"];
const COMPARISONS: [&str; 4] = ["Gt", "Lt", "Gte", "Lte"];

record! {
    /// A rule for the machines that may be started.
    pub struct Requirement {
        /// Node label to which the rule applies.
        #[schemars(transform = label::KEY.rule())]
        pub key: Output<String>,
        /// Operator that compares the label with the values: `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`,
        /// `Lt`, `Gte` or `Lte`.
        #[schemars(extend("enum" = [OPERATORS, COMPARISONS].concat()))]
        pub operator: Output<String>,
        /// Values to compare with. `In` requires at least one; `Gt`, `Lt`, `Gte` and `Lte` require one whole
        /// number. Labels whose values the autoscaler knows require one of them, such as `spot` or `on-demand`, and
        /// `amd64` or `arm64`.
        #[schemars(extend("items" = label::VALUE.schema()))]
        pub values: Option<List<String>>,
    }
}

/// Whether a string is a whole number that the API server can read: below 2^63, without a sign.
fn is_count(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit()) && text.parse::<i64>().is_ok()
}

impl Requirement {
    pub(super) fn check(&self, path: &str, problems: &mut InputProblems) {
        label::check_of_autoscaled_nodes(&format!("{path}.key"), self.key.peek_known(), problems);
        let Some(operator) = self.operator.peek_known().map(String::as_str) else {
            return;
        };
        let values = self.values.clone().unwrap_or_else(|| Output::known(Vec::new()));
        let Some(values) = values.peek_known() else { return };
        let path = format!("{path}.values");
        if operator == "In" && values.is_empty() {
            problems.add(&path, "must not be empty if the operator is In");
        }
        let known = self.key.peek_known().and_then(|key| label::known_values(key));
        let is_other = |value: &Output<String>, known: &[&str]| {
            value
                .peek_known()
                .is_some_and(|value| !known.contains(&value.as_str()))
        };
        if let Some(known) = known.filter(|_| operator == "In")
            && !values.is_empty()
            && values.iter().all(|value| is_other(value, known))
        {
            problems.add(
                &path,
                format!("must contain at least one of {}", known.join(", ")),
            );
        }
        let is_number = |value: &Output<String>| value.peek_known().is_none_or(|text| is_count(text));
        if COMPARISONS.contains(&operator) && (values.len() != 1 || !values.iter().all(is_number)) {
            problems.add(
                &path,
                format!("must be one whole number if the operator is {operator}"),
            );
        }
    }
}
