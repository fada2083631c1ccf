//! A simulated engine for tests and measurements of plugins.
//!
//! Provides an engine that records messages ([`FakeEngine`]), a scripted resource monitor ([`FakeMonitor`]),
//! a collector of spans ([`Collector`]), a plugin as a process ([`Plugin`]), measurements of such a process
//! ([`measure`]), property bags as JSON ([`bags`]), and waiting ([`until`], [`within`]). It uses third-party
//! bindings and no crate of the workspace, so that a mistake in ours is not repeated. No product depends on
//! it.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

pub mod bags;
mod collector;
mod engine;
pub mod measure;
mod monitor;
mod plugin;
mod timing;

use std::net::Ipv4Addr;

use pulumi_gestalt_proto::pulumi::pulumirpc::resource_provider_client::ResourceProviderClient;
use tokio::net::TcpListener;
use tonic::transport::{Channel, Endpoint};

pub use collector::{Collected, Collector};
pub use engine::FakeEngine;
pub use monitor::{FakeMonitor, created};
pub use plugin::{Plugin, launch};
pub use timing::{until, within};

/// The engine's limit on messages.
const MAX_MESSAGE: usize = 400 * 1024 * 1024;

/// The engine's client of a plugin.
pub type Client = ResourceProviderClient<Channel>;

/// A client of the plugin on `port`.
pub async fn connect(port: u16) -> Client {
    let channel = Endpoint::from_shared(format!("http://127.0.0.1:{port}"))
        .unwrap()
        .connect()
        .await
        .unwrap();
    Client::new(channel).max_decoding_message_size(MAX_MESSAGE)
}

/// A listener on a free port.
pub async fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}
