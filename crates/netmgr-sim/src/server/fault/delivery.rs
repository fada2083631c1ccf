//! Effects on a reply: additional headers, cookies, and failures of its transfer.

use http::header::{HeaderMap, HeaderName, HeaderValue, SET_COOKIE};

use crate::server::reply::{Content, HttpReply, TransferFault};

/// Changes of a reply. The default is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DeliveryFaults {
    /// Headers that replace headers of the same name.
    pub(super) headers: HeaderMap,
    /// Number of additional headers, and the length of their values.
    pub(super) padding: (usize, usize),
    pub(super) cookie: Option<CookieFault>,
    pub(super) transfer: Option<TransferFault>,
}

/// A cookie that every reply sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CookieFault {
    /// One name, a new value each time.
    Changing,
    /// A new name each time.
    New,
}

impl DeliveryFaults {
    /// Changes the headers of a reply, the `number`-th that a fault applies to.
    pub(super) fn change(&self, reply: &mut HttpReply, number: u64) {
        for (name, value) in &self.headers {
            // A cookie comes after those that the reply already sets.
            match *name {
                SET_COOKIE => drop(reply.headers.append(name, value.clone())),
                _ => drop(reply.headers.insert(name, value.clone())),
            }
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
    pub(super) fn transfer_fault(&self, reply: &HttpReply) -> Option<TransferFault> {
        self.transfer.filter(|_| !matches!(reply.content, Content::Empty))
    }
}
