//! A stack with the cluster components, in a cloud of stand-ins.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use super::{Journal, Stack, State, Tools};
use crate::programs::programs;

/// The packages with stand-ins, in the versions that the components use.
pub(crate) const PLAYED: [(&str, &str); 2] = [("aws", "7.48.0"), ("kubernetes", "4.34.2")];

/// A folder with the plugins of the stand-ins.
pub(crate) fn stand_ins() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (package, _) in PLAYED {
        let plugin = folder.path().join(format!("pulumi-resource-{package}"));
        symlink(env!("CARGO_BIN_EXE_stand-in"), plugin).unwrap();
    }
    folder
}

/// A stack in a cloud of stand-ins.
pub(crate) struct Cloud {
    pub(crate) stack: Stack,
    folder: TempDir,
}

impl Cloud {
    /// A stack of the program that creates the configured resources.
    pub(crate) async fn new(tools: &'static Tools) -> Self {
        Self::of(tools, "components-typescript").await
    }

    /// A stack of a program below `tests/programs`.
    pub(crate) async fn of(tools: &'static Tools, program: &str) -> Self {
        let folder = stand_ins();
        let mut plugins = vec![("clusterpkg", programs())];
        plugins.extend(PLAYED.map(|(package, _)| (package, folder.path())));
        let stack = Stack::with_plugins(tools, program, &plugins).await;
        let mut cloud = Self { stack, folder };
        let journal = cloud.journal_file();
        cloud.stack.set("STAND_IN_JOURNAL", journal.to_str().unwrap());
        cloud
    }

    /// Sets the resources that the program creates.
    pub(crate) async fn list(&self, resources: &Value) {
        self.stack
            .configure(&[], "resources", &resources.to_string())
            .await;
    }

    /// Events in the cloud since the last call.
    pub(crate) fn journal(&self) -> Journal {
        let text = fs::read_to_string(self.journal_file()).unwrap_or_default();
        let _ = fs::remove_file(self.journal_file());
        Journal::parse(&text)
    }

    /// Events so far, without removing them.
    pub(crate) fn glance(&self) -> Journal {
        Journal::parse(&fs::read_to_string(self.journal_file()).unwrap_or_default())
    }

    /// The state that the engine keeps of every resource.
    pub(crate) async fn state(&self) -> State {
        State::new(self.stack.resources().await)
    }

    fn journal_file(&self) -> PathBuf {
        self.folder.path().join("journal")
    }
}
