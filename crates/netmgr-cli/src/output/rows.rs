//! Rows of objects that are printed as they come.

use netmgr_types::foreign;
use serde_json::Value;

use super::column::{Column, NAMES};
use super::{Format, Printer, csv, fields, standard_output, table, terminal};
use crate::failure::CliError;

/// Prints rows as they come. Formats that need all of them keep them until the end.
pub(crate) struct RowPrinter<'a> {
    output: &'a Printer,
    columns: Vec<Column>,
    kept: Vec<Value>,
    has_header: bool,
}

impl<'a> RowPrinter<'a> {
    pub(super) fn new(output: &'a Printer, columns: Vec<Column>) -> Result<Self, CliError> {
        let known: Vec<String> = columns.iter().map(|column| column.key.clone()).collect();
        output.check_fields(&known)?;
        let columns = match output.fields.as_slice() {
            [] => columns,
            wanted => wanted.iter().map(|field| named(&columns, field)).collect(),
        };
        Ok(Self {
            output,
            columns,
            kept: Vec::new(),
            has_header: false,
        })
    }

    /// Whether rows are printed when they come, and not at the end.
    pub(crate) fn streams(&self) -> bool {
        match self.output.format {
            Format::Ndjson => true,
            Format::Csv | Format::Name => self.output.filter.is_none(),
            _ => false,
        }
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// [`CliError::ReaderGone`] when the reader has closed the pipe.
    pub(crate) fn push(&mut self, row: Value) -> Result<(), CliError> {
        match self.output.format {
            _ if !self.streams() => {
                self.kept.push(row);
                Ok(())
            }
            Format::Csv => standard_output(&(self.header() + &csv::row(&self.columns, &row))),
            Format::Name => standard_output(&name(&row)),
            _ => self.output.object(&row),
        }
    }

    /// The header of comma-separated values, before the first row.
    fn header(&mut self) -> String {
        match std::mem::replace(&mut self.has_header, true) {
            true => String::new(),
            false => csv::header(&self.columns),
        }
    }

    /// Prints what was kept.
    pub(crate) fn finish(mut self) -> Result<(), CliError> {
        let is_filtered = self.output.filter.is_some();
        match self.output.format {
            Format::Csv if !is_filtered => standard_output(&self.header()),
            _ if self.streams() => Ok(()),
            Format::Table if !is_filtered => {
                if self.output.fields.is_empty() {
                    self.columns.retain(|column| !column.wide);
                }
                standard_output(&table::rows(&self.columns, &self.kept, terminal::width()))
            }
            Format::Wide if !is_filtered => standard_output(&table::rows(&self.columns, &self.kept, None)),
            _ => {
                let rows = self.kept.iter().map(|row| fields::keep(row, &self.output.fields));
                self.output.print(&rows.collect())
            }
        }
    }
}

fn named(columns: &[Column], field: &str) -> Column {
    let column = columns.iter().find(|column| column.key == field).cloned();
    column.unwrap_or_else(|| Column::new(field))
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
