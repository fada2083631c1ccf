//! Recordings: everything that functions read from a manager, type by type and page by page.
//!
//! A simulated manager serves the objects of a recording, so that lookups have the same results as on the manager. Most
//! objects come from one search for all places; others are only in lists, which are read for each parent. Rows are
//! passed on unchanged, and only the current page is in memory.

use std::collections::{BTreeSet, HashSet, VecDeque};

use bytes::Bytes;
use derive_setters::Setters;
use futures_util::future::join_all;
use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Get, Pager, Row};
use netmgr_types::{Deployment, InvalidProperty};
use serde_json::Value;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::LookupSpec;
use crate::fetch::{names_an_object, shortfall};
use crate::finding::project;
use crate::finding::query::is_refused_query;
use crate::finding::read::{CollectionPlace, ObjectKind, Query};

mod object;
mod places;
pub(crate) mod redaction;
mod requests;
mod sources;

pub use object::{RecordedObject, recorded_path};
use places::Places;
use sources::{RecordedType, SETTINGS, Source};

/// Facts for errors and warnings of recordings.
pub(crate) const SPEC: LookupSpec =
    LookupSpec::further("export", "object", "Records the objects of a manager.");
/// Number of documents that are requested concurrently.
const TOGETHER: usize = 16;
/// API root of policy paths on all managers except global ones.
const POLICY_API: &str = "/policy/api/v1";

/// Selection of what to record.
#[derive(Debug, Clone, PartialEq, Eq, Setters)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct RecordOptions {
    /// Types to record, by the names of [`Lookups::recorded_types`](crate::Lookups::recorded_types). Default: all.
    pub types: Vec<String>,
    /// Id of the only project to record. Default: everything, inside and outside projects.
    pub project: Option<String>,
    /// Maximum size of a collection whose states and settings are recorded, with one request each. Those of larger
    /// collections are left out with a warning. Default 100; 0 leaves them all out.
    pub states: usize,
}

impl Default for RecordOptions {
    fn default() -> Self {
        Self {
            types: Vec::new(),
            project: None,
            states: 100,
        }
    }
}

/// A step of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recorded {
    /// Objects of the manager.
    Objects(Vec<RecordedObject>),
    /// The manager has no API at the path and below.
    Absent(String),
    /// All objects of a type were recorded.
    Complete(String),
}

/// A recording in progress. Dropping it stops it.
pub struct Recording<'a> {
    cx: LookupContext<'a>,
    options: RecordOptions,
    types: VecDeque<RecordedType>,
    places: Places,
    /// Lists that were requested, with their parameters. Several functions can read the same list.
    asked: HashSet<(String, Query)>,
    pages: u64,
    current: Option<TypeReading>,
    /// The project, until it is known to exist.
    unchecked: Option<String>,
}
impl std::fmt::Debug for Recording<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recording")
    }
}

/// The reading of a type.
struct TypeReading {
    name: String,
    sources: VecDeque<Source>,
    requests: VecDeque<Request>,
    list: Option<(Pager, RowPlace)>,
}

/// A request of a recording.
enum Request {
    /// Pages of a list or a search.
    Rows(Get, RowPlace),
    /// A document, with its path in the recording.
    Document(Get, String),
}

/// Location of the objects of a list or a search.
#[derive(Debug, Clone)]
struct RowPlace {
    kind: &'static ObjectKind,
    /// Path of the list in the recording; none for a search.
    list: Option<String>,
    /// The kinds of a combined search. If a manager rejects it, each kind is searched separately.
    several: Vec<&'static ObjectKind>,
}

/// Segments of the paths of objects that are the same on all managers.
pub(crate) fn collection_words() -> BTreeSet<&'static str> {
    sources::collection_words()
}

