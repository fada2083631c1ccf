//! Explanation of a failed lookup in a project: whether the project exists, and whether the default space
//! contains the object.
//!
//! Requires at most two reads, and only if nothing was found. The result of a failed read is omitted.

use std::sync::Arc;

use crate::context::Context;
use crate::error::{Candidate, Error};
use crate::lookup::Plan;
use crate::object::AnyObject;
use crate::read::{By, ObjectKind, Read, Tree};
use crate::select::Chosen;

/// Source: manager-api F.2.
const PROJECT: ObjectKind = ObjectKind::fixed("project", "Project", "/policy/api/v1/orgs/default/projects");

/// Completes `error` if nothing was found in a project.
pub(crate) async fn explain(cx: &Context<'_>, plan: &Plan<AnyObject>, mut error: Error) -> Error {
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
async fn project(cx: &Context<'_>, id: &str) -> Option<String> {
    let read = Arc::new(Read::new(&PROJECT, cx.scope(), By::Id(id.to_owned())));
    let batch = cx.executor().find::<AnyObject>(&read).await.ok()?;
    Some(if batch.objects.is_empty() {
        format!("project {id} does not exist")
    } else {
        "the project exists".to_owned()
    })
}

/// Whether the default space contains the object of `plan`.
async fn default_space(cx: &Context<'_>, plan: &Plan<AnyObject>) -> Option<String> {
    let read = Arc::new(Read {
        tree: Tree::of(cx.scope().deployment),
        ..Read::clone(&plan.read)
    });
    let mut batch = cx.executor().find::<AnyObject>(&read).await.ok()?;
    batch.objects.retain(|object| plan.check(object).is_ok());
    let chosen = match &read.by {
        By::Id(_) => batch
            .objects
            .pop()
            .map_or(Chosen::None { excluded: None }, Chosen::One),
        _ => plan.choose.choose(batch.objects),
    };
    Some(match chosen {
        Chosen::One(object) => format!(
            "the default space has {}; omit `context` to select it",
            Candidate::of(&object)
        ),
        Chosen::Several { .. } => "the default space has several matches".to_owned(),
        Chosen::None { .. } => "the default space has no match".to_owned(),
    })
}
