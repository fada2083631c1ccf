//! The lookup functions as the command line names, describes and lists them.

mod names;

use std::sync::{LazyLock, OnceLock};

use netmgr_lookups::{ALL, Description, Entry, FunctionGroup, ResultKind, Words};

use crate::flags::{self, Flag, command_name};
use crate::options;
use crate::output::{described, terminal};
use crate::suggest;
use names::FunctionNames;

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
    /// Its description, which is created once.
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

    /// The words for its inputs.
    pub(crate) fn words(&self) -> Words {
        options::words(flags::by_input(self.flags()))
    }

    /// The names that `get` accepts besides the one in help.
    pub(crate) fn aliases(&self) -> Vec<String> {
        NAMES.aliases(self)
    }

    /// The names that `list` accepts besides the one in help.
    pub(crate) fn listed_aliases(&self) -> Vec<String> {
        LISTED_NAMES.aliases(self)
    }

    /// Whether the function finds an object by its name.
    pub(crate) fn is_by_name(&self) -> bool {
        let is_name = |flag: &Flag| flag.id() == "displayName";
        self.entry.spec.answer == ResultKind::Object && self.flags().iter().any(is_name)
    }

    /// Whether the function also finds an object by its policy path.
    pub(crate) fn has_path(&self) -> bool {
        self.is_by_name() && self.flags().iter().any(|flag| flag.id() == "path")
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

/// The names of all functions.
static NAMES: LazyLock<FunctionNames> = LazyLock::new(|| FunctionNames::of(CATALOG.iter().collect()));

/// The names of the functions with a collection.
static LISTED_NAMES: LazyLock<FunctionNames> = LazyLock::new(|| {
    let listed = CATALOG.iter().filter(|function| function.entry.is_listed());
    FunctionNames::of(listed.collect())
});

/// The function with this name or alias.
pub(crate) fn find(name: &str) -> Option<&'static CatalogFunction> {
    NAMES.find(name)
}

/// The function with a collection that has this name or alias.
pub(crate) fn find_listed(name: &str) -> Option<&'static CatalogFunction> {
    LISTED_NAMES.find(name)
}

/// A hint with functions whose names are like `name`.
pub(crate) fn similar(name: &str) -> String {
    let given = command_name(name);
    let names: Vec<&str> = CATALOG.iter().map(|function| function.name.as_str()).collect();
    let types = "`netmgr types` lists all object types";
    let hint = |given: &str, otherwise: &str| {
        suggest::hint(given, &names, &suggest::hint(given, &NAMES.short(), otherwise))
    };
    match given.strip_suffix('s') {
        Some(singular) => hint(&given, &hint(singular, types)),
        None => hint(&given, types),
    }
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

/// The functions that `is_shown`, grouped. Descriptions fit the width of the terminal.
pub(crate) fn grouped(is_shown: impl Fn(&Entry) -> bool) -> String {
    let width = terminal::width();
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
            text.push_str(&format!("{}:\n{}\n", group.title(), described(&rows, width)));
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
