//! The system's keyring, which is used through the system's own program: `security` on macOS, and `secret-tool` for the
//! Secret Service elsewhere.

use std::fmt::{self, Write as _};
use std::io;
use std::process::Stdio;

use netmgr_types::Host;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::failure::CliError;

/// The key of a password. An entry for one host is never read for another one, whatever the names of profiles are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct KeyringEntry {
    host: String,
    user: String,
    profile: String,
}

impl fmt::Display for KeyringEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}, profile {}", self.user, self.host, self.profile)
    }
}

impl KeyringEntry {
    pub(crate) fn new(host: &str, user: &str, profile: &str) -> Self {
        let host = Host::parse(host).map_or_else(|_| host.to_owned(), |host| host.base_url());
        let [user, profile] = [user, profile].map(str::to_owned);
        Self { host, user, profile }
    }

    /// Stores a password. Programs may return some characters in another form.
    pub(super) async fn store(&self, password: &str) -> Result<(), CliError> {
        // The program of macOS reads its commands from lines.
        if self.to_string().chars().any(char::is_control) {
            return Err(CliError::usage(
                "the name of the user or the profile contains a control character",
                "choose another name, or use --password-command",
            ));
        }
        let (words, input) = Program::of_system().storing(self, password);
        run(&words, &input).await.map_err(|error| unusable(error.into()))
    }

    /// The words of the command that prints the password.
    pub(super) fn reading(&self) -> Vec<String> {
        Program::of_system().reading(self)
    }
}

/// The error of a password that cannot be stored.
pub(super) fn unusable(cause: Box<dyn std::error::Error + Send + Sync>) -> CliError {
    CliError::usage_because(
        "cannot store the password in the system's keyring",
        cause,
        "netmgr uses `security` on macOS and `secret-tool` elsewhere; for another program, use --password-command",
    )
}

#[derive(Debug, Clone, Copy)]
enum Program {
    /// Source: the manual of macOS, security(1).
    Security,
    /// Source: the manual of libsecret, secret-tool(1).
    SecretTool,
}

impl Program {
    fn of_system() -> Self {
        match cfg!(target_os = "macos") {
            true => Self::Security,
            false => Self::SecretTool,
        }
    }

    /// The command line that stores a password, and its standard input: process lists must not show the password.
    fn storing(self, entry: &KeyringEntry, password: &str) -> (Vec<String>, String) {
        match self {
            Self::Security => {
                let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
                let [service, account] = [&entry.service(), &entry.user].map(|text| quoted(text));
                let password = password.bytes().fold(String::new(), |mut hex, byte| {
                    let _ = write!(hex, "{byte:02x}");
                    hex
                });
                let command =
                    format!("add-generic-password -U -s \"{service}\" -a \"{account}\" -X {password}\n");
                (words(&["security", "-i"]), command)
            }
            Self::SecretTool => {
                let label = format!("netmgr: {entry}");
                let store = ["secret-tool", "store", "--label", &label];
                (
                    words(&[&store, &entry.attributes()[..]].concat()),
                    password.to_owned(),
                )
            }
        }
    }

    /// The command line that prints the password.
    fn reading(self, entry: &KeyringEntry) -> Vec<String> {
        match self {
            Self::Security => {
                let find = ["security", "find-generic-password", "-w", "-s"];
                words(&[&find[..], &[&entry.service(), "-a", &entry.user]].concat())
            }
            Self::SecretTool => words(&[&["secret-tool", "lookup"], &entry.attributes()[..]].concat()),
        }
    }
}

impl KeyringEntry {
    /// On macOS, a service and an account are the key.
    fn service(&self) -> String {
        format!("netmgr {} {}", self.host, self.profile)
    }

    fn attributes(&self) -> [&str; 8] {
        let Self { host, user, profile } = self;
        [
            "service", "netmgr", "host", host, "user", user, "profile", profile,
        ]
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Runs a program. It is killed when the future is dropped.
async fn run(words: &[String], input: &str) -> io::Result<()> {
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", words[0])))?;
    let mut stdin = child.stdin.take().expect("it is piped");
    let written = stdin.write_all(input.as_bytes()).await;
    drop(stdin);
    let status = child.wait().await?;
    match status.success() {
        true => written,
        false => Err(io::Error::other(format!("{} failed with {status}", words[0]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_command_line_contains_the_password() {
        let entry = KeyringEntry::new("lab:8443", r#"la"b\"#, "my lab");
        let (words, input) = Program::Security.storing(&entry, "pä s");
        assert_eq!(words, ["security", "-i"]);
        assert_eq!(
            input,
            "add-generic-password -U -s \"netmgr https://lab:8443 my lab\" -a \"la\\\"b\\\\\" -X 70c3a42073\n"
        );
        let (words, input) = Program::SecretTool.storing(&entry, "pä s");
        assert_eq!(words[..2], ["secret-tool", "store"]);
        assert_eq!(words[4..], entry.attributes());
        assert_eq!(input, "pä s");
    }

    #[test]
    fn entries_of_other_hosts_users_and_profiles_differ() {
        let of = |host, user, profile| KeyringEntry::new(host, user, profile);
        let entry = of("lab", "admin", "default");
        assert_eq!(entry, of("https://lab/", "admin", "default"));
        let others = [
            of("lab:8443", "admin", "default"),
            of("lab", "a", "default"),
            of("lab", "admin", "b"),
        ];
        for program in [Program::Security, Program::SecretTool] {
            assert!(
                others
                    .iter()
                    .all(|other| program.reading(other) != program.reading(&entry))
            );
        }
    }

    #[tokio::test]
    async fn a_name_with_a_line_break_is_refused() {
        let error = KeyringEntry::new("lab", "x", "a\nb")
            .store("x")
            .await
            .unwrap_err();
        assert!(error.to_string().contains("control character"), "{error}");
    }
}
