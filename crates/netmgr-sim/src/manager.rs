//! The simulated manager: answers calls from its inventory, without a network. Sessions, licences, limits and
//! faults are implemented on the HTTP side.

mod generator;
mod inventory;
mod kinds;
mod matcher;
mod memberships;
mod object;
mod paging;
mod query;
mod realization;
mod recorded;
mod routes;
mod search;
mod settings;
mod store;
#[cfg(test)]
mod tests;
mod views;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use http::StatusCode;
use serde_json::Value;
use tokio::time::Instant;

pub use inventory::Inventory;
pub use object::InventoryError;
pub use realization::{Script, ScriptStart};
pub use settings::{
    CombinedSearches, IndexState, IndexTrouble, ManagerAddress, ManagerKind, ManagerMode, ManagerSettings,
    NameFilter,
};

use crate::api::{ApiRequest, ApiResponse, Backend};
use inventory::RecordedManager;
use memberships::Members;
use object::StoredObject;
use realization::Running;
use store::Store;

/// A manager with an inventory that can be edited while it runs.
///
/// It uses the clock of tokio, so that a paused clock also pauses the search index and realizations.
#[derive(Debug)]
pub struct Manager {
    state: RwLock<SimulatedState>,
}

#[derive(Debug)]
struct SimulatedState {
    settings: ManagerSettings,
    store: Store,
    /// Scripts have a separate lock because a read starts their clock.
    scripts: Mutex<HashMap<String, Running>>,
    /// Members of the groups that were requested since the last change, by the path of the group.
    memberships: Mutex<HashMap<String, Arc<Members>>>,
    cluster: Value,
    recorded: RecordedManager,
}

impl Manager {
    /// Creates a manager whose search index contains the whole inventory.
    pub fn new(settings: ManagerSettings, inventory: Inventory) -> Self {
        let now = Instant::now();
        let mut store = Store::default();
        store.extend(inventory.objects.into_values(), now);
        let scripts = inventory
            .scripts
            .into_iter()
            .map(|(path, script)| (path, Running::new(script, now)))
            .collect();
        Self {
            state: RwLock::new(SimulatedState {
                settings,
                store,
                scripts: Mutex::new(scripts),
                memberships: Mutex::default(),
                cluster: inventory.cluster,
                recorded: inventory.recorded,
            }),
        }
    }

    /// Answers a call. Does not check accounts.
    pub fn respond(&self, call: &ApiRequest) -> ApiResponse {
        match self.read().respond(call) {
            Ok(body) => ApiResponse {
                status: StatusCode::OK,
                body: Some(body),
            },
            Err(error) => ApiResponse {
                status: error.status,
                body: Some(error.body()),
            },
        }
    }

    /// Adds or replaces an object, as [`Inventory::add`] does, and returns its path. The search returns it
    /// after the index lag.
    ///
    /// # Errors
    ///
    /// As [`Inventory::add`].
    pub fn add(&self, collection: &str, body: Value) -> Result<String, InventoryError> {
        let object = StoredObject::new(collection, body)?;
        let path = object.path.clone();
        self.write().put(object);
        Ok(path)
    }

    /// Sets fields of an object and increments its revision. The search index is updated after the index lag.
    ///
    /// # Errors
    ///
    /// [`InventoryError::Missing`] when there is no object under the path,
    /// [`InventoryError::NotAnObject`] when `fields` is not a JSON object.
    pub fn update(&self, path: &str, fields: Value) -> Result<(), InventoryError> {
        let Value::Object(fields) = fields else {
            return Err(InventoryError::NotAnObject(path.to_owned()));
        };
        let mut state = self.write();
        let object = state.object(path)?;
        state.put(object.updated(fields));
        Ok(())
    }

    /// Deletes an object. The search returns it until the index lag has passed.
    ///
    /// # Errors
    ///
    /// [`InventoryError::Missing`] when there is no object under the path.
    pub fn remove(&self, path: &str) -> Result<(), InventoryError> {
        let mut state = self.write();
        let object = state.object(path)?;
        let lag = state.settings.index_lag;
        state.store.put(path, object.kind, None, Instant::now(), lag);
        Ok(())
    }

    /// Sets the script of `{object}/state` or `{object}/status`.
    pub fn set_script(&self, path: &str, script: Script) {
        let running = Running::new(script, Instant::now());
        self.read().scripts().insert(path.to_owned(), running);
    }

    /// Sets the state of the search index.
    pub fn set_index_state(&self, index_state: IndexState) {
        self.write().settings.index_state = index_state;
    }

    /// Sets whether the search answers queries with `OR`.
    pub fn set_combined_searches(&self, combined_searches: CombinedSearches) {
        self.write().settings.combined_searches = combined_searches;
    }

    /// Sets the address of this manager, when it is known.
    pub fn set_endpoint(&self, endpoint: ManagerAddress) {
        self.write().settings.endpoint = Some(endpoint);
    }

    // No call leaves the state partially changed, so a panic in another thread does not corrupt it.
    fn read(&self) -> RwLockReadGuard<'_, SimulatedState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, SimulatedState> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.memberships = Mutex::default();
        state
    }
}

impl Backend for Manager {
    fn respond(&self, call: &ApiRequest) -> ApiResponse {
        Manager::respond(self, call)
    }

    fn reachable_at(&self, address: SocketAddr, certificate_sha256: Option<&str>) {
        self.set_endpoint(ManagerAddress {
            ip_address: address.ip().to_string(),
            port: address.port(),
            certificate_sha256_thumbprint: certificate_sha256.map(str::to_owned),
            ..ManagerAddress::default()
        });
    }
}

impl SimulatedState {
    fn scripts(&self) -> MutexGuard<'_, HashMap<String, Running>> {
        self.scripts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn object(&self, path: &str) -> Result<StoredObject, InventoryError> {
        let (kind, body) = self
            .store
            .get(path)
            .ok_or_else(|| InventoryError::Missing(path.to_owned()))?;
        Ok(StoredObject {
            path: path.to_owned(),
            kind,
            body: Arc::clone(body),
        })
    }

    fn put(&mut self, object: StoredObject) {
        let lag = self.settings.index_lag;
        let now = Instant::now();
        self.store
            .put(&object.path, object.kind, Some(object.body), now, lag);
    }
}
