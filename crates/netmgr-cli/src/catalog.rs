//! The lookup functions as the command line names, describes and lists them.

use std::sync::{LazyLock, OnceLock};

use netmgr_lookups::{ALL, Description, FunctionEntry, FunctionGroup, Lookups, ResultKind, Words};

use crate::flags::{self, Flag, command_name};
use crate::options;
use crate::output::{described, terminal};
use crate::setting_flags;
use crate::suggest::{self, UnknownWord};

/// Hint for a word that is like no other.
const TYPES: &str = "`netmgr types` lists all object types";

/// A lookup function on the command line.
pub(crate) struct CatalogFunction {
    /// The function.
    pub(crate) entry: &'static FunctionEntry,
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

    /// The flags of the inputs that its list has.
    pub(crate) fn list_flags(&self) -> Vec<Flag> {
        let names = self.entry.list_inputs();
        let is_of_list = |flag: &&Flag| names.iter().any(|name| name == flag.property());
        self.flags().iter().filter(is_of_list).cloned().collect()
    }

    /// The words for its inputs.
    pub(crate) fn words(&self) -> Words {
        setting_flags::words(flags::by_input(self.flags()))
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

    /// The kinds of managers on which it is available, as text.
    pub(crate) fn available_on(&self) -> String {
        let deployments = self.description().available_on.as_deref();
        deployments.map_or_else(|| "all managers".to_owned(), |deployments| deployments.join(", "))
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
            [] => "all".to_owned(),
            versions => versions.join(", "),
        }
    }

    /// The objects of its list: `Lists all groups.`
    pub(crate) fn list_summary(&self) -> Option<String> {
        let is_listed = self.entry.is_listed();
        is_listed.then(|| format!("Lists all {}.", self.entry.spec.nouns()))
    }

    /// A note that names the function of the policy API, for functions of the older API.
    pub(crate) fn newer(&self) -> Option<String> {
        let spec = &self.entry.spec;
        let successor = command_name(spec.successors.first()?);
        let removal = spec.removed_in.map_or_else(String::new, |version| {
            format!(", which version {version} of the manager removes")
        });
        Some(format!(
            "note: `{}` reads the older API{removal}; `{successor}` reads the policy API",
            self.name
        ))
    }
}

/// The function that a word means, in any spelling.
pub(crate) fn find(word: &str) -> Option<&'static CatalogFunction> {
    of(Lookups::function_named(word)?)
}

/// The function with a collection that a word means.
pub(crate) fn find_listed(word: &str) -> Option<&'static CatalogFunction> {
    of(Lookups::collection_named(word)?)
}

fn of(entry: &FunctionEntry) -> Option<&'static CatalogFunction> {
    CATALOG
        .iter()
        .find(|function| function.entry.spec.name == entry.spec.name)
}

/// The hint for a word that names no function.
pub(crate) fn similar(word: &str) -> String {
    if let Ok(object_type) = Lookups::object_type(word) {
        return format!("`netmgr find --type {object_type}` finds objects of this type");
    }
    let names: Vec<&str> = CATALOG.iter().map(|function| function.name.as_str()).collect();
    suggest::hint(&command_name(word), &names, TYPES)
}

/// The type of policy objects that a word means.
pub(crate) fn object_type(word: &str) -> Result<String, UnknownWord> {
    Lookups::object_type(word).map_err(|similar| unknown_type(word, &similar))
}

/// The type of a recording that a word means.
pub(crate) fn recorded_type(word: &str) -> Result<String, UnknownWord> {
    netmgr_recording::recorded_type(word).map_err(|similar| unknown_type(word, &similar))
}

fn unknown_type(word: &str, similar: &[String]) -> UnknownWord {
    let is_of = |function: &&CatalogFunction| {
        let object_type = function.entry.resource_type();
        object_type.is_some_and(|object_type| object_type.eq_ignore_ascii_case(word))
    };
    let listed = find_listed(word);
    let unsearched = listed.or_else(|| CATALOG.iter().find(is_of));
    let (what, hint) = match (unsearched, find(word), similar) {
        (Some(_), _, [_, ..]) if listed.is_some() => (
            format!("{word:?} means several types"),
            format!("they are `{}`", similar.join("`, `")),
        ),
        (Some(function), ..) => (
            format!("{word:?} is not a type that can be searched"),
            format!("`netmgr list {}` lists these objects", function.name),
        ),
        (None, Some(function), _) => (
            format!("{word:?} is a function, and not a type of objects"),
            format!("`netmgr get {}` runs it", function.name),
        ),
        (None, None, []) => (format!("there is no type {word:?}"), TYPES.to_owned()),
        (None, None, similar) => (
            format!("there is no type {word:?}"),
            suggest::did_you_mean(similar),
        ),
    };
    UnknownWord { what, hint }
}

/// The described functions, grouped, after a line of usage.
pub(crate) fn screen(usage: &str, describe: impl Fn(&CatalogFunction) -> Option<String>) -> String {
    format!("{usage}\n\n{}", grouped(describe).trim_end())
}

/// The help of a command whose subcommands are the described functions: grouped, before the options.
pub(crate) fn help(describe: impl Fn(&CatalogFunction) -> Option<String>) -> String {
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n\nOptions:\n{{options}}{{after-help}}",
        grouped(describe).trim_end()
    )
}

/// The functions that `describe` describes, grouped. Descriptions fit the width of the terminal.
pub(crate) fn grouped(describe: impl Fn(&CatalogFunction) -> Option<String>) -> String {
    let width = terminal::width();
    let mut text = String::new();
    for group in FunctionGroup::ALL {
        let members = CATALOG.iter().filter(|function| function.entry.group == *group);
        let rows: Vec<[String; 2]> = members
            .filter_map(|function| Some([format!("  {}", function.name), describe(function)?]))
            .collect();
        if !rows.is_empty() {
            text.push_str(&format!("{}:\n{}\n", group.title(), described(&rows, width)));
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
