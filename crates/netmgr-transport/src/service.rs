//! The services that the stack is made of.

use bytes::Bytes;
use http::{Request, Response};
use tower::Service;
use tower::util::BoxCloneSyncService;

use crate::Error;

/// Result of a request.
pub(crate) type Outcome = Result<Response<Bytes>, Error>;

/// A type-erased service.
pub(crate) type BoxStack = BoxCloneSyncService<Request<Bytes>, Response<Bytes>, Error>;

/// A service that layers wrap and implement. It can be cloned for each attempt.
pub(crate) trait Inner:
    Service<Request<Bytes>, Response = Response<Bytes>, Error = Error, Future: Send>
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> Inner for S where
    S: Service<Request<Bytes>, Response = Response<Bytes>, Error = Error, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static
{
}
