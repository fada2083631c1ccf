//! Explanation of a failed lookup: whether its project or its parent exists, and whether the default space contains the
//! object of a project.
//!
//! Requires few reads, and only if nothing was found. The result of a failed read is omitted.

use std::sync::Arc;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Get};

use crate::contract::context::LookupContext;
use crate::contract::error::{Candidate, Clues, Error, Place};
use crate::fetch::ReadError;
use crate::finding::matching::find;
use crate::finding::object_kind::{CollectionPlace, ObjectKind};
use crate::finding::plan::Plan;
use crate::finding::read::{By, Read};
use crate::finding::requests;
use crate::finding::selection::{Chosen, Criteria};
use crate::finding::tree::Tree;
use crate::wording::sentences;

/// Projects of the policy API.
const PROJECT: ObjectKind = ObjectKind::fixed("project", "Project", "/policy/api/v1/orgs/default/projects");
const VPC: ObjectKind = ObjectKind::project("VPC", "Vpc", "vpcs");

/// Completes `error` if nothing was found in a project or a VPC, or below a parent.
pub(crate) async fn explain(cx: &LookupContext<'_>, plan: &Arc<Plan>, mut error: Error) -> Error {
    if let Error::NotFound { what, clues, .. } = &mut error {
        let tree = &plan.read.tree;
        let owner = owner(cx, tree).await;
        // A list would have shown that the parent does not exist.
        let is_listed = plan.read.has_one_list() && !matches!(plan.read.by, By::Id(_));
        if owner.as_ref().is_none_or(|owner| owner.missing.is_none())
            && !is_listed
            && let Some(error) = missing_parent(cx, &plan.read, what, None).await
        {
            return error;
        }
        let is_name = owner.as_ref().is_some_and(|owner| owner.is_name);
        let owner = owner.map(|owner| {
            clues.missing = owner.missing;
            owner.sentence
        });
        let in_default_space = match tree {
            Tree::Project(_) if !is_name => default_space(cx, plan, &mut clues.is_outside).await,
            _ => None,
        };
        let clauses = [owner, in_default_space];
        for clause in clauses.into_iter().flatten() {
            what.push_str("; ");
            what.push_str(&clause);
        }
    }
    error
}

/// Whether the manager reports that there is no project with this id.
pub(crate) async fn is_unknown(cx: &LookupContext<'_>, id: &str) -> bool {
    let read = Read::new(&PROJECT, cx.scope, By::All);
    is_missing(cx, read, id).await.unwrap_or(false)
}

/// The error of an empty list, which `nothing` describes, if the project, the VPC or the parent of `read` does not exist.
/// The search returns nothing for such a parent, and managers return an empty list for such a project. `failed` is the
/// response to a request for the list, if it failed.
pub(crate) async fn missing(
    cx: &LookupContext<'_>,
    read: &Read,
    nothing: String,
    failed: Option<RequestError>,
) -> Option<Error> {
    match missing_owner(cx, read, &nothing).await {
        None => missing_parent(cx, read, &nothing, failed).await,
        error => error,
    }
}

/// The error of a list without an object, which `nothing` describes, if a parent of `read` does not exist.
async fn missing_parent(
    cx: &LookupContext<'_>,
    read: &Read,
    nothing: &str,
    failed: Option<RequestError>,
) -> Option<Error> {
    let mut of_list = failed.filter(RequestError::names_an_object);
    for named in read.parent.iter().chain(&read.mentions) {
        let path = named.object.as_ref().unwrap_or(&named.path);
        let mut failed = of_list.take();
        if failed.is_none() {
            let itself = Get::new(read.tree.root()).policy_path(path);
            failed = cx.fetch().path(itself).await.err();
        }
        let is_parent = read.parent.as_ref() == Some(named);
        // The manager does not return such a parent on its own.
        if failed.as_ref().is_some_and(|error| !error.names_an_object()) && is_parent && read.has_one_list() {
            failed = cx.fetch().path(requests::list(read)).await.err();
        }
        // Objects at any depth below it have no list that would show whether it exists.
        if let Some(error) = &failed
            && error.kind() == RequestErrorKind::NotFound
            && !error.names_an_object()
            && is_parent
            && !read.has_one_list()
        {
            return Some(cx.no_api_at(path, &read.tree, failed, Vec::new()));
        }
        let missing =
            failed.filter(|error| error.kind() == RequestErrorKind::NotFound && error.names_an_object());
        if missing.is_some() {
            let what = format!("{nothing}: {}", sentences::does_not_exist(named));
            return Some(
                cx.not_found(what, None, missing)
                    .with_clues(Clues::missing(Place::Parent)),
            );
        }
    }
    None
}

/// The error of an empty list if the manager has no API for it, as `failed` shows. The search finds nothing then, and does
/// not fail.
pub(crate) async fn without_api(cx: &LookupContext<'_>, read: &Read, failed: &RequestError) -> Option<Error> {
    let is_absent = failed.kind() == RequestErrorKind::NotFound
        && !failed.names_an_object()
        && !read.kind.also_outside_collection;
    match is_absent {
        true => Some(cx.no_api(read.kind.noun, failed.clone()).await),
        false => None,
    }
}

