//! What a lookup function is: one definition that dispatch, schemas, the token table, the command
//! line and the documentation read.

use std::future::Future;
use std::sync::Arc;

use netmgr_transport::Error as RequestError;
use netmgr_types::wire::Object;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::Context;
use crate::error::{Error, Problem};
use crate::executor::Batch;
use crate::read::{By, Read, Scope};
use crate::select::{Choose, Chosen, Excluded, NameRule};
use crate::spec::LookupSpec;

/// A lookup function.
pub trait Lookup: 'static {
    /// Its facts.
    const SPEC: LookupSpec;
    /// Its input object.
    type Input: DeserializeOwned + JsonSchema + Send + Sync;
    /// Its output object.
    type Output: Serialize + JsonSchema + Send;

    /// Answers `input`.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    fn run(input: Self::Input, cx: &Context<'_>) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}

/// A lookup function that finds one object: it only states what it asks for and what of the object
/// it returns.
pub trait ObjectLookup: 'static {
    /// Its facts.
    const SPEC: LookupSpec;
    /// Its input object.
    type Input: DeserializeOwned + JsonSchema + Send + Sync;
    /// What the manager sends.
    type Object: DeserializeOwned + Object + Send + Sync;
    /// Its output object.
    type Output: Serialize + JsonSchema + Send;

    /// What to ask for and how to choose.
    ///
    /// # Errors
    ///
    /// Every problem of the input; then nothing is asked.
    fn plan(input: &Self::Input, scope: &Scope) -> Result<Plan<Self::Object>, Vec<Problem>>;

    /// The output for the object found.
    fn output(input: Self::Input, object: Self::Object) -> Self::Output;
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

impl<T: Object> Plan<T> {
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

impl<L: ObjectLookup> Lookup for L {
    const SPEC: LookupSpec = <L as ObjectLookup>::SPEC;
    type Input = <L as ObjectLookup>::Input;
    type Output = <L as ObjectLookup>::Output;

    async fn run(input: Self::Input, cx: &Context<'_>) -> Result<Self::Output, Error> {
        let plan = L::plan(&input, cx.scope()).map_err(|problems| cx.invalid(problems))?;
        let object = find_object(cx, &plan).await?;
        Ok(L::output(input, object))
    }
}

/// The object that `plan` describes.
pub(crate) async fn find_object<T>(cx: &Context<'_>, plan: &Plan<T>) -> Result<T, Error>
where
    T: DeserializeOwned + Object + Send + Sync,
{
    let batch = cx.find::<T>(&plan.read).await?;
    match &plan.read.by {
        By::Id(id) => by_id(cx, plan, id, batch),
        By::Key { value, .. } => by_key(cx, plan, value, batch).await,
        By::Name(_) | By::All => by_choice(cx, plan, batch).await,
    }
}

/// A key decides alone like an id, and the list has the last word on what is missing.
async fn by_key<T>(cx: &Context<'_>, plan: &Plan<T>, key: &str, mut batch: Batch<T>) -> Result<T, Error>
where
    T: DeserializeOwned + Object + Send + Sync,
{
    batch.objects.retain(|object| (plan.is_meant)(object, key));
    if batch.objects.is_empty()
        && let Some(mut again) = cx.look_again(&plan.read, &batch).await?
    {
        again.objects.retain(|object| (plan.is_meant)(object, key));
        batch = again;
    }
    by_id(cx, plan, key, batch)
}

/// An id decides alone; whatever else was given is only compared.
fn by_id<T: Object>(cx: &Context<'_>, plan: &Plan<T>, id: &str, batch: Batch<T>) -> Result<T, Error> {
    let noun = plan.read.kind.noun;
    let incomplete = batch.incomplete(|_| true);
    let mut objects = batch.objects;
    if objects.len() > 1 {
        let choose = Choose::default();
        if let Chosen::Several { found, total, .. } = choose.choose(objects) {
            return Err(cx.ambiguous(
                format!("several {noun}s have id {id:?}"),
                found,
                total,
                incomplete,
            ));
        }
        return Err(cx.internal("several objects became one"));
    }
    let Some(object) = objects.pop() else {
        return Err(cx.not_found(
            format!("there is no {noun} with id {id:?}"),
            incomplete,
            batch.missing.map(Arc::new),
        ));
    };
    if let Err(other) = (plan.must_be)(&object) {
        return Err(cx.not_found(format!("there is no {noun} with id {id:?}: {other}"), None, None));
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
    T: DeserializeOwned + Object + Send + Sync,
{
    let is_candidate = |object: &T| (plan.must_be)(object).is_ok();
    let settled = |object: &T| is_candidate(object) && plan.choose.is_exactly(object);
    if !batch.objects.iter().any(settled)
        && let Some(again) = cx.look_again(&plan.read, &batch).await?
    {
        batch = again.and(batch.objects);
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
        Chosen::None { excluded } => Err(cx.not_found(nothing(plan, excluded), incomplete, None)),
        Chosen::Several { exact, found, total } => {
            Err(cx.ambiguous(several(plan, exact), found, total, incomplete))
        }
    }
}

/// What was looked for in vain.
fn nothing<T>(plan: &Plan<T>, excluded: Option<Excluded>) -> String {
    let noun = plan.read.kind.noun;
    let place = place(&plan.read);
    let Some(Excluded {
        property,
        wanted,
        found,
    }) = excluded
    else {
        return match &plan.choose.name {
            Some((name, NameRule::Exact)) => format!("no {noun}{place} has display name {name:?}"),
            Some((name, NameRule::ExactOrPrefix)) => {
                format!("no {noun}{place} has a display name that is or begins with {name:?}")
            }
            None => format!("there is no {noun}{place}"),
        };
    };
    let named = match &plan.choose.name {
        Some((name, NameRule::Exact)) => format!(" with display name {name:?}"),
        Some((name, NameRule::ExactOrPrefix)) => format!(" whose display name is or begins with {name:?}"),
        None => String::new(),
    };
    let found: Vec<String> = found.iter().map(|value| format!("{value:?}")).collect();
    format!(
        "no {noun}{place}{named} has `{property}` {wanted:?}; found {}",
        found.join(", ")
    )
}

fn several<T>(plan: &Plan<T>, exact: bool) -> String {
    let noun = plan.read.kind.noun;
    let place = place(&plan.read);
    match &plan.choose.name {
        Some((name, _)) if exact => {
            format!("several {noun}s{place} have display name {name:?}; select one by `id`")
        }
        Some((name, _)) => {
            format!(
                "several {noun}s{place} have a display name that begins with {name:?}; give the whole name or `id`"
            )
        }
        None => format!("there are several {noun}s{place}; select one by `id`"),
    }
}

/// Where a read looks, when that is worth saying.
fn place(read: &Read) -> String {
    match (&read.parent, &read.tree) {
        (Some(parent), _) => format!(" below {parent}"),
        (None, crate::Tree::Project(id)) => format!(" in project {id}"),
        (None, _) => String::new(),
    }
}

/// A failed request as the failure of a function.
pub(crate) fn request_failed(function: &'static str, what: String, error: RequestError) -> Error {
    Error::Manager {
        function,
        what,
        source: Arc::new(error),
    }
}
