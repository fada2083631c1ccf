//! The `main` function of a plugin.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use crate::rpc::erased::ErasedProvider;
use crate::rpc::provider::Provider;
use crate::rpc::serve::run_erased;

/// The description of a plugin in its help.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Name of the program: `pulumi-resource-netmgr`.
    pub program: &'a str,
    /// Its version.
    pub version: &'a str,
    /// Its purpose, in one sentence.
    pub purpose: &'a str,
}

/// Runs a plugin with the arguments of the process until the engine stops it, or prints its help or version. For the
/// `main` function of a plugin:
///
/// ```no_run
/// # struct Greeter;
/// # impl pulumi_plugin::rpc::Provider for Greeter { fn version(&self) -> &str { "1.0.0" } }
/// fn main() -> std::process::ExitCode {
///     let about = pulumi_plugin::rpc::About {
///         program: "pulumi-resource-greeter",
///         version: "1.0.0",
///         purpose: "Greets people.",
///     };
///     pulumi_plugin::rpc::main(about, Greeter)
/// }
/// ```
///
/// See [`run`](crate::rpc::run). The engine shows the user what is written to standard error if the plugin cannot start.
pub fn main(about: About<'_>, provider: impl Provider) -> ExitCode {
    main_erased(about, Arc::new(provider))
}

fn main_erased(about: About<'_>, provider: Arc<dyn ErasedProvider>) -> ExitCode {
    let arguments = match arguments(about.program) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    if let Some(text) = text(about, &arguments) {
        return print(&text);
    }
    match run_erased(provider, &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error),
    }
}

/// The arguments of the process after its name.
///
/// # Errors
///
/// The exit code if an argument is not UTF-8, which is reported on standard error.
pub fn arguments(program: &str) -> Result<Vec<String>, ExitCode> {
    let arguments = std::env::args_os().skip(1).map(OsString::into_string);
    let arguments: Vec<_> = arguments.collect();
    match arguments.iter().position(Result::is_err) {
        None => Ok(arguments.into_iter().flatten().collect()),
        Some(index) => {
            // Fails if stderr is closed.
            let _ = writeln!(
                io::stderr(),
                "{program}: argument {} is not UTF-8; see --help",
                index + 1
            );
            Err(ExitCode::FAILURE)
        }
    }
}

/// Prints the help or the version.
fn print(text: &str) -> ExitCode {
    let mut output = io::stdout();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        // A closed pipe is not an error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => report(&error),
        _ => ExitCode::SUCCESS,
    }
}

fn report(error: &dyn Error) -> ExitCode {
    // Fails if stderr is closed.
    let _ = match error.source() {
        Some(cause) => writeln!(io::stderr(), "{error}: {cause}"),
        None => writeln!(io::stderr(), "{error}"),
    };
    ExitCode::FAILURE
}

/// The text to print instead of serving, if the arguments contain `--help` or `--version`, which the engine never passes.
fn text(about: About<'_>, arguments: &[String]) -> Option<String> {
    let About {
        program,
        version,
        purpose,
    } = about;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--tracing" => drop(arguments.next()),
            "--version" | "-V" => return Some(format!("{program} {version}\n")),
            "--help" | "-h" => {
                return Some(format!(
                    "\
{program} {version}
{purpose}

The Pulumi engine starts this program when a program of yours needs it. To debug it, start it by hand, and
set PULUMI_DEBUG_PROVIDERS=<package>:<port> for the engine to the port that it prints.

Usage: {program} [OPTIONS] [ENGINE]

Arguments:
  [ENGINE]  Address of the engine, host:port. Default: wait until engines attach themselves

Options:
      --logtostderr  Write a log to standard error
  -v=<LEVEL>         How much of it: 0 warnings, 1 information, 3 requests. Default 0
  -h, --help         Print this help
  -V, --version      Print the version
"
                ));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_and_version_are_printed_when_they_are_asked_for() {
        let answer = |line: &str| {
            let named = About {
                program: "pulumi-resource-x",
                version: "1.2.3",
                purpose: "Looks things up.",
            };
            let arguments: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
            text(named, &arguments)
        };
        for line in ["--version", "-V", "--logtostderr --version 127.0.0.1:1"] {
            assert_eq!(answer(line).as_deref(), Some("pulumi-resource-x 1.2.3\n"));
        }
        for line in ["--help", "-h 127.0.0.1:1"] {
            let text = answer(line).unwrap();
            assert!(
                text.starts_with("pulumi-resource-x 1.2.3\nLooks things up.\n"),
                "{text}"
            );
            assert!(text.contains("PULUMI_DEBUG_PROVIDERS"), "{text}");
        }
        for line in ["", "127.0.0.1:1", "-v=9 --tracing --help 127.0.0.1:1"] {
            assert_eq!(answer(line), None, "{line}");
        }
    }
}
