//! Tables of calls and their outcomes, one for each function.
//!
//! A table states the result or the failure of each call; a snapshot for each function contains the whole output, error
//! chain, warnings and requests. Calls that follow from a function's schema and facts alone (unknown property, wrong
//! type, wrong version, wrong kind of manager) are added to every table. Not here: the tables themselves (`tables/`).

use std::fmt::Write as _;

use netmgr_lookups::{ALL, Availability, Entry, ErrorKind, Shape, deployment_name, properties};
use netmgr_types::Deployment;
use serde_json::{Value, json};

use super::further::rows::is_further;
use super::harness::{World, chain};
use super::tables;

/// The subject of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By id.
    ById,
    /// By the exact name.
    ByName,
    /// By a prefix of a name; rejected if the exact name is required.
    ByPrefix,
    /// An exact name among longer ones.
    ExactBeatsPrefix,
    /// Neither id nor name.
    NothingGiven,
    /// No object matches.
    Absent,
    /// Several objects match.
    Several,
    /// A further input that matches.
    Fits(&'static str),
    /// A further input that excludes the object.
    Excludes(&'static str),
    /// An id together with another input.
    IdBeside,
    /// An object of another type or tier with the id or name.
    OfAnotherType,
    /// In a project.
    InProject,
    /// No objects of other projects, VPCs and the default space.
    Isolated,
    /// On a global manager.
    OnGlobalManager,
    /// On the hosted cloud.
    OnHostedCloud,
    /// With another enforcement point.
    EnforcementPoint,
    /// A missing required property.
    Missing(String),
    /// A property that the function does not have.
    UnknownProperty,
    /// A value of the wrong type.
    WrongType(String),
    /// A manager below the lowest version.
    WrongVersion,
    /// A kind of manager that does not have the function.
    WrongDeployment,
    /// A kind of manager that turns out not to have the API.
    NoApi,
}

/// One call.
pub(crate) struct Row {
    kind: Kind,
    world: World,
    input: Value,
    outcome: Outcome,
}

enum Outcome {
    /// The object with this id.
    Finds(String),
    /// A failure of this kind.
    Fails(ErrorKind),
}

/// The calls of one function.
pub(crate) struct Table {
    function: &'static str,
    world: World,
    rows: Vec<Row>,
}

impl Table {
    /// A table with calls of a local manager.
    pub(crate) fn of(function: &'static str) -> Self {
        Self {
            function,
            world: World::local(),
            rows: Vec::new(),
        }
    }

    /// Sends the following rows to this manager.
    pub(crate) fn on(mut self, world: World) -> Self {
        self.world = world;
        self
    }

    /// A call that finds the object with this id.
    pub(crate) fn finds(self, kind: Kind, input: Value, id: &str) -> Self {
        self.row(kind, input, Outcome::Finds(id.to_owned()))
    }

    /// A call that fails.
    pub(crate) fn fails(self, kind: Kind, input: Value, how: ErrorKind) -> Self {
        self.row(kind, input, Outcome::Fails(how))
    }

    fn row(mut self, kind: Kind, input: Value, outcome: Outcome) -> Self {
        self.rows.push(Row {
            kind,
            world: self.world.clone(),
            input,
            outcome,
        });
        self
    }

    /// Adds the rows that follow from the function's schema and facts.
    fn complete(mut self) -> Self {
        let entry = entry(self.function);
        let first = self
            .rows
            .first()
            .expect("a table begins with a call that finds something");
        assert!(matches!(first.outcome, Outcome::Finds(_)), "{}", self.function);
        let (world, input) = (first.world.clone(), first.input.clone());
        let with = |property: &str, value: Value| {
            let mut input = input.clone();
            input[property] = value;
            input
        };
        self = self.on(world).fails(
            Kind::UnknownProperty,
            with("displayname", json!("x")),
            ErrorKind::InvalidInput,
        );
        for property in properties(&(entry.input_schema)()) {
            let wrong = if property.shape == Shape::String {
                json!(5)
            } else {
                json!("5")
            };
            self = self.fails(
                Kind::WrongType(property.name.clone()),
                with(&property.name, wrong),
                ErrorKind::InvalidInput,
            );
            if property.required {
                let mut without = input.clone();
                without
                    .as_object_mut()
                    .expect("inputs are objects")
                    .remove(&property.name);
                let missing = || Kind::Missing(property.name.clone());
                self = self.fails(missing(), without, ErrorKind::InvalidInput);
                self = self.fails(
                    missing(),
                    with(&property.name, json!("")),
                    ErrorKind::InvalidInput,
                );
            }
        }
        for deployment in [
            Deployment::PolicyManager,
            Deployment::GlobalManager,
            Deployment::HostedCloud,
        ] {
            if !entry.spec.availability.includes(deployment) {
                let row = (Kind::WrongDeployment, input.clone(), ErrorKind::Unsupported);
                self = self.on(world_of(deployment)).fails(row.0, row.1, row.2);
            } else if let Some(lowest) = entry.spec.minimum_version(deployment) {
                let below = below(&lowest.to_string());
                self = self.on(world_of(deployment).version(below)).fails(
                    Kind::WrongVersion,
                    input.clone(),
                    ErrorKind::Unsupported,
                );
            }
        }
        self
    }
}

fn entry(function: &str) -> &'static Entry {
    ALL.iter()
        .find(|entry| entry.spec.name == function)
        .unwrap_or_else(|| panic!("{function} is not a function"))
}

