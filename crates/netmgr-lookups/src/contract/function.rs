//! Definition of a lookup function, from which dispatch, schemas, the token table, the command line and the
//! documentation are derived.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use netmgr_types::InvalidProperty;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::contract::answer::Answer;
use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::LookupSpec;
use crate::finding::find::select_object;
use crate::finding::object_kind::ObjectKind;
use crate::finding::plan::Plan;
use crate::finding::read::Scope;

/// A lookup with its inputs, such as [`GetIpPool`](crate::typed::GetIpPool), and the type that it returns.
///
/// The trait is sealed: only this crate implements it, so that it can grow with the managers.
pub trait Lookup: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// The type that the lookup returns.
    type Output: Serialize + JsonSchema + Send + 'static;
    /// Facts about the function.
    #[doc(hidden)]
    const SPEC: LookupSpec;

    /// Kinds of the objects that it reads, its own first.
    #[doc(hidden)]
    const KINDS: &'static [&'static ObjectKind];

    /// Checks the inputs, and determines what the lookup does. Sends nothing.
    ///
    /// # Errors
    ///
    /// All problems of the inputs.
    #[doc(hidden)]
    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>>;
}

/// The work of a lookup whose inputs are valid, and which returns an `O`.
pub enum Invocation<O> {
    /// Selects an object, which becomes the output.
    Object {
        /// The requests and the selection.
        plan: Plan,
        /// Adds members that need additional requests.
        complete: Option<Complete>,
        /// Converts the object.
        output: ToOutput<O>,
    },
    /// Makes its own requests.
    Own(Own<O>),
}

/// Adds members to an object that need additional requests.
pub(crate) type Complete = Box<
    dyn for<'a> FnOnce(&'a LookupContext<'a>, &'a mut ManagedObject) -> BoxFuture<'a, Result<(), Error>>
        + Send,
>;
pub(crate) type ToOutput<O> = Box<dyn Fn(&ManagedObject) -> O + Send + Sync>;
pub(crate) type Own<O> =
    Box<dyn for<'a> FnOnce(&'a LookupContext<'a>) -> BoxFuture<'a, Result<O, Error>> + Send>;

impl<O: 'static> Invocation<O> {
    /// Selects an object, which `output` converts.
    pub(crate) fn object(plan: Plan, output: impl Fn(&ManagedObject) -> O + Send + Sync + 'static) -> Self {
        Self::Object {
            plan,
            complete: None,
            output: Box::new(output),
        }
    }

    pub(crate) fn own<R>(run: R) -> Self
    where
        R: for<'a> FnOnce(&'a LookupContext<'a>) -> BoxFuture<'a, Result<O, Error>> + Send + 'static,
    {
        Self::Own(Box::new(run))
    }

    /// Adds members to the selected object that need additional requests.
    pub(crate) fn completed<C>(self, by: C) -> Self
    where
        C: for<'a> FnOnce(&'a LookupContext<'a>, &'a mut ManagedObject) -> BoxFuture<'a, Result<(), Error>>
            + Send
            + 'static,
    {
        match self {
            Self::Object { plan, output, .. } => Self::Object {
                plan,
                complete: Some(Box::new(by)),
                output,
            },
            own => own,
        }
    }

    pub(crate) fn map<P: 'static>(self, convert: fn(O) -> P) -> Invocation<P> {
        match self {
            Self::Object {
                plan,
                complete,
                output,
            } => Invocation::Object {
                plan,
                complete,
                output: Box::new(move |object| convert(output(object))),
            },
            Self::Own(run) => Invocation::own(move |cx| Box::pin(async move { run(cx).await.map(convert) })),
        }
    }

    /// Sends the requests. The future is boxed, because callers of many lookups would hold copies of it in their own.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub(crate) fn run<'a>(self, cx: &'a LookupContext<'a>) -> BoxFuture<'a, Result<Answer<O>, Error>> {
        match self {
            Self::Object {
                plan,
                complete,
                output,
            } => Box::pin(async move {
                let selected = select_object(cx, plan).await?;
                let mut object = Arc::clone(&selected);
                if let Some(complete) = complete {
                    complete(cx, Arc::make_mut(&mut object)).await?;
                }
                Ok(Answer {
                    output: output(&object),
                    selected: Some(selected),
                })
            }),
            Self::Own(run) => Box::pin(async move {
                Ok(Answer {
                    output: run(cx).await?,
                    selected: None,
                })
            }),
        }
    }
}

impl LookupContext<'_> {
    /// Runs a lookup, as a part of this call.
    pub(crate) async fn run<L: Lookup>(&self, lookup: L) -> Result<L::Output, Error> {
        let invocation = lookup.invocation(self.scope);
        let invocation = invocation.map_err(|problems| self.invalid(problems))?;
        Ok(invocation.run(self).await?.output)
    }
}

#[cfg(test)]
mod tests;
