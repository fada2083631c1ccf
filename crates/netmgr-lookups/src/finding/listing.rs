//! Lists: the objects of a function's collection, page by page.
//!
//! Only the current page is in memory. A list shares no requests with lookups: a lookup must not wait for the reader of
//! a list.

mod missing;

use std::collections::BTreeSet;
use std::sync::Arc;

use derive_setters::Setters;
use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Get, Pager, Row};
use netmgr_types::InvalidProperty;
use netmgr_types::wire::ManagedObject;
use serde_json::{Map, Value};
use tokio::time::Instant;
use tracing::{Instrument as _, debug_span};

use crate::contract::answer::members;
use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::function::{Invocation, ToOutput};
use crate::contract::registry::FunctionEntry;
use crate::contract::spec::LookupSpec;
use crate::finding::matching::object_of;
use crate::finding::names;
use crate::finding::plan::Plan;
use crate::finding::project;
use crate::finding::query::{name, query};
use crate::finding::read::{By, Read};
use crate::finding::requests;
use crate::finding::rows::{OfferedRow, RowSource, Skipped};
use crate::finding::selection::Filter;
use crate::finding::tag_filter::{TagCondition, TagFilter};

/// Placeholder for an input that a list does not have.
const STAND_IN: &str = "-";
/// Reason why a function cannot be listed.
pub(crate) const NO_COLLECTION: &str = "the function has no collection to list";
/// Maximum number of rows of a page. Source: the VMware NSX REST API, parameter `page_size`.
const PAGE: usize = 1000;

/// Options of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Setters)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct ListOptions {
    /// Prefix of the display names to list. Default: all.
    pub prefix: Option<String>,
    /// Part of the display names to list, ignoring case. Default: all.
    pub contains: Option<String>,
    /// Tags that the objects must have. All of them must match.
    pub tags: Vec<TagFilter>,
    /// Maximum number of objects. Default: all.
    pub limit: Option<usize>,
    /// Whether to return the objects with all their members as well. Default false.
    pub whole: bool,
}

impl ListOptions {
    /// Whether names or tags can exclude objects.
    fn narrows(&self) -> bool {
        self.prefix.is_some() || self.contains.is_some() || !self.tags.is_empty()
    }

    /// Whether an object with this name is listed, if it has the tags.
    fn admits(&self, name: &str) -> bool {
        let contains = |part: &String| name.to_lowercase().contains(&part.to_lowercase());
        self.prefix
            .as_ref()
            .is_none_or(|prefix| names::begins(name, prefix))
            && self.contains.as_ref().is_none_or(contains)
    }

    /// The meanings of the tags that `object` meets; `None` if it lacks one of the tags.
    fn met_by(&self, object: &ManagedObject) -> Option<Vec<TagCondition>> {
        if self.tags.is_empty() {
            return Some(Vec::new());
        }
        let tags = object.tags();
        let mut met = Vec::new();
        for filter in &self.tags {
            let known = met.len();
            met.extend(
                filter
                    .meanings()
                    .iter()
                    .filter(|meaning| meaning.fits(&tags))
                    .cloned(),
            );
            if met.len() == known {
                return None;
            }
        }
        Some(met)
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ListedPage {
    /// The objects, each as the function returns it.
    pub rows: Vec<Value>,
    /// The objects as the manager sent them, without members that hold secrets; empty unless they were requested.
    pub objects: Vec<Value>,
    /// Number of pages so far.
    pub pages: u64,
    /// Number of rows of these pages, including those that are not listed.
    pub read: u64,
    /// Number of rows that the manager announces, if it does.
    pub announced: Option<u64>,
}

/// A list in progress. Dropping it ends it.
pub struct Listing<'a> {
    cx: LookupContext<'a>,
    options: ListOptions,
    plan: Plan,
    output: ToOutput<Value>,
    pager: Pager,
    source: RowSource,
    /// The source to read if the first page fails, or if the search index is empty.
    otherwise: Option<RowSource>,
    /// The failure of the first source, if another one is read.
    failed: Option<RequestError>,
    /// Whether the search found nothing, and the list is read.
    is_unindexed: bool,
    skipped: Skipped,
    /// Meanings of the tags that the listed objects meet.
    met: BTreeSet<TagCondition>,
    /// Objects that may still be listed.
    left: usize,
    is_over: bool,
}

impl std::fmt::Debug for Listing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listing")
    }
}

