//! What is printed on standard output, in the format that the user chose.
//!
//! Commands hand over values: an [object](Output::object), [rows](Output::rows) or a
//! [document](Output::document). Columns and cells are laid out in `table.rs`; the terminal is in
//! `terminal.rs`.

mod csv;
mod fields;
mod query;
mod rows;
mod streams;
mod table;
pub(crate) mod terminal;

use clap::{Args, ValueEnum};
use netmgr_types::foreign;
use serde::Serialize;
use serde_json::Value;

use crate::failure::CliError;
use query::Query;
use table::Fit;

pub(crate) use rows::{Column, Rows};
pub(crate) use streams::{standard_error, standard_output};
pub(crate) use table::columns;

/// Format of the output. Independent of whether standard output is a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns for people; long cells are cut
    #[default]
    Table,
    /// The same with all columns and whole cells
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
    /// Names only, one on each line
    Name,
}

/// Options of the output.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputOptions {
    /// Format of the output
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "table")]
    format: Format,
    #[arg(
        long,
        value_name = "FILTER",
        help = "Filter of the output in the language of jq, such as '.[].id'"
    )]
    query: Option<String>,
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        help = "Fields of the output to print, in this order"
    )]
    fields: Vec<String>,
}

/// The output of a command.
#[derive(Debug)]
pub(crate) struct Output {
    format: Format,
    query: Option<Query>,
    fields: Vec<String>,
}

impl OutputOptions {
    /// The output that these options describe.
    ///
    /// # Errors
    ///
    /// A filter that is not valid.
    pub(crate) fn output(self) -> Result<Output, CliError> {
        Ok(Output {
            format: self.format,
            query: self.query.as_deref().map(Query::new).transpose()?,
            fields: self.fields,
        })
    }
}

impl Output {
    /// The format.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Whether people read the output as the command lays it out.
    pub(crate) fn is_for_people(&self) -> bool {
        matches!(self.format, Format::Table | Format::Wide) && self.query.is_none() && self.fields.is_empty()
    }

    /// Rejects fields of `--fields` that are not known, before anything is sent.
    pub(crate) fn check_fields(&self, known: &[String]) -> Result<(), CliError> {
        fields::check(&self.fields, known)
    }

    /// Prints one object. `known` are the names of all its fields, also of absent ones.
    pub(crate) fn object(&self, object: &Value, known: &[String]) -> Result<(), CliError> {
        fields::check(&self.fields, known)?;
        if let Some(query) = &self.query {
            return self.results(query, &fields::keep(object, &self.fields));
        }
        let text = match self.format {
            Format::Table => table::object(object, &self.fields, terminal::width()),
            Format::Wide => table::object(object, &self.fields, None),
            Format::Json => json(&fields::keep(object, &self.fields)),
            #[cfg(feature = "yaml")]
            Format::Yaml => yaml(&fields::keep(object, &self.fields)),
            Format::Ndjson => json_line(&fields::keep(object, &self.fields)),
            Format::Csv => {
                let columns = rows::generic(std::slice::from_ref(object), &self.fields);
                csv::header(&columns) + &csv::row(&columns, object)
            }
            Format::Name => rows::name(object),
        };
        standard_output(&text)
    }

