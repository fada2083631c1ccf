//! Selects the wanted object from the objects of a read, or explains why there is none.

use std::sync::Arc;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure};
use netmgr_types::wire::ManagedObject;

use crate::contract::context::LookupContext;
use crate::contract::error::{Clues, Error, Place};
use crate::fetch::{Fetched, ReadError};
use crate::finding::matching::{Found, Objects, find};
use crate::finding::names;
use crate::finding::plan::Plan;
use crate::finding::project;
use crate::finding::read::{By, Read};
use crate::finding::rows::{RowSource, SharedCollector};
use crate::finding::selection::{Chosen, Criteria, name_fits};
use crate::wording::sentences;

/// Finds the object of `plan`. If it is not found in a project, the error includes information about the project.
pub(crate) async fn select_object(cx: &LookupContext<'_>, plan: Plan) -> Result<Arc<ManagedObject>, Error> {
    cx.admit().await?;
    let plan = &Arc::new(plan);
    let read = &plan.read;
    let found = match Box::pin(find(cx, read, plan)).await {
        Ok(found) => found,
        Err(refused) => return Err(Box::pin(project::refused(cx, read, refused)).await),
    };
    let selected = match &read.by {
        By::Id(id) => by_id(cx, plan, id, found),
        By::Key { value, .. } => by_key(cx, plan, value, found).await,
        By::Name(_) | By::All => by_choice(cx, plan, found).await,
    };
    match selected {
        Err(error) => Err(Box::pin(project::explain(cx, plan, error)).await),
        // The path is part of the output, and other objects refer to it.
        Ok(object) if read.kind.is_policy() && object.path().is_none() => {
            let reason = format!("the object with id {} has no `path`", cx.quoted(object.id()));
            let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(reason));
            Err(Error::request_failed(
                cx.spec.name,
                sentences::what(cx, read),
                source,
            ))
        }
        Ok(object) => Ok(object),
    }
}

