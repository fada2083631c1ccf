//! `docs/configuration.md`: the settings of the netmgr provider.

use netmgr_lookups::{Property, properties};
use netmgr_types::{ProviderConfig, schema};

use super::Generated;
use super::markdown::{HEADER, row};

/// Path of the page.
pub(super) const FILE: &str = "docs/configuration.md";

/// The page.
pub(super) fn file() -> Generated {
    let mut text = format!(
        "{HEADER}\n# Configuration\n\n\
         The command line, the Pulumi provider and the Rust crate have the same settings.\n\n\
         - On the command line, a setting is read from its flag (`--ca-file` for `caFile`), or else from its \
         environment variable, or else from the [configuration file](command-line.md#profiles). A \
         profile that `--profile` names takes precedence over variables. Secrets have no flags.\n\
         - In a Pulumi program, a setting is read from the arguments of a `netmgr.Provider` or the configuration of the \
         stack (`pulumi config set netmgr:host manager.example.com`), or else from its environment variable.\n\n\
         A setting that is not set has its default. An empty string counts as not set.\n\n\
         | Setting | Type | Environment variable | Description |\n|---|---|---|---|\n"
    );
    for setting in properties(&schema::input::<ProviderConfig>()) {
        text.push_str(&setting_row(&setting));
    }
    Generated {
        path: FILE.to_owned(),
        text,
    }
}

fn setting_row(setting: &Property) -> String {
    let variable = ProviderConfig::ENV
        .iter()
        .find(|(property, _)| *property == setting.name)
        .map(|(_, variable)| format!("`{variable}`"));
    let secret = if setting.secret { ", secret" } else { "" };
    row([
        &format!("`{}`", setting.name),
        &format!("{}{secret}", setting.shape.name()),
        &variable.unwrap_or_default(),
        &setting.description,
    ])
}
