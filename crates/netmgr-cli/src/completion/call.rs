//! The call of a completion script that netmgr answers.

use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::options::ConnectionOptions;

/// A call of a completion script.
pub(super) struct CompletionCall {
    /// The shell.
    pub(super) shell: String,
    /// The words of the command line so far, beginning with the name of the binary. The completed word is the last.
    /// Words of bash have their quotes.
    pub(super) words: Vec<String>,
    /// The names of the commands.
    pub(super) commands: Vec<&'static str>,
    /// The options of the connection among the words.
    pub(super) options: ConnectionOptions,
    /// The inputs of the function among the words that its list has, such as the project.
    pub(super) inputs: Map<String, Value>,
}

/// Set once, before candidates are requested.
static CALL: OnceLock<CompletionCall> = OnceLock::new();

/// Begins to answer a call.
pub(super) fn begin(call: CompletionCall) {
    let _ = CALL.set(call);
}

/// The call that is answered.
pub(super) fn current() -> Option<&'static CompletionCall> {
    CALL.get()
}
