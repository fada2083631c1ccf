//! Columns of tables and of comma-separated values.

use std::borrow::Cow;

use netmgr_types::foreign;
use serde_json::Value;

use super::fields;

/// Fields that name an object, most readable first.
pub(super) const NAMES: [&str; 5] = ["displayName", "display_name", "function", "name", "id"];

/// A column of a table.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// Field of the row.
    pub(crate) key: String,
    /// Heading in tables.
    pub(crate) title: String,
    /// Whether only `wide` and `csv` have it.
    pub(crate) wide: bool,
}

impl Column {
    /// The column of the field `key`. Its heading is the field's name in capital letters.
    pub(crate) fn new(key: &str) -> Self {
        Self {
            key: key.to_owned(),
            title: heading(key),
            wide: false,
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
    pub(super) fn value<'a>(&self, row: &'a Value) -> Option<Cow<'a, Value>> {
        fields::at(row, &self.key)
    }

    /// Whether the cells describe an object.
    pub(super) fn is_description(&self) -> bool {
        ["description", "summary"].contains(&self.key.as_str())
    }

    /// Whether the cells are paths, whose ends are enough to recognize them.
    pub(super) fn is_path(&self) -> bool {
        self.key.to_lowercase().ends_with("path")
    }

    /// Whether the cells identify an object, so that they are useless without their end.
    pub(super) fn is_identifier(&self) -> bool {
        let ends = ["path", "Path", "Id", "Ids", "Name"];
        NAMES.contains(&self.key.as_str()) || ends.iter().any(|end| self.key.ends_with(end))
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

/// The columns of objects of an unknown kind: names first, then all other fields. If fields are `wanted`, only those.
pub(super) fn generic(rows: &[Value], wanted: &[String]) -> Vec<Column> {
    if !wanted.is_empty() {
        return wanted.iter().map(|field| Column::new(field)).collect();
    }
    let mut keys: Vec<String> = rows.iter().flat_map(fields::names).collect();
    keys.sort();
    keys.dedup();
    let rank = |key: &String| NAMES.iter().position(|name| name == key).unwrap_or(NAMES.len());
    keys.sort_by_key(rank);
    keys.iter().map(|key| Column::new(key)).collect()
}
