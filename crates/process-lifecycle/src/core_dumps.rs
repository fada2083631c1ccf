//! Core dumps, which would contain passwords and keys.

/// With this variable, core dumps are not turned off, for debugging.
#[cfg(unix)]
const KEEP: &str = "PLUGIN_CORE_DUMPS";

/// The soft limit in bytes, which is too small for a file. On Linux it is 1 byte: the kernel ignores a limit of 0 when it
/// passes core dumps to a program, such as systemd-coredump or apport, and passes none with a limit of 1
/// (`fs/coredump.c`).
#[cfg(unix)]
const LIMIT: u64 = if cfg!(target_os = "linux") { 1 } else { 0 };

/// Turns core dumps of this process off, unless the environment has the variable `PLUGIN_CORE_DUMPS`. Call it before
/// the process reads secrets.
#[cfg(unix)]
pub fn turn_off_core_dumps() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    if std::env::var_os(KEEP).is_some_and(|value| !value.is_empty()) {
        return;
    }
    let Rlimit { maximum, .. } = getrlimit(Resource::Core);
    let none = Rlimit {
        current: Some(maximum.map_or(LIMIT, |maximum| maximum.min(LIMIT))),
        maximum,
    };
    if setrlimit(Resource::Core, none).is_err() {
        tracing::debug!("core dumps cannot be turned off");
    }
}

/// Does nothing: this platform only writes core dumps if an administrator has enabled them.
#[cfg(not(unix))]
pub fn turn_off_core_dumps() {}
