//! Tests of the client with real sockets and TLS handshakes on the loopback address.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod connections;
mod probe;
mod renewals;
mod support;
mod tls;
mod tls_matrix;
