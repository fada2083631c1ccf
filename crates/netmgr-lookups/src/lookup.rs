//! Definition of a lookup function, from which dispatch, schemas, the token table, the command line and the
//! documentation are derived.

use std::future::Future;
use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt as _, ready};
use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure};
use netmgr_types::InvalidProperty;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::batch::{Batch, Source};
use crate::context::Context;
use crate::error::Error;
use crate::object::{AnyObject, WireObject};
use crate::output::Output;
use crate::project;
use crate::read::{By, Read, Scope};
use crate::select::{Choose, Chosen, Test};
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
    /// Facts about the function.
    const SPEC: LookupSpec;
    /// What it returns: [`Lookup::Output`].
    type Returns;

    /// Checks the inputs without sending anything.
    ///
    /// # Errors
    ///
    /// Every problem that [`Function::run`] would report before its first request.
    fn check(&self, _scope: &Scope) -> Result<(), Vec<InvalidProperty>> {
        Ok(())
    }

    /// Runs the function with these inputs.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    fn run(self, cx: &Context<'_>) -> impl Future<Output = Result<Self::Returns, Error>> + Send;

    /// Runs the function and returns its result without its type.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    fn untyped<'a>(self, cx: &'a Context<'a>) -> BoxFuture<'a, Result<Output, Error>>
    where
        Self::Returns: Serialize,
    {
        // Not async, because each of the futures would keep the inputs (0105).
        Box::pin(self.run(cx).map(|output| json(cx, output?)))
    }
}

/// A lookup function that finds one object: it only states what it reads, how it chooses, and what of the object it
/// returns.
pub trait ObjectLookup: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Facts about the function.
    const SPEC: LookupSpec;
    /// Object that the manager sends.
    type Object: WireObject;
    /// What it returns: [`Lookup::Output`].
    type Output;

    /// What to read and how to choose.
    ///
    /// # Errors
    ///
    /// Every problem of the input; then nothing is sent.
    fn plan(&self, scope: &Scope) -> Result<Plan<Self::Object>, Vec<InvalidProperty>>;

    /// Converts the object to the output.
    fn output(self, object: Self::Object) -> Self::Output;
}

/// A read and the selection among its results.
pub struct Plan<T> {
    /// The read.
    pub read: Arc<Read>,
    /// The selection.
    pub choose: Choose<T>,
    must_be: Option<MustBe<T>>,
    is_meant: Option<Test<T>>,
}

type MustBe<T> = Box<dyn Fn(&T) -> Result<(), String> + Send + Sync>;

impl<T: WireObject> Plan<T> {
    /// Creates a plan.
    #[must_use]
    pub fn new(read: Read, choose: Choose<T>) -> Self {
        Self {
            read: Arc::new(read.decoded_as::<T>()),
            choose,
            must_be: None,
            is_meant: None,
        }
    }

    /// Checks each object, independent of how it was found. The error describes the actual object.
    #[must_use]
    pub fn must_be(mut self, check: impl Fn(&T) -> Result<(), String> + Send + Sync + 'static) -> Self {
        self.must_be = Some(Box::new(check));
        self
    }

    /// Sets how a key identifies the object. Default: it is its id.
    #[must_use]
    pub fn identified_by(mut self, is_meant: impl Fn(&T, &str) -> bool + Send + Sync + 'static) -> Self {
        self.is_meant = Some(Box::new(is_meant));
        self
    }

    /// The same plan for objects without their type.
    fn untyped(self) -> Plan<AnyObject> {
        let (must_be, is_meant) = (self.must_be, self.is_meant);
        Plan {
            read: self.read,
            choose: self.choose.untyped(),
            must_be: must_be.map(|check| -> MustBe<AnyObject> {
                Box::new(move |object| object.get().map_or(Ok(()), &check))
            }),
            is_meant: is_meant.map(|is_meant| -> Test<AnyObject> {
                Box::new(move |object, key| object.get().is_some_and(|object| is_meant(object, key)))
            }),
        }
    }
}

