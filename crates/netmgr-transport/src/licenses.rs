//! Licence keys of the configuration. Adding them is the only write besides logins.

use netmgr_types::Secret;
use netmgr_types::wire::License;
use serde_json::json;

use crate::{Client, Error, Get};

const PATH: &str = "/api/v1/licenses";

impl Client {
    /// Adds the configured `licenseKeys` that the manager lacks, and returns their number. Removes nothing.
    /// Sends nothing if no keys are configured.
    ///
    /// This **writes** to the manager: never call it in a preview. Keys are neither logged nor part of
    /// errors.
    ///
    /// # Errors
    ///
    /// Errors of [`Client::get`]. Keys that were added before the failure are not removed.
    pub async fn install_missing_licenses(&self) -> Result<usize, Error> {
        let keys = &self.connection().license_keys;
        if keys.is_empty() {
            return Ok(0);
        }
        let (rows, _) = self.pages(Get::new(PATH).unpaged()).rows().await?;
        let mut present: Vec<Secret> = rows
            .iter()
            .filter_map(|row| Some(row.decode::<License>().ok()?.key))
            .collect();
        let mut added = 0;
        for key in keys {
            if !present.contains(key) {
                self.add_license(key).await?;
                present.push(key.clone());
                added += 1;
            }
        }
        Ok(added)
    }

    async fn add_license(&self, key: &Secret) -> Result<(), Error> {
        let body = json!({ "license_key": key.expose() }).to_string();
        self.post(PATH, body.into()).await.map(drop)
    }
}

#[cfg(test)]
mod tests;
