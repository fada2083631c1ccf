//! Rows of objects that are printed as they arrive.

use std::borrow::Cow;

use serde_json::Value;

use super::column::{self, Column, NAMES};
use super::{Format, Printer, csv, fields, standard_error, table, terminal};
use crate::failure::CliError;

/// Prints rows as they arrive. Formats that need all of them keep them until the end.
pub(crate) struct RowPrinter<'a> {
    output: &'a Printer,
    columns: Vec<Column>,
    kept: Vec<Value>,
    has_header: bool,
    is_empty: bool,
    /// Fields within objects that no row has had so far.
    absent: Vec<String>,
}

impl<'a> RowPrinter<'a> {
    pub(super) fn new(output: &'a Printer, columns: Vec<Column>) -> Result<Self, CliError> {
        let known: Vec<String> = columns.iter().map(|column| column.key.clone()).collect();
        fields::check(super::FIELDS, &output.fields, &known)?;
        Ok(Self::of_checked(output, columns))
    }

    /// Like [`Self::new`], with checked fields.
    pub(super) fn of_checked(output: &'a Printer, columns: Vec<Column>) -> Self {
        let columns = match output.fields.as_slice() {
            [] => columns,
            wanted => wanted.iter().map(|field| named(&columns, field)).collect(),
        };
        let is_within = |field: &&String| field.contains('.');
        Self {
            absent: output.fields.iter().filter(is_within).cloned().collect(),
            output,
            columns,
            kept: Vec::new(),
            has_header: false,
            is_empty: true,
        }
    }

    /// Whether rows are printed as they arrive, and not at the end. A filter then applies to each of them.
    pub(crate) fn streams(&self) -> bool {
        matches!(self.output.format, Format::Ndjson | Format::Csv | Format::Name)
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// [`CliError::ReaderGone`] when the reader has closed the pipe.
    pub(crate) fn push(&mut self, row: Value) -> Result<(), CliError> {
        self.absent.retain(|field| fields::at(&row, field).is_none());
        self.is_empty = false;
        if !self.streams() {
            self.kept.push(row);
            return Ok(());
        }
        if self.output.format == Format::Name && self.output.filter.is_none() {
            return self.output.write(&self.name_of(&row));
        }
        let row = fields::keep(&row, &self.output.fields);
        match (self.output.format, &self.output.filter) {
            (Format::Csv, None) => self.csv_line(&row),
            (Format::Csv, Some(filter)) => filter.run(&row, &mut |result| match result {
                Value::Object(_) => {
                    if !self.has_header {
                        self.columns = column::generic(std::slice::from_ref(&result), &[]);
                    }
                    self.csv_line(&result)
                }
                cells => self.output.write(&self.output.text(&cells, &[])),
            }),
            _ => self.output.print(&row),
        }
    }

    /// The first field of a row, or its name, or its first column.
    fn name_of(&self, row: &Value) -> String {
        let has_name = row
            .as_object()
            .is_some_and(|row| row.keys().any(|field| is_name(field)));
        match self.columns.first() {
            Some(column) if !self.output.fields.is_empty() || !has_name => first(row, &column.key),
            _ => name(row),
        }
    }

    fn csv_line(&mut self, row: &Value) -> Result<(), CliError> {
        let text = self.header() + &csv::row(&self.columns, row);
        self.output.write(&text)
    }

    /// The header of comma-separated values, before the first row.
    fn header(&mut self) -> String {
        match std::mem::replace(&mut self.has_header, true) {
            true => String::new(),
            false => csv::header(&self.columns),
        }
    }

    /// Sorts the kept rows by name, then by id.
    pub(crate) fn sort_by_name(&mut self) {
        let key = |row: &Value| NAMES.map(|name| row.get(name).and_then(Value::as_str).map(str::to_owned));
        self.kept.sort_by_cached_key(key);
    }

    /// Prints the rows that were kept.
    pub(crate) fn finish(mut self) -> Result<(), CliError> {
        if !self.is_empty {
            self.absent.iter().for_each(|field| warn_of(field));
        }
        let is_filtered = self.output.filter.is_some();
        match self.output.format {
            Format::Csv if !is_filtered => self.output.write(&self.header()),
            _ if self.streams() => Ok(()),
            // A header without rows would look like an incomplete answer.
            Format::Table | Format::Wide if !is_filtered && self.kept.is_empty() => Ok(()),
            Format::Table if !is_filtered => {
                if self.output.fields.is_empty() {
                    self.columns.retain(|column| !column.wide);
                }
                self.output
                    .write(&table::rows(&self.columns, &self.kept, terminal::width()))
            }
            Format::Wide if !is_filtered => self.output.write(&table::rows(&self.columns, &self.kept, None)),
            _ => {
                let rows = self.kept.iter().map(|row| fields::keep(row, &self.output.fields));
                self.output.print(&rows.collect())
            }
        }
    }
}

/// Warns of a field within objects that none of them has.
pub(super) fn warn_of(field: &str) {
    standard_error(&format!("warning: --fields: no object has the field {field:?}"));
}

fn named(columns: &[Column], field: &str) -> Column {
    let column = columns.iter().find(|column| column.key == field).cloned();
    column.unwrap_or_else(|| Column::new(field))
}

/// Members with the objects of a list.
const LISTS: [&str; 2] = ["items", "objects"];

/// The name of an object, or the value itself, on a line. The names of a map or a list are those of its items.
pub(super) fn name(value: &Value) -> String {
    if let Some(Value::Object(items)) = value.get("items") {
        return items.keys().map(|name| format!("{name}\n")).collect();
    }
    if let Some(items) = LISTS.iter().find_map(|list| value.get(list)?.as_array()) {
        return items.iter().map(name).collect();
    }
    let named = NAMES.iter().find_map(|field| {
        let name = value.get(field)?.as_str()?;
        (!name.is_empty()).then_some(name)
    });
    match (named, value) {
        (Some(name), _) => table::line_of(&name.into()),
        (None, Value::Object(members)) if members.len() == 1 => {
            members.values().map(table::line_of).collect()
        }
        (None, other) => table::line_of(other),
    }
}

/// A field of an object on a line; the fields of a map or a list are the names of its items.
pub(super) fn first(object: &Value, field: &str) -> String {
    match fields::at(object, field) {
        Some(value) if (value.is_object() || value.is_array()) && LISTS.contains(&field) => name(object),
        value => table::line_of(&value.unwrap_or(Cow::Borrowed(&Value::Null))),
    }
}

/// Whether a field contains the name of its object, or the names of items.
pub(super) fn is_name(field: &str) -> bool {
    NAMES.contains(&field) || LISTS.contains(&field)
}
