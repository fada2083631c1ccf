//! Faults: what goes wrong with which requests, and when.
//!
//! A fault depends on the time and the request alone, not on the requests before it, so that a lookup meets the same
//! faults with and without others.

use std::time::Duration;

use bytes::Bytes;
use fastrand::Rng;
use http::Response;
use netmgr_transport::{Error, ErrorKind, Failure};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::program::pick;

/// A fault of the requests of a class that are sent in a period, in milliseconds since the start of the program.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    from: u64,
    until: u64,
    class: Class,
    trouble: Trouble,
}

/// A class of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Any,
    Login,
    /// All but logins.
    Read,
    Search,
    /// Searches for several names.
    CombinedSearch,
    List,
    LaterPage,
    /// Everything that is neither a login, a search nor a list.
    Object,
    /// Requests that contain the name of one object.
    OfObject,
}

/// A kind of fault.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    /// A status of the manager, with the request in its message.
    Status(u16),
    /// A status with the header `Retry-After`.
    Later(u16, &'static str),
    /// A page of a proxy.
    Proxy(u16),
    /// The connection is refused.
    Refused,
    /// The connection ends within the reply.
    Reset,
    /// The reply never comes.
    Hang,
    /// The reply is slow by this number of milliseconds.
    Drip(u64),
    /// The body ends early, although it seems complete.
    Cut,
    /// Rows of the neighbouring places precede the rows of a list or search.
    Strangers,
    /// Rows that are no objects precede the rows of a list or search.
    NoObjects,
    /// The first rows are missing, but are still counted.
    Fewer,
}

/// The description of a row that no answer may contain.
pub(super) const STRANGE: &str = "a stranger";

pub(super) fn draw(rng: &mut Rng, bursts: &[u64]) -> Fault {
    use Class::*;
    use Trouble::*;
    let from = (pick(rng, bursts) + rng.u64(0..1500)).saturating_sub(pick(rng, &[0, 400, 2000]));
    let trouble = match rng.u8(0..12) {
        0 => Status(pick(rng, &[400, 401, 403, 404, 500])),
        1 => Status(pick(rng, &[429, 502, 503, 504])),
        2 => Later(pick(rng, &[429, 503]), pick(rng, &["1", "5", "40", "90"])),
        3 => Proxy(pick(rng, &[502, 503, 404])),
        4 => Refused,
        5 => Reset,
        6 => Hang,
        7 => Drip(pick(rng, &[700, 3000, 12_000, 30_000])),
        8 => Cut,
        9 => Strangers,
        10 => NoObjects,
        _ => Fewer,
    };
    Fault {
        from,
        until: from + pick(rng, &[60, 300, 1500, 8000, 30_000, 200_000]),
        class: match trouble {
            // A connection does not depend on the request.
            Refused => Any,
            _ => pick(
                rng,
                &[
                    Any,
                    Login,
                    Read,
                    Read,
                    Search,
                    CombinedSearch,
                    List,
                    List,
                    LaterPage,
                    Object,
                    OfObject,
                ],
            ),
        },
        trouble,
    }
}

/// The fault that concerns a request.
pub(super) fn find<'a>(faults: &'a [Fault], at: u64, target: &str) -> Option<&'a Fault> {
    faults
        .iter()
        .find(|fault| (fault.from..fault.until).contains(&at) && fault.class.has(target))
}

/// When the outcome of a request may change.
pub(super) fn edges(faults: &[Fault]) -> impl Iterator<Item = u64> {
    faults.iter().flat_map(|fault| [fault.from, fault.until])
}

impl Class {
    fn has(self, target: &str) -> bool {
        let path = target.split('?').next().unwrap_or_default();
        let is_search = path.ends_with("/search/query");
        let is_list = !is_search && target.contains("page_size=");
        let is_login = is_login(target);
        match self {
            Self::Any => true,
            Self::Login => is_login,
            Self::Read => !is_login,
            Self::Search => is_search,
            Self::CombinedSearch => is_search && target.contains(" OR "),
            Self::List => is_list,
            Self::LaterPage => target.contains("cursor="),
            Self::Object => !is_login && !is_search && !is_list,
            Self::OfObject => target.contains("n03"),
        }
    }
}

