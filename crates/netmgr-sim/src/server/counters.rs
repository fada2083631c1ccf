//! Counters and a bounded log of requests, for assertions.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use http::header::{self, HeaderMap, HeaderName};
use http::request::Parts;
use http::{Method, Response, StatusCode, Version};
use serde::Serialize;
use tokio::time::Instant;

/// Maximum number of requests in the log. Older ones are dropped.
const LOG_LENGTH: usize = 10_000;

/// Headers that the log keeps.
const KEPT: [HeaderName; 8] = [
    header::AUTHORIZATION,
    header::COOKIE,
    header::ACCEPT,
    header::CONTENT_TYPE,
    header::USER_AGENT,
    header::HOST,
    HeaderName::from_static("x-xsrf-token"),
    HeaderName::from_static("csp-auth-token"),
];

/// Counters since the simulator started. As JSON, names are in camel case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestCounters {
    /// Requests by method and path without query: `GET /api/v1/edge-clusters`. A path prefix is part of the path.
    pub requests: BTreeMap<String, u64>,
    /// Responses by status. Requests that were reset have none.
    pub statuses: BTreeMap<u16, u64>,
    /// Bytes of the bodies of all responses, except those that a fault truncated.
    pub body_bytes: u64,
    /// Sessions created.
    pub logins: u64,
    /// Logins refused, in session forms and in `Authorization: Basic` and `Remote`. These count towards the
    /// lockout.
    pub failed_logins: u64,
    /// Requests accepted with `Authorization: Basic` or `Remote`. Each of them is a login for the manager.
    pub header_logins: u64,
    /// Sessions ended by their client.
    pub sessions_destroyed: u64,
    /// Access tokens given out.
    pub token_exchanges: u64,
    /// Token exchanges refused.
    pub failed_token_exchanges: u64,
    /// TCP connections accepted.
    pub connections: u64,
    /// TLS handshakes completed.
    pub tls_handshakes: u64,
    /// TLS handshakes that failed.
    pub failed_tls_handshakes: u64,
    /// Maximum number of requests in flight.
    pub peak_in_flight: usize,
    /// Requests other than `GET`, except session and token requests.
    pub writes: u64,
    /// Requests that carried both a session cookie and `Authorization`.
    pub double_credentials: u64,
    /// Requests to which a fault was applied.
    pub faults: u64,
    /// Requests without a response: cancelled by their client, or reset by a fault.
    pub abandoned: u64,
}

impl RequestCounters {
    /// All requests.
    pub fn total_requests(&self) -> u64 {
        self.requests.values().sum()
    }

    /// Requests of one method and path.
    pub fn requests_to(&self, method: &Method, path: &str) -> u64 {
        self.requests
            .get(&format!("{method} {path}"))
            .copied()
            .unwrap_or_default()
    }

    /// Responses of one status.
    pub fn responses_with(&self, status: StatusCode) -> u64 {
        self.statuses.get(&status.as_u16()).copied().unwrap_or_default()
    }
}

/// One request as it arrived.
#[derive(Debug, Clone)]
pub struct LoggedRequest {
    /// Version of HTTP.
    pub version: Version,
    /// Method.
    pub method: Method,
    /// Path as sent.
    pub path: String,
    /// Query as sent, without the question mark.
    pub query: Option<String>,
    /// The headers about credentials, content and client.
    pub headers: HeaderMap,
}

/// One request after it was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServedRequest {
    /// Method.
    pub method: Method,
    /// Path as sent.
    pub path: String,
    /// Query as sent, without the question mark.
    pub query: Option<String>,
    /// Status of the response; `None` if the client cancelled the request or a fault reset the connection.
    pub status: Option<StatusCode>,
    /// Bytes of the body.
    pub bytes: u64,
    /// Time until the response.
    pub elapsed: Duration,
    /// Whether a fault was applied.
    pub fault: bool,
}

/// Receives each request after it was answered.
#[derive(Clone)]
pub(crate) struct RequestObserver(pub(crate) Arc<dyn Fn(&ServedRequest) + Send + Sync>);

impl fmt::Debug for RequestObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// Counters, log and requests in flight.
#[derive(Debug, Default)]
pub(crate) struct RequestRecorder {
    state: Mutex<RecordedRequests>,
    observer: Option<RequestObserver>,
}

#[derive(Debug, Default)]
struct RecordedRequests {
    counters: RequestCounters,
    log: VecDeque<LoggedRequest>,
    in_flight: usize,
}

/// A request in flight, until it is dropped.
pub(crate) struct RequestInFlight<'a> {
    recorder: &'a RequestRecorder,
    since: Instant,
    served: ServedRequest,
}

impl RequestRecorder {
    /// A recorder that passes each answered request to `observer`.
    pub(crate) fn observed_by(observer: Option<RequestObserver>) -> Self {
        Self {
            observer,
            ..Self::default()
        }
    }

    /// Records the arrival of a request.
    pub(crate) fn begin(&self, parts: &Parts) -> RequestInFlight<'_> {
        let path = parts.uri.path();
        let mut headers = HeaderMap::new();
        for name in &KEPT {
            for value in parts.headers.get_all(name) {
                headers.append(name.clone(), value.clone());
            }
        }
        let served = ServedRequest {
            method: parts.method.clone(),
            path: path.to_owned(),
            query: parts.uri.query().map(str::to_owned),
            status: None,
            bytes: 0,
            elapsed: Duration::ZERO,
            fault: false,
        };
        let request = LoggedRequest {
            version: parts.version,
            method: parts.method.clone(),
            path: path.to_owned(),
            query: parts.uri.query().map(str::to_owned),
            headers,
        };
        let mut state = self.state();
        state.log.push_back(request);
        if state.log.len() > LOG_LENGTH {
            state.log.pop_front();
        }
        *state
            .counters
            .requests
            .entry(format!("{} {path}", parts.method))
            .or_default() += 1;
        state.in_flight += 1;
        state.counters.peak_in_flight = state.counters.peak_in_flight.max(state.in_flight);
        RequestInFlight {
            recorder: self,
            since: Instant::now(),
            served,
        }
    }

    pub(crate) fn count(&self, change: impl FnOnce(&mut RequestCounters)) {
        change(&mut self.state().counters);
    }

    pub(crate) fn counters(&self) -> RequestCounters {
        self.state().counters.clone()
    }

    pub(crate) fn log(&self) -> Vec<LoggedRequest> {
        self.state().log.iter().cloned().collect()
    }

    fn state(&self) -> MutexGuard<'_, RecordedRequests> {
        self.state.lock().expect("no holder of the lock panics")
    }
}

impl RequestInFlight<'_> {
    /// Records that a fault was applied.
    pub(crate) fn disturbed(&mut self) {
        self.served.fault = true;
    }

    /// Records the response.
    pub(crate) fn answered<B: http_body::Body>(mut self, response: &Response<B>) {
        self.served.status = Some(response.status());
        self.served.bytes = response.body().size_hint().exact().unwrap_or_default();
        let bytes = self.served.bytes;
        self.recorder.count(|counters| {
            *counters.statuses.entry(response.status().as_u16()).or_default() += 1;
            counters.body_bytes += bytes;
        });
    }
}

impl Drop for RequestInFlight<'_> {
    fn drop(&mut self) {
        {
            let mut state = self.recorder.state();
            state.in_flight -= 1;
            if self.served.status.is_none() {
                state.counters.abandoned += 1;
            }
        }
        if let Some(RequestObserver(observe)) = &self.recorder.observer {
            self.served.elapsed = self.since.elapsed();
            observe(&self.served);
        }
    }
}
