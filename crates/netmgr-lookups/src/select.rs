//! Selects the wanted object among those of a read, or explains why there is none.

use std::sync::{Arc, Mutex};

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure};

use crate::context::LookupContext;
use crate::error::Error;
use crate::fetch::{Fetched, Refused};
use crate::objects::{Objects, WireObject};
use crate::plan::Plan;
use crate::project;
use crate::read::{By, Read};
use crate::rows::{SharedCollector, Skipped, Source};
use crate::selection::{Chosen, Selected, Selection};
use crate::sentences;

/// The objects of a read.
pub(crate) struct Found<T> {
    pub(crate) selection: Selection<T>,
    /// Names that are similar to the wanted one.
    similar: Vec<String>,
    skipped: Skipped,
    pub(crate) fetched: Fetched,
}

impl<T: WireObject> Found<T> {
    fn new(objects: &Mutex<Objects<T>>, fetched: Fetched) -> Self {
        let (selection, similar, skipped) = Objects::take(objects);
        Self {
            selection,
            similar,
            skipped,
            fetched,
        }
    }

    /// Reason why objects may be missing, if any.
    fn incomplete(&self, cx: &LookupContext<'_>) -> Option<String> {
        self.fetched.incomplete(sentences::skipped(cx, &self.skipped))
    }
}

/// Reads the objects of `read`, among which `plan` selects.
pub(crate) async fn find<T: WireObject>(
    cx: &LookupContext<'_>,
    read: &Arc<Read>,
    plan: &Arc<Plan<T>>,
) -> Result<Found<T>, Refused> {
    let objects = Objects::of(read, plan, cx.keeps_text());
    let rows: SharedCollector = Arc::clone(&objects) as _;
    let fetched = cx.fetch().find(read, &rows).await?;
    Ok(Found::new(&objects, fetched))
}

/// Finds the object of `plan`. If it is not found in a project, the error includes information about the project.
pub(crate) async fn select_object<T: WireObject>(
    cx: &LookupContext<'_>,
    plan: Arc<Plan<T>>,
) -> Result<T, Error> {
    let Selected { object, text } = select(cx, plan).await?;
    cx.keep_text(text);
    Ok(object)
}

async fn select<T: WireObject>(cx: &LookupContext<'_>, plan: Arc<Plan<T>>) -> Result<Selected<T>, Error> {
    cx.admit().await?;
    let found = match find(cx, &plan.read, &plan).await {
        Ok(found) => found,
        Err(refused) => return Err(cx.refused(sentences::what(cx, &plan.read), refused).await),
    };
    let selected = match &plan.read.by {
        By::Id(id) => by_id(cx, &plan, id, found),
        By::Key { value, .. } => by_key(cx, &plan, value, found).await,
        By::Name(_) | By::All => by_choice(cx, &plan, found).await,
    };
    match selected {
        Err(error) => Err(project::explain(cx, &plan, error).await),
        // The path is part of the output, and other objects refer to it.
        Ok(Selected { object, .. })
            if plan.read.kind.is_policy() && object.path().is_none_or(str::is_empty) =>
        {
            let reason = format!("the object with id {} has no `path`", cx.quoted(object.id()));
            let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(reason));
            Err(Error::request_failed(
                cx.name(),
                sentences::what(cx, &plan.read),
                source,
            ))
        }
        selected => selected,
    }
}

/// Completes what a search found by the list, because the store may have objects that the index lacks.
///
/// When the list fails, what was found stays, and the result says what could not be read.
async fn confirm<T: WireObject>(
    cx: &LookupContext<'_>,
    plan: &Arc<Plan<T>>,
    found: Found<T>,
) -> Result<Found<T>, Error> {
    let is_listed = plan.read.has_collection();
    if found.fetched.source != Source::Search || found.fetched.missing.is_some() || !is_listed {
        return Ok(found);
    }
    let objects = Objects::of(&plan.read, plan, cx.keeps_text());
    let rows: SharedCollector = Arc::clone(&objects) as _;
    match cx.fetch().list(&plan.read, &rows).await {
        Ok(fetched) => {
            let mut listed = Found::new(&objects, fetched);
            // The list is authoritative: what only the index has is deleted.
            let is_whole = plan.read.has_one_list() && listed.fetched.is_whole() && listed.skipped.is_empty();
            if listed.fetched.missing.is_none() && !is_whole {
                listed.selection.merge(found.selection);
            }
            Ok(listed)
        }
        Err(Refused::NoApi(missing)) => Ok(Found {
            fetched: Fetched {
                missing: Some(missing),
                ..found.fetched
            },
            ..found
        }),
        Err(Refused::Request(error)) if found.selection.is_empty() => Err(Error::request_failed(
            cx.name(),
            sentences::what(cx, &plan.read),
            error,
        )),
        Err(Refused::Request(error)) => Ok(Found {
            fetched: Fetched {
                unread: Some(error),
                ..found.fetched
            },
            ..found
        }),
    }
}

