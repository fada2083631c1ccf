//! Resources of which the cloud accepts only one: a file for each that exists, beside the journal.

use std::fs;
use std::path::PathBuf;

use pulumi_plugin::rpc::Error;
use pulumi_plugin::values::Object;

use crate::journal::FILE;

/// Types, with the properties that no two resources have in common.
const KEYS: [(&str, &[&str]); 3] = [
    (
        "aws:eks/accessEntry:AccessEntry",
        &["clusterName", "principalArn"],
    ),
    ("aws:eks/addon:Addon", &["clusterName", "addonName"]),
    (
        "aws:eks/podIdentityAssociation:PodIdentityAssociation",
        &["clusterName", "namespace", "serviceAccount"],
    ),
];

/// The resources that exist.
pub(crate) struct Unique {
    folder: Option<PathBuf>,
}

impl Unique {
    pub(crate) fn from_environment() -> Self {
        let journal = std::env::var_os(FILE).map(PathBuf::from);
        Self {
            folder: journal.map(|journal| journal.with_file_name("unique")),
        }
    }

    /// Records a new resource.
    pub(crate) fn claim(&self, token: &str, inputs: &Object) -> Result<(), Error> {
        let Some(file) = self.file(token, inputs) else {
            return Ok(());
        };
        let claimed =
            fs::create_dir_all(file.parent().unwrap_or(&file)).and_then(|()| fs::File::create_new(&file));
        claimed.map(drop).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                Error::Failed("the specified resource is already in use on this cluster".to_owned())
            }
            _ => Error::failed(&error),
        })
    }

    /// Records that a resource no longer exists. Imported ones were never recorded.
    pub(crate) fn release(&self, token: &str, properties: &Object) {
        if let Some(file) = self.file(token, properties) {
            let _ = fs::remove_file(file);
        }
    }

    fn file(&self, token: &str, properties: &Object) -> Option<PathBuf> {
        let (_, key) = KEYS.iter().find(|(kind, _)| *kind == token)?;
        let text = |name: &&str| properties.get(*name)?.known()?.as_str().map(str::to_owned);
        let values: Vec<String> = key.iter().map(text).collect::<Option<_>>()?;
        let name = format!("{token} {}", values.join(" ")).replace('/', "%");
        Some(self.folder.as_ref()?.join(name))
    }
}
