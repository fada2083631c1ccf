//! The workspace as cargo describes it.

use std::path::Path;

use cargo_metadata::{Metadata, MetadataCommand};

use crate::Error;

/// The folder of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate lies in the workspace's folder")
}

/// The crates of the workspace, without other packages.
pub(crate) fn read(root: &Path) -> Result<Metadata, Error> {
    let mut command = MetadataCommand::new();
    let options = ["--locked", "--offline"].map(str::to_owned);
    command.current_dir(root).other_options(options).no_deps();
    Ok(command.exec()?)
}
