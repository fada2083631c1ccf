//! The help and the version of the plugin.

use std::process::Command;

#[test]
fn help_and_version_are_printed_instead_of_a_port() {
    let first = format!("pulumi-resource-clusterpkg {}\n", env!("CARGO_PKG_VERSION"));
    for argument in ["--help", "--version"] {
        let output = Command::new(env!("CARGO_BIN_EXE_pulumi-resource-clusterpkg"))
            .arg(argument)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.starts_with(&first), "{printed}");
        assert_eq!(printed.contains("Usage: "), argument == "--help", "{printed}");
    }
}
