//! Core dumps, which would contain passwords and keys: off while the provider serves.
//!
//! The soft limit is 0, so that no file is written. Programs that the kernel passes core dumps to, such as systemd-coredump
//! and apport, respect the limit as well.

/// With this variable, core dumps are left as they are, for debugging.
const KEEP: &str = "PLUGIN_CORE_DUMPS";

/// Turns them off, unless the environment has the variable `PLUGIN_CORE_DUMPS`.
#[cfg(unix)]
pub(crate) fn turn_off() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    if std::env::var_os(KEEP).is_some_and(|value| !value.is_empty()) {
        return;
    }
    let Rlimit { maximum, .. } = getrlimit(Resource::Core);
    let none = Rlimit {
        current: Some(0),
        maximum,
    };
    if setrlimit(Resource::Core, none).is_err() {
        tracing::debug!("core dumps cannot be turned off");
    }
}

/// Other platforms write them only if an administrator has set that up.
#[cfg(not(unix))]
pub(crate) fn turn_off() {
    let _ = KEEP;
}
