//! A recorded screen for the book: commands with the output that they have in a terminal, as SVG.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Stdio};

use pty_process::Size;
use pty_process::blocking::{self, Command};
use serde_json::{Map, Value};

use crate::{Error, process};

/// Size of the terminal.
const COLUMNS: u16 = 100;
const ROWS: u16 = 60;

/// The file, which `docs/command-line.md` shows.
const FILE: &str = "docs/screen.svg";

/// The commands, without the name of the program.
const COMMANDS: &[&[&str]] = &[
    &["doctor"],
    &["list", "policy-edge-transport-node", "--prefix", "edge-0"],
    &["get", "policy-edge-cluster", "--display-name", "edge"],
    &["get", "policy-edge-cluster", "--display-name", "egde"],
];

/// Records the commands against a simulated manager and writes the file.
pub(crate) fn record(root: &Path) -> Result<(), Error> {
    process::run(process::command("cargo", root).args(["build", "--quiet", "--package", "netmgr-cli"]))?;
    let program = root.join("target/debug/netmgr");
    let manager = Manager::start(&program, root)?;
    let mut screen = String::new();
    for arguments in COMMANDS {
        screen.push_str(&format!("\x1b[1m$ netmgr {}\x1b[0m\n", arguments.join(" ")));
        screen.push_str(&output(&program, arguments, &manager.environment)?);
        screen.push('\n');
    }
    let image = anstyle_svg::Term::new().render_svg(screen.trim_end());
    std::fs::write(root.join(FILE), image)?;
    println!("wrote {FILE}");
    Ok(())
}

/// What a command writes to a terminal.
fn output(program: &Path, arguments: &[&str], environment: &Map<String, Value>) -> Result<String, Error> {
    let (mut terminal, inside) = blocking::open()?;
    terminal.resize(Size::new(ROWS, COLUMNS))?;
    let mut command = Command::new(program)
        .args(arguments)
        .env_clear()
        .env("TERM", "xterm-256color");
    for (name, value) in environment {
        command = command.env(name, value.as_str().unwrap_or_default());
    }
    let mut child = command.spawn(inside)?;
    let mut written = Vec::new();
    // The error is the end: the program has closed its side.
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = terminal.read(&mut buffer) {
        written.extend_from_slice(&buffer[..length]);
    }
    child.wait()?;
    Ok(visible(&String::from_utf8(written)?))
}

/// What is left of the output on the screen: a line of progress is erased before the next text.
fn visible(written: &str) -> String {
    let lines = written.lines().map(|line| {
        let line = line.rsplit(ERASE).next().unwrap_or_default();
        format!("{}\n", line.trim_end_matches('\r'))
    });
    lines.collect()
}

/// Erases the line of the cursor.
const ERASE: &str = "\x1b[2K";

/// A simulated manager in another process.
struct Manager {
    process: Child,
    /// The settings of its clients.
    environment: Map<String, Value>,
}

impl Manager {
    fn start(program: &Path, root: &Path) -> Result<Self, Error> {
        let mut process = process::command(program, root)
            .args(["simulate", "--tls", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        if let Some(output) = process.stdout.as_mut() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let mut manager = Self {
            process,
            environment: Map::new(),
        };
        let mut ready: Value = serde_json::from_str(&line)?;
        if let Value::Object(environment) = ready["environment"].take() {
            manager.environment = environment;
        }
        Ok(manager)
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn erased_text_is_not_on_the_screen() {
        let written = "\r\x1b[2K3 pools\r\x1b[2KNAME\r\nred\r\n";
        assert_eq!(visible(written), "NAME\nred\n");
    }

    #[test]
    fn the_recorded_screen_has_the_commands() {
        let image = std::fs::read_to_string(crate::root().join(FILE)).unwrap();
        for arguments in COMMANDS {
            let line = format!("$ netmgr {}<", arguments.join(" "));
            assert!(image.contains(&line), "{line}: run `cargo xtask screen`");
        }
    }
}
