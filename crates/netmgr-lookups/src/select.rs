//! Selects the wanted object from those of a read, or explains why there is none.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure};
use netmgr_types::object;

use crate::context::LookupContext;
use crate::error::{Candidate, Error};
use crate::fetch::{Fetched, Refused};
use crate::objects::{AnyPlan, Objects, WireObject};
use crate::plan::Plan;
use crate::project;
use crate::read::{By, Read};
use crate::rows::{SharedCollector, Skipped, Source};
use crate::selection::{Chosen, Selection, name_fits};
use crate::sentences;

/// The selected object, and its text.
type Selected = (Candidate, Bytes);

/// The objects of a read.
pub(crate) struct Found {
    pub(crate) selection: Selection<Bytes>,
    /// Names that are similar to the wanted one.
    similar: Vec<String>,
    skipped: Skipped,
    pub(crate) fetched: Fetched,
}

impl Found {
    fn new(objects: &Mutex<Objects>, fetched: Fetched) -> Self {
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

/// Reads the objects of `read`, from which `plan` selects.
pub(crate) async fn find(
    cx: &LookupContext<'_>,
    read: &Arc<Read>,
    plan: &Arc<dyn AnyPlan>,
) -> Result<Found, Refused> {
    let objects = Objects::of(read, plan);
    let rows: SharedCollector = Arc::clone(&objects) as _;
    let fetched = cx.fetch().find(read, &rows).await?;
    Ok(Found::new(&objects, fetched))
}

/// Finds the object of `plan`. If it is not found in a project, the error includes information about the project.
pub(crate) async fn select_object<T: WireObject>(cx: &LookupContext<'_>, plan: Plan<T>) -> Result<T, Error> {
    let text = select(cx, Arc::new(plan)).await?;
    let object = object::from_slice(&text).map_err(|error| cx.internal(&error.to_string()))?;
    cx.keep_text(text);
    Ok(object)
}

/// The text of the object of `plan`. The future is boxed, so that it is compiled once rather than for each caller.
fn select<'a>(cx: &'a LookupContext<'_>, plan: Arc<dyn AnyPlan>) -> BoxFuture<'a, Result<Bytes, Error>> {
    Box::pin(async move {
        cx.admit().await?;
        let read = plan.read();
        let found = match find(cx, read, &plan).await {
            Ok(found) => found,
            Err(refused) => return Err(cx.refused(sentences::what(cx, read), refused).await),
        };
        let selected = match &read.by {
            By::Id(id) => by_id(cx, &*plan, id, found),
            By::Key { value, .. } => by_key(cx, &plan, value, found).await,
            By::Name(_) | By::All => by_choice(cx, &plan, found).await,
        };
        match selected {
            Err(error) => Err(project::explain(cx, &plan, error).await),
            // The path is part of the output, and other objects refer to it.
            Ok((object, _)) if read.kind.is_policy() && object.path.as_deref().is_none_or(str::is_empty) => {
                let reason = format!("the object with id {} has no `path`", cx.quoted(&object.id));
                let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(reason));
                Err(Error::request_failed(
                    cx.name(),
                    sentences::what(cx, read),
                    source,
                ))
            }
            Ok((_, text)) => Ok(text),
        }
    })
}

/// Completes the objects that a search found from the list, because the store may have objects that the index lacks.
///
/// If the list fails, the objects of the search are kept, and the result contains the reason.
async fn confirm(cx: &LookupContext<'_>, plan: &Arc<dyn AnyPlan>, found: Found) -> Result<Found, Error> {
    let read = plan.read();
    let is_listed = read.has_collection();
    if found.fetched.source != Source::Search || found.fetched.missing.is_some() || !is_listed {
        return Ok(found);
    }
    let objects = Objects::of(read, plan);
    let rows: SharedCollector = Arc::clone(&objects) as _;
    match cx.fetch().list(read, &rows).await {
        Ok(fetched) => {
            let mut listed = Found::new(&objects, fetched);
            // The list is authoritative: objects that only the index has are deleted.
            let is_whole = read.has_one_list() && listed.fetched.is_whole() && listed.skipped.is_empty();
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
        Err(Refused::Request(error)) if found.selection.is_empty() => {
            Err(Error::request_failed(cx.name(), sentences::what(cx, read), error))
        }
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
async fn by_key(
    cx: &LookupContext<'_>,
    plan: &Arc<dyn AnyPlan>,
    key: &str,
    mut found: Found,
) -> Result<Selected, Error> {
    if found.selection.is_empty() {
        found = confirm(cx, plan, found).await?;
    }
    by_id(cx, &**plan, key, found)
}

/// An id takes precedence. Other inputs are only compared.
fn by_id(cx: &LookupContext<'_>, plan: &dyn AnyPlan, id: &str, found: Found) -> Result<Selected, Error> {
    let read = plan.read();
    let noun = read.kind.noun;
    let incomplete = found.incomplete(cx);
    let Fetched {
        source,
        missing,
        unread,
        ..
    } = found.fetched;
    let (object, text) = match found.selection.choose() {
        Chosen::One(object, text) => (object, text),
        Chosen::Several { found, total, .. } => {
            let what = sentences::several_of_id(cx, read, id);
            return Err(cx.ambiguous(what, found, total, incomplete));
        }
        Chosen::None { .. } => {
            if let Some(unread) = unread {
                return Err(Error::request_failed(
                    cx.name(),
                    sentences::what(cx, read),
                    unread,
                ));
            }
            // A 404 for the path of the object does not indicate whether the parent exists.
            let listed = missing.as_ref().filter(|_| source != Source::Direct);
            let what = because(
                sentences::no_such_id(cx, read, id),
                sentences::missing_parent(read, listed),
            );
            return Err(cx.not_found(what, incomplete, missing));
        }
    };
    let misfits = plan.misfits(&text).map_err(|other| {
        let what = because(sentences::no_such_id(cx, read, id), Some(other));
        cx.not_found(what, None, None)
    })?;
    if let Some((name, _)) = plan.name()
        && !name_fits(&object.name, plan.name())
    {
        cx.warn(&format!(
            "the {noun} with id {} has display name {}, which does not match `displayName` {}; `id` takes precedence",
            cx.quoted(id),
            cx.quoted(&object.name),
            cx.quoted(name)
        ));
    }
    for misfit in &misfits {
        cx.warn(&format!(
            "the {noun} with id {} has `{}` {}, not {}; `id` takes precedence",
            cx.quoted(id),
            misfit.property,
            cx.quoted(&misfit.actual),
            cx.quoted(&misfit.wanted)
        ));
    }
    Ok((object, text))
}

/// Selects by name, filters or neither. The list confirms the result unless the search found the exact name, because an
/// exact match that the index lacks takes precedence over longer names.
async fn by_choice(
    cx: &LookupContext<'_>,
    plan: &Arc<dyn AnyPlan>,
    mut found: Found,
) -> Result<Selected, Error> {
    let read = plan.read();
    if !found.selection.is_settled() {
        found = confirm(cx, plan, found).await?;
    }
    let incomplete = found.incomplete(cx);
    let Fetched { missing, unread, .. } = found.fetched;
    match found.selection.choose() {
        Chosen::One(object, text) => {
            if let Some(why) = incomplete {
                cx.warn(&format!(
                    "only the {} {} matches, but the answer may be incomplete: {why}",
                    read.kind.noun,
                    cx.quoted(&object.name)
                ));
            }
            Ok((object, text))
        }
        Chosen::None { excluded } => Err(match unread {
            Some(unread) => Error::request_failed(cx.name(), sentences::what(cx, read), unread),
            None => {
                let what = because(
                    sentences::nothing(cx, &**plan, excluded.as_ref()),
                    sentences::missing_parent(read, missing.as_ref()),
                );
                // The name exists if other inputs exclude objects.
                let similar = excluded.is_none().then_some(found.similar);
                let similar = similar.into_iter().flatten().map(|name| cx.shown(&name));
                cx.not_found(what, incomplete, missing)
                    .with_similar(similar.collect())
            }
        }),
        Chosen::Several { exact, found, total } => {
            Err(cx.ambiguous(sentences::several(cx, &**plan, exact), found, total, incomplete))
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
