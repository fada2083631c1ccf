//! Exit codes: one table, shown by `--help` and the README.

use netmgr_lookups::ErrorKind;

/// What the process ends with.
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
    Interrupted = 130,
}

/// Every code and what it means.
const TABLE: &[(Exit, &str)] = &[
    (Exit::Success, "the answer was printed"),
    (Exit::Other, "anything not listed"),
    (Exit::Usage, "wrong usage, bad input or bad configuration"),
    (Exit::NotFound, "not found"),
    (Exit::Ambiguous, "several objects match"),
    (Exit::Unauthenticated, "the login was not accepted"),
    (Exit::Network, "no connection, or TLS failed"),
    (Exit::Throttled, "throttled by the manager"),
    (
        Exit::DeadlineExceeded,
        "the deadline passed, or a wait took too long",
    ),
    (Exit::Unsupported, "not supported by this manager"),
    (Exit::PermissionDenied, "permission denied"),
    (Exit::RealizationFailed, "the awaited object failed to realize"),
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
    fn the_readme_lists_every_code_with_its_meaning() {
        let readme = include_str!("../README.md");
        for (exit, meaning) in TABLE {
            let row = format!("| {} | {meaning} |", *exit as u8);
            assert!(readme.contains(&row), "{row}");
        }
    }
}
