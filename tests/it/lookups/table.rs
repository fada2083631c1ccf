//! The table of functions: `tests/data/lookups.tsv`.
//!
//! It states the inputs and outputs of each function, the contexts that it accepts, and, from the VMware NSX REST API
//! reference, the collection and the type of its objects, so that a function that requests anything else fails. Facts that
//! do not fit in a line (members of objects, filters) are in `lookups.json`. A plain function only needs its line.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, FunctionEntry, FunctionGroup, Lookups};
use netmgr_types::Deployment;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::harness::World;

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
    /// Minimum version; empty if there is none.
    pub(super) since: &'static str,
    /// The only deployment with a minimum version, if the version does not apply to all.
    pub(super) since_on: Option<Deployment>,
    /// The facts of `lookups.json`.
    pub(super) more: More,
}

/// An input or output.
pub(super) struct Member {
    pub(super) name: &'static str,
    /// `text`, `int`, `bool`, `list`, `set`, `map` or `object`.
    pub(super) shape: &'static str,
    /// A required input, or an output that is always returned.
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
    /// Like `Exact`, or the only object without id and name.
    ExactOrOnly,
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
    /// Members of another type of objects in the collection.
    pub(super) alien: Map<String, Value>,
    /// Managers that turn out not to have the API: `global`, `cloud`, `no manager mode`.
    pub(super) absent_on: Vec<String>,
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

impl Filter {
    /// The filter by description, which every function that selects has.
    pub(super) fn by_description() -> Self {
        let of = |text: &str| Map::from_iter([("description".to_owned(), text.into())]);
        Self {
            value: "text".into(),
            fits: of("text"),
            differs: of("texts"),
            key: false,
            alone: false,
            preferred: None,
        }
    }
}

/// Every line of the table.
pub(crate) static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let table = include_str!("../../data/lookups.tsv");
    let mut more: BTreeMap<String, More> =
        serde_json::from_str(include_str!("../../data/lookups.json")).unwrap();
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

/// Whether the function is one of the specification, whose outputs the table states completely.
pub(crate) fn is_specified(function: &str) -> bool {
    ROWS.iter()
        .any(|row| row.function == function && row.states_all_outputs())
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
            panic!("a line of lookups.tsv does not have 10 columns: {columns:?}");
        };
        // `convert-terraform` derives the function from the name of the data source, if there is one.
        let noun = function.trim_start_matches("get");
        let derived = format!("nsxt_{}", noun.to_snake_case());
        assert!(
            ["", &derived].contains(&data_source),
            "{function}: {data_source}, not {derived}"
        );
        let (since_on, since) = match since.split_once(' ') {
            Some((name, since)) => (Some(deployment(name)), since),
            None => (None, since),
        };
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
                "exact or only" => Some(Selection::ExactOrOnly),
                other => panic!("{function}: {other}"),
            },
            managers: managers
                .split(", ")
                .filter(|name| !name.is_empty())
                .map(deployment)
                .collect(),
            since,
            since_on,
            more,
        }
    }

    /// The function.
    pub(super) fn entry(&self) -> &'static FunctionEntry {
        Lookups::entry(self.function).unwrap()
    }

    pub(super) fn states_all_outputs(&self) -> bool {
        self.outputs.iter().any(|output| output.required)
    }

    /// Whether the collection has objects of another type.
    pub(super) fn has_alien(&self) -> bool {
        !self.more.alien.is_empty()
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
            name: name.trim_end_matches(['!', '*']),
            shape,
            required: name.ends_with(['!', '*']),
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
fn every_function_has_a_line() {
    let others = ALL.iter().filter(|entry| {
        entry.group != FunctionGroup::AnyObject && ROWS.iter().all(|row| row.function != entry.spec.name)
    });
    let others: Vec<&str> = others.map(|entry| entry.spec.name).collect();
    assert_eq!(others, [""; 0], "not in tests/data/lookups.tsv");
}
