//! Functions that find one object, without their types: as the registry and lists call them.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use netmgr_types::wire::ManagedObject;
use netmgr_types::{InvalidProperty, input, schema};
use schemars::Schema;
use serde::Serialize;
use serde_json::Value;

use crate::context::LookupContext;
use crate::error::Error;
use crate::lookup::{AnyFunction, Completion, ObjectLookup};
use crate::plan::Plan;
use crate::read::Scope;
use crate::select::select_object;

/// An [`ObjectLookup`], whose input is a JSON value.
pub(crate) struct ObjectFunction {
    /// JSON schema of the input.
    pub(crate) input_schema: fn() -> Schema,
    plan: fn(Value, &Scope) -> Planned,
    complete: Option<Completion>,
    output: fn(Value, &ManagedObject) -> Result<serde_json::Result<Value>, InvalidProperty>,
}

/// A plan, or the problems of its input.
type Planned = Result<Plan, Vec<InvalidProperty>>;

impl ObjectFunction {
    /// The function `L`.
    pub(crate) const fn of<L>() -> Self
    where
        L: ObjectLookup<Output: Serialize>,
    {
        Self {
            input_schema: schema::input::<L>,
            plan: plan::<L>,
            complete: L::COMPLETION,
            output: output::<L>,
        }
    }

    /// Plans the requests and the selection.
    ///
    /// # Errors
    ///
    /// The problems of the input.
    pub(crate) fn plan(&self, input: Value, scope: &Scope) -> Planned {
        (self.plan)(input, scope)
    }

    /// Converts an object to the output of the function.
    pub(crate) fn output(
        &self,
        input: Value,
        object: &ManagedObject,
        cx: &LookupContext<'_>,
    ) -> Result<Value, Error> {
        let output = (self.output)(input, object).map_err(|problem| cx.invalid(vec![problem]))?;
        output.map_err(|error| cx.internal(&error.to_string()))
    }
}

impl AnyFunction for ObjectFunction {
    fn check(&self, input: &Value, scope: &Scope) -> Result<(), Vec<InvalidProperty>> {
        self.plan(input.clone(), scope).map(drop)
    }

    fn run<'a>(&'a self, input: Value, cx: &'a LookupContext<'a>) -> BoxFuture<'a, Result<Value, Error>> {
        Box::pin(async move {
            let plan = self.plan(input.clone(), cx.scope());
            let plan = plan.map_err(|problems| cx.invalid(problems))?;
            let mut object = select_object(cx, plan).await?;
            if let Some(complete) = self.complete {
                complete(input.clone(), cx, Arc::make_mut(&mut object)).await?;
            }
            self.output(input, &object, cx)
        })
    }
}

fn plan<L: ObjectLookup>(input: Value, scope: &Scope) -> Planned {
    match input::decode::<L>(input) {
        Ok(lookup) => lookup.plan(scope),
        Err(problem) => Err(vec![problem]),
    }
}

fn output<L>(input: Value, object: &ManagedObject) -> Result<serde_json::Result<Value>, InvalidProperty>
where
    L: ObjectLookup<Output: Serialize>,
{
    let lookup: L = input::decode(input)?;
    Ok(serde_json::to_value(lookup.output(object)))
}

/// The completion of `L`.
pub(crate) fn complete<'a, L: ObjectLookup>(
    input: Value,
    cx: &'a LookupContext<'a>,
    object: &'a mut ManagedObject,
) -> BoxFuture<'a, Result<(), Error>> {
    Box::pin(async move {
        let lookup: L = input::decode(input).map_err(|problem| cx.invalid(vec![problem]))?;
        lookup.complete(cx, object).await
    })
}