/// A key takes precedence like an id. The list confirms that an object is missing.
async fn by_key<T: WireObject>(
    cx: &LookupContext<'_>,
    plan: &Arc<Plan<T>>,
    key: &str,
    mut found: Found<T>,
) -> Result<Selected<T>, Error> {
    if found.selection.is_empty() {
        found = confirm(cx, plan, found).await?;
    }
    by_id(cx, plan, key, found)
}

/// An id takes precedence. Other inputs are only compared.
fn by_id<T: WireObject>(
    cx: &LookupContext<'_>,
    plan: &Plan<T>,
    id: &str,
    found: Found<T>,
) -> Result<Selected<T>, Error> {
    let noun = plan.read.kind.noun;
    let incomplete = found.incomplete(cx);
    let Fetched {
        source,
        missing,
        unread,
        ..
    } = found.fetched;
    let selected = match found.selection.choose() {
        Chosen::One(selected) => selected,
        Chosen::Several { found, total, .. } => {
            let what = sentences::several_of_id(cx, &plan.read, id);
            return Err(cx.ambiguous(what, found, total, incomplete));
        }
        Chosen::None { .. } => {
            if let Some(unread) = unread {
                return Err(Error::request_failed(
                    cx.name(),
                    sentences::what(cx, &plan.read),
                    unread,
                ));
            }
            // A 404 for the path of the object does not indicate whether the parent exists.
            let listed = missing.as_ref().filter(|_| source != Source::Direct);
            let what = because(
                sentences::no_such_id(cx, &plan.read, id),
                sentences::missing_parent(&plan.read, listed),
            );
            return Err(cx.not_found(what, incomplete, missing));
        }
    };
    let object = &selected.object;
    if let Err(other) = plan.check(object) {
        let what = because(sentences::no_such_id(cx, &plan.read, id), Some(other));
        return Err(cx.not_found(what, None, None));
    }
    if let Some((name, _)) = &plan.choose.name
        && !plan.choose.name_fits(object)
    {
        cx.warn(&format!(
            "the {noun} with id {} has display name {}, which does not match `displayName` {}; `id` takes precedence",
            cx.quoted(id),
            cx.quoted(object.name()),
            cx.quoted(name)
        ));
    }
    for filter in plan.choose.filters.iter().filter(|filter| !filter.fits(object)) {
        cx.warn(&format!(
            "the {noun} with id {} has {} instead of `{}` {}; `id` takes precedence",
            cx.quoted(id),
            cx.quoted(&(filter.actual)(object)),
            filter.property,
            cx.quoted(&filter.wanted)
        ));
    }
    Ok(selected)
}

/// Selects by name, filters or neither. The list confirms the result unless the search found the exact name, because an
/// exact match that the index lacks takes precedence over longer names.
async fn by_choice<T: WireObject>(
    cx: &LookupContext<'_>,
    plan: &Arc<Plan<T>>,
    mut found: Found<T>,
) -> Result<Selected<T>, Error> {
    if !found.selection.is_settled() {
        found = confirm(cx, plan, found).await?;
    }
    let incomplete = found.incomplete(cx);
    let Fetched { missing, unread, .. } = found.fetched;
    match found.selection.choose() {
        Chosen::One(selected) => {
            if let Some(why) = incomplete {
                cx.warn(&format!(
                    "only the {} {} matches, but the answer may be incomplete: {why}",
                    plan.read.kind.noun,
                    cx.quoted(selected.object.name())
                ));
            }
            Ok(selected)
        }
        Chosen::None { excluded } => Err(match unread {
            Some(unread) => Error::request_failed(cx.name(), sentences::what(cx, &plan.read), unread),
            None => {
                let what = because(
                    sentences::nothing(cx, plan, excluded.as_ref()),
                    sentences::missing_parent(&plan.read, missing.as_ref()),
                );
                // The name exists if other inputs exclude objects.
                let similar = excluded.is_none().then_some(found.similar);
                let similar = similar.into_iter().flatten().map(|name| cx.shown(&name));
                cx.not_found(what, incomplete, missing)
                    .with_similar(similar.collect())
            }
        }),
        Chosen::Several { exact, found, total } => {
            Err(cx.ambiguous(sentences::several(cx, plan, exact), found, total, incomplete))
        }
    }
}

/// Appends an explanatory clause to a sentence, if there is one.
fn because(sentence: String, clause: Option<String>) -> String {
    match clause {
        Some(clause) => format!("{sentence}: {clause}"),
        None => sentence,
    }
}
