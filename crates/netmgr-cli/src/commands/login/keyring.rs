//! The system's keyring, which is used through the system's own program: `security` on macOS, and `secret-tool` for the
//! Secret Service elsewhere.

use std::fmt::Write as _;
use std::io;
use std::process::Stdio;

use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::failure::CliError;
use crate::settings::PasswordSource;

/// Stores the password of a profile, and returns the command that prints it.
pub(super) async fn store(profile: &str, password: &str) -> Result<Vec<String>, CliError> {
    // The program of macOS reads its commands from lines.
    if profile.chars().any(char::is_control) {
        return Err(CliError::usage(
            "the name of the profile contains a control character",
            "choose another name, or use --password-command",
        ));
    }
    let program = Program::of_system();
    let unusable = |cause: Box<dyn std::error::Error + Send + Sync>| {
        CliError::usage_because(
            "cannot store the password in the system's keyring",
            cause,
            "netmgr uses `security` on macOS and `secret-tool` elsewhere; for another program, use --password-command",
        )
    };
    let (words, input) = program.storing(profile, password);
    run(&words, &input)
        .await
        .map_err(|error| unusable(error.into()))?;
    let reading = program.reading(profile);
    // Programs may print some characters in another form.
    match PasswordSource::Command(reading.clone()).read().await {
        Ok(stored) if stored == password => Ok(reading),
        Ok(_) => Err(unusable("the keyring returns another password".into())),
        Err(error) => Err(unusable(error.into())),
    }
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
    fn storing(self, profile: &str, password: &str) -> (Vec<String>, String) {
        match self {
            Self::Security => {
                let account = profile.replace('\\', "\\\\").replace('"', "\\\"");
                let password = password.bytes().fold(String::new(), |mut hex, byte| {
                    let _ = write!(hex, "{byte:02x}");
                    hex
                });
                let command = format!("add-generic-password -U -s netmgr -a \"{account}\" -X {password}\n");
                (words(&["security", "-i"]), command)
            }
            Self::SecretTool => {
                let label = format!("netmgr {profile}");
                let store = ["secret-tool", "store", "--label", &label, "netmgr", profile];
                (words(&store), password.to_owned())
            }
        }
    }

    /// The command line that prints the password.
    fn reading(self, profile: &str) -> Vec<String> {
        match self {
            Self::Security => words(&[
                "security",
                "find-generic-password",
                "-s",
                "netmgr",
                "-a",
                profile,
                "-w",
            ]),
            Self::SecretTool => words(&["secret-tool", "lookup", "netmgr", profile]),
        }
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
        let (words, input) = Program::Security.storing(r#"la"b\"#, "pä s");
        assert_eq!(words, ["security", "-i"]);
        assert_eq!(
            input,
            "add-generic-password -U -s netmgr -a \"la\\\"b\\\\\" -X 70c3a42073\n"
        );
        let (words, input) = Program::SecretTool.storing("lab", "pä s");
        assert_eq!(
            words,
            ["secret-tool", "store", "--label", "netmgr lab", "netmgr", "lab"]
        );
        assert_eq!(input, "pä s");
    }

    #[tokio::test]
    async fn a_name_with_a_line_break_is_refused() {
        let error = store("a\nb", "x").await.unwrap_err();
        assert!(error.to_string().contains("control character"), "{error}");
    }
}