impl<'a> Listing<'a> {
    /// The pages of the collection of a function. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidInput`].
    pub(crate) fn new(
        entry: &FunctionEntry,
        input: Map<String, Value>,
        cx: LookupContext<'a>,
        options: ListOptions,
    ) -> Result<Self, Error> {
        let is_given = |name: &&&str| input.get(**name).is_some_and(|value| !value.is_null());
        let unlisted = entry.spec.completed.iter().filter(is_given).map(|name| {
            let reason = "cannot filter a list, because each object would take further requests";
            InvalidProperty::new(*name, reason)
        });
        let unlisted: Vec<_> = unlisted.collect();
        if !unlisted.is_empty() {
            return Err(cx.invalid(unlisted));
        }
        let invocation = (entry.decode)(lookup_input(entry, input), cx.scope);
        let Invocation::Object { mut plan, output, .. } =
            invocation.map_err(|problems| cx.invalid(problems))?
        else {
            return Err(Error::Internal {
                function: cx.spec.name,
                reason: NO_COLLECTION.to_owned(),
            });
        };
        plan.criteria.name = None;
        let read = Arc::make_mut(&mut plan.read);
        if let (Some((property, identifies)), By::Key { value, .. }) = (plan.key.take(), &read.by)
            && value != STAND_IN
        {
            let value = value.clone();
            // No message shows what a list leaves out.
            plan.criteria
                .filters
                .push(Filter::new(property, value, |_| String::new(), identifies));
        }
        read.list_filters.clear();
        read.filter_check = None;
        read.by = By::All;
        let narrows = read.kind.searched && options.prefix.is_some();
        // Objects below enforcement points are in one list for each point; the search finds all of them.
        let (source, otherwise) = match read.is_indexed() {
            true if !read.has_collection() => (RowSource::Search, None),
            true if narrows || !read.has_one_list() => (RowSource::Search, Some(RowSource::List)),
            true => (RowSource::List, Some(RowSource::Search)),
            false => (RowSource::List, None),
        };
        Ok(Self {
            pager: cx.client.pages(request(&plan, source, &options, cx.deadline)),
            left: options.limit.unwrap_or(usize::MAX),
            cx,
            options,
            plan,
            output,
            source,
            otherwise,
            failed: None,
            is_unindexed: false,
            skipped: Skipped::default(),
            met: BTreeSet::new(),
            is_over: false,
        })
    }

    /// Reads the next page; `None` after the last one.
    ///
    /// # Errors
    ///
    /// The errors of lookups. There are no pages after an error.
    pub async fn next(&mut self) -> Result<Option<ListedPage>, Error> {
        if self.is_over {
            return Ok(None);
        }
        let function = self.cx.spec.name;
        let cancel = self.cx.call.cancel.clone();
        let page = async {
            tokio::select! {
                biased;
                () = cancel.cancelled() => Err(Error::Cancelled { function }),
                page = self.page() => page,
            }
        };
        let page = page.instrument(debug_span!("list", function)).await;
        self.is_over |= page.is_err();
        page
    }

    async fn page(&mut self) -> Result<Option<ListedPage>, Error> {
        if self.pager.extent().pages == 0 {
            self.cx.admit().await?;
        }
        loop {
            let rows = match self.pager.next().await {
                Ok(Some(rows)) => rows,
                Ok(None) if self.may_be_unindexed() => {
                    self.otherwise = None;
                    self.is_unindexed = self.options.prefix.is_none() || self.indexes_none().await;
                    if self.is_unindexed {
                        self.turn_to(RowSource::List, None);
                    }
                    continue;
                }
                Ok(None) => {
                    self.is_over = true;
                    self.note_tags();
                    self.warn_if_incomplete();
                    return self.missing_owner().await.map_or(Ok(None), Err);
                }
                Err(error) => match self.otherwise.take().filter(|_| is_elsewhere(&error)) {
                    Some(source) => {
                        self.turn_to(source, Some(error));
                        continue;
                    }
                    None => return Err(project::refused(&self.cx, &self.plan.read, error.into()).await),
                },
            };
            let extent = self.pager.extent();
            self.otherwise = self.otherwise.filter(|_| extent.rows == 0);
            let (rows, objects) = self.rows(&rows);
            return Ok(Some(ListedPage {
                rows,
                objects,
                pages: extent.pages.into(),
                read: extent.rows,
                announced: extent.announced,
            }));
        }
    }

