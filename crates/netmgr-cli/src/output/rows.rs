//! Rows of objects: the columns, and rows that are printed as they come.

use netmgr_types::foreign;
use serde_json::Value;

use super::table::Fit;
use super::{Format, Output, csv, fields, json_line, standard_output, table};
use crate::failure::CliError;

/// Fields that name an object, most readable first.
const NAMES: &[&str] = &["displayName", "name", "function", "id"];

/// A column of a table.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// Field of the row.
    pub(crate) key: String,
    /// Heading in tables.
    pub(crate) title: String,
    /// Whether only `wide` and `csv` have it.
    pub(crate) wide: bool,
    /// The style of a cell with this text.
    pub(crate) style: fn(&str) -> anstyle::Style,
}

impl Column {
    /// The column of the field `key`. Its heading is the field's name in capital letters.
    pub(crate) fn new(key: &str) -> Self {
        Self {
            key: key.to_owned(),
            title: heading(key),
            wide: false,
            style: |_| anstyle::Style::new(),
        }
    }

    /// Sets the heading.
    pub(crate) fn title(self, title: &str) -> Self {
        Self {
            title: title.to_owned(),
            ..self
        }
    }

    /// Leaves the column out of `table`.
    pub(crate) fn wide(self) -> Self {
        Self { wide: true, ..self }
    }

    /// The value of the column in `row`.
    pub(super) fn value<'a>(&self, row: &'a Value) -> Option<&'a Value> {
        fields::at(row, &self.key)
    }
}

/// `displayName` as `DISPLAY NAME`.
fn heading(key: &str) -> String {
    let mut heading = String::with_capacity(key.len() + 2);
    for letter in key.chars() {
        if letter.is_uppercase() {
            heading.push(' ');
        }
        heading.extend(letter.to_uppercase());
    }
    foreign::one_line(&heading)
}

/// Rows as they come. Formats that need all of them keep them until the end.
pub(crate) struct Rows<'a> {
    output: &'a Output,
    columns: Vec<Column>,
    kept: Vec<Value>,
    started: bool,
}

impl<'a> Rows<'a> {
    pub(super) fn new(output: &'a Output, columns: Vec<Column>) -> Result<Self, CliError> {
        let known: Vec<String> = columns.iter().map(|column| column.key.clone()).collect();
        fields::check(&output.fields, &known)?;
        let columns = match output.fields.as_slice() {
            [] => columns,
            wanted => wanted.iter().map(|field| named(&columns, field)).collect(),
        };
        Ok(Self {
            output,
            columns,
            kept: Vec::new(),
            started: false,
        })
    }

    /// Whether rows are printed when they come, and not at the end.
    pub(crate) fn streams(&self) -> bool {
        match self.output.format {
            Format::Ndjson => true,
            Format::Csv | Format::Name => self.output.query.is_none(),
            Format::Table | Format::Wide | Format::Json => false,
            #[cfg(feature = "yaml")]
            Format::Yaml => false,
        }
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// [`CliError::ReaderGone`] when the reader has closed the pipe.
    pub(crate) fn push(&mut self, row: Value) -> Result<(), CliError> {
        if !self.streams() {
            self.kept.push(row);
            return Ok(());
        }
        let text = match (self.output.format, &self.output.query) {
            (Format::Csv, _) => {
                let header = if self.started {
                    String::new()
                } else {
                    csv::header(&self.columns)
                };
                header + &csv::row(&self.columns, &row)
            }
            (Format::Name, _) => name(&row),
            (_, Some(query)) => {
                self.started = true;
                for result in query.run(&fields::keep(&row, &self.output.fields))? {
                    standard_output(&json_line(&result?))?;
                }
                return Ok(());
            }
            (_, None) => json_line(&fields::keep(&row, &self.output.fields)),
        };
        self.started = true;
        standard_output(&text)
    }

    /// Prints what was kept.
    pub(crate) fn finish(self) -> Result<(), CliError> {
        let streams = self.streams();
        let Self {
            output,
            columns,
            kept,
            started,
        } = self;
        if streams {
            let header = output.format == Format::Csv && !started;
            return if header {
                standard_output(&csv::header(&columns))
            } else {
                Ok(())
            };
        }
        if output.query.is_none() {
            match output.format {
                Format::Table => {
                    let shown: Vec<Column> = match output.fields.is_empty() {
                        true => columns.into_iter().filter(|column| !column.wide).collect(),
                        false => columns,
                    };
                    return standard_output(&table::rows(&shown, &kept, Fit::of_output()));
                }
                Format::Wide => return standard_output(&table::rows(&columns, &kept, Fit::Whole)),
                _ => {}
            }
        }
        let rows = match output.fields.as_slice() {
            [] => kept,
            wanted => kept.iter().map(|row| fields::keep(row, wanted)).collect(),
        };
        let rows = Value::Array(rows);
        match &output.query {
            Some(query) => output.results(query, &rows),
            None => standard_output(output.result(&rows).trim_start_matches("---\n")),
        }
    }
}

fn named(columns: &[Column], field: &str) -> Column {
    let column = columns.iter().find(|column| column.key == field).cloned();
    column.unwrap_or_else(|| Column::new(field))
}

/// The columns of objects of an unknown kind: names first, then all other fields. `wanted` fields come alone.
pub(super) fn generic(rows: &[Value], wanted: &[String]) -> Vec<Column> {
    if !wanted.is_empty() {
        return wanted.iter().map(|field| Column::new(field)).collect();
    }
    let mut keys: Vec<String> = Vec::new();
    for row in rows {
        keys.extend(fields::names(row));
        keys.sort();
        keys.dedup();
    }
    let rank = |key: &String| NAMES.iter().position(|name| name == key).unwrap_or(NAMES.len());
    keys.sort_by_key(rank);
    keys.iter().map(|key| Column::new(key)).collect()
}

/// Rows with a header, as comma-separated values.
pub(super) fn csv(columns: &[Column], rows: &[Value]) -> String {
    let lines: String = rows.iter().map(|row| csv::row(columns, row)).collect();
    csv::header(columns) + &lines
}

/// The name of an object, or the value itself, on a line.
pub(super) fn name(value: &Value) -> String {
    let named = NAMES.iter().find_map(|field| {
        let name = value.get(field)?.as_str()?;
        (!name.is_empty()).then_some(name)
    });
    match (named, value) {
        (Some(name), _) => foreign::one_line(name) + "\n",
        (None, Value::Object(_)) => String::new(),
        (None, other) => foreign::one_line(&table::text(other)) + "\n",
    }
}