impl<T: ManagedObject> Plan<T> {
    /// Checks that `object` is what the lookup is for.
    pub(crate) fn check(&self, object: &T) -> Result<(), String> {
        self.must_be.as_ref().map_or(Ok(()), |check| check(object))
    }

    fn means(&self, object: &T, key: &str) -> bool {
        match &self.is_meant {
            Some(is_meant) => is_meant(object, key),
            None => object.id() == key,
        }
    }
}

impl<L: ObjectLookup> Function for L {
    const SPEC: LookupSpec = <L as ObjectLookup>::SPEC;
    type Returns = L::Output;

    fn check(&self, scope: &Scope) -> Result<(), Vec<InvalidProperty>> {
        self.plan(scope).map(drop)
    }

    #[allow(
        clippy::manual_async_fn,
        reason = "an async fn keeps the inputs twice while the lookup waits (0291)"
    )]
    fn run(self, cx: &Context<'_>) -> impl Future<Output = Result<L::Output, Error>> + Send {
        async move {
            let plan = self.plan(cx.scope()).map_err(|problems| cx.invalid(problems))?;
            let object = find_object(cx, plan).await?;
            Ok(self.output(object))
        }
    }

    fn untyped<'a>(self, cx: &'a Context<'a>) -> BoxFuture<'a, Result<Output, Error>>
    where
        L::Output: Serialize,
    {
        match self.plan(cx.scope()) {
            Ok(plan) => {
                let finish = |object| json(cx, self.output(typed(cx, object)?));
                found(cx, plan.untyped(), Box::new(finish))
            }
            Err(problems) => Box::pin(ready(Err(cx.invalid(problems)))),
        }
    }
}

/// Converts the object of a plan to the result of a function.
type Finish<'a> = Box<dyn FnOnce(AnyObject) -> Result<Output, Error> + Send + 'a>;

/// Finds the object of `plan`. Compiled once for all functions.
fn found<'a>(
    cx: &'a Context<'a>,
    plan: Plan<AnyObject>,
    finish: Finish<'a>,
) -> BoxFuture<'a, Result<Output, Error>> {
    Box::pin(async move {
        let batch = cx.find(&plan.read).await?;
        // Boxed, because what follows the first answer is larger than the wait for it (0105).
        let object = Box::pin(select_object(cx, &plan, batch)).await?;
        finish(object)
    })
}

/// The object with its type, which is the one that its plan decodes.
pub(crate) fn typed<T: 'static>(cx: &Context<'_>, object: AnyObject) -> Result<T, Error> {
    object
        .into()
        .ok_or_else(|| cx.internal("the object is of another type"))
}

fn json(cx: &Context<'_>, output: impl Serialize) -> Result<Output, Error> {
    let json = serde_json::to_value(output);
    json.map(Output::Json)
        .map_err(|error| cx.internal(&error.to_string()))
}

/// Finds the object of `plan`.
async fn find_object<T>(cx: &Context<'_>, plan: Plan<T>) -> Result<T, Error>
where
    T: WireObject,
{
    let plan = plan.untyped();
    let batch = cx.find(&plan.read).await?;
    typed(cx, Box::pin(select_object(cx, &plan, batch)).await?)
}

/// Selects the object among those of the first answer. If it is not found in a project, the error includes information
/// about the project.
async fn select_object(
    cx: &Context<'_>,
    plan: &Plan<AnyObject>,
    batch: Batch<AnyObject>,
) -> Result<AnyObject, Error> {
    let found = match &plan.read.by {
        By::Id(id) => by_id(cx, plan, id, batch),
        By::Key { value, .. } => by_key(cx, plan, value, batch).await,
        By::Name(_) | By::All => by_choice(cx, plan, batch).await,
    };
    match found {
        Err(error) => Err(project::explain(cx, plan, error).await),
        // The path is part of the output, and other objects refer to it.
        Ok(object) if plan.read.kind.is_policy() && object.path().is_none_or(str::is_empty) => {
            let reason = format!("the object with id {:?} has no `path`", object.id());
            let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(reason));
            Err(Error::request_failed(
                cx.name(),
                sentences::what(&plan.read),
                source,
            ))
        }
        found => found,
    }
}

