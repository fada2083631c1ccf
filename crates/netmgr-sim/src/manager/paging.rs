//! Parameters, order and pages of lists and searches.

use std::cmp::Ordering;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};

use crate::manager_error::ManagerError;

/// The field that lists are sorted by unless the client names another.
pub(crate) const DEFAULT_ORDER: &str = "display_name";

/// Maximum number of rows that a client can request.
pub(crate) const LARGEST_PAGE: usize = 1000;

/// Query parameters of a call, each name once.
#[derive(Debug)]
pub(crate) struct Parameters<'a>(&'a [(String, String)]);

impl<'a> Parameters<'a> {
    /// Checks that every name is known and given once.
    pub(crate) fn new(
        query: &'a [(String, String)],
        known: impl Fn(&str) -> bool,
    ) -> Result<Self, ManagerError> {
        for (at, (name, _)) in query.iter().enumerate() {
            if !known(name) {
                return Err(ManagerError::invalid(format!(
                    "Parameter {name} is unknown here."
                )));
            }
            if query[..at].iter().any(|(other, _)| other == name) {
                return Err(ManagerError::invalid(format!("Parameter {name} is given twice.")));
            }
        }
        Ok(Self(query))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        let found = self.0.iter().find(|(given, _)| given == name)?;
        Some(&found.1)
    }

    /// A parameter that the list needs.
    pub(crate) fn require(&self, name: &str) -> Result<&'a str, ManagerError> {
        self.get(name)
            .ok_or_else(|| ManagerError::invalid(format!("Parameter {name} is required.")))
    }

    /// A boolean; `None` if absent.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, ManagerError> {
        match self.get(name) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => Err(ManagerError::invalid(format!("{name} cannot be {other:?}."))),
        }
    }

    fn page_size(&self) -> Result<usize, ManagerError> {
        self.get("page_size").map_or(Ok(LARGEST_PAGE), |text| {
            text.parse()
                .ok()
                .filter(|size| *size <= LARGEST_PAGE)
                .ok_or_else(|| {
                    ManagerError::invalid(format!("page_size {text:?} is not between 0 and 1000."))
                })
        })
    }
}

/// Whether the parameter belongs to every paged list.
pub(crate) fn is_paging(name: &str) -> bool {
    matches!(
        name,
        "cursor" | "page_size" | "sort_by" | "sort_ascending" | "included_fields"
    )
}

/// One page of a list whose rows are in the default order. `collection` is bound into the cursor, so that it
/// is not valid for another list.
pub(crate) fn list_page(
    collection: &str,
    rows: &[Arc<Value>],
    parameters: &Parameters<'_>,
    largest: usize,
) -> Result<Value, ManagerError> {
    let sort_by = parameters.get("sort_by").unwrap_or(DEFAULT_ORDER);
    let ascending = parameters.flag("sort_ascending")?.unwrap_or(true);
    let start = match parameters.get("cursor") {
        None => 0,
        Some(cursor) => open_cursor(collection, cursor)
            .ok_or_else(|| ManagerError::invalid("The cursor is not one of this list."))?,
    };
    let size = parameters.page_size()?.min(largest);
    let mut rows = rows.to_vec();
    if (sort_by, ascending) != (DEFAULT_ORDER, true) {
        sort(&mut rows, sort_by, ascending);
    }
    let end = start.saturating_add(size).min(rows.len());
    let mut page = Map::new();
    if start == 0 {
        page.insert("result_count".to_owned(), json!(rows.len()));
    }
    if end < rows.len() && size > 0 {
        page.insert("cursor".to_owned(), json!(close_cursor(collection, end)));
    }
    page.insert("sort_by".to_owned(), json!(sort_by));
    page.insert("sort_ascending".to_owned(), json!(ascending));
    let rows = rows.get(start..end).unwrap_or_default();
    page.insert(
        "results".to_owned(),
        rows.iter().map(|row| Value::clone(row)).collect(),
    );
    Ok(Value::Object(page))
}

