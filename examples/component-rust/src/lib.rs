//! The package `events`: its components, and its description for the schema.

mod event_queue;

use pulumi_plugin::components::ComponentEntry;
use pulumi_plugin::schema::PackageMeta;

pub use event_queue::{
    Consumer, ConsumerPolicy, ConsumerPolicyArguments, ConsumerPolicyResults, Encryption, EventQueue,
    EventQueueInputs, EventQueueOutputs,
};

/// The package.
pub const PACKAGE: PackageMeta<'_> = PackageMeta {
    description: "Queues that receive events of AWS.",
    ..PackageMeta::new("events", env!("CARGO_PKG_VERSION"))
};

/// Its components.
pub const COMPONENTS: &[ComponentEntry] = &[ComponentEntry::of::<EventQueue>()];