/// The names of the types that functions read on any kind of manager, sorted.
pub(crate) fn type_names() -> Vec<String> {
    let deployments = [
        Deployment::PolicyManager,
        Deployment::GlobalManager,
        Deployment::HostedCloud,
    ];
    let types = deployments.into_iter().flat_map(sources::types);
    let names = types.flat_map(|type_| type_.names().into_iter().map(str::to_owned).collect::<Vec<_>>());
    let names: BTreeSet<String> = names.collect();
    names.into_iter().collect()
}

impl<'a> Recording<'a> {
    pub(crate) fn new(cx: LookupContext<'a>, options: RecordOptions) -> Result<Self, Error> {
        let mut types = sources::types(cx.scope().deployment);
        let known = type_names();
        if let Some(unknown) = options.types.iter().find(|name| !known.contains(name)) {
            let reason = format!("{unknown:?} is not a type that functions read");
            return Err(cx.invalid(vec![InvalidProperty::new("types", reason)]));
        }
        let places = Places::of(&types, cx.scope(), options.project.as_deref());
        // The locations of other objects follow from all types; only unwanted types themselves are left out.
        types.retain(|type_| {
            let is_wanted = |name: &str| options.types.iter().any(|wanted| wanted == name);
            options.types.is_empty() || type_.name == SETTINGS || type_.names().into_iter().any(is_wanted)
        });
        Ok(Self {
            cx,
            unchecked: options.project.clone(),
            options,
            types: types.into(),
            places,
            asked: HashSet::new(),
            pages: 0,
            current: None,
        })
    }

    /// Skips a type that was recorded before. Its objects are passed to [`Self::known`].
    pub fn skip(&mut self, type_name: &str) {
        self.types.retain(|type_| type_.name != type_name);
    }

    /// Registers the path of an object that was recorded before.
    pub fn known(&mut self, path: &str) {
        self.places.find(path);
    }

    /// The type that is being recorded, and the number of those after it.
    #[must_use]
    pub fn progress(&self) -> (&str, usize) {
        let name = self.current.as_ref().map_or("", |current| current.name.as_str());
        (name, self.types.len())
    }

    /// Number of pages of lists and searches so far.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Checks that the project exists, which otherwise is part of the first step.
    ///
    /// # Errors
    ///
    /// The project does not exist.
    pub async fn check(&mut self) -> Result<(), Error> {
        match self.unchecked.take() {
            Some(id) if project::is_unknown(&self.cx, &id).await => {
                let reason = format!("project {} does not exist", self.cx.shown(&id));
                Err(self.cx.not_found(reason, None, None))
            }
            _ => Ok(()),
        }
    }

    /// Reads the next step; `None` after the last one.
    ///
    /// # Errors
    ///
    /// A request failed, or the project does not exist. Objects that the account may not read, or the manager refuses to
    /// list, are omitted with a warning.
    pub async fn next(&mut self) -> Result<Option<Recorded>, Error> {
        self.check().await?;
        loop {
            let Some(current) = &mut self.current else {
                let Some(RecordedType { name, sources }) = self.types.pop_front() else {
                    return Ok(None);
                };
                self.current = Some(TypeReading {
                    name,
                    sources: sources.into(),
                    requests: VecDeque::new(),
                    list: None,
                });
                continue;
            };
            if let Some((pager, _)) = &mut current.list {
                let page = pager.next().await;
                if let Some(step) = self.page(page)? {
                    return Ok(Some(step));
                }
            } else if !current.requests.is_empty() {
                if let Some(step) = self.send().await? {
                    return Ok(Some(step));
                }
            } else if let Some(source) = current.sources.pop_front() {
                let mut requests = self.requests(&source);
                requests.retain(|request| match request {
                    Request::Rows(
                        _,
                        RowPlace {
                            kind,
                            list: Some(list),
                            ..
                        },
                    ) => self.asked.insert((list.clone(), kind.list)),
                    _ => true,
                });
                current_of(&mut self.current).requests = requests.into();
            } else {
                let current = self.current.take();
                return Ok(current.map(|current| Recorded::Complete(current.name)));
            }
        }
    }

