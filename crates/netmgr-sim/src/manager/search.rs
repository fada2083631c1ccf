//! The search endpoints: their scopes and answers.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use tokio::time::Instant;

use super::SimulatedState;
use super::kinds::CollectionKind;
use super::object::hash;
use super::paging::{self, Parameters};
use super::query::Query;
use super::settings::{CombinedSearches, IndexState, ManagerKind};
use crate::ApiRequest;
use crate::manager_error::ManagerError;

/// One of the API roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surface {
    /// `/api/v1`
    Manager,
    /// `/policy/api/v1`
    Policy,
    /// `/global-manager/api/v1`
    Global,
}

impl Surface {
    /// The path under which the object with this URL is stored: policy objects without API root.
    pub(crate) fn path(self, segments: &[String]) -> String {
        let skip = if self == Self::Manager { 0 } else { 3 };
        segments[skip..]
            .iter()
            .fold(String::new(), |path, segment| path + "/" + segment)
    }

    fn sees(self, collection: &str, kind: &CollectionKind) -> bool {
        match self {
            // A list of objects that are shared with a tenant is not in the index.
            Self::Policy if collection.ends_with("/shared-with-me") => false,
            // Inventory of compute managers is found from both sides.
            Self::Policy => kind.is_policy() || kind.is_inventory(),
            Self::Manager => !kind.is_policy(),
            Self::Global => collection.starts_with("/global-infra/"),
        }
    }
}

impl SimulatedState {
    pub(super) fn search(&self, surface: Surface, call: &ApiRequest) -> Result<Value, ManagerError> {
        // The search exists since version 3.0. The hosted cloud and global managers have no manager mode.
        let manager_search = self.settings.kind == ManagerKind::Local;
        if !self.settings.is_at_least([3, 0, 0]) || surface == Surface::Manager && !manager_search {
            return Err(ManagerError::no_api());
        }
        let parameters = Parameters::new(&call.query, |name| name == "query" || paging::is_paging(name))?;
        let text = parameters.get("query").unwrap_or_default();
        let query = Query::parse(text)
            .map_err(|error| ManagerError::invalid(format!("The query cannot be read: {error}.")))?;
        if self.settings.combined_searches == CombinedSearches::Refused && query.is_combined() {
            return Err(ManagerError::invalid("The query is too complex."));
        }
        let types = query.resource_types();
        self.check_index(types.as_ref())?;
        let hits = self.hits(surface, &query);
        paging::search_page(hits, &parameters, self.settings.max_page_size)
    }

    /// The objects that a query finds.
    fn hits(&self, surface: Surface, query: &Query) -> Vec<Arc<Value>> {
        let has_projects = self.settings.has_projects();
        let sees = |collection: &str, kind: &CollectionKind| {
            surface.sees(collection, kind)
                && kind.exists_on(&self.settings)
                && (has_projects || !collection.starts_with("/orgs/"))
        };
        let found = self.store.search(query, Instant::now(), sees);
        // The order is unspecified, so this is an order that no client can rely on.
        let mut hits: Vec<(u64, Arc<Value>)> = found
            .map(|object| (hash(&object.path, 0), Arc::clone(object.body)))
            .collect();
        hits.sort_by_key(|(order, _)| *order);
        hits.into_iter().map(|(_, body)| body).collect()
    }

    /// Whether the index answers a search of these types, none meaning all.
    fn check_index(&self, types: Option<&BTreeSet<String>>) -> Result<(), ManagerError> {
        match &self.settings.index_state {
            IndexState::Ready => Ok(()),
            IndexState::Failing(trouble) => Err(trouble.error()),
            IndexState::FailingType(resource_type, trouble) => match types {
                Some(types) if !types.contains(&resource_type.to_lowercase()) => Ok(()),
                _ => Err(trouble.error()),
            },
        }
    }
}
