//! Standard output, in the format that the user chose.
//!
//! Commands pass values: an [object](Printer::object), [rows](Printer::rows) or a [document](Printer::document).

mod column;
mod csv;
pub(crate) mod fields;
pub(crate) mod filter;
mod json;
mod rows;
mod streams;
mod table;
pub(crate) mod terminal;
#[cfg(feature = "yaml")]
mod yaml;

use std::collections::BTreeSet;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::failure::CliError;
use crate::flags::OUTPUT;
use filter::JqFilter;

pub(crate) use column::Column;
pub(crate) use json::json_line;
pub(crate) use rows::RowPrinter;
pub(crate) use streams::{standard_error, standard_error_text, standard_output};
pub(crate) use table::{columns, described};
#[cfg(all(test, feature = "yaml"))]
pub(crate) use yaml::yaml;

/// Format of the output. Independent of whether standard output is a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns; long descriptions are truncated
    #[default]
    Table,
    /// All columns, untruncated
    Wide,
    /// Indented JSON
    Json,
    /// YAML
    #[cfg(feature = "yaml")]
    Yaml,
    /// One line of JSON for each row
    Ndjson,
    /// Comma-separated values with a header
    Csv,
    /// Names only, one per line
    Name,
    /// Objects as the manager sent them, without secrets: `get`, `list` and `find`
    Raw,
}

impl Format {
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// The parser of the formats of commands that print no objects of the manager.
pub(crate) fn formats_but_raw() -> impl TypedValueParser<Value = Format> {
    let formats = Format::value_variants()
        .iter()
        .filter(|format| **format != Format::Raw);
    PossibleValuesParser::new(formats.filter_map(ValueEnum::to_possible_value))
        .map(|name| Format::from_str(&name, true).expect("only formats are accepted"))
}

/// The option that selects fields.
const FIELDS: &str = "--fields";

/// Options of the output.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct OutputOptions {
    /// Format of the output
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "table")]
    format: Format,
    #[arg(
        long,
        value_name = "FILTER",
        help = "jq filter to apply to the output, such as '.[].id'"
    )]
    query: Option<String>,
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        num_args = 0..=1,
        default_missing_value = "",
        help = "Fields of the output to print, in this order; without a value, lists them"
    )]
    fields: Vec<String>,
}

/// Prints the output of a command.
#[derive(Debug)]
pub(crate) struct Printer {
    format: Format,
    filter: Option<JqFilter>,
    fields: Vec<String>,
    /// Whether results of the filter are printed as `jq -r` prints them, because no format is given.
    is_raw: bool,
}

/// An output with the further members of its object.
fn with_members(mut output: Value, object: &Value) -> Value {
    if let (Some(members), Some(object)) = (output.as_object_mut(), object.as_object()) {
        for (name, value) in object {
            members.entry(name).or_insert_with(|| value.clone());
        }
    }
    output
}

impl OutputOptions {
    /// The printer that these options describe. `is_default` means that no format is given, and `deadline` is that of
    /// the command.
    ///
    /// # Errors
    ///
    /// The filter is invalid.
    pub(crate) fn printer(self, is_default: bool, deadline: Option<Duration>) -> Result<Printer, CliError> {
        let filter = self.query.map(|code| JqFilter::new(&code, deadline));
        Ok(Printer {
            format: self.format,
            filter: filter.transpose()?,
            fields: self.fields,
            is_raw: is_default,
        })
    }
}

impl Printer {
    /// The format.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Whether the output is text for people, which the command itself lays out.
    pub(crate) fn is_for_people(&self) -> bool {
        matches!(self.format, Format::Table | Format::Wide) && self.filter.is_none() && self.fields.is_empty()
    }

    /// Whether the output has a row for each object.
    pub(crate) fn is_in_rows(&self) -> bool {
        let has_rows = matches!(
            self.format,
            Format::Table | Format::Wide | Format::Csv | Format::Name
        );
        has_rows && self.filter.is_none()
    }

    /// Whether only the names of objects are printed, of each row the first field.
    pub(crate) fn is_of_names(&self) -> bool {
        self.format == Format::Name && self.filter.is_none() && self.fields.is_empty()
    }

