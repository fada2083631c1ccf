//! Options that select what a recording contains.

use clap::Args;
use netmgr_lookups::counted;
use netmgr_recording::{RecordOptions, Recording};

use crate::catalog::recorded_type;
use crate::completion::words::recorded_types;
use crate::options::project;

/// Types and project of a recording.
#[derive(Debug, Clone, Args)]
pub(crate) struct RecordSelection {
    /// Types of objects, such as Group or policy-group, separated by commas. Default: all
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',', value_parser = recorded_type, add = recorded_types())]
    types: Vec<String>,
    /// Id of a project; nothing outside it is read
    #[arg(long, value_name = "ID", visible_alias = "context-project-id", value_parser = project)]
    project: Option<String>,
}

impl RecordSelection {
    /// The options of a recording.
    pub(crate) fn options(&self) -> RecordOptions {
        let mut options = RecordOptions::default();
        options.types.clone_from(&self.types);
        options.project.clone_from(&self.project);
        options
    }
}

/// How far a recording with this number of objects is.
pub(crate) fn progress(objects: u64, recording: &Recording) -> String {
    let objects = counted(objects, "object");
    let (current, left) = recording.progress();
    match current {
        Some(name) => format!("{objects}; reading {name}, then {}", counted(left, "more type")),
        None => format!("{objects}; {} left", counted(left, "type")),
    }
}
