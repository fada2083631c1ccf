//! The program `netmgr`: looks up objects of a manager from the command line.
//!
//! Start and end of the process. Lookups are in `netmgr-lookups`.

mod arguments;
mod connection;
mod exit;
mod failure;
mod flags;
mod functions;
mod get;
mod log;
mod print;
mod signals;
mod simulate;

use std::process::ExitCode;

use arguments::{Invocation, Task};
use exit::Exit;
use failure::CliError;
use tracing::Instrument as _;

fn main() -> ExitCode {
    let invocation = match arguments::parse(std::env::args_os()) {
        Ok(invocation) => invocation,
        Err(error) => {
            // Includes help and version, with exit code 0.
            let _ = error.print();
            return if error.exit_code() == 0 {
                Exit::Success
            } else {
                Exit::Usage
            }
            .into();
        }
    };
    match run(invocation) {
        Ok(()) => Exit::Success.into(),
        Err(failure) => {
            print::standard_error(&failure.report());
            failure.exit().into()
        }
    }
}

fn run(invocation: Invocation) -> Result<(), CliError> {
    let format = invocation.format;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(CliError::Runtime)?;
    let export = {
        let _inside = runtime.enter();
        log::start(invocation.verbosity)
    };
    let outcome = match invocation.task {
        Task::Functions => print::standard_output(&functions::list(format)),
        Task::Get(get) => {
            let answer = get::run(get, |answer| print::answer(answer, format));
            runtime.block_on(answer.instrument(log::traces::command()))
        }
        Task::Simulate(options) => runtime.block_on(simulate::serve(options)),
    };
    runtime.block_on(export.end());
    // Do not wait for a name lookup.
    runtime.shutdown_background();
    outcome
}
