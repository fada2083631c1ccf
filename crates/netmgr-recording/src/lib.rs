#![doc = include_str!("../README.md")]

mod comparison;
mod file;
mod recording;
mod redaction;

pub use comparison::{Change, ComparedObjects, MemberChange};
pub use file::{COMPLETE, Document, END, documents, header, whole_documents};
pub use recording::object::{RecordedObject, recorded_path};
pub use recording::options::RecordOptions;
pub use recording::{Recorded, Recording, recorded_type, recorded_types};
pub use redaction::Redaction;
