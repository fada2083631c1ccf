//! The arguments with which the engine starts a plugin ("engine-plugin" 1.2).

/// The engine's address among the arguments of a plugin; `None` means to wait until an engine
/// attaches itself.
///
/// Everything else is passed over, in any order: `--logtostderr`, `-v=9`, `--tracing <endpoint>`,
/// and whatever later engines think of. The address is the last argument that looks like one and is
/// not the value of `--tracing`.
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
            let arguments = line.split_whitespace().map(str::to_owned);
            assert_eq!(engine_address(arguments).as_deref(), expected, "{line}");
        }
    }
}