    /// Rows that are printed as they come, as far as the format permits.
    pub(crate) fn rows(&self, columns: Vec<Column>) -> Result<Rows<'_>, CliError> {
        Rows::new(self, columns)
    }

    /// Prints rows that are known already.
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

    /// Prints a document that is not a table, such as a schema: YAML for people who read it as `yaml`, and
    /// otherwise JSON.
    pub(crate) fn document(&self, document: &Value) -> Result<(), CliError> {
        fields::check(&self.fields, &fields::names(document))?;
        let document = fields::keep(document, &self.fields);
        if let Some(query) = &self.query {
            return self.results(query, &document);
        }
        standard_output(&match self.format {
            #[cfg(feature = "yaml")]
            Format::Yaml => yaml(&document),
            Format::Ndjson => json_line(&document),
            _ => json(&document),
        })
    }

    /// Prints the results of a filter for `input`, each by itself, and in few writes. They may have no end, so they are not
    /// kept.
    fn results(&self, query: &Query, input: &Value) -> Result<(), CliError> {
        const MOST: usize = 8 << 10;
        let mut text = String::new();
        for result in query.run(input)? {
            match result {
                Ok(result) => text.push_str(&self.result(&result)),
                Err(failed) => {
                    standard_output(&text)?;
                    return Err(failed);
                }
            }
            if text.len() >= MOST {
                standard_output(&std::mem::take(&mut text))?;
            }
        }
        standard_output(&text)
    }

    fn result(&self, result: &Value) -> String {
        match (self.format, result) {
            (Format::Json, _) => json(result),
            #[cfg(feature = "yaml")]
            (Format::Yaml, _) => format!("---\n{}", yaml(result)),
            (Format::Ndjson, _) => json_line(result),
            (Format::Name, Value::Array(items)) => items.iter().map(rows::name).collect(),
            (Format::Name, item) => rows::name(item),
            (format, Value::Array(items)) if items.iter().any(Value::is_object) => {
                let columns = rows::generic(items, &[]);
                match format {
                    Format::Csv => rows::csv(&columns, items),
                    Format::Wide => table::rows(&columns, items, Fit::Whole),
                    _ => table::rows(&columns, items, Fit::of_output()),
                }
            }
            (Format::Csv, Value::Array(cells)) => csv::line(cells.iter().map(table::cell)),
            (Format::Csv, object @ Value::Object(_)) => rows::csv(
                &rows::generic(std::slice::from_ref(object), &[]),
                std::slice::from_ref(object),
            ),
            (Format::Table, Value::Object(_)) => table::object(result, &[], terminal::width()),
            (_, Value::Object(_)) => table::object(result, &[], None),
            (_, Value::Array(items)) => items.iter().map(|item| table::cell(item) + "\n").collect(),
            (_, scalar) => table::cell(scalar) + "\n",
        }
    }
}

/// `value` as one line of JSON.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    escaped(&serde_json::to_string(value).expect("what is printed is JSON"))
}

/// `value` as indented JSON with a final newline.
pub(crate) fn json(value: &impl Serialize) -> String {
    escaped(&serde_json::to_string_pretty(value).expect("answers have text keys"))
}

/// JSON text with escapes for all control characters, and a final newline.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 1);
    for letter in text.chars() {
        if letter != '\n' && foreign::steers(letter) {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            safe.push(letter);
        }
    }
    safe.push('\n');
    safe
}

/// `value` as YAML.
#[cfg(feature = "yaml")]
pub(crate) fn yaml(value: &impl Serialize) -> String {
    let mut text = serde_saphyr::to_string(value).expect("answers are plain values");
    if begins_a_block_with_an_empty_line(&text) {
        let quoted = serde_saphyr::ser_options! { prefer_block_scalars: false };
        text = serde_saphyr::to_string_with_options(value, quoted).expect("answers are plain values");
    }
    // Characters that change the writing direction are not escaped there. JSON is YAML, too.
    match text
        .chars()
        .any(|letter| letter != '\n' && foreign::steers(letter))
    {
        true => json(value),
        false => text,
    }
}

/// Whether a text of several lines is written as a block whose first line is empty. YAML reads a block of empty lines
/// only as no text.
#[cfg(feature = "yaml")]
fn begins_a_block_with_an_empty_line(text: &str) -> bool {
    let is_start = |line: &str| {
        let last = line.rsplit(' ').next();
        last.is_some_and(|word| word.starts_with(['|', '>']))
    };
    let next = text.lines().skip(1).chain([""]);
    text.lines()
        .zip(next)
        .any(|(line, next)| next.trim().is_empty() && is_start(line))
}

#[cfg(test)]
mod tests;
