//! The program `netmgr`. Everything else is in the library, which cargo compiles before the crates below it are complete.

use std::process::ExitCode;

fn main() -> ExitCode {
    netmgr_cli::main()
}
