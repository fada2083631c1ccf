//! Definition of a lookup function, from which dispatch, schemas, the token table, the command line and the
//! documentation are derived.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use netmgr_types::InvalidProperty;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::context::LookupContext;
use crate::error::Error;
use crate::plan::Plan;
use crate::read::Scope;
use crate::reads::FunctionRead;
use crate::select::select_object;
use crate::spec::LookupSpec;

/// A lookup with its inputs, such as [`GetIpPool`](crate::typed::GetIpPool), and the type that it returns.
///
/// The trait is sealed: only this crate implements it, so that it can grow with the managers.
pub trait Lookup: Function<Returns = <Self as Lookup>::Output> {
    /// The type that the lookup returns.
    type Output: Send + 'static;
}

/// A lookup function as seen by the registry and the dispatch: its facts, its inputs, and how it runs.
pub trait Function: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Facts about the function.
    const SPEC: LookupSpec;
    /// The type that it returns: [`Lookup::Output`].
    type Returns;

    /// Reads of the function.
    fn reads() -> Vec<FunctionRead>;

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
    fn run(self, cx: &LookupContext<'_>) -> impl Future<Output = Result<Self::Returns, Error>> + Send;
}

/// A lookup function that finds one object. It only defines its reads, its selection and its output.
pub trait ObjectLookup: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Facts about the function.
    const SPEC: LookupSpec;
    /// The type that it returns: [`Lookup::Output`].
    type Output;
    /// [`ObjectLookup::complete`] without the type of the function. `None` if it does nothing.
    const COMPLETION: Option<Completion> = None;

    /// All reads that any inputs can cause.
    fn reads() -> Vec<FunctionRead>;

    /// Plans the requests and the selection.
    ///
    /// # Errors
    ///
    /// All problems of the input. Nothing is sent if there are any.
    fn plan(&self, scope: &Scope) -> Result<Plan, Vec<InvalidProperty>>;

    /// Adds members to the object that need additional requests.
    ///
    /// # Errors
    ///
    /// The errors of the requests.
    fn complete(
        &self,
        _cx: &LookupContext<'_>,
        _object: &mut ManagedObject,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        async { Ok(()) }
    }

    /// Converts the object to the output.
    fn output(self, object: &ManagedObject) -> Self::Output;
}

/// Adds members to an object that need additional requests. See [`ObjectLookup::COMPLETION`].
pub(crate) type Completion =
    for<'a> fn(Value, &'a LookupContext<'a>, &'a mut ManagedObject) -> BoxFuture<'a, Result<(), Error>>;

/// A function without its types.
pub(crate) trait AnyFunction: Sync {
    /// Checks an input without sending anything.
    fn check(&self, input: &Value, scope: &Scope) -> Result<(), Vec<InvalidProperty>>;

    /// Runs the function.
    fn run<'a>(&'a self, input: Value, cx: &'a LookupContext<'a>) -> BoxFuture<'a, Result<Value, Error>>;
}

impl<L: ObjectLookup> Function for L {
    const SPEC: LookupSpec = <L as ObjectLookup>::SPEC;
    type Returns = L::Output;

    fn reads() -> Vec<FunctionRead> {
        <L as ObjectLookup>::reads()
    }

    fn check(&self, scope: &Scope) -> Result<(), Vec<InvalidProperty>> {
        self.plan(scope).map(drop)
    }

    async fn run(self, cx: &LookupContext<'_>) -> Result<L::Output, Error> {
        let plan = self.plan(cx.scope()).map_err(|problems| cx.invalid(problems))?;
        let mut object = select_object(cx, plan).await?;
        self.complete(cx, Arc::make_mut(&mut object)).await?;
        Ok(self.output(&object))
    }
}

#[cfg(test)]
mod tests;
