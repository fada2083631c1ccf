//! The list of lookup functions, their types erased.

use futures_util::future::BoxFuture;
use schemars::Schema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::context::Context;
use crate::error::{Error, Problem};
use crate::lookup::Lookup;
use crate::spec::LookupSpec;

/// A lookup function, its types erased.
pub struct Entry {
    /// Its facts.
    pub spec: LookupSpec,
    /// JSON schema of its input.
    pub input_schema: fn() -> Schema,
    /// JSON schema of its output.
    pub output_schema: fn() -> Schema,
    run: for<'a> fn(Value, &'a Context<'a>) -> BoxFuture<'a, Result<Value, Error>>,
}

impl Entry {
    /// The entry of `L`.
    #[must_use]
    pub const fn of<L: Lookup>() -> Self {
        Self {
            spec: L::SPEC,
            input_schema: || schemars::schema_for!(L::Input),
            output_schema: || schemars::schema_for!(L::Output),
            run: |input, cx| Box::pin(run::<L>(input, cx)),
        }
    }

    /// Runs the function over JSON.
    pub(crate) fn run<'a>(&self, input: Value, cx: &'a Context<'a>) -> BoxFuture<'a, Result<Value, Error>> {
        (self.run)(input, cx)
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry")
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

async fn run<L: Lookup>(input: Value, cx: &Context<'_>) -> Result<Value, Error> {
    let input = decode(input).map_err(|problem| cx.invalid(vec![problem]))?;
    let output = L::run(input, cx).await?;
    serde_json::to_value(output).map_err(|error| cx.internal(&error.to_string()))
}

/// Decodes an input object, naming the property that does not fit.
fn decode<T: DeserializeOwned>(input: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(input).map_err(|error| {
        let at = match error.path().to_string() {
            path if path == "." => String::new(),
            path => path,
        };
        match problem(at, &error.inner().to_string()) {
            whole if whole.property.is_empty() => Problem::new("", format!("the input {}", whole.reason)),
            part => part,
        }
    })
}

/// What serde says of the value at `at`, in the words of other problems.
fn problem(at: String, message: &str) -> Problem {
    if let Some(name) = message
        .strip_prefix("missing field `")
        .and_then(|rest| rest.strip_suffix('`'))
    {
        let property = if at.is_empty() {
            name.to_owned()
        } else {
            format!("{at}.{name}")
        };
        return Problem::new(property, "is required");
    }
    if let Some(rest) = message.strip_prefix("unknown field `") {
        let known = rest.split_once("expected ").map_or("", |(_, known)| known);
        return match known.strip_prefix("one of ").unwrap_or(known) {
            "" => Problem::new(at, "is not known; there are no properties"),
            known => Problem::new(at, format!("is not known; known are {known}")),
        };
    }
    for prefix in ["invalid type: ", "invalid value: "] {
        if let Some((got, wanted)) = message
            .strip_prefix(prefix)
            .and_then(|rest| rest.rsplit_once(", expected "))
        {
            let wanted = match wanted {
                "f64" => "a number",
                rust if rust.starts_with("struct ") => "an object",
                other => other,
            };
            return Problem::new(at, format!("must be {wanted}, not {got}"));
        }
    }
    Problem::new(at, message)
}

#[cfg(test)]
mod tests {
    use netmgr_types::shapes::{ContextInput, MapInput, NamedInput};
    use serde_json::json;

    use super::*;
    use crate::functions::get_compute_collection::ComputeCollectionInput;
    use crate::functions::get_compute_manager_realization::ComputeManagerRealizationInput;
    use crate::functions::get_management_cluster::ManagementClusterInput;

    fn refusal<T: DeserializeOwned + std::fmt::Debug>(input: Value) -> String {
        decode::<T>(input).unwrap_err().to_string()
    }

    #[test]
    fn inputs_that_do_not_fit_are_told_by_property() {
        assert_eq!(
            refusal::<NamedInput>(json!({"name": "x"})),
            "`name` is not known; known are `description`, `displayName`, `id`"
        );
        assert_eq!(
            refusal::<MapInput>(json!({"name": "x"})),
            "`name` is not known; known are `id`"
        );
        assert_eq!(
            refusal::<ManagementClusterInput>(json!({"name": "x"})),
            "`name` is not known; there are no properties"
        );
        assert_eq!(
            refusal::<NamedInput>(json!({"id": 5})),
            "`id` must be a string, not integer `5`"
        );
        assert_eq!(
            refusal::<ComputeCollectionInput>(json!({})),
            "`displayName` is required"
        );
        assert_eq!(
            refusal::<ContextInput>(json!({"context": {}})),
            "`context.projectId` is required"
        );
        assert_eq!(
            refusal::<ComputeManagerRealizationInput>(json!({"id": "x", "delay": -1})),
            "`delay` -1 is negative; give seconds from 0 on"
        );
        assert_eq!(
            refusal::<NamedInput>(json!("x")),
            "the input must be an object, not string \"x\""
        );
    }
}
