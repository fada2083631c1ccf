//! The log of `-v`: what happens on the wire, on standard error.

use tracing_subscriber::EnvFilter;

/// Starts the log: once `-v` for a line per request, twice for more. Only our own crates: below
/// them headers with credentials would be logged.
pub(crate) fn start(verbosity: u8) {
    let directives = match verbosity {
        0 => return,
        1 => "netmgr=debug,netmgr_transport=debug,netmgr_lookups=debug",
        _ => "netmgr=trace,netmgr_transport=trace,netmgr_lookups=trace,netmgr_sim=debug",
    };
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(EnvFilter::new(directives))
        .init();
}