/// One page of a list that accepts an offset as cursor but reports neither cursor nor number of rows.
pub(crate) fn offset_page(
    rows: &[Arc<Value>],
    parameters: &Parameters<'_>,
    largest: usize,
) -> Result<Value, ManagerError> {
    let start: usize = parameters
        .get("cursor")
        .unwrap_or("0")
        .parse()
        .map_err(|_| ManagerError::invalid("The cursor of this list is a number."))?;
    let size = parameters.page_size()?.min(largest);
    let end = start.saturating_add(size).min(rows.len());
    let rows = rows.get(start..end).unwrap_or_default();
    let rows: Vec<&Value> = rows.iter().map(|row| &**row).collect();
    Ok(json!({"results": rows}))
}

/// One page of a search. The cursor is an offset as text, which the last page has as well.
pub(crate) fn search_page(
    mut hits: Vec<Arc<Value>>,
    parameters: &Parameters<'_>,
    largest: usize,
) -> Result<Value, ManagerError> {
    let start: usize = parameters
        .get("cursor")
        .unwrap_or("0")
        .parse()
        .map_err(|_| ManagerError::invalid("The cursor of a search is a number."))?;
    let size = parameters.page_size()?.min(largest);
    let ascending = parameters.flag("sort_ascending")?;
    if let Some(field) = parameters.get("sort_by") {
        sort(&mut hits, field, ascending.unwrap_or(true));
    }
    let start = start.min(hits.len());
    let end = (start + size).min(hits.len());
    let fields: Option<Vec<&str>> = parameters
        .get("included_fields")
        .map(|fields| fields.split(',').map(str::trim).collect());
    let rows = hits[start..end].iter().map(|hit| match &fields {
        None => Value::clone(hit),
        Some(fields) => only(hit, fields),
    });
    let mut page = Map::from_iter([("results".to_owned(), rows.collect())]);
    page.insert("result_count".to_owned(), json!(hits.len()));
    if !hits.is_empty() {
        page.insert("cursor".to_owned(), json!(end.to_string()));
    }
    if let Some(field) = parameters.get("sort_by") {
        page.insert("sort_by".to_owned(), json!(field));
        page.insert("sort_ascending".to_owned(), json!(ascending.unwrap_or(true)));
    }
    Ok(Value::Object(page))
}

fn only(row: &Value, fields: &[&str]) -> Value {
    let Value::Object(row) = row else {
        return row.clone();
    };
    row.iter()
        .filter(|(name, _)| fields.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Sorts by a field, rows without it first; rows that are equal in it keep their order.
pub(crate) fn sort(rows: &mut [Arc<Value>], field: &str, ascending: bool) {
    let mut keyed: Vec<(Option<Value>, Arc<Value>)> = rows
        .iter()
        .map(|row| (row.get(field).cloned(), Arc::clone(row)))
        .collect();
    keyed.sort_by(|(left, _), (right, _)| {
        let order = compare(left.as_ref(), right.as_ref());
        if ascending { order } else { order.reverse() }
    });
    for (place, (_, row)) in rows.iter_mut().zip(keyed) {
        *place = row;
    }
}

fn compare(left: Option<&Value>, right: Option<&Value>) -> Ordering {
    match (left, right) {
        (Some(Value::Number(left)), Some(Value::Number(right))) => left
            .as_f64()
            .partial_cmp(&right.as_f64())
            .unwrap_or(Ordering::Equal),
        (left, right) => left.and_then(Value::as_str).cmp(&right.and_then(Value::as_str)),
    }
}

fn close_cursor(collection: &str, offset: usize) -> String {
    BASE64.encode(format!("{offset}?{collection}"))
}

fn open_cursor(collection: &str, cursor: &str) -> Option<usize> {
    let text = String::from_utf8(BASE64.decode(cursor).ok()?).ok()?;
    let (offset, of) = text.split_once('?')?;
    (of == collection).then(|| offset.parse().ok()).flatten()
}
