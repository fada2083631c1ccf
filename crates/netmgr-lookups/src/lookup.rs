//! What a lookup function is: one definition that dispatch, schemas, the token table, the command
//! line and the documentation read.

use std::future::Future;
use std::sync::Arc;

use netmgr_transport::{Error as RequestError, Failure};
use netmgr_types::InvalidProperty;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::batch::{Batch, Source};
use crate::context::Context;
use crate::error::Error;
use crate::executor::Wanted;
use crate::project;
use crate::read::{By, Read, Scope};
use crate::select::{Choose, Chosen};
use crate::sentences;
use crate::spec::LookupSpec;

/// A lookup with its inputs, such as [`GetIpPool`](crate::typed::GetIpPool), and the type that it returns.
///
/// The trait is sealed: only this crate implements it, so that it can grow with the managers (0225).
pub trait Lookup: Function<Returns = <Self as Lookup>::Output> {
    /// What the lookup returns.
    type Output: Send + 'static;
}

/// A lookup function as the registry and the dispatch use it: its facts, its inputs, and how it runs.
pub trait Function: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Its facts.
    const SPEC: LookupSpec;
    /// What it returns: [`Lookup::Output`].
    type Returns;

    /// Runs the function with these inputs.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    fn run(self, cx: &Context<'_>) -> impl Future<Output = Result<Self::Returns, Error>> + Send;

    /// Turns an output into JSON. Large outputs are moved instead of copied.
    ///
    /// # Errors
    ///
    /// Those of the output's `Serialize`.
    fn json(output: Self::Returns) -> Result<Value, serde_json::Error>
    where
        Self::Returns: Serialize,
    {
        serde_json::to_value(output)
    }
}

/// A lookup function that finds one object: it only states what it reads, how it chooses, and what of the object it
/// returns.
pub trait ObjectLookup: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Its facts.
    const SPEC: LookupSpec;
    /// What the manager sends.
    type Object: DeserializeOwned + ManagedObject + Send + Sync + 'static;
    /// What it returns: [`Lookup::Output`].
    type Output;

    /// What to read and how to choose.
    ///
    /// # Errors
    ///
    /// Every problem of the input; then nothing is sent.
    fn plan(&self, scope: &Scope) -> Result<Plan<Self::Object>, Vec<InvalidProperty>>;

    /// The output for the object found.
    fn output(self, object: Self::Object) -> Self::Output;
}

/// What to ask for and how to choose among the answers.
pub struct Plan<T> {
    /// What to ask for.
    pub read: Read,
    /// How to choose.
    pub choose: Choose<T>,
    /// What an object of the collection must be, however it was found; says what it is otherwise.
    pub must_be: fn(&T) -> Result<(), String>,
    /// Whether an object is the one that an id or key names.
    pub is_meant: fn(&T, &str) -> bool,
}

impl<T: ManagedObject> Plan<T> {
    /// Takes what `read` finds.
    #[must_use]
    pub fn new(read: Read, choose: Choose<T>) -> Self {
        Self {
            read,
            choose,
            must_be: |_| Ok(()),
            is_meant: |object, id| object.id() == id,
        }
    }
}

impl<L: ObjectLookup> Function for L {
    const SPEC: LookupSpec = <L as ObjectLookup>::SPEC;
    type Returns = L::Output;

    async fn run(self, cx: &Context<'_>) -> Result<L::Output, Error> {
        let plan = self.plan(cx.scope()).map_err(|problems| cx.invalid(problems))?;
        let object = find_object(cx, &plan).await?;
        Ok(self.output(object))
    }
}

