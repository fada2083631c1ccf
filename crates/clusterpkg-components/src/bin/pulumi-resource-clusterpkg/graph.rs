//! `graph`: the resources of a component as a Mermaid flowchart.

use std::error::Error as _;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::process::ExitCode;

use clusterpkg_components::{ALL, graph};
use pulumi_plugin::components::ComponentEntry;
use pulumi_plugin::values::{JsonError, Object, Value};

/// Maximum size of inputs.
const LONGEST: u64 = 16 << 20;

/// The usage message.
const USAGE: &str = "usage: pulumi-resource-clusterpkg graph COMPONENT [--input JSON|@FILE|-]";

/// Errors of drawing a graph.
#[derive(Debug, thiserror::Error)]
enum GraphError {
    /// The arguments are invalid.
    #[error("{0}\n{USAGE}")]
    Usage(String),
    /// The file with inputs cannot be read.
    #[error("{path} cannot be read")]
    File {
        /// Its name in the arguments.
        path: String,
        #[source]
        source: io::Error,
    },
    /// The inputs are not JSON.
    #[error("the inputs are not JSON")]
    Json(#[source] JsonError),
    /// The inputs are not a JSON object.
    #[error("the inputs are not a JSON object")]
    NoObject,
    /// The asynchronous runtime cannot be started.
    #[error("cannot start the asynchronous runtime")]
    Runtime(#[source] io::Error),
    /// The component rejects the inputs.
    #[error("{component} cannot be constructed")]
    Construct {
        /// Its name.
        component: String,
        #[source]
        source: pulumi_plugin::components::ConstructError,
    },
    /// The graph cannot be written.
    #[error("cannot write to stdout")]
    Stdout(#[source] io::Error),
}

/// Writes the graph to stdout. `arguments` are the arguments after `graph`.
pub(crate) fn main(arguments: impl IntoIterator<Item = String>) -> ExitCode {
    let arguments = Vec::from_iter(arguments);
    let is_help = arguments
        .iter()
        .any(|argument| ["--help", "-h"].contains(&&**argument));
    let outcome = match is_help {
        true => io::stdout()
            .write_all(format!("{USAGE}\n").as_bytes())
            .map_err(GraphError::Stdout),
        false => print(arguments),
    };
    let Err(error) = outcome else {
        return ExitCode::SUCCESS;
    };
    // Fails if stderr is closed.
    let _ = match error.source() {
        Some(cause) => writeln!(io::stderr(), "{error}: {cause}"),
        None => writeln!(io::stderr(), "{error}"),
    };
    match error {
        GraphError::Usage(_) => 2.into(),
        _ => ExitCode::FAILURE,
    }
}

fn print(arguments: impl IntoIterator<Item = String>) -> Result<(), GraphError> {
    let arguments = GraphArguments::parse(arguments)?;
    let picture = picture(arguments.component, arguments.inputs()?)?;
    io::stdout()
        .write_all(picture.as_bytes())
        .map_err(GraphError::Stdout)
}

/// Draws a component, and writes its warnings to stderr.
fn picture(component: &ComponentEntry, inputs: Object) -> Result<String, GraphError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(GraphError::Runtime)?;
    let drawn = runtime.block_on(graph(component, inputs));
    let drawn = drawn.map_err(|source| GraphError::Construct {
        component: short(component).to_owned(),
        source,
    })?;
    for warning in &drawn.warnings {
        // Fails if stderr is closed.
        let _ = writeln!(io::stderr(), "warning: {warning}");
    }
    Ok(drawn.chart)
}

/// A parsed command line.
struct GraphArguments {
    component: &'static ComponentEntry,
    /// JSON, `@` and the name of a file, or `-` for stdin.
    input: String,
}

impl GraphArguments {
    fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, GraphError> {
        let mut component = None;
        let mut input = None;
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.strip_prefix("--input=") {
                Some(given) => input = Some(given.to_owned()),
                None if argument == "--input" => input = Some(arguments.next().ok_or_else(no_input)?),
                None if component.is_none() && !argument.starts_with('-') => {
                    component = Some(named(&argument)?)
                }
                None => return Err(GraphError::Usage(format!("unknown argument {argument}"))),
            }
        }
        Ok(Self {
            component: component
                .ok_or_else(|| GraphError::Usage("the name of a component is missing".to_owned()))?,
            input: input.unwrap_or_else(|| "{}".to_owned()),
        })
    }

    fn inputs(&self) -> Result<Object, GraphError> {
        let from = |path: &str| {
            let path = path.to_owned();
            |source| GraphError::File { path, source }
        };
        let text = match self.input.strip_prefix('@') {
            Some(path) => File::open(path).and_then(read).map_err(from(path))?,
            None if self.input == "-" => read(io::stdin()).map_err(from("stdin"))?,
            None => self.input.clone(),
        };
        match Value::from_json_text(&text).map_err(GraphError::Json)? {
            Value::Object(members) => Ok(members),
            _ => Err(GraphError::NoObject),
        }
    }
}

/// The text of inputs.
fn read(source: impl Read) -> io::Result<String> {
    let mut text = String::new();
    match source.take(LONGEST + 1).read_to_string(&mut text)? as u64 > LONGEST {
        true => Err(io::Error::other("it is larger than 16 MiB")),
        false => Ok(text),
    }
}

fn no_input() -> GraphError {
    GraphError::Usage("--input requires a value".to_owned())
}

/// The component of this name or type token.
fn named(name: &str) -> Result<&'static ComponentEntry, GraphError> {
    let found = ALL
        .iter()
        .find(|entry| entry.token == name || short(entry) == name);
    found.ok_or_else(|| {
        let known: Vec<_> = ALL.iter().map(short).collect();
        GraphError::Usage(format!(
            "{name} is not a component; the components are {}",
            known.join(", ")
        ))
    })
}

/// The last part of the type token.
fn short(entry: &ComponentEntry) -> &'static str {
    entry.token.rsplit(':').next().unwrap_or(entry.token)
}
