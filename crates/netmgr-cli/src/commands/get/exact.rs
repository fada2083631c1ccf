//! Whether a lookup found the object with the name that was given, or one whose name only begins with it.

use netmgr_lookups::{Candidate, Error};
use serde_json::Value;

use crate::catalog::CatalogFunction;
use crate::failure::CliError;
use crate::output::standard_error;

/// The input and the output with the name of an object.
pub(super) const DISPLAY_NAME: &str = "displayName";

/// The name that a function searches for.
pub(super) struct WantedName {
    function: &'static CatalogFunction,
    name: String,
}

/// The name that a lookup with this input selects by. There is none if an id takes precedence.
pub(super) fn wanted_name(function: &'static CatalogFunction, input: &Value) -> Option<WantedName> {
    let text = |name: &str| input.get(name)?.as_str().filter(|text| !text.is_empty());
    let name = text(DISPLAY_NAME).filter(|_| text("id").is_none() && function.is_by_name())?;
    Some(WantedName {
        function,
        name: name.to_owned(),
    })
}

impl WantedName {
    /// Reports that the name of the found object is longer. With `--exact`, this is an error.
    pub(super) fn confirm(
        &self,
        outcome: Result<Value, CliError>,
        is_exact: bool,
    ) -> Result<Value, CliError> {
        match &outcome {
            Ok(object) => {
                let found = object
                    .get(DISPLAY_NAME)
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let candidate = Candidate::new(found, "");
                // An object that may be missing has no name.
                if found.is_empty() || candidate.is_named(&self.name) {
                    return outcome;
                }
                if is_exact {
                    return Err(self.missing(std::slice::from_ref(&candidate), 1));
                }
                // Another input selected it.
                if !candidate.begins_with(&self.name) {
                    return outcome;
                }
                standard_error(&format!(
                    "note: no {} is named {:?}; {found:?} is the only name with this prefix",
                    self.function.entry.spec.noun, self.name
                ));
            }
            Err(CliError::Lookup(Error::Ambiguous { found, total, .. }))
                if is_exact && !found.iter().any(|candidate| candidate.is_named(&self.name)) =>
            {
                return Err(self.missing(found, *total));
            }
            Err(_) => {}
        }
        outcome
    }

    /// The error for a name that is only a prefix of other names.
    fn missing(&self, longer: &[Candidate], total: usize) -> CliError {
        let mut names: Vec<String> = longer.iter().map(|longer| format!("{:?}", longer.name)).collect();
        names.dedup();
        let more = match total.saturating_sub(longer.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let spec = &self.function.entry.spec;
        CliError::NotFound {
            what: format!("{}: no {} has display name {:?}", spec.name, spec.noun, self.name),
            hint: format!(
                "`--exact` excludes {}{more}, whose name{} with it",
                names.join(", "),
                if total == 1 { " begins" } else { "s begin" }
            ),
        }
    }
}
