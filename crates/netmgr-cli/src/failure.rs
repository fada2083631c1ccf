//! Failures of the program and their report: the chain of causes, followed by a hint.

use std::error::Error;
use std::io;

use netmgr_transport::ErrorKind as RequestErrorKind;

use crate::exit::Exit;

/// Hint for a setting that cannot be used.
const SETTINGS: &str = "settings are read from flags, from --config FILE and from NETMGR_* variables; \
                        `netmgr get --help` lists them";

/// Errors of the program.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// Invalid usage.
    #[error("{what}")]
    Usage {
        what: String,
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// Invalid configuration of the connection. The report lists the problems.
    #[error("invalid configuration")]
    Configuration(netmgr_types::ConfigErrors),
    /// Error of the client.
    #[error(transparent)]
    Client(netmgr_transport::Error),
    /// The lookup failed.
    #[error(transparent)]
    Lookup(#[from] netmgr_lookups::Error),
    /// The simulated manager did not start.
    #[error("the simulated manager did not start")]
    Simulator(#[source] netmgr_sim::StartError),
    /// The runtime did not start.
    #[error("the program could not start")]
    Runtime(#[source] io::Error),
    /// Writing to standard output failed.
    #[error("the output could not be written")]
    Output(#[source] io::Error),
    /// A waiting lookup exceeded the deadline.
    #[error("the deadline of {} s expired", .0.as_secs_f64())]
    Deadline(std::time::Duration),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl CliError {
    /// Creates a usage error without a cause.
    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::Usage {
            what: what.into(),
            source: None,
        }
    }

    /// Exit code of the process.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage { .. } | Self::Configuration(_) => Exit::Usage,
            Self::Client(error) if error.kind() == RequestErrorKind::Config => Exit::Usage,
            Self::Client(_) | Self::Simulator(_) | Self::Runtime(_) | Self::Output(_) => Exit::Other,
            Self::Lookup(error) => error.kind().into(),
            Self::Deadline(_) => Exit::DeadlineExceeded,
            Self::Interrupted => Exit::Interrupted,
        }
    }

    /// A hint, if the messages contain none.
    fn hint(&self) -> Option<String> {
        match self {
            Self::Configuration(_) => Some(SETTINGS.to_owned()),
            Self::Client(error) if error.kind() == RequestErrorKind::Config => Some(SETTINGS.to_owned()),
            Self::Lookup(netmgr_lookups::Error::InvalidInput { function, .. }) => Some(format!(
                "`netmgr get {} --help` lists the inputs",
                crate::flags::command_name(function)
            )),
            _ => None,
        }
    }

    /// The error report for standard error.
    pub(crate) fn report(&self) -> String {
        let mut report = match self {
            Self::Lookup(netmgr_lookups::Error::Ambiguous {
                function,
                what,
                found,
                total,
                incomplete,
                ..
            }) => {
                let candidates = found.iter().map(|candidate| format!("\n  {candidate}"));
                let mut report = format!("error: {function}: {what}{}", candidates.collect::<String>());
                if *total > found.len() {
                    report.push_str(&format!("\n  and {} more", total - found.len()));
                }
                if let Some(why) = incomplete {
                    report.push_str(&format!("\n  (the answer may be incomplete: {why})"));
                }
                report
            }
            Self::Configuration(errors) => {
                let problems = errors.problems().iter().map(|problem| format!("\n  {problem}"));
                format!("error: {self}{}", problems.collect::<String>())
            }
            _ => format!("error: {self}"),
        };
        let mut cause = self.source();
        while let Some(error) = cause {
            report.push_str(&format!("\n  caused by: {error}"));
            cause = error.source();
        }
        if let Some(hint) = self.hint() {
            report.push_str(&format!("\n  hint: {hint}"));
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use netmgr_lookups::Candidate;
    use netmgr_types::ProviderConfig;
    use serde_json::json;

    use super::*;

    #[test]
    fn every_problem_of_a_configuration_has_a_line() {
        let errors = ProviderConfig::from_json(json!({ "hots": "m", "maxRetries": "many" })).unwrap_err();
        let failure = CliError::Configuration(errors);
        assert_eq!(failure.exit(), Exit::Usage);
        insta::assert_snapshot!(failure.report());
    }

    #[test]
    fn a_failed_lookup_tells_each_cause_once() {
        let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
        let failure = netmgr_transport::Failure::default()
            .attempts(5_u32)
            .elapsed(std::time::Duration::from_millis(1200))
            .source(refused);
        let request = netmgr_transport::Error::new(RequestErrorKind::Connect, failure);
        let failed =
            netmgr_lookups::Error::request_failed("getManagerInfo", "the version of its node", request);
        let failure = CliError::from(failed);
        assert_eq!(failure.exit(), Exit::Network);
        insta::assert_snapshot!(failure.report());
    }

    #[test]
    fn every_candidate_has_a_line() {
        let found = [
            Candidate::new("blue", "b-1").path("/infra/bfd-profiles/b-1"),
            Candidate::new("blue", "b-2"),
        ];
        let what = "several BFD profile objects have display name \"blue\"; select one by `id`";
        let mut error = netmgr_lookups::Error::ambiguous("getPolicyBfdProfile", what, found, 3);
        if let netmgr_lookups::Error::Ambiguous { incomplete, .. } = &mut error {
            *incomplete = Some("1 object could not be read".to_owned());
        }
        let failure = CliError::from(error);
        assert_eq!(failure.exit(), Exit::Ambiguous);
        insta::assert_snapshot!(failure.report());
    }

    #[test]
    fn a_wrong_input_points_at_the_help_of_its_function() {
        let problem = netmgr_lookups::InvalidProperty::new("displayNam", "is not known");
        let failure = CliError::from(netmgr_lookups::Error::invalid_input(
            "getPolicyEdgeCluster",
            [problem],
        ));
        assert_eq!(failure.exit(), Exit::Usage);
        insta::assert_snapshot!(failure.report());
    }
}