/// The error of an empty list, which `nothing` describes, if the project or the VPC of `read` does not exist.
pub(crate) async fn missing_owner(cx: &LookupContext<'_>, read: &Read, nothing: &str) -> Option<Error> {
    let owner = owner(cx, &read.tree).await?;
    let error = cx.not_found(format!("{nothing}; {}", owner.sentence), None, None);
    Some(error.with_clues(Clues::missing(owner.missing?)))
}

/// The error of a read that failed. A list in a project that does not exist looks like a missing API, if the manager
/// responded and not a proxy.
pub(crate) async fn refused(cx: &LookupContext<'_>, read: &Read, refused: ReadError) -> Error {
    let missing = match &refused {
        ReadError::NoApi(error) if error.is_of_manager() => {
            missing(cx, read, sentences::none(cx, read), Some(error.clone())).await
        }
        ReadError::NoApi(_) | ReadError::Request(_) => None,
    };
    match missing {
        Some(error) => error,
        None => {
            cx.refused(read.kind.noun, sentences::what(cx, read), refused)
                .await
        }
    }
}

/// A project or a VPC, as far as an error explains it.
struct Owner {
    /// The kind of place, if it does not exist.
    missing: Option<Place>,
    /// Whether its display name was given instead of its id.
    is_name: bool,
    /// Whether it exists, as a clause.
    sentence: String,
}

/// The project or VPC of `tree`. `None` if there is none, or it could not be read.
async fn owner(cx: &LookupContext<'_>, tree: &Tree) -> Option<Owner> {
    let read = |kind| Read::new(kind, cx.scope, By::All);
    let (owner, place, id) = match tree {
        Tree::Project(id) => (read(&PROJECT), Place::Project, id),
        Tree::Vpc { project, vpc } => (read(&VPC).in_project(Some(project)), Place::Vpc, vpc),
        Tree::Local | Tree::Global | Tree::GlobalOnLocal => return None,
    };
    let noun = owner.kind.noun;
    if !is_missing(cx, owner, id).await? {
        return Some(Owner {
            missing: None,
            is_name: false,
            sentence: format!("the {noun} exists"),
        });
    }
    let (place, noun, id) = match tree {
        // A VPC is missing with its project.
        Tree::Vpc { project, .. } if is_unknown(cx, project).await => (Place::Project, "project", project),
        _ => (place, noun, id),
    };
    let named = match place {
        Place::Project => project_with_name(cx, id).await,
        _ => None,
    };
    let mut sentence = format!("{noun} {} does not exist", cx.sanitized(id));
    if let Some(id) = &named {
        sentence.push_str(&format!(
            ", but the project with id {} has this name",
            cx.sanitized(id)
        ));
    }
    Some(Owner {
        missing: Some(place),
        is_name: named.is_some(),
        sentence,
    })
}

/// Id of the project with this display name.
async fn project_with_name(cx: &LookupContext<'_>, name: &str) -> Option<String> {
    let by = By::Name(name.to_owned());
    let read = Read::new(&PROJECT, cx.scope, by);
    let plan = Arc::new(Plan::new(read, Criteria::default()));
    match find(cx, &plan.read, &plan).await.ok()?.selection.choose() {
        Chosen::One(project) if project.name() == name => Some(project.id().to_owned()),
        _ => None,
    }
}

/// Checks whether the manager has no object with this id, also because it is older than such objects. Returns `None` if
/// the read fails.
async fn is_missing(cx: &LookupContext<'_>, read: Read, id: &str) -> Option<bool> {
    let by = By::Id(id.to_owned());
    let plan = Arc::new(Plan::new(Read { by, ..read }, Criteria::default()));
    match find(cx, &plan.read, &plan).await {
        Ok(found) => Some(found.selection.is_empty()),
        Err(ReadError::NoApi(error)) => error.is_of_manager().then_some(true),
        Err(ReadError::Request(_)) => None,
    }
}

/// Whether the default space contains the object of `plan`, and only one, for which `is_outside` is set.
async fn default_space(cx: &LookupContext<'_>, plan: &Arc<Plan>, is_outside: &mut bool) -> Option<String> {
    let tree = Tree::of(cx.scope.deployment);
    let mut read = Read::clone(&plan.read);
    // Other objects are only in projects, or below a parent that is in this one.
    match (read.kind.place, &mut read.parent) {
        (CollectionPlace::Project(_), _) => return None,
        (_, None) => {}
        (_, Some(parent)) => {
            let below = parent.path.strip_prefix(&read.tree.base())?;
            if !below.starts_with("/domains/") {
                return None;
            }
            parent.path = format!("{}{below}", tree.base());
        }
    }
    read.tree = tree;
    let read = Arc::new(read);
    let found = find(cx, &read, plan).await.ok()?;
    Some(match found.selection.choose() {
        Chosen::One(object) if plan.check(&object).is_err() => "the default space has no match".to_owned(),
        Chosen::One(object) => {
            *is_outside = true;
            let object = cx.sanitized_candidate(&Candidate::of(&object));
            format!("the default space has {object}")
        }
        Chosen::Several { .. } => "the default space has several matches".to_owned(),
        Chosen::None { .. } => "the default space has no match".to_owned(),
    })
}
