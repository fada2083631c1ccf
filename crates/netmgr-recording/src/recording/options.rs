//! The selection of what to record, which the header of a recording contains.

use derive_setters::Setters;
use netmgr_types::PolicyPath;
use serde_json::Value;

/// Selection of what to record.
#[derive(Debug, Clone, PartialEq, Eq, Setters)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct RecordOptions {
    /// Types to record, by the names of [`recorded_types`](crate::recorded_types). Default: all.
    pub types: Vec<String>,
    /// Id of the only project to record. Default: everything, inside and outside projects.
    pub project: Option<String>,
    /// Maximum size of a collection whose states and settings are recorded, with one request each. Those of larger
    /// collections are left out with a warning. Default 100; 0 leaves them all out.
    pub states: usize,
}

impl Default for RecordOptions {
    fn default() -> Self {
        Self {
            types: Vec::new(),
            project: None,
            states: 100,
        }
    }
}

impl RecordOptions {
    /// Narrows the selection to the selection of a recording with this header.
    ///
    /// # Errors
    ///
    /// They have nothing in common. The reason describes the recording.
    pub fn narrow(&mut self, header: &Value) -> Result<(), String> {
        let types: Vec<String> = serde_json::from_value(header["types"].clone()).unwrap_or_default();
        let project = header["project"].as_str();
        let is_wanted = |name: &String| self.types.is_empty() || self.types.contains(name);
        let both: Vec<String> = types.iter().filter(|name| is_wanted(name)).cloned().collect();
        let is_elsewhere = self
            .project
            .as_deref()
            .zip(project)
            .is_some_and(|(own, other)| own != other);
        if is_elsewhere || both.is_empty() && !types.is_empty() {
            let recorded = Self {
                types,
                project: project.map(str::to_owned),
                states: self.states,
            };
            return Err(format!("it only contains {}", recorded.described()));
        }
        if !types.is_empty() {
            self.types = both;
        }
        self.project = self.project.take().or(project.map(str::to_owned));
        Ok(())
    }

    /// The types and the project in words; empty if everything is selected.
    #[must_use]
    pub fn described(&self) -> String {
        let types = (!self.types.is_empty()).then(|| format!("objects of {}", self.types.join(", ")));
        let project = self.project.as_ref().map(|project| format!("project {project}"));
        let parts: Vec<String> = types.into_iter().chain(project).collect();
        parts.join(" in ")
    }

    /// Whether the object at `path` is in the project.
    pub(crate) fn includes(&self, path: &str) -> bool {
        self.project.as_ref().is_none_or(|project| {
            PolicyPath::trusted(path).is_within(&format!("/orgs/default/projects/{project}"))
        })
    }

    /// Whether one of the `names` of a type is selected.
    pub(crate) fn wants<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> bool {
        let is_wanted = |name: &str| self.types.iter().any(|wanted| wanted == name);
        self.types.is_empty() || names.into_iter().any(is_wanted)
    }
}
