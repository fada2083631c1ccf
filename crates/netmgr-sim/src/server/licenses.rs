//! Licence keys, which are the only objects that clients can write.

use std::sync::Mutex;

use http::StatusCode;
use serde_json::{Value, json};

use super::reply::HttpReply;
use crate::manager_error::ManagerError;

pub(crate) const PATH: &str = "/api/v1/licenses";

/// The keys that are installed.
#[derive(Debug)]
pub(crate) struct Licenses {
    keys: Mutex<Vec<String>>,
}

impl Licenses {
    pub(crate) fn new(keys: Vec<String>) -> Self {
        Self {
            keys: Mutex::new(keys),
        }
    }

    pub(crate) fn list(&self) -> HttpReply {
        let results: Vec<Value> = self.keys().iter().map(|key| document(key)).collect();
        HttpReply::json(
            StatusCode::OK,
            json!({ "result_count": results.len(), "results": results }),
        )
    }

    /// Adds the key of a body such as `{"license_key": "AAAAA-..."}`. An existing key is not added again.
    pub(crate) fn add(&self, body: &[u8]) -> Result<HttpReply, ManagerError> {
        let body: Value =
            serde_json::from_slice(body).map_err(|_| ManagerError::invalid("The body is not JSON"))?;
        let key = body["license_key"]
            .as_str()
            .ok_or_else(|| ManagerError::invalid("The field license_key is missing"))?;
        if !well_formed(key) {
            return Err(ManagerError::invalid(
                "A licence key is five groups of five characters A-Z0-9 joined by -",
            ));
        }
        let mut keys = self.keys();
        if !keys.iter().any(|known| known == key) {
            keys.push(key.to_owned());
        }
        Ok(HttpReply::json(StatusCode::OK, document(key)))
    }

    pub(crate) fn keys(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.keys.lock().expect("no holder of the lock panics")
    }
}

fn document(key: &str) -> Value {
    json!({ "license_key": key, "description": "Simulated licence", "is_expired": false, "expiry": 0 })
}

fn well_formed(key: &str) -> bool {
    let group = |group: &str| {
        group.len() == 5
            && group
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    key.split('-').count() == 5 && key.split('-').all(group)
}
