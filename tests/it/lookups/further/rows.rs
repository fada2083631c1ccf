//! The lines of the table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, Entry, FunctionGroup};
use netmgr_types::Deployment;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::lookups::harness::World;

/// A line of the table.
pub(crate) struct Row {
    pub(crate) function: &'static str,
    pub(super) inputs: Vec<Member>,
    pub(super) outputs: Vec<Member>,
    pub(super) contexts: Contexts,
    /// Collection with `{input}` for ids that inputs name; empty if the API has none.
    pub(super) collection: &'static str,
    pub(super) resource_type: &'static str,
    /// How an object is selected; `None` if the function does more than select.
    pub(super) selection: Option<Selection>,
    /// The deployments on which the function is available; empty if the table does not state them.
    pub(super) managers: Vec<Deployment>,
    pub(super) since: &'static str,
    /// The facts of `further-lookups.json`.
    pub(super) more: More,
}

/// An input or output.
pub(super) struct Member {
    pub(super) name: &'static str,
    /// `text`, `int`, `bool`, `list`, `set`, `map` or `object`.
    pub(super) shape: &'static str,
    pub(super) required: bool,
}

/// Contexts that a function accepts.
pub(super) struct Contexts {
    pub(super) project: bool,
    pub(super) default_project: bool,
    pub(super) vpc: bool,
    pub(super) from_global: bool,
    pub(super) required: bool,
}

/// How a function selects an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Selection {
    /// By id, name or a prefix of a name.
    Prefix,
    /// Like `Prefix`, or the only object without id and name.
    PrefixOrOnly,
    /// By id or name.
    Exact,
}

/// Facts about a function without a column in the table.
#[derive(Deserialize, Default, Clone)]
#[serde(default, deny_unknown_fields)]
pub(super) struct More {
    /// Members of the objects.
    pub(super) fields: Map<String, Value>,
    /// The outputs that result from them. `{path}` is the path of the object.
    pub(super) outputs: Map<String, Value>,
    pub(super) filters: BTreeMap<String, Filter>,
    /// Inputs that every call has.
    pub(super) input: Map<String, Value>,
    /// Optional inputs of the collection that every call has.
    pub(super) needs: Vec<String>,
    /// Parts of requests that the function may send in addition to those for its objects.
    pub(super) also: Vec<String>,
    /// Whether the id cannot be combined with a name.
    pub(super) exclusive: bool,
    /// Another type of objects in the collection.
    pub(super) alien: Option<String>,
    /// The collection in projects if it is a different one; `false` if there is none.
    pub(super) projects: Option<Value>,
    /// The location of the objects on a global manager, if that depends on inputs.
    pub(super) global: Option<OnGlobal>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct OnGlobal {
    pub(super) collection: String,
    pub(super) input: Map<String, Value>,
}

/// A filter, and members of objects that match it or do not.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    pub(super) value: Value,
    pub(super) fits: Map<String, Value>,
    pub(super) differs: Map<String, Value>,
    /// Whether it is another id, which takes precedence over names.
    #[serde(default)]
    pub(super) key: bool,
    /// Whether it selects an object without id and name.
    #[serde(default)]
    pub(super) alone: bool,
    /// The object that is found without the filter, of two with the same name, if that is not ambiguous.
    pub(super) preferred: Option<String>,
}

/// Every line of the table.
pub(crate) static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let table = include_str!("../../../data/further-lookups.tsv");
    let mut more: BTreeMap<String, More> =
        serde_json::from_str(include_str!("../../../data/further-lookups.json")).unwrap();
    let rows = table
        .lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            Row::new(&columns, more.remove(columns[0]).unwrap_or_default())
        })
        .collect();
    assert!(more.is_empty(), "not in the table: {:?}", more.keys());
    rows
});

