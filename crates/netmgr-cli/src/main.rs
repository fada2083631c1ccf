//! The program `netmgr`. All else is in the library, which compiles while the crates below it still do.

use std::process::ExitCode;

fn main() -> ExitCode {
    netmgr_cli::main()
}
