//! Effects on a reply: additional headers, cookies, and failures of its transfer.

use http::header::{HeaderMap, HeaderName, HeaderValue, SET_COOKIE};

use crate::server::reply::{Content, HttpReply};

/// Changes of a reply. The default is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Delivery {
    /// Headers that replace those of the same name.
    pub(super) headers: HeaderMap,
    /// Number of additional headers, and the length of their values.
    pub(super) padding: (usize, usize),
    pub(super) cookie: Option<CookieFault>,
    pub(super) breach: Option<Breach>,
}

/// A cookie that every reply sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CookieFault {
    /// One name, a new value each time.
    Changing,
    /// A new name each time.
    New,
}

/// Failure of the transfer of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Breach {
    /// The connection is reset before anything is sent.
    Reset,
    /// The connection is reset after half of the body.
    ResetInBody,
    /// Half of the body is sent under the length of the whole.
    Short,
    /// Half of the body is sent without a length, and ends like a complete one if the protocol allows it.
    Unsized,
    /// The body is corrupt gzip.
    CorruptGzip,
}

impl Delivery {
    /// Changes the headers of a reply, the `number`-th that a fault applies to.
    pub(super) fn change(&self, reply: &mut HttpReply, number: u64) {
        for (name, value) in &self.headers {
            reply.headers.insert(name, value.clone());
        }
        let (count, length) = self.padding;
        for n in 0..count {
            let name = HeaderName::try_from(format!("x-padding-{n}")).expect("letters and digits");
            let value = HeaderValue::try_from("x".repeat(length)).expect("letters");
            reply.headers.insert(name, value);
        }
        let cookie = self.cookie.map(|cookie| match cookie {
            CookieFault::Changing => format!("ROUTE=node-{number}; Path=/"),
            CookieFault::New => format!("ROUTE{number}=node; Path=/"),
        });
        if let Some(cookie) = cookie {
            let value = HeaderValue::try_from(cookie).expect("letters and digits");
            reply.headers.append(SET_COOKIE, value);
        }
    }

    /// The failure of the transfer. An empty body cannot be truncated.
    pub(super) fn breach(&self, reply: &HttpReply) -> Option<Breach> {
        self.breach.filter(|_| !matches!(reply.content, Content::Empty))
    }
}
