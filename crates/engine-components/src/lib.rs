//! Components for the Pulumi engine, written in Rust.
//!
//! A component is a group of resources that a program registers as one. With this crate it is a type with
//! declared inputs and outputs and one function that registers its children:
//!
//! ```
//! use engine_components::{ChildPackage, Component, Map, Options, Output, Resource, Scope};
//! use engine_components::{json_text, object, properties, record};
//!
//! record! {
//!     /// What the program gives.
//!     pub struct QueueInputs {
//!         /// ARN of the topic whose messages the queue takes.
//!         pub topic_arn: Output<String>,
//!         /// Tags of the queue.
//!         pub tags: Option<Map<String>>,
//!     }
//! }
//!
//! object! {
//!     /// What the program gets.
//!     pub struct QueueOutputs {
//!         /// Address of the queue.
//!         pub url: Output<String>,
//!         /// The queue.
//!         #[schemars(extend("x-resource" = "aws:sqs/queue:Queue"))]
//!         pub queue: Resource,
//!     }
//! }
//!
//! struct SubscribedQueue;
//!
//! impl Component for SubscribedQueue {
//!     const TOKEN: &'static str = "example:index:SubscribedQueue";
//!     const PACKAGES: &'static [ChildPackage] =
//!         &[ChildPackage { name: "aws", version: "7.48.0", download_url: None }];
//!     type Inputs = QueueInputs;
//!     type Outputs = QueueOutputs;
//!
//!     fn build(scope: &Scope, inputs: QueueInputs) -> QueueOutputs {
//!         let name = scope.name();
//!         let queue = scope.register("aws:sqs/queue:Queue", name, properties! { "tags": inputs.tags }, Options::new());
//!         let policy = json_text(properties! {
//!             "Version": "2012-10-17",
//!             "Statement": [properties! {
//!                 "Effect": "Allow",
//!                 "Principal": "*",
//!                 "Action": "sqs:SendMessage",
//!                 "Resource": queue.output::<String>("arn"),
//!                 "Condition": properties! { "ArnEquals": properties! { "aws:SourceArn": inputs.topic_arn } },
//!             }],
//!         });
//!         let inputs = properties! { "queueUrl": queue.id(), "policy": policy };
//!         scope.register("aws:sqs/queuePolicy:QueuePolicy", format!("{name}-policy"), inputs, Options::below(&queue));
//!         QueueOutputs { url: queue.id(), queue }
//!     }
//! }
//!
//! // A test plays the engine with a recorder.
//! # use engine_components::{ConstructRequest, construct, recording::Recorder, values::Value};
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let engine = Recorder::new().outputs(|_| [("arn".to_owned(), "arn:aws:sqs:x:1:q".into())].into());
//! let inputs = [("topicArn".to_owned(), "arn:aws:sns:x:1:t".into())].into();
//! let request = ConstructRequest { name: "jobs".to_owned(), inputs, ..ConstructRequest::default() };
//! let made = construct::<SubscribedQueue>(engine.registrar(), request).await.unwrap();
//! assert_eq!(made.state["url"], Value::from("jobs-id"));
//! assert_eq!(engine.record().registrations.len(), 3);
//! # });
//! ```
//!
//! Lives here: deferred values ([`Output`]), what can be a property ([`IntoProperty`], [`record!`]), how
//! children are registered ([`Scope`], [`Options`]), the engine as plain types ([`Registrar`]) and an engine for
//! tests ([`recording`]). Not here: any transport. A plugin implements [`Registrar`] over the engine's monitor
//! and hands it to [`construct`].

// The macros name the crate from outside.
#[cfg(test)]
extern crate self as engine_components;

mod combine;
mod component;
mod construct;
mod decode;
mod error;
mod options;
mod output;
mod property;
mod record;
pub mod recording;
mod registrar;
mod resource;
mod scope;

pub use combine::{Combine, all, all_of};
pub use component::{ChildPackage, Component, Constructor, Entry, Nested};
pub use construct::{ConstructRequest, Constructed, construct};
pub use decode::{Decode, Plain};
pub use error::{Error, Problem, Problems};
pub use options::{Dependency, Options};
pub use output::{Data, Deferrable, Output};
pub use property::{IntoProperty, List, Map, Properties, json_text};
pub use registrar::{
    Alias, Asked, Call, Called, Message, Registered, Registrar, RegistrarError, Registration, Settings,
    Severity, Timeouts,
};
pub use resource::{CallResult, Resource};
pub use scope::Scope;

pub use engine_values as values;
pub use schemars;

/// What the macros expand to.
#[doc(hidden)]
pub mod __private {
    pub use crate::__wire_name as wire_name;
    pub use crate::record::{Members, camel_case, without_null};
}