fn world_of(deployment: Deployment) -> World {
    match deployment {
        Deployment::PolicyManager => World::local(),
        Deployment::GlobalManager => World::global(),
        Deployment::HostedCloud => World::cloud(),
    }
}

/// A real version just below the minimum.
fn below(version: &str) -> &'static str {
    match version {
        "3.0.0" => "2.5.2.2.0.17003648",
        "9.0.0" => "4.2.3.3.0.25171318",
        "9.1.0" => "9.0.1.0.24952111",
        other => panic!("no version below {other}"),
    }
}

/// The subjects that a table of the function must have.
fn demanded(entry: &Entry) -> Vec<Kind> {
    let mut kinds = vec![Kind::NothingGiven];
    let inputs = properties(&(entry.input_schema)());
    let selects = |name: &str| inputs.iter().any(|input| input.name == name);
    let tables_and_bodies = [
        "getManagerInfo",
        "getNsGroups",
        "getNsServices",
        "getPolicyContainerClusters",
    ];
    if selects("id") && !tables_and_bodies.contains(&entry.spec.name) {
        kinds.extend([Kind::ById, Kind::Absent]);
    }
    if selects("displayName") {
        kinds.extend([Kind::ByName, Kind::ByPrefix, Kind::Several, Kind::IdBeside]);
    }
    if selects("context") {
        kinds.extend([Kind::InProject, Kind::Isolated]);
    }
    const FILTERS: [&str; 10] = [
        "applianceMgmtListenAddress",
        "cmLocalId",
        "deploymentType",
        "description",
        "edgeClusterId",
        "highAvailabilityMode",
        "memberIndex",
        "memberNodeType",
        "originId",
        "originType",
    ];
    for filter in FILTERS.into_iter().filter(|name| selects(name)) {
        kinds.extend([Kind::Fits(filter), Kind::Excludes(filter)]);
    }
    match entry.spec.availability {
        Availability::NotStated => kinds.push(Kind::NoApi),
        Availability::Only(deployments) => {
            for deployment in deployments {
                match deployment {
                    Deployment::PolicyManager => {}
                    Deployment::GlobalManager => kinds.push(Kind::OnGlobalManager),
                    Deployment::HostedCloud => kinds.push(Kind::OnHostedCloud),
                }
            }
            if deployments.len() < 3 {
                kinds.push(Kind::WrongDeployment);
            }
        }
    }
    if !entry.spec.since.is_empty() {
        kinds.push(Kind::WrongVersion);
    }
    kinds
}

/// Functions that exist on all managers, or almost all: none lacks their API.
const EVERYWHERE: [&str; 1] = ["getManagerInfo"];

