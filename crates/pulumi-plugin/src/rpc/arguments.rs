//! Arguments of a plugin ("engine-plugin" 1.2).

/// The engine's address in the arguments of a plugin. `None` means that the plugin waits for an engine to
/// attach.
///
/// Other arguments are ignored: `--logtostderr`, `-v=9`, `--tracing <endpoint>`, and those of later engines.
/// The address is the last argument in the form of an address that is not the value of `--tracing`.
#[must_use]
pub fn engine_address(arguments: impl IntoIterator<Item = String>) -> Option<String> {
    let mut found = None;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if argument == "--tracing" {
            arguments.next();
        } else if is_address(&argument) {
            found = Some(argument);
        }
    }
    found
}

/// What a plugin prints about itself.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Name of the program: `pulumi-resource-netmgr`.
    pub program: &'a str,
    /// Its version.
    pub version: &'a str,
    /// What it is for, in one sentence.
    pub purpose: &'a str,
}

/// What to print instead of serving, when the arguments have `--help` or `--version`. The engine never gives
/// them.
#[must_use]
pub fn about(arguments: impl IntoIterator<Item = String>, about: About<'_>) -> Option<String> {
    let About {
        program,
        version,
        purpose,
    } = about;
    let mut arguments = arguments.into_iter();
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

fn is_address(argument: &str) -> bool {
    argument.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty() && !host.starts_with('-') && !host.contains('/') && port.parse::<u16>().is_ok()
    })
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
            about(line.split_whitespace().map(str::to_owned), named)
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

    #[test]
    fn the_address_is_found_among_other_arguments_in_any_order() {
        let cases = [
            ("127.0.0.1:40001", Some("127.0.0.1:40001")),
            ("--logtostderr -v=9 --tracing x 127.0.0.1:1", Some("127.0.0.1:1")),
            (
                "127.0.0.1:1 --tracing tcp://127.0.0.1:9411 -v=3",
                Some("127.0.0.1:1"),
            ),
            (
                "--tracing 127.0.0.1:9411 127.0.0.1:1 --logtostderr",
                Some("127.0.0.1:1"),
            ),
            ("--tracing 127.0.0.1:9411", None),
            ("--tracing=127.0.0.1:9411 --some-later-flag value", None),
            ("--logtostderr", None),
            ("[::1]:50000", Some("[::1]:50000")),
            ("localhost:70000", None),
            ("", None),
        ];
        for (line, expected) in cases {
            let arguments = line.split_whitespace().map(str::to_owned);
            assert_eq!(engine_address(arguments).as_deref(), expected, "{line}");
        }
    }
}
