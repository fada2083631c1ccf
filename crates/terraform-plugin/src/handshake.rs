//! The handshake: variables that hosts set, and the line that answers them.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

/// The variable that hosts set for plugins, and its value.
const COOKIE: (&str, &str) = (
    "TF_PLUGIN_MAGIC_COOKIE",
    "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
);

/// The version of the protocol that is served.
pub(crate) const PROTOCOL: u32 = 6;

/// The environment variables that the host passed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HostEnvironment {
    /// The host's certificate in PEM format; `None` if the host speaks plain text.
    pub(crate) certificate: Option<String>,
    /// Folder for the socket.
    pub(crate) socket_folder: Option<PathBuf>,
    /// Whether the host expects a field about multiplexing.
    multiplexes: bool,
}

/// The process cannot serve a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HandshakeRefusal {
    /// It was not started by a host.
    NoHost,
    /// The host offers other protocols only.
    Protocol,
    /// A variable that the host has set is not UTF-8.
    NotUtf8 {
        /// The variable.
        variable: &'static str,
    },
}

impl HostEnvironment {
    /// Reads the environment.
    pub(crate) fn read(
        variable: impl Fn(&'static str) -> Option<OsString>,
    ) -> Result<Self, HandshakeRefusal> {
        if variable(COOKIE.0).is_none_or(|value| value != COOKIE.1) {
            return Err(HandshakeRefusal::NoHost);
        }
        let text = |name: &'static str| match variable(name).unwrap_or_default().into_string() {
            Ok(text) => Ok(text),
            Err(_) => Err(HandshakeRefusal::NotUtf8 { variable: name }),
        };
        // Hosts before protocol 5 do not set it.
        let offered = text("PLUGIN_PROTOCOL_VERSIONS")?;
        let offers = |version: &str| version.trim().parse() == Ok(PROTOCOL);
        if !offered.split(',').any(offers) {
            return Err(HandshakeRefusal::Protocol);
        }
        let given = |name| variable(name).filter(|value| !value.is_empty());
        Ok(Self {
            certificate: Some(text("PLUGIN_CLIENT_CERT")?).filter(|text| !text.is_empty()),
            socket_folder: given("PLUGIN_UNIX_SOCKET_DIR").map(PathBuf::from),
            multiplexes: given("PLUGIN_MULTIPLEX_GRPC").is_some(),
        })
    }

    /// The first line of stdout: core protocol, protocol, network, address, transport, certificate.
    pub(crate) fn line(&self, network: &str, address: &Path, certificate: Option<&[u8]>) -> String {
        let certificate = certificate.map(|der| STANDARD_NO_PAD.encode(der));
        let mut line = format!(
            "1|{PROTOCOL}|{network}|{}|grpc|{}",
            address.display(),
            certificate.unwrap_or_default()
        );
        // Older hosts would read an uninvited field as a part of the certificate.
        if self.multiplexes {
            line.push_str("|false");
        }
        line.push('\n');
        line
    }
}

impl HandshakeRefusal {
    /// The message for the user who started the process.
    pub(crate) fn message(self, program: &str) -> String {
        let mut text = format!("{program}: ");
        let reason = match self {
            Self::NotUtf8 { variable } => {
                let _ = writeln!(text, "the environment variable {variable} is not UTF-8.");
                return text;
            }
            Self::NoHost => {
                "this is a provider, which Terraform or OpenTofu starts. To start it manually, \
                 for example in a debugger, use --debug."
            }
            Self::Protocol => {
                "the host does not support protocol 6, which requires Terraform 1.0 or OpenTofu 1.6 \
                 or later."
            }
        };
        let _ = writeln!(text, "{reason}");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(variables: &[(&str, &str)]) -> Result<HostEnvironment, HandshakeRefusal> {
        HostEnvironment::read(|name| {
            let all = variables.iter().chain(&[COOKIE]);
            let mut found = all.filter(|(variable, _)| *variable == name);
            found.next().map(|(_, value)| value.into())
        })
    }

    #[test]
    fn protocol_6_is_found_in_any_order() {
        for versions in ["5,6", "6,5", "6", "4, 6"] {
            assert!(
                host(&[("PLUGIN_PROTOCOL_VERSIONS", versions)]).is_ok(),
                "{versions}"
            );
        }
        for versions in ["5", "", "16"] {
            assert_eq!(
                host(&[("PLUGIN_PROTOCOL_VERSIONS", versions)]),
                Err(HandshakeRefusal::Protocol),
                "{versions}"
            );
        }
        assert_eq!(host(&[]), Err(HandshakeRefusal::Protocol));
    }

    #[test]
    fn a_person_is_no_host() {
        assert_eq!(HostEnvironment::read(|_| None), Err(HandshakeRefusal::NoHost));
        assert_eq!(host(&[(COOKIE.0, "other")]), Err(HandshakeRefusal::NoHost));
    }

    #[test]
    fn the_certificate_has_no_padding_and_multiplexing_is_mentioned_on_request_only() {
        let versions = ("PLUGIN_PROTOCOL_VERSIONS", "5,6");
        let path = Path::new("/tmp/x/plugin");
        let der = &[0xfb, 0xff, 0xfe, 0x01][..];
        let plain = host(&[versions]).unwrap();
        assert_eq!(
            plain.line("unix", path, Some(der)),
            "1|6|unix|/tmp/x/plugin|grpc|+//+AQ\n"
        );
        assert_eq!(plain.line("unix", path, None), "1|6|unix|/tmp/x/plugin|grpc|\n");
        let multiplexing = host(&[versions, ("PLUGIN_MULTIPLEX_GRPC", "true")]).unwrap();
        assert_eq!(
            multiplexing.line("unix", path, Some(der)),
            "1|6|unix|/tmp/x/plugin|grpc|+//+AQ|false\n"
        );
    }
}
