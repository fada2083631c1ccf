//! The handshake: what hosts pass in the environment, and the line that answers it.

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

/// What the host passed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Host {
    /// The host's certificate in PEM format; `None` if the host speaks plain text.
    pub(crate) certificate: Option<String>,
    /// Folder for the socket.
    pub(crate) socket_folder: Option<PathBuf>,
    /// Whether the host expects a field about multiplexing.
    multiplexes: bool,
}

/// The process cannot serve a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It was not started by a host.
    NoHost,
    /// The host offers other protocols only.
    Protocol,
}

impl Host {
    /// Reads the environment.
    pub(crate) fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Refusal> {
        if variable(COOKIE.0).as_deref() != Some(COOKIE.1) {
            return Err(Refusal::NoHost);
        }
        // Hosts before protocol 5 do not set it.
        let offered = variable("PLUGIN_PROTOCOL_VERSIONS").unwrap_or_default();
        let offers = |version: &str| version.trim().parse() == Ok(PROTOCOL);
        if !offered.split(',').any(offers) {
            return Err(Refusal::Protocol);
        }
        let given = |name: &str| variable(name).filter(|text| !text.is_empty());
        Ok(Self {
            certificate: given("PLUGIN_CLIENT_CERT"),
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

impl Refusal {
    /// The message for the person who started the process.
    pub(crate) fn message(self, program: &str) -> String {
        let mut text = format!("{program}: ");
        let reason = match self {
            Self::NoHost => {
                "this program is a provider, which Terraform or OpenTofu starts. To start it by hand, \
                 for example under a debugger, use --debug."
            }
            Self::Protocol => {
                "the host does not offer protocol 6. Terraform 1.0 and OpenTofu 1.6 are the first \
                 versions that do."
            }
        };
        let _ = writeln!(text, "{reason}");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(variables: &[(&str, &str)]) -> Result<Host, Refusal> {
        Host::read(|name| {
            let all = variables.iter().chain(&[COOKIE]);
            let mut found = all.filter(|(variable, _)| *variable == name);
            found.next().map(|(_, value)| (*value).to_owned())
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
                Err(Refusal::Protocol),
                "{versions}"
            );
        }
        assert_eq!(host(&[]), Err(Refusal::Protocol));
    }

    #[test]
    fn a_person_is_no_host() {
        assert_eq!(Host::read(|_| None), Err(Refusal::NoHost));
        assert_eq!(host(&[(COOKIE.0, "other")]), Err(Refusal::NoHost));
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
