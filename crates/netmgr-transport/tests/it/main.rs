//! The client against real sockets and real TLS handshakes on the loopback address.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod connections;
mod support;
mod tls;
