//! Hangups: the terminal of a process was closed.

/// Whether the process was started with hangups ignored. `None` where only unsafe code can determine it: there, a
/// hangup keeps its usual effect.
#[must_use]
pub fn hangups_are_ignored() -> Option<bool> {
    const HANGUP: u64 = 1;

    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask & HANGUP != 0)
}
