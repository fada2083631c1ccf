//! The trait that providers implement.

use crate::diagnostic::Diagnostic;
use crate::schema::Schema;
use crate::value::Object;

/// A provider with data sources. All values are plain types; failures are diagnostics.
///
/// Each connection of a host has its own provider. Hosts start several processes per command, and configure only some
/// of them; they attach to a process that was started manually with a connection for each configuration. They call
/// [`validate_config`] before [`configure`], and all methods concurrently. If a connection configures its provider
/// again, the last configuration applies.
///
/// [`validate_config`]: DataSourceProvider::validate_config
/// [`configure`]: DataSourceProvider::configure
pub trait DataSourceProvider: Send + Sync + 'static {
    /// Describes the provider and its data sources.
    fn schema(&self) -> &Schema;

    /// Checks the provider's arguments, some of which can be unknown.
    fn validate_config(&self, config: Object) -> Vec<Diagnostic>;

    /// Prepares reads. Arguments that depend on objects without values are unknown; reads can still follow.
    fn configure(&self, config: Object) -> impl Future<Output = Vec<Diagnostic>> + Send;

    /// Checks the arguments of a data source of the schema, some of which can be unknown. The process may be
    /// unconfigured.
    fn validate_data(&self, data_source: &str, config: Object) -> Vec<Diagnostic>;

    /// Reads a data source of the schema. All arguments are known.
    fn read(&self, data_source: &str, config: Object) -> impl Future<Output = ReadOutcome> + Send;

    /// Ends all reads. Called when the user interrupts the host, and when the connection or the process ends.
    fn stop(&self);

    /// Releases resources outside the process, such as sessions. Called once, when the connection or the process ends,
    /// with one second to return.
    fn close(&self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}

/// Outcome of reading a data source.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOutcome {
    /// Values of all attributes and blocks; absent ones are null. `None` after an error.
    pub state: Option<Object>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}
