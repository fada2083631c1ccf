//! The arguments of the provider that a configuration has: a setting can have two names.

use netmgr_lookups::Words;
use terraform_plugin::Object;

use crate::names;

/// The argument with which a configuration sets a setting.
pub(crate) fn written(setting: &str, config: &Object) -> String {
    let other = names::nsxt_argument(setting);
    other
        .filter(|other| config.get(*other).is_some_and(|value| !value.is_null()))
        .map_or_else(|| names::attribute(setting), str::to_owned)
}

/// The words of this configuration for the settings in messages of the libraries.
pub(crate) fn words(config: &Object) -> Words {
    let names = names::SETTINGS.iter().map(|property| &property.name);
    names.map(|name| (name.clone(), written(name, config))).collect()
}