    /// Rejects the options of the output for a command that prints nothing in a format.
    pub(crate) fn refuse(&self, command: &str) -> Result<(), CliError> {
        match self.is_for_people() {
            true => Ok(()),
            false => Err(CliError::usage(
                format!("-o, --query and --fields have no effect on `netmgr {command}`"),
                "remove them",
            )),
        }
    }

    /// Rejects fields of `--fields` that are not known, and `-o name` without a name, before anything is sent.
    pub(crate) fn check_fields(&self, known: &[String]) -> Result<(), CliError> {
        let has_name = known.len() < 2 || known.iter().any(|field| rows::is_name(field));
        if self.is_of_names() && !has_name {
            return Err(CliError::usage(
                "-o name: the output has no name",
                format!(
                    "select a field with --fields; the fields are {}",
                    known.join(", ")
                ),
            ));
        }
        fields::check(FIELDS, &self.fields, known)
    }

    /// Whether all members of objects have to be read: for `-o raw`, or because a field is not among the outputs
    /// `known`. If there are no further members, such a field is an error.
    pub(crate) fn needs_members(&self, known: &[String], has_members: bool) -> Result<bool, CliError> {
        if self.format == Format::Raw && !has_members {
            return Err(CliError::usage(
                "-o raw needs a function that selects an object",
                "use -o json",
            ));
        }
        let checked = match has_members {
            // Members on the wire have no capital letters.
            true => fields::check(FIELDS, &self.outputs(), known),
            false => self.check_fields(known),
        };
        checked
            .map(|()| has_members && (self.format == Format::Raw || fields::are_further(&self.fields, known)))
    }

    /// Rejects fields that are neither among the outputs `known` nor among the `members` of the objects, if there are
    /// objects.
    pub(crate) fn check_members(&self, known: &[String], members: BTreeSet<String>) -> Result<(), CliError> {
        fields::check_members(FIELDS, &self.fields, known, members)
    }

    /// The fields of `--fields` that can only be outputs.
    fn outputs(&self) -> Vec<String> {
        let is_output =
            |field: &&String| field.is_empty() || field.contains(|letter: char| letter.is_ascii_uppercase());
        self.fields.iter().filter(is_output).cloned().collect()
    }

    /// Printable value of an output and its object.
    pub(crate) fn whole(&self, output: Value, object: Value) -> Value {
        match self.format {
            Format::Raw if self.fields.is_empty() => object,
            _ => with_members(output, &object),
        }
    }

    /// Whether a command without rows prints its whole answer.
    pub(crate) fn is_document(&self) -> bool {
        match self.format {
            Format::Json => true,
            #[cfg(feature = "yaml")]
            Format::Yaml => true,
            _ => false,
        }
    }

    /// Prints one object, whose fields are checked.
    pub(crate) fn object(&self, object: &Value) -> Result<(), CliError> {
        let within = self.fields.iter().filter(|field| field.contains('.'));
        within
            .filter(|field| fields::at(object, field).is_none())
            .for_each(|field| rows::warn_of(field));
        self.print(&fields::keep(object, &self.fields))
    }

