//! The lookup functions as the command line names, describes and lists them.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use netmgr_lookups::{ALL, Description, Entry, FunctionGroup};

use crate::flags::{self, Flag, command_name};
use crate::options;
use crate::output::columns;
use crate::suggest;

/// A lookup function on the command line.
pub(crate) struct CatalogFunction {
    /// The function.
    pub(crate) entry: &'static Entry,
    /// Its name in help: `policy-edge-cluster`.
    pub(crate) name: String,
    description: OnceLock<Description>,
    flags: OnceLock<Vec<Flag>>,
}

/// All functions in the order of the registry.
pub(crate) static CATALOG: LazyLock<Vec<CatalogFunction>> = LazyLock::new(|| {
    let functions = ALL.iter().map(|entry| CatalogFunction {
        entry,
        name: command_name(entry.spec.name),
        description: OnceLock::new(),
        flags: OnceLock::new(),
    });
    functions.collect()
});

impl CatalogFunction {
    /// Its description, which is made once.
    pub(crate) fn description(&self) -> &Description {
        self.description.get_or_init(|| self.entry.describe())
    }

    /// The flags of its inputs. An input with the name of a setting, which is its default, has the flag of the setting.
    pub(crate) fn flags(&self) -> &[Flag] {
        self.flags.get_or_init(|| {
            let mut flags = flags::of(&self.description().inputs);
            flags.retain(|flag| !options::is_setting(&flag.long()));
            flags
        })
    }

    /// The names that are accepted besides the one in help: those of tokens, and that of Terraform, which is the same if it
    /// is one word.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = String> {
        let spec = &self.entry.spec;
        let tokens = [format!("get-{}", self.name), spec.name.to_owned(), spec.token()];
        let terraform = self.name.replace('-', "_");
        tokens
            .into_iter()
            .chain(Some(terraform).filter(|name| *name != self.name))
    }

    /// Minimum versions of the manager as text.
    pub(crate) fn minimum_versions(&self) -> String {
        let minimum = self.description().minimum_versions.iter();
        let versions: Vec<String> = minimum
            .map(|minimum| match minimum.deployment {
                Some(deployment) => format!("{} ({deployment})", minimum.version),
                None => minimum.version.to_owned(),
            })
            .collect();
        match versions.as_slice() {
            [] => "-".to_owned(),
            versions => versions.join(", "),
        }
    }
}

/// The function with this name or alias.
pub(crate) fn find(name: &str) -> Option<&'static CatalogFunction> {
    static BY_NAME: LazyLock<HashMap<String, &CatalogFunction>> = LazyLock::new(|| {
        let functions = CATALOG.iter().flat_map(|function| {
            let names = function.aliases().chain([function.name.clone()]);
            names.map(move |name| (name, function))
        });
        functions.collect()
    });
    BY_NAME.get(name).copied()
}

/// A hint with functions whose names are like `name`.
pub(crate) fn similar(name: &str) -> String {
    let names: Vec<&str> = CATALOG.iter().map(|function| function.name.as_str()).collect();
    suggest::hint(
        &command_name(name),
        &names,
        "`netmgr functions` lists the functions",
    )
}

/// The functions that `is_shown`, grouped, after a line of usage.
pub(crate) fn screen(usage: &str, is_shown: impl Fn(&Entry) -> bool) -> String {
    format!("{usage}\n\n{}", grouped(is_shown).trim_end())
}

/// The help of a command whose subcommands are the functions that `is_shown`: grouped, before the options.
pub(crate) fn help(is_shown: impl Fn(&Entry) -> bool) -> String {
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n\nOptions:\n{{options}}{{after-help}}",
        grouped(is_shown).trim_end()
    )
}

/// The functions that `is_shown`, grouped.
fn grouped(is_shown: impl Fn(&Entry) -> bool) -> String {
    let mut text = String::new();
    for group in FunctionGroup::ALL {
        let members = CATALOG
            .iter()
            .filter(|function| function.entry.group == *group && is_shown(function.entry));
        let rows: Vec<[String; 2]> = members
            .map(|function| {
                [
                    format!("  {}", function.name),
                    function.entry.spec.summary.to_owned(),
                ]
            })
            .collect();
        if !rows.is_empty() {
            text.push_str(&format!("{}:\n{}\n", group.title(), columns(&rows)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_found_by_each_of_its_names() {
        for function in CATALOG.iter() {
            let names = [function.name.clone()].into_iter().chain(function.aliases());
            for name in names {
                assert_eq!(find(&name).unwrap().name, function.name);
            }
        }
    }
}
