//! Canaries: recognisable secrets in every secret setting, credential and argument. Every output channel of the
//! products is searched for them, in every encoding.
//!
//! `channels` lists the channels as data. The secret settings follow from the types (`plants`). The events, errors and
//! `Debug` forms of the client are searched in `manager/secrets.rs`. `core_dumps` covers a file that the system writes.

mod channels;
mod command_line;
mod core_dumps;
mod encodings;
mod hosts;
mod plants;
mod sources;

pub(crate) use encodings::find;
