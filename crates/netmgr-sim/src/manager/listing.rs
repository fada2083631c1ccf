//! One collection as its list shows it, with what filters find in it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::body::ObjectBody;
use super::matcher::values_at;
use super::paging;

/// Rows of a list.
pub(crate) type Rows = Arc<[Arc<ObjectBody>]>;

/// The rows of a collection in the default order.
#[derive(Debug)]
pub(crate) struct CollectionRows {
    rows: Rows,
    /// For each field and form of comparison that a filter used: without it, each page would decode all rows.
    filters: Mutex<HashMap<(&'static str, Compared), Arc<Positions>>>,
    without_system_owned: OnceLock<Rows>,
}

/// How a filter compares values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Compared {
    /// As a whole.
    Whole,
    /// From the beginning, without case.
    Beginning,
}

/// Positions of rows by the values of a field.
type Positions = BTreeMap<String, Vec<usize>>;

impl CollectionRows {
    pub(crate) fn new(mut rows: Vec<Arc<ObjectBody>>) -> Self {
        paging::sort(&mut rows, paging::DEFAULT_ORDER, true);
        Self::of_sorted(rows.into())
    }

    /// A part of a listing.
    pub(crate) fn of_sorted(rows: Rows) -> Self {
        Self {
            rows,
            filters: Mutex::default(),
            without_system_owned: OnceLock::new(),
        }
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The rows in which a value of this (dotted) field compares to `wanted`.
    pub(crate) fn with_value(&self, field: &'static str, compared: Compared, wanted: &str) -> Rows {
        let positions = self.positions(field, compared);
        let mut found: Vec<usize> = match compared {
            Compared::Whole => positions.get(wanted).cloned().unwrap_or_default(),
            Compared::Beginning => {
                let wanted = wanted.to_lowercase();
                let from = positions.range::<String, _>(&wanted..);
                let same = from.take_while(|(value, _)| value.starts_with(&wanted));
                same.flat_map(|(_, positions)| positions).copied().collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| Arc::clone(&self.rows[at])).collect()
    }

    fn positions(&self, field: &'static str, compared: Compared) -> Arc<Positions> {
        // The positions can be found again, so a panic in another thread does not corrupt them.
        let filters = || self.filters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(positions) = filters().get(&(field, compared)) {
            return Arc::clone(positions);
        }
        let mut positions = Positions::new();
        for (at, row) in self.rows.iter().enumerate() {
            texts_at(field, &row.body(), &mut |value| {
                let key = match compared {
                    Compared::Whole => value.to_owned(),
                    Compared::Beginning => value.to_lowercase(),
                };
                positions.entry(key).or_default().push(at);
            });
        }
        let positions = Arc::new(positions);
        filters().insert((field, compared), Arc::clone(&positions));
        positions
    }

    /// The rows that are not system owned.
    pub(crate) fn without_system_owned(&self) -> Rows {
        let rows = self.without_system_owned.get_or_init(|| {
            let shown = self.rows.iter().filter(|row| !is_system_owned(row));
            shown.cloned().collect()
        });
        Arc::clone(rows)
    }
}

pub(crate) fn is_system_owned(row: &ObjectBody) -> bool {
    row.body()["_system_owned"] == true
}

/// Calls `visit` with every value under a dotted field name, as text.
pub(crate) fn texts_at(field: &str, row: &Value, visit: &mut impl FnMut(&str)) {
    values_at(field, row, &mut |value| match value {
        Value::String(text) => visit(text),
        Value::Null => {}
        other => visit(&other.to_string()),
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    proptest! {
        #[test]
        fn prop_a_filter_finds_what_a_scan_finds(
            values in prop::collection::vec(prop::collection::vec("[aAbß]{0,3}", 0..3), 0..8),
            wanted in "[aAbB]{0,2}",
        ) {
            let rows = values.iter().map(|values| Arc::new(ObjectBody::new(json!({"in": {"field": values}}))));
            let listing = CollectionRows::new(rows.collect());
            let scan = |fits: &dyn Fn(&str) -> bool| -> Vec<Value> {
                let mut found = Vec::new();
                for row in listing.rows().iter() {
                    let mut is_found = false;
                    texts_at("in.field", &row.body(), &mut |value| is_found |= fits(value));
                    found.extend(is_found.then(|| row.body().into_owned()));
                }
                found
            };
            let found = |compared| -> Vec<Value> {
                let rows = listing.with_value("in.field", compared, &wanted);
                rows.iter().map(|row| row.body().into_owned()).collect()
            };
            prop_assert_eq!(found(Compared::Whole), scan(&|value| value == wanted));
            let start = wanted.to_lowercase();
            prop_assert_eq!(found(Compared::Beginning), scan(&|value| value.to_lowercase().starts_with(&start)));
        }
    }
}
