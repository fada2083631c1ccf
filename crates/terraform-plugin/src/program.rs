//! The binary of a provider: its arguments, its messages and its exit code.

use std::error::Error;
use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use crate::handshake::HostEnvironment;
use crate::provider::DataSourceProvider;
use crate::serve::{ServeMode, StartupError};
use crate::{log, panics, serve};

/// Facts about the binary of a provider.
#[derive(Debug, Clone, Copy)]
pub struct ProviderProgram {
    /// Name of the binary: `terraform-provider-example`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Purpose in one sentence.
    pub purpose: &'static str,
    /// Address of the provider without the registry: `namespace/example`.
    pub address: &'static str,
    /// Name prefixes of the crates whose events are logged.
    pub logged: &'static [&'static str],
}

/// The task that the arguments request.
#[derive(Debug, PartialEq, Eq)]
enum Task {
    Serve,
    Debug,
    Print(String),
    Refuse(String),
}

/// Runs a provider until its host ends it, or serves hosts that attach themselves until it is interrupted. For the `main`
/// function of a provider. `provider` creates the provider of a connection.
///
/// Core dumps are turned off on Unix, because they would contain secrets, unless the variable `PLUGIN_CORE_DUMPS` is set.
pub fn main<P: DataSourceProvider>(provider: impl Fn() -> P + Send, program: ProviderProgram) -> ExitCode {
    process_lifecycle::turn_off_core_dumps();
    let served = match task(std::env::args_os().skip(1), program) {
        Task::Print(text) => {
            let mut output = std::io::stdout();
            return match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
                // It is not an error if the reader has closed the pipe.
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    failure(&format!("{}: cannot write to stdout: {error}\n", program.name))
                }
                _ => ExitCode::SUCCESS,
            };
        }
        Task::Refuse(text) => return failure(&text),
        Task::Debug => {
            log::start(program.name, program.logged, std::env::var_os);
            let address = program.address;
            serve::run(provider, ServeMode::Attached { address })
        }
        Task::Serve => {
            panics::report();
            let host = match HostEnvironment::read(std::env::var_os) {
                Ok(host) => host,
                Err(refusal) => return failure(&refusal.message(program.name)),
            };
            log::start(program.name, program.logged, std::env::var_os);
            serve::run(provider, ServeMode::Started(host))
        }
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&chain(program.name, &error)),
    }
}

/// Hosts pass no arguments.
fn task(mut arguments: impl Iterator<Item = OsString>, program: ProviderProgram) -> Task {
    let ProviderProgram {
        name,
        version,
        purpose,
        ..
    } = program;
    let Some(argument) = arguments.next() else {
        return Task::Serve;
    };
    match argument.to_str() {
        Some("--debug" | "-debug") => Task::Debug,
        Some("--version" | "-V") => Task::Print(format!("{name} {version}\n")),
        Some("--help" | "-h") => Task::Print(format!(
            "{purpose}\n\n\
             Terraform and OpenTofu start this binary. It does nothing useful on its own.\n\n\
             Usage: {name} [--debug | --version | --help]\n\n\
             Options:\n\
             \x20 --debug    Serve until interrupted, and print the variable with which hosts find the process\n\
             \x20 --version  Print the version\n\
             \x20 --help     Print this help\n"
        )),
        Some(_) => Task::Refuse(format!("{name}: unknown argument; see --help\n")),
        None => Task::Refuse(format!("{name}: argument 1 is not UTF-8; see --help\n")),
    }
}

fn chain(program: &str, error: &StartupError) -> String {
    let mut text = format!("{program}: {error}");
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text.push('\n');
    text
}

fn failure(text: &str) -> ExitCode {
    // Fails if the reader is gone.
    let _ = std::io::stderr().write_all(text.as_bytes());
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: ProviderProgram = ProviderProgram {
        name: "terraform-provider-example",
        version: "1.2.3",
        purpose: "Reads examples.",
        address: "acme/example",
        logged: &[],
    };

    fn of(arguments: &[&str]) -> Task {
        task(arguments.iter().map(OsString::from), PROGRAM)
    }

    #[test]
    fn hosts_pass_no_arguments_and_people_do() {
        assert_eq!(of(&[]), Task::Serve);
        assert_eq!(of(&["--debug"]), Task::Debug);
        assert_eq!(of(&["-debug"]), Task::Debug);
        assert_eq!(
            of(&["--version"]),
            Task::Print("terraform-provider-example 1.2.3\n".to_owned())
        );
        assert!(matches!(of(&["-h"]), Task::Print(text) if text.starts_with("Reads examples.\n")));
        assert!(matches!(of(&["serve"]), Task::Refuse(_)));
    }
}
