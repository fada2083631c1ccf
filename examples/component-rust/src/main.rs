//! The plugin `pulumi-resource-events`.

use std::process::ExitCode;

use pulumi_plugin::rpc::serve_components;
use pulumi_resource_events::{COMPONENTS, PACKAGE};

fn main() -> ExitCode {
    serve_components(PACKAGE, COMPONENTS)
}
