#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod builder;
mod client;
mod run;

pub use builder::ClientBuilder;
pub use client::Client;
pub use run::Run;

pub use netmgr_lookups::{Candidate, Error, ErrorKind, InvalidProperty, Lookup, Progress, Stats};
#[doc(no_inline)]
pub use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind};
pub use netmgr_transport::{LoginRecord as RefusedLogins, Traffic};
pub use netmgr_types::{ProviderConfig as Settings, Secret};

pub mod lookups {
    //! The lookups, and their outputs.
    //!
    //! A lookup is a value with its inputs: create it with a constructor such as [`GetPolicyEdgeCluster::named`], set
    //! further inputs with its methods, and pass it to [`Client::run`](crate::Client::run). The implementation of
    //! [`Lookup`](crate::Lookup) on its page shows what it returns.

    /// A member of the search index, for [`MemberValue::of`].
    pub use netmgr_lookups::KeyField;
    pub use netmgr_lookups::typed::*;
}