    /// Whether the search found nothing although there may be objects: its index can be empty after an upgrade or a
    /// restore.
    fn may_be_unindexed(&self) -> bool {
        let (is_first, rows) = (self.otherwise.is_some(), self.pager.extent().rows);
        self.source == RowSource::Search && is_first && rows == 0
    }

    /// Whether a search for objects with any name finds none either.
    async fn indexes_none(&self) -> bool {
        let any = ListOptions::default().limit(1_usize);
        let get = request(&self.plan, RowSource::Search, &any, self.cx.deadline);
        let mut pager = self.cx.client.pages(get);
        pager.next().await.is_ok() && pager.extent().rows == 0
    }

    /// Reads from another source, because the first one failed with `error` or found nothing.
    fn turn_to(&mut self, source: RowSource, error: Option<RequestError>) {
        if source == RowSource::List && error.is_some() {
            self.warn_of_one_list("the search failed");
        }
        self.source = source;
        self.failed = error;
        let get = request(&self.plan, source, &self.options, self.cx.deadline);
        self.pager = self.cx.client.pages(get);
    }

    /// The objects of a page that belong to the list: the output of the function for each, and all their members if
    /// they are requested.
    fn rows(&mut self, page: &[Row]) -> (Vec<Value>, Vec<Value>) {
        let (mut listed, mut objects) = (Vec::new(), Vec::new());
        for row in page {
            if self.left == 0 {
                break;
            }
            let row = OfferedRow::new(row);
            match object_of(&self.plan.read, &row, self.source) {
                Ok(None) => {}
                Ok(Some(object)) => {
                    let is_listed = self.plan.check(object).is_ok()
                        && self
                            .plan
                            .criteria
                            .filters
                            .iter()
                            .all(|filter| filter.fits(object))
                        && self.options.admits(object.name());
                    let Some(met) = self.options.met_by(object).filter(|_| is_listed) else {
                        continue;
                    };
                    listed.push(known(self.cx.spec, (self.output)(object)));
                    objects.extend(self.options.whole.then(|| members(object)));
                    self.met.extend(met);
                    self.left -= 1;
                }
                Err(problem) => self.skipped.add(&row, problem),
            }
        }
        self.is_over = self.left == 0;
        if self.is_over {
            self.note_tags();
        }
        (listed, objects)
    }
}

/// The request for the objects of `plan` from a source.
fn request(plan: &Plan, source: RowSource, options: &ListOptions, deadline: Instant) -> Get {
    let read = &plan.read;
    let get = match source {
        RowSource::Search => {
            let by = match &options.prefix {
                Some(prefix) if read.kind.searched => By::Name(prefix.clone()),
                _ => By::All,
            };
            let read = Read {
                by,
                ..Read::clone(read)
            };
            requests::search(read.tree.root(), query(&read, name))
        }
        RowSource::List | RowSource::Direct => requests::list(read),
    };
    let takes_all = !options.narrows() && plan.criteria.filters.is_empty();
    let get = match options.limit {
        Some(limit) if read.kind.paged && takes_all && limit < PAGE => {
            get.query("page_size", limit.max(1).to_string())
        }
        _ => get,
    };
    get.deadline(deadline)
}

/// The input of a lookup in the collection. Stand-ins replace the inputs that select an object.
fn lookup_input(entry: &FunctionEntry, mut input: Map<String, Value>) -> Value {
    let schema = (entry.input_schema)();
    let required = schema.get("required").and_then(Value::as_array);
    // Inputs that are required although a list does not use them.
    let is_required = |name: &&&str| required.is_some_and(|names| names.iter().any(|known| known == **name));
    let useless = ["displayName"].iter().chain(entry.spec.without_effect);
    let stand_ins = ["id"].iter().chain(useless.filter(is_required));
    input.extend(stand_ins.map(|name| ((*name).to_owned(), STAND_IN.into())));
    Value::Object(input)
}

/// The output of the function for an object, without members that a list does not know.
fn known(spec: &LookupSpec, mut output: Value) -> Value {
    if let Value::Object(output) = &mut output {
        let is_unknown = |name: &str| spec.without_effect.contains(&name) || spec.completed.contains(&name);
        output.retain(|name, _| !is_unknown(name));
    }
    output
}

/// Whether another source may have the answer: the manager has no such path, or rejects the search.
fn is_elsewhere(error: &RequestError) -> bool {
    let status = error.failure().status;
    error.kind() == RequestErrorKind::NotFound || status.is_some_and(|status| status.as_u16() == 400)
}

#[cfg(test)]
mod tests;
