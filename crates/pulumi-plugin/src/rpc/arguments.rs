//! Arguments of a plugin.

/// The engine's address in the arguments of a plugin. `None` means that the plugin waits for an engine to
/// attach.
///
/// Other arguments are ignored: `--logtostderr`, `-v=9`, `--tracing <endpoint>`, and those of later engines.
/// The address is the last argument in the form of an address that is not the value of `--tracing`.
pub(crate) fn engine_address(arguments: &[String]) -> Option<String> {
    let mut found = None;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--tracing" {
            arguments.next();
        } else if is_address(argument) {
            found = Some(argument.clone());
        }
    }
    found
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
            let arguments: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(engine_address(&arguments).as_deref(), expected, "{line}");
        }
    }
}
