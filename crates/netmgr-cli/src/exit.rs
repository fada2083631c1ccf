//! Exit codes: one table, shown by `netmgr options`, the README and `docs/command-line.md`.

use netmgr_lookups::ErrorKind;

/// Exit code of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Success = 0,
    Other = 1,
    Usage = 2,
    NotFound = 3,
    Ambiguous = 4,
    Unauthenticated = 5,
    Network = 6,
    Throttled = 7,
    DeadlineExceeded = 8,
    Unsupported = 9,
    PermissionDenied = 10,
    RealizationFailed = 11,
    Unavailable = 12,
    // For `diff` and `check`, 1 means a finding (decision recordings).
    NotCompared = 13,
    HungUp = 129,
    Interrupted = 130,
}

/// All codes with their meanings.
const TABLE: &[(Exit, &str)] = &[
    (Exit::Success, "success"),
    (
        Exit::Other,
        "any other error; for `diff`, the two sides differ; for `check`, there are findings",
    ),
    (Exit::Usage, "invalid usage, input or configuration"),
    (Exit::NotFound, "not found"),
    (Exit::Ambiguous, "more than one object matches"),
    (Exit::Unauthenticated, "authentication failed"),
    (Exit::Network, "network or TLS error"),
    (Exit::Throttled, "throttled by the manager"),
    (Exit::DeadlineExceeded, "deadline exceeded or wait timed out"),
    (Exit::Unsupported, "not supported by this manager"),
    (Exit::PermissionDenied, "permission denied"),
    (Exit::RealizationFailed, "realization failed"),
    (Exit::Unavailable, "the manager is unavailable"),
    (Exit::NotCompared, "any other error, for `diff` and `check`"),
    (Exit::HungUp, "terminal closed (SIGHUP)"),
    (Exit::Interrupted, "interrupted"),
];

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::InvalidInput => Self::Usage,
            ErrorKind::NotFound => Self::NotFound,
            ErrorKind::Ambiguous => Self::Ambiguous,
            ErrorKind::Unauthenticated => Self::Unauthenticated,
            ErrorKind::PermissionDenied => Self::PermissionDenied,
            ErrorKind::Network => Self::Network,
            ErrorKind::Throttled => Self::Throttled,
            ErrorKind::DeadlineExceeded => Self::DeadlineExceeded,
            ErrorKind::Unsupported => Self::Unsupported,
            ErrorKind::RealizationFailed => Self::RealizationFailed,
            ErrorKind::Cancelled => Self::Interrupted,
            _ => Self::Other,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The table as help text.
pub(crate) fn help() -> String {
    let lines = TABLE
        .iter()
        .map(|(exit, meaning)| format!("  {:>3}  {meaning}", *exit as u8));
    "Exit codes:\n".to_owned() + &lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_lists_every_code_with_its_meaning() {
        let pages = [
            include_str!("../README.md"),
            include_str!("../../../docs/command-line.md"),
        ];
        for (exit, meaning) in TABLE {
            let row = format!("| {} | {meaning} |", *exit as u8);
            for page in pages {
                assert!(page.contains(&row), "{row}");
            }
        }
    }
}
