//! Types of other projects in public interfaces: a new major version of such a project is one of ours.

/// The types and traits that may appear, each with the crates in which they may.
const MEANT: &[(&str, &[&str])] = &[
    // Requests and replies below the leaf of the client, and of the simulated manager.
    ("bytes::bytes::Bytes", &["netmgr-sim", "netmgr-transport"]),
    ("http::header::map::HeaderMap", &["netmgr-sim"]),
    ("http::header::name::HeaderName", &["netmgr-sim"]),
    ("http::header::value::HeaderValue", &["netmgr-sim"]),
    ("http::method::Method", &["netmgr-sim", "netmgr-transport"]),
    ("http::request::Request", &["netmgr-sim", "netmgr-transport"]),
    ("http::response::Response", &["netmgr-sim", "netmgr-transport"]),
    ("http::status::StatusCode", &["netmgr-sim", "netmgr-transport"]),
    ("http::version::Version", &["netmgr-sim"]),
    // A client takes any tower service; the trait is at 1.x in all but its number.
    ("tower_service::Service", &["netmgr-transport"]),
    // Plugins are programs on tokio, and their tests bring the socket.
    ("tokio::net::tcp::listener::TcpListener", &["engine-rpc"]),
    // A deadline on the clock that tests pause.
    ("tokio::time::instant::Instant", &["netmgr-transport"]),
    // Cancellation as tokio's programs have it.
    (
        "tokio_util::sync::cancellation_token::CancellationToken",
        &["engine-rpc", "netmgr-lookups"],
    ),
    ("futures_core::future::BoxFuture", &["engine-components"]),
    // Inputs, outputs and settings as JSON, and their schemas.
    (
        "schemars::JsonSchema",
        &["engine-components", "netmgr-lookups", "netmgr-types"],
    ),
    (
        "schemars::generate::SchemaGenerator",
        &["engine-components", "netmgr-lookups"],
    ),
    (
        "schemars::schema::Schema",
        &["engine-components", "netmgr-lookups", "netmgr-types"],
    ),
    (
        "serde_core::de::DeserializeOwned",
        &["netmgr-transport", "netmgr-types"],
    ),
    ("serde_core::de::Deserialize", &["netmgr-types"]),
    ("serde_core::de::Deserializer", &["netmgr-types"]),
    ("serde_core::de::Visitor", &["netmgr-types"]),
    ("serde_core::ser::Serialize", &["netmgr-lookups"]),
    ("serde_core::ser::Serializer", &["netmgr-lookups", "netmgr-types"]),
    (
        "serde_json::error::Error",
        &["engine-values", "netmgr-transport", "netmgr-types"],
    ),
    ("serde_json::map::Map", &["netmgr-lookups"]),
    ("serde_json::raw::RawValue", &["netmgr-types"]),
    (
        "serde_json::value::Value",
        &["engine-values", "netmgr-lookups", "netmgr-sim", "netmgr-types"],
    ),
];

/// Crates whose types may appear anywhere: those of the language, and those of the workspace, which `tidy` keeps in
/// order.
const OWN: &[&str] = &[
    "std",
    "core",
    "alloc",
    "netmgr",
    "engine",
    "clusterpkg",
    "terraform",
];

/// Types of the language that methods can stand behind.
const PRIMITIVES: &[&str] = &["bool", "f64", "i32", "i64", "str", "u32"];

/// The paths in the interface of a crate that are not meant, each with the first line that has it.
pub(super) fn unexpected<'a>(name: &str, lines: &'a [String]) -> Vec<(&'a str, &'a str)> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for line in lines {
        for path in paths(line) {
            let meant = MEANT
                .iter()
                .any(|(listed, crates)| *listed == path && crates.contains(&name));
            if !meant && !found.iter().any(|(known, _)| *known == path) {
                found.push((path, line));
            }
        }
    }
    found
}

/// The paths that the list permits a crate and that its interface does not have.
pub(super) fn unused(name: &str, lines: &[String]) -> Vec<&'static str> {
    let permitted = MEANT.iter().filter(|(_, crates)| crates.contains(&name));
    permitted
        .map(|(path, _)| *path)
        .filter(|path| !lines.iter().any(|line| paths(line).any(|found| found == *path)))
        .collect()
}

/// The paths of other projects in a line, such as `http::method::Method`.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':'))
        .map(|path| path.trim_matches(':'))
        .filter(|path| {
            let Some((first, _)) = path.split_once("::") else {
                return false;
            };
            let own = |own: &&str| {
                first == *own || first.strip_prefix(*own).is_some_and(|rest| rest.starts_with('_'))
            };
            first.starts_with(char::is_lowercase) && !OWN.iter().any(own) && !PRIMITIVES.contains(&first)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_other_projects_are_found_in_a_line() {
        let line = "pub fn netmgr_transport::Client::send(&self, http::request::Request<bytes::bytes::Bytes>) -> \
                    core::result::Result<Self::Output, netmgr_transport::Error>";
        assert_eq!(
            paths(line).collect::<Vec<_>>(),
            ["http::request::Request", "bytes::bytes::Bytes"]
        );
    }

    #[test]
    fn a_type_that_is_not_meant_is_found_with_its_line() {
        let lines = ["pub fn netmgr::a(tower::Thing, http::method::Method)".to_owned()];
        let found = [
            ("tower::Thing", lines[0].as_str()),
            ("http::method::Method", lines[0].as_str()),
        ];
        assert_eq!(unexpected("netmgr", &lines), found);
    }

    #[test]
    fn a_permission_that_no_line_needs_is_found() {
        let lines = ["pub fn engine_rpc::a(tokio::net::tcp::listener::TcpListener)".to_owned()];
        let cancel = "tokio_util::sync::cancellation_token::CancellationToken";
        assert_eq!(unused("engine-rpc", &lines), [cancel]);
    }
}
