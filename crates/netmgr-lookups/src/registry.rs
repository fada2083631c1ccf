//! Registry entries: lookup functions with erased types.

use futures_util::future::BoxFuture;
use netmgr_types::{input, schema};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::Value;

use crate::context::Context;
use crate::error::Error;
use crate::listing::{self, List};
use crate::lookup::{Lookup, ObjectLookup};
use crate::spec::LookupSpec;

/// A lookup function with erased types.
pub struct Entry {
    /// Facts about the function.
    pub spec: LookupSpec,
    /// JSON schema of its input.
    pub input_schema: fn() -> Schema,
    /// JSON schema of its output.
    pub output_schema: fn() -> Schema,
    /// Lists the collection that the function selects from, if there is one.
    pub(crate) list: Option<List>,
    run: for<'a> fn(Value, &'a Context<'a>) -> BoxFuture<'a, Result<Value, Error>>,
}

impl Entry {
    /// The entry of `L`.
    #[must_use]
    pub(crate) const fn of<L>() -> Self
    where
        L: Lookup<Output: Serialize + JsonSchema>,
    {
        Self {
            spec: L::SPEC,
            input_schema: schema::input::<L>,
            output_schema: schema::output::<L::Output>,
            list: None,
            run: |input, cx| Box::pin(run::<L>(input, cx)),
        }
    }

    /// The entry of `L`, which selects an object of a collection.
    #[must_use]
    pub(crate) const fn of_objects<L>() -> Self
    where
        L: Lookup<Output: Serialize + JsonSchema> + ObjectLookup<Output = <L as Lookup>::Output>,
    {
        Self {
            list: Some(listing::list::<L>),
            ..Self::of::<L>()
        }
    }

    /// Runs the function with JSON values.
    pub(crate) fn run<'a>(&self, input: Value, cx: &'a Context<'a>) -> BoxFuture<'a, Result<Value, Error>> {
        (self.run)(input, cx)
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry")
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

async fn run<L>(input: Value, cx: &Context<'_>) -> Result<Value, Error>
where
    L: Lookup<Output: Serialize>,
{
    let lookup: L = input::decode(input).map_err(|problem| cx.invalid(vec![problem]))?;
    let output = lookup.run(cx).await?;
    L::json(output).map_err(|error| cx.internal(&error.to_string()))
}