/// A key takes precedence like an id. The list confirms that an object is missing.
async fn by_key(
    cx: &Context<'_>,
    plan: &Plan<AnyObject>,
    key: &str,
    mut batch: Batch<AnyObject>,
) -> Result<AnyObject, Error> {
    batch.objects.retain(|object| plan.means(object, key));
    if batch.objects.is_empty() {
        batch = cx.confirm(&plan.read, batch).await?;
        batch.objects.retain(|object| plan.means(object, key));
    }
    by_id(cx, plan, key, batch)
}

/// An id takes precedence. Other inputs are only compared.
fn by_id(
    cx: &Context<'_>,
    plan: &Plan<AnyObject>,
    id: &str,
    batch: Batch<AnyObject>,
) -> Result<AnyObject, Error> {
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
            return Err(Error::request_failed(
                cx.name(),
                sentences::what(&plan.read),
                unread,
            ));
        }
        // A 404 for the path of the object does not indicate whether the parent exists.
        let listed = batch.missing.as_ref().filter(|_| batch.source != Source::Direct);
        let what = because(
            sentences::no_such_id(&plan.read, id),
            sentences::missing_parent(&plan.read, listed),
        );
        return Err(cx.not_found(what, incomplete, batch.missing));
    };
    if let Err(other) = plan.check(&object) {
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
            "the {noun} with id {id:?} has display name {:?}, which does not match `displayName` {name:?}; `id` takes precedence",
            object.name()
        ));
    }
    for filter in plan.choose.filters.iter().filter(|filter| !filter.fits(&object)) {
        cx.warn(&format!(
            "the {noun} with id {id:?} has {:?} instead of `{}` {:?}; `id` takes precedence",
            (filter.actual)(&object),
            filter.property,
            filter.wanted
        ));
    }
    Ok(object)
}

/// Selects by name, filters or neither. The list confirms the result unless the search found the exact name,
/// because an exact match that the index lacks takes precedence over longer names.
async fn by_choice(
    cx: &Context<'_>,
    plan: &Plan<AnyObject>,
    mut batch: Batch<AnyObject>,
) -> Result<AnyObject, Error> {
    let is_candidate = |object: &AnyObject| plan.check(object).is_ok();
    let settled = |object: &AnyObject| is_candidate(object) && plan.choose.is_exactly(object);
    if !batch.objects.iter().any(settled) {
        batch = cx.confirm(&plan.read, batch).await?;
    }
    let incomplete = batch.incomplete(|name| plan.choose.concerns(name));
    batch.objects.retain(is_candidate);
    match plan.choose.choose(batch.objects) {
        Chosen::One(object) => {
            if let Some(why) = incomplete {
                cx.warn(&format!(
                    "only the {} {:?} matches, but the answer may be incomplete: {why}",
                    plan.read.kind.noun,
                    object.name()
                ));
            }
            Ok(object)
        }
        Chosen::None { excluded } => Err(match batch.unread {
            Some(unread) => Error::request_failed(cx.name(), sentences::what(&plan.read), unread),
            None => {
                let what = because(
                    sentences::nothing(plan, excluded.as_ref()),
                    sentences::missing_parent(&plan.read, batch.missing.as_ref()),
                );
                cx.not_found(what, incomplete, batch.missing)
            }
        }),
        Chosen::Several { exact, found, total } => {
            Err(cx.ambiguous(sentences::several(plan, exact), found, total, incomplete))
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

#[cfg(test)]
mod tests;
