//! Programs of Pulumi in YAML: their scalars, with the keys that lead to them.

use std::ops::Range;

use granit_parser::{Event, Options, Parser, ScalarStyle, StructureStyle};
use serde_json::Value;

use crate::DataSource;
use crate::shapes::Edit;

/// Whether a file is a program or a configuration of Pulumi in YAML.
#[must_use]
pub fn is_program(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    let stem = base.strip_suffix(".yaml").or_else(|| base.strip_suffix(".yml"));
    stem.is_some_and(|stem| stem == "Main" || stem == "Pulumi" || stem.starts_with("Pulumi."))
}

/// A value that is neither a list nor an object.
pub(crate) struct Scalar {
    /// The keys that lead to it, from the root on. Items of lists have none of their own.
    pub(crate) keys: Vec<String>,
    pub(crate) text: String,
    pub(crate) place: Range<usize>,
    pub(crate) line: usize,
    /// Whether a text with braces needs quotation marks in this place.
    pub(crate) is_quoted: bool,
    /// Whether it is written in one line, and not as a block of lines.
    pub(crate) is_inline: bool,
}

/// A list or an object in which the next value is.
struct Container {
    is_object: bool,
    is_flow: bool,
    key: Option<String>,
}

impl Container {
    fn new(is_object: bool, style: StructureStyle) -> Self {
        Self {
            is_object,
            is_flow: style == StructureStyle::Flow,
            key: None,
        }
    }
}

/// All scalars of a program, in order. Aliases are not followed.
pub(crate) fn scalars(program: &str) -> Result<Vec<Scalar>, String> {
    let mut options = Options::default();
    options.emit_comments = false;
    let (mut scalars, mut levels) = (Vec::new(), Vec::<Container>::new());
    for next in Parser::new_from_str_with_options(program, options) {
        let (event, span) = next.map_err(|error| {
            let place = error.marker();
            format!(
                "line {}, column {}: cannot be parsed",
                place.line(),
                place.col() + 1
            )
        })?;
        let mut ended = None;
        match event {
            Event::SequenceStart(style, ..) => levels.push(Container::new(false, style)),
            Event::MappingStart(style, ..) => levels.push(Container::new(true, style)),
            Event::SequenceEnd | Event::MappingEnd => {
                levels.pop();
                ended = Some(String::new());
            }
            Event::Alias(_) => ended = Some(String::new()),
            Event::Scalar(text, style, ..) => {
                let is_key = levels
                    .last()
                    .is_some_and(|level| level.is_object && level.key.is_none());
                if !is_key {
                    scalars.push(Scalar {
                        keys: levels.iter().filter_map(|level| level.key.clone()).collect(),
                        text: text.clone().into_owned(),
                        place: span.byte_range().unwrap_or_default(),
                        line: span.start.line(),
                        is_quoted: style != ScalarStyle::Plain || levels.iter().any(|level| level.is_flow),
                        is_inline: !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded),
                    });
                }
                ended = Some(text.into_owned());
            }
            _ => {}
        }
        if let (Some(text), Some(level)) = (ended, levels.last_mut().filter(|level| level.is_object)) {
            level.key = match level.key {
                None => Some(text),
                Some(_) => None,
            };
        }
    }
    Ok(scalars)
}

/// The names that the interpolations of a text begin with.
pub(crate) fn references(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split("${").skip(1);
    let is_of_name = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
    parts.map(move |part| {
        part.split(|letter| !is_of_name(letter))
            .next()
            .unwrap_or_default()
            .to_owned()
    })
}

/// The variable with the object that a data source finds.
pub(crate) fn variable(source: &DataSource, name: &str) -> String {
    let (provider, kind) = source.kind.split_once('_').unwrap_or_default();
    let function: String = kind.split('_').map(capitalized).collect();
    let context = source.project.as_ref().map_or_else(String::new, |project| {
        format!("        context:\n          projectId: {}\n", quoted(project))
    });
    let id = quoted(&source.id);
    format!(
        "  {name}:\n    fn::invoke:\n      function: {provider}:get{function}\n      arguments:\n        id: {id}\n{context}"
    )
}

/// A text without interpolations.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace("${", "$${")
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect()
}

/// The edit that adds variables to a program.
pub(crate) fn added(program: &str, variables: &[String]) -> Edit {
    let mut start = 0;
    for line in program.split_inclusive('\n') {
        start += line.len();
        if line.trim_end() == "variables:" {
            return (start..start, variables.concat());
        }
    }
    let end = if program.ends_with('\n') { "" } else { "\n" };
    (start..start, format!("{end}variables:\n{}", variables.concat()))
}
