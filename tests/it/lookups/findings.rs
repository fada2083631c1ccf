//! Checks of calls that collect all defects.

use netmgr_lookups::ErrorKind;
use serde_json::Value;

use super::harness::{Bench, chain, fits_schema};
use super::place::Place;
use super::table::Row;

/// Collects the defects of all functions, so that one run shows all of them.
#[derive(Default)]
pub(super) struct Findings(Vec<String>);

impl Findings {
    pub(super) fn add(&mut self, row: &Row, input: &Value, what: impl Into<String>) {
        self.0.push(format!("{} {input}: {}", row.function, what.into()));
    }

    pub(super) fn check(&self) {
        assert!(self.0.is_empty(), "{}", self.0.join("\n"));
    }

    /// A call that finds the object with this id. The requests are those of the table, and the output matches its
    /// schema.
    pub(super) async fn finds(
        &mut self,
        bench: &Bench,
        row: &Row,
        place: &Place,
        input: Value,
        id: &str,
    ) -> Option<Value> {
        let result = bench.invoke(row.function, input.clone()).await;
        let requests = bench.requests();
        for request in place.strangers(row, &requests) {
            self.add(row, &input, format!("requests {request}"));
        }
        let output = match result {
            Ok(output) => output,
            Err(error) => {
                self.add(
                    row,
                    &input,
                    format!("{}\n    {}", chain(&error), requests.join("\n    ")),
                );
                return None;
            }
        };
        if let Err(error) = fits_schema(row.function, &output) {
            self.add(row, &input, error);
        }
        if output["id"] != id {
            self.add(row, &input, format!("found {}, not {id}", output["id"]));
        }
        let path = format!("{}/{id}", place.collection);
        if row.is_policy() && output.get("path").is_some_and(|found| *found != *path) {
            self.add(row, &input, format!("found {}, not {path}", output["path"]));
        }
        Some(output)
    }

    /// A call that fails with an error of this kind.
    pub(super) async fn fails(&mut self, bench: &Bench, row: &Row, input: Value, kind: ErrorKind) {
        let result = bench.invoke(row.function, input.clone()).await;
        let requests = bench.requests();
        match result {
            Ok(output) => self.add(row, &input, format!("{output}, but {kind:?} was expected")),
            Err(error) if error.kind() != kind => {
                self.add(
                    row,
                    &input,
                    format!("{:?}, not {kind:?}: {}", error.kind(), chain(&error)),
                );
            }
            Err(_) if kind == ErrorKind::InvalidInput && !requests.is_empty() => {
                self.add(
                    row,
                    &input,
                    format!("requested {requests:?} for an input that cannot be used"),
                );
            }
            Err(_) => {}
        }
    }
}
