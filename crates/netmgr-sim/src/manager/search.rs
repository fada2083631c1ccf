//! The search endpoints (manager-api C): their scopes and answers.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::SimulatedState;
use super::api_error::ApiError;
use super::body::{ObjectBody, ResponseBody};
use super::kinds::ObjectKind;
use super::listing::Rows;
use super::object::hash;
use super::paging::{self, Parameters};
use super::query::Query;
use super::settings::{CombinedSearches, IndexState, ManagerKind};
use super::store::Indexed;
use crate::Call;

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
    /// The path under which the object with this URL is kept: policy objects without API root.
    pub(crate) fn path(self, segments: &[String]) -> String {
        let skip = if self == Self::Manager { 0 } else { 3 };
        segments[skip..]
            .iter()
            .fold(String::new(), |path, segment| path + "/" + segment)
    }

    fn sees(self, path: &str, kind: &ObjectKind) -> bool {
        match self {
            // Inventory of compute managers is found from both sides.
            Self::Policy => kind.is_policy() || kind.is_inventory(),
            Self::Manager => !kind.is_policy(),
            Self::Global => path.starts_with("/global-infra/"),
        }
    }
}

impl SimulatedState {
    pub(super) fn search(&self, surface: Surface, call: &Call) -> Result<ResponseBody, ApiError> {
        // The search came with 3.0; the hosted cloud has no manager mode, a global manager neither.
        let manager_search = self.settings.kind == ManagerKind::Local;
        if !self.settings.is_at_least([3, 0, 0]) || surface == Surface::Manager && !manager_search {
            return Err(ApiError::NoRoute);
        }
        let parameters = Parameters::new(&call.query, |name| name == "query" || paging::is_paging(name))?;
        let text = parameters.get("query").unwrap_or_default();
        let query = Query::parse(text)
            .map_err(|error| ApiError::Invalid(format!("The query cannot be read: {error}.")))?;
        if self.settings.combined_searches == CombinedSearches::Refused && query.is_combined() {
            return Err(ApiError::Invalid("The query is too complex.".to_owned()));
        }
        let types = query.resource_types();
        self.check_index(types.as_ref())?;
        let hits = self.hits(surface, text, &query);
        paging::search_page(&hits, &parameters, self.settings.max_page_size)
    }

    /// What a query finds.
    fn hits(&self, surface: Surface, text: &str, query: &Query) -> Rows {
        let now = Instant::now();
        let state = self.store.state(now);
        if let Some(hits) = state.and_then(|state| self.results.get(surface, text, state)) {
            return hits;
        }
        let sees = |shown: &Indexed<'_>| {
            surface.sees(shown.path, shown.kind) && shown.kind.exists_on(&self.settings)
        };
        let hits = self.store.search(query, now, sees).into_iter();
        // The order is unspecified, so this is an order that no client can rely on.
        let mut hits: Vec<(u64, Arc<ObjectBody>)> = hits
            .map(|shown| (hash(shown.path, 0), Arc::clone(shown.body)))
            .collect();
        hits.sort_by_key(|(order, _)| *order);
        let hits: Rows = hits.into_iter().map(|(_, body)| body).collect();
        if let Some(state) = state {
            self.results.keep(surface, text, state, &hits);
        }
        hits
    }

    /// Whether the index answers a search of these types, none meaning all.
    fn check_index(&self, types: Option<&BTreeSet<String>>) -> Result<(), ApiError> {
        match &self.settings.index_state {
            IndexState::Ready => Ok(()),
            IndexState::Failing(trouble) => Err(ApiError::Index(*trouble)),
            IndexState::FailingType(resource_type, trouble) => match types {
                Some(types) if !types.contains(&resource_type.to_lowercase()) => Ok(()),
                _ => Err(ApiError::Index(*trouble)),
            },
        }
    }
}

/// Searches with several pages whose next page is probably requested soon.
const RECENT: usize = 64;

/// What recent searches of several pages found: the next page does not repeat the search.
#[derive(Debug, Default)]
pub(super) struct Results(Mutex<VecDeque<RecentSearch>>);

#[derive(Debug)]
struct RecentSearch {
    surface: Surface,
    query: String,
    /// State of the store, see [`Store::state`](super::store::Store::state).
    state: u64,
    hits: Rows,
}

impl Results {
    fn get(&self, surface: Surface, query: &str, state: u64) -> Option<Rows> {
        let recent = self.lock();
        let found = recent
            .iter()
            .find(|found| found.surface == surface && found.state == state && found.query == query)?;
        Some(Arc::clone(&found.hits))
    }

    fn keep(&self, surface: Surface, query: &str, state: u64, hits: &Rows) {
        if hits.len() < paging::LARGEST_PAGE {
            return;
        }
        let mut recent = self.lock();
        recent.truncate(RECENT - 1);
        recent.push_front(RecentSearch {
            surface,
            query: query.to_owned(),
            state,
            hits: Arc::clone(hits),
        });
    }

    // Searches can be repeated, so a panic in another thread does not corrupt the results.
    fn lock(&self) -> MutexGuard<'_, VecDeque<RecentSearch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
