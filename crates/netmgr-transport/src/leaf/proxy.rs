//! The proxies of the environment: which one a request uses, which settings are refused, and how failures name it.
//!
//! reqwest would find most of them itself, but ignores a variable that it cannot use, and reads `NO_PROXY` differently.

use std::ffi::{OsStr, OsString};
use std::net::IpAddr;
use std::{env, fmt, io};

use http::uri::Scheme;
use http::{StatusCode, Uri};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::Url;

use crate::{Error, ErrorKind, Failure};

/// The variables with the proxy of `https://` addresses, in the order in which they apply. `HTTP_PROXY` is for `http://`,
/// which only managers on this machine have, without a proxy.
const VARIABLES: [&str; 4] = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
/// The variables with the hosts that are reached without a proxy.
const EXCLUSIONS: [&str; 2] = ["NO_PROXY", "no_proxy"];

/// Advice if a proxy refuses a connection or does not respond.
pub(super) const ADVICE: &str = "check the proxy and the variable that sets it, or add the manager to NO_PROXY if it is reached without a proxy";

/// Maximum length of the head of a proxy's answer in bytes.
const LONGEST_HEAD: usize = 8 << 10;

/// The proxy of a request. `Display` prints its address without credentials, and the variable.
#[derive(Clone)]
pub(super) struct Proxy {
    /// The variable with the proxy. `None` for settings of the operating system.
    variable: Option<&'static str>,
    intercept: Intercept,
    /// The address with the credentials.
    address: Url,
}

/// The proxy of requests to `url`. `None` if they are sent directly.
///
/// # Errors
///
/// [`ErrorKind::Config`], naming the variable, if it cannot be used and `NO_PROXY` does not exclude the host.
pub(super) fn of(url: &Uri) -> Result<Option<Proxy>, Error> {
    let excluded = set(&EXCLUSIONS).map(|(_, value)| value.into_string());
    let excluded = excluded.and_then(Result::ok).unwrap_or_default();
    if url.host().is_none_or(is_loopback) || excludes(&excluded, url) {
        return Ok(None);
    }
    let Some((variable, value)) = set(&VARIABLES) else {
        let of_system = Matcher::from_system().intercept(url);
        return Ok(of_system.and_then(|intercept| {
            let address = intercept.uri().to_string().parse().ok()?;
            Some(Proxy {
                variable: None,
                intercept,
                address,
            })
        }));
    };
    match usable(&value) {
        Ok((intercept, address)) => Ok(Some(Proxy {
            variable: Some(variable),
            intercept,
            address,
        })),
        Err(reason) => {
            let failure = Failure::default()
                .property(variable)
                .reason(reason)
                .hint(format!("correct {variable}, or add the host to NO_PROXY"));
            Err(Error::new(ErrorKind::Config, failure))
        }
    }
}

/// The proxies for reqwest. A proxy that cannot be used fails before.
pub(super) fn for_reqwest() -> reqwest::Proxy {
    reqwest::Proxy::custom(|url| {
        let proxy = of(&url.as_str().parse().ok()?).ok()??;
        Some(proxy.address)
    })
}

/// Whether the list `excluded` of `NO_PROXY` contains the host of `url`: by itself, or with its port. As curl and Go do,
/// `*` excludes all hosts, and a name the names below it.
fn excludes(excluded: &str, url: &Uri) -> bool {
    let port = url.port_u16().unwrap_or(443).to_string();
    let entries = excluded.split(',').map(str::trim).filter_map(|entry| {
        let host = match entry.rsplit_once(':') {
            Some((host, of)) if !host.contains(':') || host.ends_with(']') => (of == port).then_some(host)?,
            _ => entry,
        };
        Some(host.trim_matches(['[', ']']))
    });
    let hosts: Vec<&str> = entries.collect();
    let is_unlisted = || {
        let matcher = Matcher::builder().all("http://proxy").no(hosts.join(","));
        matcher.build().intercept(url).is_some()
    };
    hosts.contains(&"*") || !is_unlisted()
}

