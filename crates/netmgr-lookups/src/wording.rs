//! The words of messages: sentences, hints, suggestions, and what they do not show.

pub(crate) mod messages;
pub(crate) mod nouns;
pub(crate) mod reasons;
pub(crate) mod sentences;
pub(crate) mod similar_names;
pub(crate) mod type_names;