#[test]
fn every_function_has_a_table_with_a_row_of_each_kind() {
    let tables: Vec<Table> = tables::all().into_iter().map(Table::complete).collect();
    let mut lacking = Vec::new();
    for entry in ALL.iter().filter(|entry| !is_further(entry.spec.name)) {
        let name = entry.spec.name;
        let Some(table) = tables.iter().find(|table| table.function == name) else {
            lacking.push(format!("{name} has no line in tests/data/further-lookups.tsv"));
            continue;
        };
        for kind in demanded(entry) {
            let pardoned = kind == Kind::NoApi && EVERYWHERE.contains(&name);
            if !pardoned && table.rows.iter().all(|row| row.kind != kind) {
                lacking.push(format!("the table of {name} has no row {kind:?}"));
            }
        }
    }
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn every_function_answers_as_its_table_says() {
    let mut wrong = Vec::new();
    let mut goldens = Vec::new();
    for table in tables::all().into_iter().map(Table::complete) {
        let mut golden = String::new();
        let mut seen = Vec::new();
        for row in &table.rows {
            if let Err(what) = check(table.function, row, &mut golden, &mut seen).await {
                wrong.push(format!("{} {:?} {}: {what}", table.function, row.kind, row.input));
            }
        }
        goldens.push((table.function, golden));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::with_settings!({
        omit_expression => true,
        prepend_module_to_snapshot => false,
        snapshot_path => "snapshots/tables",
    }, {
        for (function, golden) in goldens {
            insta::assert_snapshot!(function, golden);
        }
    });
}

/// Runs and checks a call, and adds it to the snapshot: its requests, warnings and outcome. An output that an earlier
/// call has `seen` is a reference to that call.
async fn check(
    function: &str,
    row: &Row,
    golden: &mut String,
    seen: &mut Vec<(Value, String)>,
) -> Result<(), String> {
    let bench = row.world.clone().start();
    let result = bench.invoke(function, row.input.clone()).await;
    let requests = bench.requests();
    let call = format!("{:?} on {}", row.kind, row.world.label);
    writeln!(golden, "{call}\n  {}", row.input).unwrap();
    for request in &requests {
        writeln!(golden, "  > {request}").unwrap();
    }
    for warning in bench.warnings() {
        writeln!(golden, "  warning: {warning}").unwrap();
    }
    match &result {
        Ok(output) => match seen.iter().find(|(earlier, _)| earlier == output) {
            Some((_, earlier)) => writeln!(golden, "  the output of {earlier}").unwrap(),
            None => {
                writeln!(golden, "  {output:#}").unwrap();
                seen.push((output.clone(), call));
            }
        },
        Err(error) => writeln!(golden, "  {:?}: {}", error.kind(), chain(error)).unwrap(),
    }
    golden.push('\n');
    match (&row.outcome, &result) {
        (Outcome::Finds(id), Ok(output)) => {
            let found = output.get("id").unwrap_or(&output["path"]);
            if found != id.as_str() {
                return Err(format!("found {found}, not {id}"));
            }
            fits_schema(function, output)?;
        }
        (Outcome::Fails(kind), Err(error)) => {
            if error.kind() != *kind {
                return Err(format!("failed with {:?}: {}", error.kind(), chain(error)));
            }
        }
        (Outcome::Finds(_), Err(error)) => return Err(chain(error)),
        (Outcome::Fails(kind), Ok(output)) => return Err(format!("{output}, but {kind:?} was expected")),
    }
    match row.kind {
        Kind::UnknownProperty | Kind::WrongType(_) | Kind::Missing(_) if !requests.is_empty() => {
            Err(format!("sent {requests:?} for an invalid input"))
        }
        Kind::WrongDeployment => named_where(function, &result, &requests),
        Kind::WrongVersion => match requests[..] {
            [ref only] if only == "GET /api/v1/node/version" => Ok(()),
            _ => Err(format!("sent {requests:?}")),
        },
        _ => Ok(()),
    }
}

/// The rejection sends nothing and names where the function is available.
fn named_where(
    function: &str,
    result: &Result<Value, netmgr_lookups::Error>,
    requests: &[String],
) -> Result<(), String> {
    let text = result
        .as_ref()
        .map_err(ToString::to_string)
        .expect_err("checked above");
    let Availability::Only(deployments) = entry(function).spec.availability else {
        return Err("is not restricted".to_owned());
    };
    let reported = deployments.iter().all(|one| text.contains(deployment_name(*one)));
    if reported && requests.is_empty() {
        Ok(())
    } else {
        Err(format!("{text} after {requests:?}"))
    }
}

/// The output matches the generated schema, including required properties.
pub(crate) fn fits_schema(function: &str, output: &Value) -> Result<(), String> {
    let schema = (entry(function).output_schema)().to_value();
    let validator = jsonschema::validator_for(&schema).expect("generated schemas are valid");
    match validator.iter_errors(output).next() {
        None => Ok(()),
        Some(error) => Err(format!("{output} does not match the schema: {error}")),
    }
}
