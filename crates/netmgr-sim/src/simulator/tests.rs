//! Tests through a real client.