/// Completes the objects that a search found from the list, because the store may have objects that the index lacks.
///
/// If the list fails, the objects of the search are kept, and the result contains the reason.
async fn confirm(cx: &LookupContext<'_>, plan: &Arc<Plan>, found: Found) -> Result<Found, Error> {
    let read = &plan.read;
    let is_listed = read.has_collection();
    if found.fetched.source != RowSource::Search || found.fetched.missing.is_some() || !is_listed {
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
        Err(ReadError::NoApi(missing)) => Ok(Found {
            fetched: Fetched {
                missing: Some(missing),
                ..found.fetched
            },
            ..found
        }),
        Err(ReadError::Request(error)) if found.selection.is_empty() => Err(Error::request_failed(
            cx.spec.name,
            sentences::what(cx, read),
            error,
        )),
        Err(ReadError::Request(error)) => Ok(Found {
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
    plan: &Arc<Plan>,
    key: &str,
    mut found: Found,
) -> Result<Arc<ManagedObject>, Error> {
    if found.selection.is_empty() {
        found = Box::pin(confirm(cx, plan, found)).await?;
    }
    by_id(cx, plan, key, found)
}

/// An id takes precedence. Other inputs are only compared.
fn by_id(cx: &LookupContext<'_>, plan: &Plan, id: &str, found: Found) -> Result<Arc<ManagedObject>, Error> {
    let read = &plan.read;
    let noun = read.kind.noun;
    let incomplete = found.incomplete(cx);
    let selector = plan.selector().map(str::to_owned);
    let Fetched {
        source,
        missing,
        unread,
        ..
    } = found.fetched;
    let object = match found.selection.choose() {
        Chosen::One(object) => object,
        Chosen::Several { found, total, .. } => {
            let what = sentences::several_of_id(cx, plan, id);
            return Err(cx.ambiguous(what, found, total, incomplete, selector));
        }
        Chosen::None { .. } => {
            if let Some(unread) = unread {
                return Err(Error::request_failed(
                    cx.spec.name,
                    sentences::what(cx, read),
                    unread,
                ));
            }
            // A 404 for the path of the object does not indicate whether the parent exists.
            let listed = missing.as_ref().filter(|_| source != RowSource::Direct);
            let parent = sentences::missing_parent(read, listed);
            let mut clues = found.clues;
            clues.missing = parent.as_ref().map(|_| Place::Parent);
            let what = because(sentences::no_such_id(cx, plan, id), parent);
            return Err(cx.not_found(what, incomplete, missing).with_clues(clues));
        }
    };
    plan.check(&object).map_err(|other| {
        let what = because(sentences::no_such_id(cx, plan, id), Some(other));
        cx.not_found(what, None, None)
    })?;
    let selector = selector.unwrap_or_default();
    if let Some((name, _)) = plan.name()
        && !name_fits(object.name(), plan.name())
    {
        cx.warn(&format!(
            "the {noun} with `{selector}` {} has the display name {}, which does not match `displayName` {}; \
             `{selector}` takes precedence",
            cx.quoted(id),
            cx.quoted(&cx.stored(object.name())),
            cx.quoted(name)
        ));
    }
    for misfit in plan.criteria.misfits(&object) {
        cx.warn(&format!(
            "the {noun} with `{selector}` {} has {}, which does not match `{}` {}; `{selector}` takes precedence",
            cx.quoted(id),
            cx.quoted(&cx.stored(&misfit.actual)),
            misfit.property,
            cx.quoted(&misfit.wanted)
        ));
    }
    Ok(object)
}

/// Display name of the object whose id is the name of `plan`, unless a list would have shown it.
async fn name_of_id(cx: &LookupContext<'_>, plan: &Plan) -> Option<String> {
    let read = &plan.read;
    let (name, _) = plan.name()?;
    if read.has_collection() || !read.is_indexed() {
        return None;
    }
    let by = By::Id(name.to_owned());
    let plan = Arc::new(Plan::new(
        Read {
            by,
            ..Read::clone(read)
        },
        Criteria::default(),
    ));
    match find(cx, &plan.read, &plan).await.ok()?.selection.choose() {
        Chosen::One(object) => Some(object.name().to_owned()),
        Chosen::None { .. } | Chosen::Several { .. } => None,
    }
}

/// Selects by name, filters or neither. The list confirms the result unless the search found the exact name, because an
/// exact match that the index lacks takes precedence over longer names.
async fn by_choice(
    cx: &LookupContext<'_>,
    plan: &Arc<Plan>,
    mut found: Found,
) -> Result<Arc<ManagedObject>, Error> {
    let read = &plan.read;
    if !found.selection.is_settled() {
        found = Box::pin(confirm(cx, plan, found)).await?;
    }
    let incomplete = found.incomplete(cx);
    let is_short = found.fetched.short.is_some();
    let Fetched { missing, unread, .. } = found.fetched;
    match found.selection.choose() {
        Chosen::One(object) => {
            if let Some(why) = incomplete {
                let is_longer = plan
                    .name()
                    .is_some_and(|(name, _)| !names::is_same(object.name(), name));
                // An object with the name itself would take precedence.
                if is_longer && is_short {
                    return Err(cx.shortened(read, why));
                }
                cx.warn(&format!(
                    "only the {} {} matches, but the answer may be incomplete: {why}",
                    read.kind.noun,
                    cx.quoted(&cx.stored(object.name()))
                ));
            }
            Ok(object)
        }
        Chosen::None { excluded } => Err(match unread {
            Some(unread) => Error::request_failed(cx.spec.name, sentences::what(cx, read), unread),
            None => {
                // In a project, the project itself may be missing.
                if let Some(missing) = &missing
                    && excluded.is_none()
                    && read.tree.project_path().is_none()
                    && let Some(error) = Box::pin(project::without_api(cx, read, missing)).await
                {
                    return Err(error);
                }
                let parent = sentences::missing_parent(read, missing.as_ref());
                let mut clues = found.clues;
                // The name exists if other inputs exclude objects.
                if excluded.is_some() {
                    clues = Clues::default();
                }
                clues.missing = parent.as_ref().map(|_| Place::Parent);
                let what = because(sentences::nothing(cx, plan, excluded.as_ref()), parent);
                clues.similar.retain(|name| cx.stored(name) == *name);
                if clues.name_of_id.is_none() {
                    clues.name_of_id = Box::pin(name_of_id(cx, plan)).await;
                }
                clues.name_of_id = clues.name_of_id.map(|name| cx.stored(&name));
                cx.not_found(what, incomplete, missing).with_clues(clues)
            }
        }),
        Chosen::Several { exact, found, total } => {
            let selector = plan.selector().map(str::to_owned);
            let what = sentences::several(cx, plan, exact);
            Err(cx.ambiguous(what, found, total, incomplete, selector))
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
