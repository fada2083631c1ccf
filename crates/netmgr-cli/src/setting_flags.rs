//! The flags of settings, and the words of messages that follow from them.

use std::sync::LazyLock;

use netmgr_lookups::Words;
use netmgr_types::ProviderConfig;
use schemars::schema_for;

use crate::flags::{self, Flag};

/// Always true on the command line, so there is no flag.
pub(crate) const ON_DEMAND: &str = "onDemandConnection";

/// The flags of all settings that are not secret.
pub(crate) fn setting_flags() -> &'static [Flag] {
    // Created once, because every command without a connection also has them, hidden.
    static FLAGS: LazyLock<Vec<Flag>> = LazyLock::new(|| {
        let mut settings = netmgr_lookups::properties(&schema_for!(ProviderConfig));
        settings.retain(|setting| setting.name != ON_DEMAND);
        let mut flags = flags::of(&settings);
        // Secrets have no flags.
        let secrets = ProviderConfig::ENV
            .iter()
            .filter(|(name, _)| ProviderConfig::SECRET.contains(name));
        for (property, variable) in secrets {
            flags.iter_mut().for_each(|flag| flag.rename(property, variable));
        }
        flags
    });
    &FLAGS
}

/// The flag of the project.
pub(crate) fn of_project() -> impl Iterator<Item = (String, String)> {
    ["context", "context.projectId"]
        .into_iter()
        .map(|input| (input.to_owned(), "--project".to_owned()))
}

/// The flags of several types.
pub(crate) fn of_types(types: &[String]) -> impl Iterator<Item = (String, String)> {
    (0..types.len()).map(|index| (format!("resourceTypes[{index}]"), "--type".to_owned()))
}

/// The words of a command with these inputs: flags for inputs and settings.
pub(crate) fn words(inputs: impl IntoIterator<Item = (String, String)>) -> Words {
    let object = ("getPolicyObject".to_owned(), "netmgr get object".to_owned());
    flags::by_input(setting_flags())
        .into_iter()
        .chain([object])
        .chain(inputs)
        .collect()
}
