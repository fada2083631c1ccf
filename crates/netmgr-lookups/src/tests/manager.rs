//! A manager that consists of a closure.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response};
use netmgr_transport::{Client, Stack};
use netmgr_types::{Connection, ProviderConfig};

use crate::contract::call::{Call, Observer, Progress};
use crate::contract::lookups::Lookups;

/// Lookups of a local manager. `answer` returns the status and the body for each path and query.
pub(crate) fn manager(answer: impl Fn(&str) -> (u16, String) + Send + Sync + 'static) -> Lookups {
    Lookups::new(Client::new(connection(|_| {}), stack(answer)))
}

/// A connection to a local manager, changed by `change`.
pub(crate) fn connection(change: impl FnOnce(&mut ProviderConfig)) -> Connection {
    let mut config = ProviderConfig::new("manager.test")
        .username("admin")
        .password("secret");
    change(&mut config);
    config.resolve().expect("a valid configuration")
}

pub(crate) fn stack(answer: impl Fn(&str) -> (u16, String) + Send + Sync + 'static) -> Stack {
    let answer = Arc::new(answer);
    Stack::new(tower::service_fn(move |request: Request<Bytes>| {
        let answer = Arc::clone(&answer);
        async move {
            let target = request
                .uri()
                .path_and_query()
                .map(ToString::to_string)
                .unwrap_or_default();
            let (status, body) = answer(&target);
            let reply = Response::builder()
                .status(status)
                .header("content-type", "application/json");
            Ok(reply.body(Bytes::from(body)).expect("a valid reply"))
        }
    }))
}

/// An observer that records all events.
#[derive(Default)]
pub(crate) struct RecordedEvents {
    pub(crate) warnings: Mutex<Vec<String>>,
    pub(crate) progress: Mutex<Vec<Progress>>,
}

impl Observer for RecordedEvents {
    fn warning(&self, message: &str) {
        self.warnings.lock().unwrap().push(message.to_owned());
    }
    fn progress(&self, progress: &Progress) {
        self.progress.lock().unwrap().push(progress.clone());
    }
}

/// A call with `heard` as its observer.
pub(crate) fn heard_by(heard: &Arc<RecordedEvents>) -> Call {
    let observer: Arc<dyn Observer> = Arc::clone(heard) as _;
    Call {
        observer: Some(observer),
        ..Call::default()
    }
}
