//! The plugin `pulumi-resource-events`. Its package has one component, `EventQueue`.

mod event_queue;

use std::process::ExitCode;

use event_queue::EventQueue;
use pulumi_plugin::components::Entry;
use pulumi_plugin::rpc::serve_components;
use pulumi_plugin::schema::PackageMeta;

const PACKAGE: PackageMeta<'_> = PackageMeta {
    description: "Queues that receive events of AWS.",
    ..PackageMeta::new("events", env!("CARGO_PKG_VERSION"))
};

const COMPONENTS: &[Entry] = &[Entry::of::<EventQueue>()];

fn main() -> ExitCode {
    serve_components(PACKAGE, COMPONENTS)
}
