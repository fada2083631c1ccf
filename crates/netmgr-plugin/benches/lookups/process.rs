//! The resources of a process, from `/proc`.

use serde::{Deserialize, Serialize};

/// Ticks in a second; the same on every Linux.
const TICKS: f64 = 100.0;

/// Memory and processor time of a process up to now.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProcessUsage {
    /// Resident memory now, in MiB.
    pub(crate) resident_mib: f64,
    /// The most resident memory so far, in MiB.
    pub(crate) peak_mib: f64,
    /// Processor time, in seconds.
    pub(crate) cpu_seconds: f64,
}

impl ProcessUsage {
    /// Usage of the process with this id; zeros without `/proc`.
    pub(crate) fn of(process: u32) -> Self {
        let read =
            |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
        let status = read("status");
        let mebibytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok());
            kibibytes.unwrap_or_default() / 1024.0
        };
        let stat = read("stat");
        // After the name of the binary, which may contain spaces: user and system time are the 12th and 13th.
        let (_, fields) = stat.rsplit_once(") ").unwrap_or_default();
        let ticks: f64 = fields
            .split(' ')
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<f64>().ok())
            .sum();
        Self {
            resident_mib: mebibytes("VmRSS:"),
            peak_mib: mebibytes("VmHWM:"),
            cpu_seconds: ticks / TICKS,
        }
    }
}
