//! Parsing and formatting of the `host` setting.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Address of the manager: scheme, name, port and, on the hosted cloud, a path prefix.
///
/// Accepts every form that people write: with and without `https://` in any case, with a port, IPv6
/// with and without brackets, with a path prefix, and with surrounding spaces. `http://` is only accepted for
/// loopback addresses. Our choice (decision settings).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Host {
    /// `https`, or `http` for a loopback address.
    pub scheme: &'static str,
    /// Host name or address in lower case; an IPv6 address without brackets.
    pub name: String,
    /// Port, if specified.
    pub port: Option<u16>,
    /// Prefix of every API path, with a leading and without a trailing slash; empty by default.
    pub prefix: String,
}

/// Reason why a text is not a valid host. Never contains a user name or password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidHost {
    /// The host name is empty.
    #[error("has no host name or address")]
    Empty,
    /// A scheme other than `https` and `http`.
    #[error("has the scheme {0:?}; only https is supported")]
    Scheme(String),
    /// `http` to another machine.
    #[error(
        "must not start with http:// unless it is a loopback address; credentials would be sent unencrypted"
    )]
    Unencrypted,
    /// `user@host`.
    #[error("must not contain a user name or password; they have their own settings")]
    Userinfo,
    /// A `?` or `#`.
    #[error("must not contain a query or a fragment")]
    Query,
    /// Something that is neither a host name nor an address.
    #[error("{0:?} is neither a host name nor an IP address")]
    Name(String),
    /// Something that is not a port.
    #[error("{0:?} is not a port; ports are numbers from 1 to 65535")]
    Port(String),
    /// A path prefix that would have to be percent-encoded first.
    #[error("the path {0:?} has characters that must be percent-encoded")]
    Prefix(String),
}

impl Host {
    /// Reads a host.
    ///
    /// # Errors
    ///
    /// [`InvalidHost`] names the invalid part.
    pub fn parse(text: &str) -> Result<Self, InvalidHost> {
        let text = text.trim();
        // This check is first, so that no other message can contain a password.
        if text.contains('@') {
            return Err(InvalidHost::Userinfo);
        }
        if text.contains(['?', '#']) {
            return Err(InvalidHost::Query);
        }
        let (scheme, rest) = split_scheme(text)?;
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (name, port) = split_port(authority)?;
        let host = Self {
            scheme,
            name: name.to_ascii_lowercase(),
            port,
            prefix: prefix(path)?,
        };
        if host.scheme == "http" && !host.is_loopback() {
            return Err(InvalidHost::Unencrypted);
        }
        Ok(host)
    }

    /// Name and port as URLs and `Host` headers write them, IPv6 addresses in brackets.
    #[must_use]
    pub fn authority(&self) -> String {
        let name = if self.name.contains(':') {
            format!("[{}]", self.name)
        } else {
            self.name.clone()
        };
        match self.port {
            Some(port) => format!("{name}:{port}"),
            None => name,
        }
    }

    /// Base URL of every API path: scheme, authority and prefix, without a trailing slash.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("{}://{}{}", self.scheme, self.authority(), self.prefix)
    }

    fn is_loopback(&self) -> bool {
        self.name == "localhost"
            || self
                .name
                .parse()
                .is_ok_and(|address: Ipv4Addr| address.is_loopback())
            || self
                .name
                .parse()
                .is_ok_and(|address: Ipv6Addr| address.is_loopback())
    }
}

impl FromStr for Host {
    type Err = InvalidHost;

    fn from_str(text: &str) -> Result<Self, InvalidHost> {
        Self::parse(text)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base_url())
    }
}

fn split_scheme(text: &str) -> Result<(&'static str, &str), InvalidHost> {
    match text.split_once("://") {
        None => Ok(("https", text)),
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => Ok(("https", rest)),
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => Ok(("http", rest)),
        Some((scheme, _)) => Err(InvalidHost::Scheme(scheme.to_owned())),
    }
}

fn split_port(authority: &str) -> Result<(String, Option<u16>), InvalidHost> {
    let invalid = || InvalidHost::Name(authority.to_owned());
    if let Some(rest) = authority.strip_prefix('[') {
        let (address, rest) = rest.split_once(']').ok_or_else(invalid)?;
        let address: Ipv6Addr = address.parse().map_err(|_| invalid())?;
        let port = match rest.strip_prefix(':') {
            Some(text) => Some(port(text)?),
            None if rest.is_empty() => None,
            None => return Err(invalid()),
        };
        return Ok((address.to_string(), port));
    }
    if let Ok(address) = authority.parse::<Ipv6Addr>() {
        return Ok((address.to_string(), None));
    }
    let (name, port) = match authority.split_once(':') {
        Some((_, rest)) if rest.contains(':') => return Err(invalid()),
        Some((name, text)) => (name, Some(port(text)?)),
        None => (authority, None),
    };
    if name.is_empty() {
        return Err(InvalidHost::Empty);
    }
    if !is_name(name) {
        return Err(InvalidHost::Name(name.to_owned()));
    }
    Ok((name.to_owned(), port))
}

fn port(text: &str) -> Result<u16, InvalidHost> {
    text.parse()
        .ok()
        .filter(|port| *port != 0 && text.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or_else(|| InvalidHost::Port(text.to_owned()))
}

/// Whether `name` is a host name or an IPv4 address. A name whose last label is a number is an
/// address to URL parsers, so it must be one.
fn is_name(name: &str) -> bool {
    let labels = name.strip_suffix('.').unwrap_or(name).split('.');
    let plain = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let numeric = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    labels.clone().all(plain)
        && (!labels.clone().next_back().is_some_and(numeric) || name.parse::<Ipv4Addr>().is_ok())
}

fn prefix(path: &str) -> Result<String, InvalidHost> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:".contains(&byte);
    if !path.bytes().all(allowed) {
        return Err(InvalidHost::Prefix(path.to_owned()));
    }
    Ok(path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .map(|segment| format!("/{segment}"))
        .collect())
}

#[cfg(test)]
mod tests;
