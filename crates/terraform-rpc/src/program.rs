//! The program of a provider: its arguments, its messages and its exit code.

use std::error::Error;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use crate::handshake::Host;
use crate::provider::Provider;
use crate::serve::{Caller, ServeError};
use crate::{log, panics, serve};

/// Facts about the program of a provider.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Name of the program: `terraform-provider-example`.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Purpose in one sentence.
    pub purpose: &'static str,
    /// Address of the provider without the registry: `namespace/example`.
    pub address: &'static str,
    /// Beginnings of the names of crates whose events are logged.
    pub logged: &'static [&'static str],
}

/// What the arguments request.
#[derive(Debug, PartialEq, Eq)]
enum Task {
    Serve,
    Debug,
    Print(String),
    Refuse(String),
}

/// Runs a provider until its host ends it. For the `main` function of a provider.
///
/// Core dumps are turned off on Unix, because they would contain secrets, unless the variable `PLUGIN_CORE_DUMPS` is set.
pub fn main<P: Provider>(provider: impl FnOnce() -> P, about: About) -> ExitCode {
    grpc_plugin::turn_off_core_dumps();
    let variable = |name: &str| std::env::var(name).ok();
    let served = match task(std::env::args().skip(1), about) {
        Task::Print(text) => {
            let mut output = std::io::stdout();
            return match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
                // A reader that has read enough is no error.
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    failure(&format!("{}: cannot write to stdout: {error}\n", about.program))
                }
                _ => ExitCode::SUCCESS,
            };
        }
        Task::Refuse(text) => return failure(&text),
        Task::Debug => {
            log::start(about.program, about.logged, variable);
            let caller = Caller::Attached {
                provider: about.address,
            };
            serve::run(provider(), caller)
        }
        Task::Serve => {
            panics::report();
            let host = match Host::read(variable) {
                Ok(host) => host,
                Err(refusal) => return failure(&refusal.message(about.program)),
            };
            log::start(about.program, about.logged, variable);
            serve::run(provider(), Caller::Host(host))
        }
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&chain(about.program, &error)),
    }
}

/// Hosts pass no arguments.
fn task(mut arguments: impl Iterator<Item = String>, about: About) -> Task {
    let About {
        program,
        version,
        purpose,
        ..
    } = about;
    match arguments.next().as_deref() {
        None => Task::Serve,
        Some("--debug" | "-debug") => Task::Debug,
        Some("--version" | "-V") => Task::Print(format!("{program} {version}\n")),
        Some("--help" | "-h") => Task::Print(format!(
            "{purpose}\n\n\
             Terraform and OpenTofu start this program; it is of no use by itself.\n\n\
             Usage: {program} [--debug | --version | --help]\n\n\
             Options:\n\
             \x20 --debug    Serve until interrupted, and print the variable with which hosts find the process\n\
             \x20 --version  Print the version\n\
             \x20 --help     Print this help\n"
        )),
        Some(_) => Task::Refuse(format!("{program}: unknown argument; see --help\n")),
    }
}

fn chain(program: &str, error: &ServeError) -> String {
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

    const ABOUT: About = About {
        program: "terraform-provider-example",
        version: "1.2.3",
        purpose: "Reads examples.",
        address: "acme/example",
        logged: &[],
    };

    fn of(arguments: &[&str]) -> Task {
        task(arguments.iter().map(|argument| (*argument).to_owned()), ABOUT)
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
