//! A stand-in for the plugins of the child packages, `pulumi-resource-aws` and `pulumi-resource-kubernetes`, and of the
//! bridged provider `nsxt`, without a cloud behind them.
//!
//! Its name determines the package. It rejects inputs that are not in the schema of the package (`package`),
//! generates outputs (`invent`), is controlled by the environment (`orders`), writes a journal
//! (`journal`), and rejects a second resource where the cloud accepts one (`unique`).

mod invent;
mod journal;
mod orders;
mod package;
mod provider;
mod unique;

use std::path::Path;
use std::process::ExitCode;

use package::Package;
use provider::StandIn;

fn main() -> ExitCode {
    let mut arguments = std::env::args();
    let program = arguments.next().unwrap_or_default();
    let name = Path::new(&program).file_name().and_then(|name| name.to_str());
    let package = name
        .and_then(|name| name.strip_prefix("pulumi-resource-"))
        .and_then(Package::named);
    let Some(package) = package else {
        return fail(&format!(
            "{program} is not named as the plugin of a known package"
        ));
    };
    let arguments: Vec<_> = arguments.collect();
    match pulumi_plugin::rpc::run(StandIn::new(package), &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

#[expect(clippy::print_stderr, reason = "there is no engine to report to")]
fn fail(reason: &str) -> ExitCode {
    eprintln!("{reason}");
    ExitCode::FAILURE
}
