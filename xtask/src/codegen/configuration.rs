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
         The command line, both providers and the Rust crate have the same settings.\n\n\
         - The command line reads flags (`--ca-file` for `caFile`), then environment variables, then the \
         [configuration file](command-line.md#profiles). A profile in `--profile` precedes environment variables. \
         Secrets have no flags. A relative path in a configuration file is relative to that file.\n\
         - A Pulumi program reads the arguments of a `netmgr.Provider` or the stack configuration \
         (`pulumi config set netmgr:host manager.example.com`), then environment variables.\n\
         - The Terraform provider reads its block, then environment variables.\n\n\
         The Terraform provider, and the command line if its configuration file has no host, then read the variables of \
         the Terraform provider `vmware/nsxt`. They begin with `NSXT_` instead of `NETMGR_`; the others are \
         `NSXT_MANAGER_HOST`, `NSXT_POLICY_ENFORCEMENT_POINT` and `NSXT_VMC_…` for `cloud…`. `licenseKeys` and \
         `retryOnStatusCodes` have none.\n\n\
         Empty strings are treated as unset.\n\n\
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
        .map_or("", |(_, variable)| *variable);
    let secret = if setting.secret { ", secret" } else { "" };
    row([
        &format!("`{}`", setting.name),
        &format!("{}{secret}", setting.shape.name()),
        &format!("`{variable}`"),
        &without_variable(&setting.description, variable),
    ])
}

/// The description of a setting for a table that has a column with its variable.
pub(super) fn without_variable(description: &str, variable: &str) -> String {
    description
        .replace(
            &format!("can be set by {variable}, separated"),
            "in the variable, separated",
        )
        .replace(&format!("; can be set by {variable}."), ".")
        .replace(&format!(" Can be set by {variable}."), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_do_not_repeat_the_variable() {
        let page = file().text;
        for (_, variable) in ProviderConfig::ENV {
            let repeated = format!("by {variable}");
            assert!(
                page.contains(variable) && !page.contains(&repeated),
                "{variable}: {page}"
            );
        }
    }
}
