//! The `host` setting in its parts.

/// Where the manager is: scheme, name, port and, on the hosted cloud, a path prefix.
///
/// Source: manager-transport 3.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// `https`, or `http` for a loopback address.
    pub scheme: &'static str,
    /// Host name or address; an IPv6 address without brackets.
    pub name: String,
    /// Port when one was given.
    pub port: Option<u16>,
    /// Path in front of every API path, with a leading and without a trailing slash; else empty.
    pub prefix: String,
}