/// Whether the function is beyond the specification. Those about objects of any type have their own tests.
pub(crate) fn is_further(function: &str) -> bool {
    let of_any_type = |entry: &&Entry| entry.group == FunctionGroup::AnyObject;
    let mut others = ALL.iter().filter(of_any_type);
    ROWS.iter().any(|row| row.function == function) || others.any(|entry| entry.spec.name == function)
}

/// The lines of functions that select an object.
pub(super) fn selecting() -> impl Iterator<Item = (&'static Row, Selection)> {
    ROWS.iter().filter_map(|row| Some((row, row.selection?)))
}

impl Row {
    fn new(columns: &[&'static str], more: More) -> Self {
        let [
            function,
            data_source,
            inputs,
            outputs,
            contexts,
            collection,
            resource_type,
            selection,
            managers,
            since,
        ] = columns[..]
        else {
            panic!("a line of further-lookups.tsv does not have 10 columns: {columns:?}");
        };
        // `convert-terraform` derives the function from the name of the data source, if there is one.
        let noun = function.trim_start_matches("get");
        let derived = format!("nsxt_{}", noun.to_snake_case());
        assert!(
            ["", &derived].contains(&data_source),
            "{function}: {data_source}, not {derived}"
        );
        Self {
            function,
            inputs: inputs.split_whitespace().map(Member::new).collect(),
            outputs: outputs.split_whitespace().map(Member::new).collect(),
            contexts: Contexts {
                project: contexts.contains("project"),
                default_project: contexts.contains("default"),
                vpc: contexts.contains("VPC"),
                from_global: contexts.contains("from_global"),
                required: contexts.contains("required"),
            },
            collection,
            resource_type,
            selection: match selection {
                "" => None,
                "prefix" => Some(Selection::Prefix),
                "prefix or only" => Some(Selection::PrefixOrOnly),
                "exact" => Some(Selection::Exact),
                other => panic!("{function}: {other}"),
            },
            managers: managers
                .split(", ")
                .filter(|name| !name.is_empty())
                .map(deployment)
                .collect(),
            since,
            more,
        }
    }

    /// The function, if it is registered.
    pub(super) fn entry(&self) -> Option<&'static Entry> {
        ALL.iter().find(|entry| entry.spec.name == self.function)
    }

    /// Whether the function is only for global managers.
    pub(super) fn is_global(&self) -> bool {
        self.managers == [Deployment::GlobalManager]
    }

    /// Whether the objects are policy objects, which have a path and can be marked for deletion.
    pub(super) fn is_policy(&self) -> bool {
        !self.collection.starts_with("/api/") && !self.collection.starts_with("/aaa/")
    }

    /// A manager without objects on which the function is available.
    pub(super) fn world(&self) -> World {
        let world = if self.is_global() {
            World::global()
        } else {
            World::local()
        };
        world.bare()
    }
}

impl Member {
    fn new(text: &'static str) -> Self {
        let (name, shape) = text.split_once(':').unwrap_or((text, "text"));
        Self {
            name: name.trim_end_matches('!'),
            shape,
            required: name.ends_with('!'),
        }
    }
}

fn deployment(name: &str) -> Deployment {
    match name {
        "local" => Deployment::PolicyManager,
        "global" => Deployment::GlobalManager,
        "cloud" => Deployment::HostedCloud,
        other => panic!("no manager {other}"),
    }
}

#[test]
fn a_function_may_lack_a_counterpart() {
    let columns: Vec<&str> = "getPolicyLbVirtualServer\t\tid\tpath\t\t\t\t\tlocal\t"
        .split('\t')
        .collect();
    assert_eq!(Row::new(&columns, More::default()).function, columns[0]);
}

#[test]
fn every_function_of_the_table_is_registered() {
    let missing: Vec<&str> = ROWS
        .iter()
        .filter(|row| row.entry().is_none())
        .map(|row| row.function)
        .collect();
    assert!(
        missing.is_empty(),
        "{} functions are missing: {}",
        missing.len(),
        missing.join(" ")
    );
}