/// Whether a request logs in or out.
pub(super) fn is_login(target: &str) -> bool {
    target.starts_with("/api/session/")
}

impl Fault {
    /// Sends the reply in place of `reply`, which the manager would send.
    pub(super) async fn apply(
        &self,
        target: &str,
        reply: impl Future<Output = Response<Bytes>>,
    ) -> Result<Response<Bytes>, Error> {
        let fails = |unsent, reason| {
            let failure = Failure::default().reason(reason).unsent(unsent);
            Err(Error::new(ErrorKind::Connect, failure))
        };
        let refuses = |status, retry_after: Option<&str>| {
            let message = format!("cannot serve {target}");
            let body = json!({"error_code": 7, "error_message": message, "httpStatus": "ERROR"});
            let reply = Response::builder()
                .status(status)
                .header("content-type", "application/json");
            let reply = retry_after
                .iter()
                .fold(reply, |reply, time| reply.header("retry-after", *time));
            Ok(reply.body(Bytes::from(body.to_string())).unwrap())
        };
        match self.trouble {
            Trouble::Status(status) => refuses(status, None),
            Trouble::Later(status, time) => refuses(status, Some(time)),
            Trouble::Proxy(status) => {
                let page = format!("<html><title>{status}</title>{target}</html>");
                Ok(Response::builder().status(status).body(page.into()).unwrap())
            }
            Trouble::Refused => fails(true, "connection refused"),
            Trouble::Reset => {
                reply.await;
                fails(false, "connection reset by peer")
            }
            Trouble::Hang => std::future::pending().await,
            Trouble::Drip(time) => {
                sleep(Duration::from_millis(time)).await;
                Ok(reply.await)
            }
            Trouble::Cut => {
                let mut reply = reply.await;
                if reply.status().is_success() {
                    let half = reply.body().len() / 2;
                    reply.body_mut().truncate(half);
                }
                Ok(reply)
            }
            Trouble::Strangers | Trouble::NoObjects | Trouble::Fewer => {
                let mut reply = reply.await;
                if let Ok(mut page) = serde_json::from_slice::<Value>(reply.body())
                    && page["results"].is_array()
                {
                    self.change(&mut page);
                    *reply.body_mut() = page.to_string().into();
                }
                Ok(reply)
            }
        }
    }

    /// Changes the rows of a page.
    fn change(&self, page: &mut Value) {
        let rows = page["results"].as_array_mut().unwrap();
        let before = rows.len();
        match self.trouble {
            Trouble::Strangers => {
                let strangers: Vec<Value> = rows.iter().filter_map(stranger).collect();
                rows.splice(0..0, strangers);
            }
            Trouble::NoObjects => drop(rows.splice(0..0, [json!(7), json!({"id": [], "display_name": 7})])),
            _ => {
                rows.drain(..before / 2);
                return;
            }
        }
        let more = rows.len() - before;
        if let Some(count) = page["result_count"].as_u64() {
            page["result_count"] = json!(count + more as u64);
        }
    }
}

/// The object of a sibling with the same id and name as the object of this row.
fn stranger(row: &Value) -> Option<Value> {
    let path = row["path"].as_str()?;
    let elsewhere = match path {
        _ if path.contains("/projects/a/") => path.replace("/projects/a/", "/projects/b/"),
        _ if path.contains("/projects/b/") => path.replace("/projects/b/", "/projects/a/"),
        _ if path.contains("/segments/s0/") => path.replace("/segments/s0/", "/segments/s1/"),
        _ if path.contains("/segments/s1/") => path.replace("/segments/s1/", "/segments/s0/"),
        _ => path.replacen("/infra/", "/orgs/default/projects/a/infra/", 1),
    };
    let mut stranger = row.clone();
    stranger["parent_path"] = json!(elsewhere.rsplit_once('/')?.0.rsplit_once('/')?.0);
    stranger["path"] = json!(elsewhere);
    stranger["description"] = json!(STRANGE);
    Some(stranger)
}
