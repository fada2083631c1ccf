//! Recordings: everything that functions read from a manager, type by type and page by page.
//!
//! A simulated manager serves the objects of a recording, so that lookups have the same results as on the manager. Most
//! objects come from one search for all places; others are only in lists, which are read for each parent. Rows are
//! passed on unchanged, and only the current page is in memory.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::join_all;
use netmgr_lookups::{CollectionPlace, Error, ObjectKind, Observer, is_refused_query, type_named};
use netmgr_transport::{Client, Error as RequestError, ErrorKind as RequestErrorKind, Get, Pager, Row};
use netmgr_types::{InvalidProperty, foreign};
use serde_json::Value;

pub(crate) mod object;
pub(crate) mod options;
mod places;
mod requests;
pub(crate) mod sources;

use object::RecordedObject;
use options::RecordOptions;
use places::Places;
use sources::{RecordedSource, RecordedType, SETTINGS};

/// Name of the command in errors and warnings.
const EXPORT: &str = "export";
/// Number of documents that are requested concurrently.
const TOGETHER: usize = 16;
/// API root of policy paths on all managers except global ones.
const POLICY_API: &str = "/policy/api/v1";
/// The projects of a manager.
const PROJECTS: &str = "/policy/api/v1/orgs/default/projects";

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
pub struct Recording {
    client: Client,
    options: RecordOptions,
    observer: Option<Arc<dyn Observer>>,
    types: VecDeque<RecordedType>,
    places: Places,
    /// Lists that were requested, with their parameters. Several functions can read the same list.
    asked: HashSet<(String, &'static [(&'static str, &'static str)])>,
    pages: u64,
    current: Option<TypeReading>,
    /// Whether a search has returned an object; `None` before the end of the first one.
    search_finds: Option<bool>,
    /// The project, until it is known to exist.
    unchecked: Option<String>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recording")
    }
}