    /// The objects of a page, or the end of a list.
    fn page(&mut self, page: Result<Option<Vec<Row>>, RequestError>) -> Result<Option<Recorded>, Error> {
        let current = current_of(&mut self.current);
        let Some((pager, place)) = &current.list else {
            return Ok(None);
        };
        let place = place.clone();
        match page {
            Ok(Some(rows)) => {
                self.pages += 1;
                let objects = rows.iter().filter_map(|row| place.object(row, &self.options));
                let objects: Vec<RecordedObject> = objects.collect();
                for object in &objects {
                    self.places.find(&object.path);
                }
                Ok(Some(Recorded::Objects(objects)))
            }
            Ok(None) => {
                if let Some(why) = shortfall(&pager.extent()) {
                    let name = &current.name;
                    self.cx
                        .warn(&format!("the recording of {name} may be incomplete: {why}"));
                }
                current.list = None;
                Ok(None)
            }
            Err(error) => {
                current.list = None;
                if !place.several.is_empty() && is_refused_query(error.failure()) {
                    let alone = place.several.iter().map(|kind| self.search(&[kind]));
                    let alone: Vec<Request> = alone.collect();
                    current_of(&mut self.current).requests.extend(alone);
                    return Ok(None);
                }
                let is_fixed = matches!(place.kind.place, CollectionPlace::Fixed(_));
                let is_search = place.list.is_none();
                let absent = place.list.filter(|_| is_fixed);
                self.failed(error, absent, is_search)
            }
        }
    }

    /// Sends the next requests of a type.
    async fn send(&mut self) -> Result<Option<Recorded>, Error> {
        let current = current_of(&mut self.current);
        let mut documents = Vec::new();
        while documents.len() < TOGETHER {
            match current.requests.pop_front() {
                Some(Request::Document(get, path)) => documents.push((get, path)),
                Some(Request::Rows(get, place)) if documents.is_empty() => {
                    current.list = Some((self.cx.client.pages(get), place));
                    return Ok(None);
                }
                Some(rows) => {
                    current.requests.push_front(rows);
                    break;
                }
                None => break,
            }
        }
        let client = self.cx.client;
        let replies = documents.into_iter().map(async |(get, path)| {
            let body = client.get(&get).await.and_then(|reply| reply.json::<Value>());
            (body, path)
        });
        let mut objects = Vec::new();
        for (body, path) in join_all(replies).await {
            match body {
                Ok(body) => objects.push(RecordedObject {
                    collection: path.clone(),
                    path,
                    body: Bytes::from(body.to_string()),
                }),
                Err(error) => {
                    self.failed(error, None, false)?;
                }
            }
        }
        Ok(Some(Recorded::Objects(objects)))
    }

    /// Interprets a failed request: the objects do not exist, or the account may not read them.
    fn failed(
        &self,
        error: RequestError,
        absent: Option<String>,
        is_search: bool,
    ) -> Result<Option<Recorded>, Error> {
        let name = &self
            .current
            .as_ref()
            .map(|current| current.name.clone())
            .unwrap_or_default();
        match error.kind() {
            RequestErrorKind::NotFound if is_search => {}
            RequestErrorKind::NotFound if names_an_object(&error) => return Ok(None),
            RequestErrorKind::NotFound => return Ok(absent.map(Recorded::Absent)),
            RequestErrorKind::PermissionDenied => {
                self.cx.warn(&format!("{name} left out: {error}"));
                return Ok(None);
            }
            RequestErrorKind::Rejected if !is_search => {
                self.cx.warn(&format!("{name} left out: {error}"));
                return Ok(None);
            }
            _ => {}
        }
        Err(Error::request_failed(
            self.cx.name(),
            format!("all objects of type {name}"),
            error,
        ))
    }
}

/// The type that is being read.
fn current_of(current: &mut Option<TypeReading>) -> &mut TypeReading {
    current.as_mut().expect("it is set before anything is read")
}