/// The object that `plan` describes. When there is none in a project, the error says what else is
/// known of the project.
pub(crate) async fn find_object<T>(cx: &Context<'_>, plan: &Plan<T>) -> Result<T, Error>
where
    T: Wanted,
{
    let found = match &plan.read.by {
        By::Id(id) => by_id(cx, plan, id, cx.find(&plan.read).await?),
        By::Key { value, .. } => by_key(cx, plan, value, cx.find(&plan.read).await?).await,
        By::Name(_) | By::All => by_choice(cx, plan, cx.find(&plan.read).await?).await,
    };
    match found {
        Err(error) => Err(project::explain(cx, plan, error).await),
        // Its path is part of the answer, and of other objects that refer to it.
        Ok(object) if plan.read.kind.is_policy() && object.path().is_none_or(str::is_empty) => {
            let reason = format!("the object with id {:?} has no `path`", object.id());
            let source = RequestError::BadReply(Box::new(Failure {
                reason: Some(reason),
                ..Failure::default()
            }));
            Err(request_failed(
                cx.name(),
                sentences::what(&plan.read),
                Arc::new(source),
            ))
        }
        found => found,
    }
}

/// A key decides alone like an id, and the list has the last word on what is missing.
async fn by_key<T>(cx: &Context<'_>, plan: &Plan<T>, key: &str, mut batch: Batch<T>) -> Result<T, Error>
where
    T: Wanted,
{
    batch.objects.retain(|object| (plan.is_meant)(object, key));
    if batch.objects.is_empty() {
        batch = cx.confirm(&plan.read, batch).await?;
        batch.objects.retain(|object| (plan.is_meant)(object, key));
    }
    by_id(cx, plan, key, batch)
}

/// An id decides alone; whatever else was given is only compared.
fn by_id<T: ManagedObject>(cx: &Context<'_>, plan: &Plan<T>, id: &str, batch: Batch<T>) -> Result<T, Error> {
    let noun = plan.read.kind.noun;
    let incomplete = batch.incomplete(|_| true);
    let mut objects = batch.objects;
    if objects.len() > 1 {
        let choose = Choose::default();
        if let Chosen::Several { found, total, .. } = choose.choose(objects) {
            let what = sentences::several_of_id(&plan.read, id);
            return Err(cx.ambiguous(what, found, total, incomplete));
        }
        return Err(cx.internal("several objects became one"));
    }
    let Some(object) = objects.pop() else {
        if let Some(unread) = batch.unread {
            return Err(request_failed(cx.name(), sentences::what(&plan.read), unread));
        }
        // A 404 of the object's own path says nothing about the parent.
        let listed = batch
            .missing
            .as_deref()
            .filter(|_| batch.source != Source::Direct);
        let what = because(
            sentences::no_such_id(&plan.read, id),
            sentences::missing_parent(&plan.read, listed),
        );
        return Err(cx.not_found(what, incomplete, batch.missing));
    };
    if let Err(other) = (plan.must_be)(&object) {
        let what = because(sentences::no_such_id(&plan.read, id), Some(other));
        return Err(cx.not_found(what, None, None));
    }
    if let Some((name, _)) = plan
        .choose
        .name
        .as_ref()
        .filter(|_| !plan.choose.name_fits(&object))
    {
        cx.warn(&format!(
            "`id` decides: the {noun} with id {id:?} has display name {:?}, which does not fit `displayName` {name:?}",
            object.name()
        ));
    }
    for filter in plan.choose.filters.iter().filter(|filter| !filter.fits(&object)) {
        cx.warn(&format!(
            "`id` decides: the {noun} with id {id:?} has {:?} where `{}` asks for {:?}",
            (filter.actual)(&object),
            filter.property,
            filter.wanted
        ));
    }
    Ok(object)
}

/// A name, a filter or nothing chooses among several; the list has the last word unless the search
/// knows the exact name: one that the index lacks would beat any longer one that it has.
async fn by_choice<T>(cx: &Context<'_>, plan: &Plan<T>, mut batch: Batch<T>) -> Result<T, Error>
where
    T: Wanted,
{
    let is_candidate = |object: &T| (plan.must_be)(object).is_ok();
    let settled = |object: &T| is_candidate(object) && plan.choose.is_exactly(object);
    if !batch.objects.iter().any(settled) {
        batch = cx.confirm(&plan.read, batch).await?;
    }
    let incomplete = batch.incomplete(|name| plan.choose.concerns(name));
    batch.objects.retain(is_candidate);
    match plan.choose.choose(batch.objects) {
        Chosen::One(object) => {
            if let Some(why) = incomplete {
                cx.warn(&format!(
                    "only the {} {:?} fits, but the answer may be incomplete: {why}",
                    plan.read.kind.noun,
                    object.name()
                ));
            }
            Ok(object)
        }
        Chosen::None { excluded } => Err(match batch.unread {
            Some(unread) => request_failed(cx.name(), sentences::what(&plan.read), unread),
            None => {
                let what = because(
                    sentences::nothing(plan, excluded.as_ref()),
                    sentences::missing_parent(&plan.read, batch.missing.as_deref()),
                );
                cx.not_found(what, incomplete, batch.missing)
            }
        }),
        Chosen::Several { exact, found, total } => {
            Err(cx.ambiguous(sentences::several(plan, exact), found, total, incomplete))
        }
    }
}

/// A sentence with the clause that explains it, when there is one.
fn because(sentence: String, clause: Option<String>) -> String {
    match clause {
        Some(clause) => format!("{sentence}: {clause}"),
        None => sentence,
    }
}

/// A failed request as the failure of a function.
pub(crate) fn request_failed(function: &'static str, what: String, source: Arc<RequestError>) -> Error {
    Error::Manager {
        function,
        what,
        source,
    }
}

#[cfg(test)]
mod tests;