    /// Rows that are printed as they arrive, as far as the format permits.
    pub(crate) fn rows(&self, columns: Vec<Column>) -> Result<RowPrinter<'_>, CliError> {
        RowPrinter::new(self, columns)
    }

    /// The same for objects with all their members, any of which can be a field.
    pub(crate) fn whole_rows(&self, columns: Vec<Column>) -> Result<RowPrinter<'_>, CliError> {
        Ok(RowPrinter::of_checked(self, columns))
    }

    /// Prints rows that are already known.
    pub(crate) fn all_rows(
        &self,
        columns: Vec<Column>,
        all: impl IntoIterator<Item = Value>,
    ) -> Result<(), CliError> {
        let mut rows = self.rows(columns)?;
        for row in all {
            rows.push(row)?;
        }
        rows.finish()
    }

    /// Prints a document that is not a table, such as a schema. As a table, it is JSON.
    pub(crate) fn document(&self, document: &Value) -> Result<(), CliError> {
        fields::check(FIELDS, &self.fields, &fields::names(document))?;
        let document = fields::keep(document, &self.fields);
        match self.format {
            Format::Table | Format::Wide if self.filter.is_none() => standard_output(&json::json(&document)),
            Format::Csv | Format::Name if self.filter.is_none() => Err(CliError::usage(
                format!("-o {} cannot represent this output", self.format.name()),
                "use -o json",
            )),
            _ => self.print(&document),
        }
    }

    /// Prints a value, or the results of the filter for it.
    fn print(&self, value: &Value) -> Result<(), CliError> {
        match &self.filter {
            Some(filter) => self.results(filter, value),
            None => self.write(&self.text(value, &self.fields)),
        }
    }

    /// Prints the results of a filter in few writes. They may be endless, so they are not kept.
    fn results(&self, filter: &JqFilter, input: &Value) -> Result<(), CliError> {
        const MOST: usize = 8 << 10;
        let mut text = String::new();
        let mut are_lines = false;
        let outcome = filter.run(input, &mut |result| {
            if self.is_lines(&result) != are_lines {
                self.write_results(&std::mem::take(&mut text), are_lines)?;
                are_lines = !are_lines;
            }
            #[cfg(feature = "yaml")]
            if self.format == Format::Yaml {
                text.push_str("---\n");
            }
            text.push_str(&self.result(&result));
            match text.len() >= MOST {
                true => self.write_results(&std::mem::take(&mut text), are_lines),
                false => Ok(()),
            }
        });
        self.write_results(&text, are_lines).and(outcome)
    }

    /// A result of the filter.
    fn result(&self, result: &Value) -> String {
        match self.is_raw && (result.is_array() || result.is_object()) {
            true => json::json(result),
            false => self.text(result, &[]),
        }
    }

    /// Whether a result is printed as lines of text, without styles and alignment.
    fn is_lines(&self, result: &Value) -> bool {
        let is_table = matches!(self.format, Format::Table | Format::Wide);
        is_table
            && match result {
                Value::Array(items) => !self.is_raw && !items.iter().any(Value::is_object),
                other => !other.is_object(),
            }
    }

    /// Writes results of a filter. Lines reach other programs unchanged.
    fn write_results(&self, text: &str, are_lines: bool) -> Result<(), CliError> {
        match are_lines {
            true => streams::names_output(text),
            false => self.write(text),
        }
    }

    /// Writes text of the format.
    fn write(&self, text: &str) -> Result<(), CliError> {
        match self.format {
            Format::Csv | Format::Name => streams::names_output(text),
            _ => standard_output(text),
        }
    }

    /// A value in the format. An object has the fields `wanted`, or all if there are none.
    fn text(&self, value: &Value, wanted: &[String]) -> String {
        let objects = match value {
            Value::Array(items) if items.iter().any(Value::is_object) => items.as_slice(),
            Value::Object(_) => std::slice::from_ref(value),
            _ => &[],
        };
        let width = || terminal::width().filter(|_| self.format == Format::Table);
        match (self.format, value) {
            (Format::Json | Format::Raw, _) => json::json(value),
            #[cfg(feature = "yaml")]
            (Format::Yaml, _) => yaml::yaml(value),
            (Format::Ndjson, _) => json_line(value),
            (Format::Name, _) if !wanted.is_empty() => rows::first(value, &wanted[0]),
            (Format::Name, Value::Array(items)) => items.iter().map(rows::name).collect(),
            (Format::Name, item) => rows::name(item),
            (Format::Csv, _) if !objects.is_empty() => csv::rows(&column::generic(objects, wanted), objects),
            (Format::Csv, Value::Array(cells)) => csv::line(cells.iter().map(table::text)),
            (Format::Csv, cell) => csv::line([table::text(cell)]),
            (_, Value::Object(_)) => table::object(value, wanted, width()),
            (_, Value::Array(_)) if !objects.is_empty() => {
                let width = width();
                table::rows(&column::generic(objects, &[]), objects, width)
            }
            (_, Value::Array(items)) => items.iter().map(|item| table::text(item) + "\n").collect(),
            (_, scalar) => table::text(scalar) + "\n",
        }
    }
}

#[cfg(test)]
mod tests;
