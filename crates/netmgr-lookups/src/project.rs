//! Explanation of a failed lookup in a project: whether the project exists, and whether the default space
//! contains the object.
//!
//! Requires at most two reads, and only if nothing was found. The result of a failed read is omitted.

use std::sync::Arc;

use netmgr_types::wire::ManagerObject;

use crate::context::LookupContext;
use crate::error::{Candidate, Error};
use crate::objects::WireObject;
use crate::plan::Plan;
use crate::read::{By, ObjectKind, Read, Tree};
use crate::select::find;
use crate::selection::{Choose, Chosen};

/// Projects of the policy API.
pub(crate) const PROJECT: ObjectKind =
    ObjectKind::fixed("project", "Project", "/policy/api/v1/orgs/default/projects");

/// Completes `error` if nothing was found in a project.
pub(crate) async fn explain<T: WireObject>(
    cx: &LookupContext<'_>,
    plan: &Arc<Plan<T>>,
    mut error: Error,
) -> Error {
    if let (Tree::Project(id), Error::NotFound { what, .. }) = (&plan.read.tree, &mut error) {
        let clauses = [project(cx, id).await, default_space(cx, plan).await];
        for clause in clauses.into_iter().flatten() {
            what.push_str("; ");
            what.push_str(&clause);
        }
    }
    error
}

/// Whether the project exists.
async fn project(cx: &LookupContext<'_>, id: &str) -> Option<String> {
    let read = Read::new(&PROJECT, cx.scope(), By::Id(id.to_owned()));
    let plan = Arc::new(Plan::<ManagerObject>::new(read, Choose::default()));
    let found = find(cx, &plan.read, &plan).await.ok()?;
    Some(if found.selection.is_empty() {
        format!("project {id} does not exist")
    } else {
        "the project exists".to_owned()
    })
}

/// Whether the default space contains the object of `plan`.
async fn default_space<T: WireObject>(cx: &LookupContext<'_>, plan: &Arc<Plan<T>>) -> Option<String> {
    let read = Arc::new(Read {
        tree: Tree::of(cx.scope().deployment),
        ..Read::clone(&plan.read)
    });
    let found = find(cx, &read, plan).await.ok()?;
    let is_other = |object: &T| plan.check(object).is_err();
    Some(match found.selection.choose() {
        Chosen::One(object) if is_other(&object) => "the default space has no match".to_owned(),
        Chosen::One(object) => format!(
            "the default space has {}; omit `context` to select it",
            Candidate::of(&object)
        ),
        Chosen::Several { .. } => "the default space has several matches".to_owned(),
        Chosen::None { .. } => "the default space has no match".to_owned(),
    })
}