/// Whether `name` is this machine.
fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || name
            .trim_matches(['[', ']'])
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// The first of the variables that is set and not empty.
fn set(names: &[&'static str]) -> Option<(&'static str, OsString)> {
    let mut values = names.iter().filter_map(|name| Some((*name, env::var_os(name)?)));
    values.find(|(_, value)| !value.is_empty())
}

/// The proxy in the `value` of a variable, if it is used as it is meant. The reasons do not quote it, because it can
/// contain a password anywhere.
fn usable(value: &OsStr) -> Result<(Intercept, Url), &'static str> {
    let text = value.to_str().ok_or("is not valid Unicode")?;
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(
            "contains a blank or a control character, which must be percent-encoded in user name and password",
        );
    }
    let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
    if !["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known))
    {
        return Err("must start with http:// or https://; other proxies are not supported");
    }
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    // Otherwise, the beginning of a password would be the host or the port.
    if path.contains('@') || authority.matches('@').count() > 1 {
        return Err("has a user name or a password with `@`, `/`, `?` or `#`, which must be percent-encoded");
    }
    let port = authority.rsplit_once(':').map(|(_, port)| port);
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    if port.is_some_and(|port| !port.contains(['@', ']']) && !is_port(port)) {
        return Err("has a port that is not a number from 1 to 65535");
    }
    let address = format!("{scheme}://{rest}").parse::<Url>().ok();
    let found = Matcher::builder().all(text).build();
    let found = found.intercept(&Uri::from_static("https://manager"));
    found
        .filter(|proxy| proxy.uri().host().is_some_and(|host| !host.is_empty()))
        .zip(address)
        .ok_or("is not the address of a proxy, such as http://proxy.example.com:3128")
}

impl Proxy {
    /// Name and port to connect to.
    pub(super) fn target(&self) -> (&str, u16) {
        let uri = self.intercept.uri();
        let usual_port = if self.is_encrypted() { 443 } else { 80 };
        let name = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        (name, uri.port_u16().unwrap_or(usual_port))
    }

    /// Whether the connection to the proxy is encrypted itself.
    pub(super) fn is_encrypted(&self) -> bool {
        self.intercept.uri().scheme() == Some(&Scheme::HTTPS)
    }

    /// Requests a connection to the manager (RFC 9110, 9.3.6).
    pub(super) async fn tunnel(&self, connection: &mut TcpStream, name: &str, port: u16) -> io::Result<()> {
        let host = match name.contains(':') {
            true => format!("[{name}]:{port}"),
            false => format!("{name}:{port}"),
        };
        let mut request = format!("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n").into_bytes();
        if let Some(authorization) = self.intercept.basic_auth() {
            request.extend_from_slice(b"Proxy-Authorization: ");
            request.extend_from_slice(authorization.as_bytes());
            request.extend_from_slice(b"\r\n");
        }
        request.extend_from_slice(b"\r\n");
        connection.write_all(&request).await?;
        // Byte by byte, because the bytes after the head belong to the manager.
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            if head.len() == LONGEST_HEAD {
                return Err(io::Error::other("the proxy does not support CONNECT"));
            }
            head.push(connection.read_u8().await?);
        }
        let head = String::from_utf8_lossy(&head);
        // The text after the number may quote the credentials.
        match head.split(' ').nth(1).map(str::parse::<StatusCode>) {
            Some(Ok(status)) if status.is_success() => Ok(()),
            Some(Ok(status)) => Err(io::Error::other(format!(
                "the proxy refused the connection: {status}"
            ))),
            _ => Err(io::Error::other("the server is not a proxy")),
        }
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_encrypted() { "https" } else { "http" };
        let host = self.intercept.uri().host().unwrap_or_default();
        let origin = self.variable.unwrap_or("settings of the system");
        write!(f, "proxy {scheme}://{host}:{} ({origin})", self.target().1)
    }
}

/// Adds `proxy` to a failure without a reply that does not name it.
pub(crate) fn through(mut error: Error, proxy: Option<&str>) -> Error {
    let is_without_reply = matches!(
        error.kind(),
        ErrorKind::Connect | ErrorKind::Tls | ErrorKind::Deadline
    );
    if let Some(proxy) = proxy.filter(|_| is_without_reply) {
        let failure = error.failure_mut();
        if !failure
            .reason
            .as_ref()
            .is_some_and(|reason| reason.contains(proxy))
        {
            failure.add_reason(&format!("through the {proxy}"));
        }
    }
    error
}

#[cfg(test)]
mod tests;
