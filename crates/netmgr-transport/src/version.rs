//! The manager's version, read at most once per client.

use http::Method;
use netmgr_types::wire::NodeVersion;
use netmgr_types::{Deployment, ManagerVersion, NotAVersion, sensitive};
use tokio::time::{Instant, timeout_at};

use crate::lock::lock;
use crate::{Client, Error, ErrorKind, Failure, Get};

const PATH: &str = "/api/v1/node/version";
/// Maximum length of a version in bytes. It is part of messages.
const LONGEST: usize = 200;

impl Client {
    /// Returns the version of the manager: `product_version`, or `node_version` if it is absent.
    ///
    /// The first call sends a request; concurrent and later calls share its result. A failure is returned to
    /// all waiting callers and not stored. Each caller waits until its own `deadline`, by default that of any
    /// request.
    ///
    /// A hosted cloud may refuse the request. A search then determines whether the version is 3.0.0 or newer, or 2.5.0.
    ///
    /// # Errors
    ///
    /// Errors of [`Client::get`]. [`ErrorKind::BadReply`] if the reply has no version.
    pub async fn version(&self, deadline: Option<Instant>) -> Result<ManagerVersion, Error> {
        let cache = self.version_cache();
        let work = || {
            let client = self.clone();
            async move {
                let version = client.read_version().await;
                *lock(&client.version_cache().known) = version.as_ref().ok().cloned();
                version
            }
        };
        let start = Instant::now();
        let deadline = deadline.unwrap_or_else(|| start + self.lookup_deadline());
        let version = cache.request.run(|| lock(&cache.known).clone().map(Ok), work);
        match timeout_at(deadline, version).await {
            Ok(version) => version,
            Err(_) => Err(Error::new(
                ErrorKind::Deadline,
                Failure::default()
                    .request_line(self.request_line(&Method::GET, PATH))
                    .elapsed(start.elapsed()),
            )),
        }
    }

    async fn read_version(&self) -> Result<ManagerVersion, Error> {
        let reply = match self.get(&Get::new(PATH)).await {
            Ok(reply) => reply,
            Err(error)
                if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::NotFound)
                    && self.connection().deployment == Deployment::HostedCloud =>
            {
                return self.version_by_search().await;
            }
            Err(error) => return Err(error),
        };
        let node: NodeVersion = reply.json()?;
        let version = sensitive::sanitized_within(&self.secrets().all(), node.version(), LONGEST);
        version
            .parse()
            .map_err(|cause: NotAVersion| self.no_version(cause.to_string()))
    }

    /// Search is available since version 3.0.0.
    async fn version_by_search(&self) -> Result<ManagerVersion, Error> {
        let probe = Get::new("/policy/api/v1/search/query").query("query", "resource_type:dummy");
        let version = match self.pages(probe.unpaged()).next().await {
            Ok(_) => "3.0.0",
            Err(error) if error.kind() == ErrorKind::NotFound => "2.5.0",
            Err(error) => return Err(error),
        };
        Ok(version.parse().expect("a version"))
    }

    fn no_version(&self, reason: String) -> Error {
        Error::new(
            ErrorKind::BadReply,
            Failure::default()
                .request_line(self.request_line(&Method::GET, PATH))
                .reason(reason),
        )
        .sanitized(&self.secrets().all())
    }
}

#[cfg(test)]
mod tests;