/// The reading of a type.
struct TypeReading {
    name: String,
    sources: VecDeque<RecordedSource>,
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
enum RowPlace {
    /// A list, with its path in the recording.
    List { path: String, kind: &'static ObjectKind },
    /// A search. If a manager rejects one for several types, each type is searched separately.
    Search { types: Vec<String>, is_inventory: bool },
}

/// Names of the types of objects that functions read on any kind of manager, sorted: the `resource_type`, or the name
/// of a collection with objects of several types.
#[must_use]
pub fn recorded_types() -> Vec<String> {
    sources::type_names().into_iter().collect()
}

/// The [recorded type](recorded_types) that a word means.
///
/// # Errors
///
/// The similar ones.
pub fn recorded_type(word: &str) -> Result<String, Vec<String>> {
    type_named(word, &recorded_types())
}

impl Recording {
    /// Records everything that functions read from the manager of `client`. Warnings are reported to `observer`. Sends
    /// nothing yet.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidInput`] for an unknown type.
    pub fn new(
        client: Client,
        mut options: RecordOptions,
        observer: Option<Arc<dyn Observer>>,
    ) -> Result<Self, Error> {
        let connection = client.connection();
        let mut types = sources::types(connection.deployment);
        let known = sources::type_names();
        if let Some(unknown) = options.types.iter().find(|name| !known.contains(*name)) {
            let reason = format!("{unknown:?} is not a type that functions read");
            return Err(Error::invalid_input(
                EXPORT,
                [InvalidProperty::new("types", reason)],
            ));
        }
        let places = Places::of(&types, connection, options.project.as_deref());
        // Some objects are only in the lists below others.
        sources::add_parents(&mut options.types, &types);
        // The locations of other objects follow from all types; only unwanted types themselves are left out.
        types.retain(|type_| type_.name == SETTINGS || options.wants(type_.names()));
        Ok(Self {
            client,
            unchecked: options.project.clone(),
            options,
            observer,
            types: types.into(),
            places,
            search_finds: None,
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

    /// The type that is being recorded, if any, and the number of those after it.
    #[must_use]
    pub fn progress(&self) -> (Option<&str>, usize) {
        let name = self.current.as_ref().map(|current| current.name.as_str());
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
        let Some(id) = self.unchecked.take() else {
            return Ok(());
        };
        match self.client.get(&Get::new(PROJECTS).segment(&id)).await {
            // A manager without projects says that it has no such API; a proxy does not.
            Err(error) if error.kind() == RequestErrorKind::NotFound && error.is_of_manager() => {
                let reason = format!("project {} does not exist", self.client.sanitized(&id));
                Err(Error::not_found(EXPORT, &reason))
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
                    self.warn_of_index();
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
                    Request::Rows(_, RowPlace::List { path, kind }) => {
                        self.asked.insert((path.clone(), kind.list))
                    }
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
                if matches!(place, RowPlace::Search { .. }) {
                    let finds = pager.extent().rows > 0;
                    self.search_finds = Some(finds || self.search_finds == Some(true));
                }
                let short = pager.extent().shortfall();
                let incomplete =
                    short.map(|why| format!("the recording of {} may be incomplete: {why}", current.name));
                current.list = None;
                if let Some(incomplete) = incomplete {
                    self.warn(&incomplete);
                }
                Ok(None)
            }
            Err(error) => {
                current.list = None;
                match place {
                    RowPlace::Search { types, is_inventory }
                        if types.len() > 1 && is_refused_query(error.failure()) =>
                    {
                        let alone = types
                            .into_iter()
                            .map(|name| self.search(vec![name], is_inventory));
                        let alone: Vec<Request> = alone.collect();
                        current_of(&mut self.current).requests.extend(alone);
                        Ok(None)
                    }
                    RowPlace::Search { .. } => self.failed(error, None, true),
                    RowPlace::List { path, kind } => {
                        let is_fixed = matches!(kind.place, CollectionPlace::Fixed(_));
                        self.failed(error, is_fixed.then_some(path), false)
                    }
                }
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
                    current.list = Some((self.client.pages(get), place));
                    return Ok(None);
                }
                Some(rows) => {
                    current.requests.push_front(rows);
                    break;
                }
                None => break,
            }
        }
        let client = &self.client;
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
            RequestErrorKind::NotFound if error.names_an_object() => return Ok(None),
            // A proxy's page does not show that the manager lacks the list.
            RequestErrorKind::NotFound if !error.is_of_manager() => {
                self.warn(&format!("{name} left out: {error}"));
                return Ok(None);
            }
            RequestErrorKind::NotFound => return Ok(absent.map(Recorded::Absent)),
            RequestErrorKind::PermissionDenied => {
                self.warn(&format!("{name} left out: {error}"));
                return Ok(None);
            }
            RequestErrorKind::Rejected if !is_search && !is_of_login(&error) => {
                self.warn(&format!("{name} left out: {error}"));
                return Ok(None);
            }
            _ => {}
        }
        Err(Error::request_failed(
            EXPORT,
            format!("all objects of type {name}"),
            error,
        ))
    }

    /// Reports that no search of a whole manager found anything.
    fn warn_of_index(&mut self) {
        let is_whole = self.options.types.is_empty() && self.options.project.is_none();
        if is_whole && self.search_finds.take() == Some(false) {
            self.warn(
                "no search returned an object, so objects that only a search finds are left out; check the search index",
            );
        }
    }

    /// Reports a warning to the observer. The foreign text in it is shown as in errors.
    fn warn(&self, message: &str) {
        let message = &*foreign::sanitized(message);
        tracing::debug!(message, "warning");
        if let Some(observer) = &self.observer {
            observer.warning(message);
        }
    }
}

/// Whether a login failed, so that no other request can succeed. Only logins are sent with POST.
fn is_of_login(error: &RequestError) -> bool {
    let failure = error.failure();
    let method = failure.request_line.as_ref().map(|line| line.method.as_str());
    failure.unsent || method == Some("POST")
}

/// The type that is being read.
fn current_of(current: &mut Option<TypeReading>) -> &mut TypeReading {
    current.as_mut().expect("it is set before anything is read")
}
