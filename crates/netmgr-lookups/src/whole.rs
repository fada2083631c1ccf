//! Objects with all their members beside what functions return of them.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use netmgr_types::input;
use netmgr_types::wire::ManagedObject;
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::context::LookupContext;
use crate::error::Error;
use crate::lookup::ObjectLookup;
use crate::plan::{MustBe, Plan};
use crate::select::select_object;
use crate::selection::{Choose, Filter, Test};
use crate::sensitive;

/// The answer of a function with the object that it selected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WholeAnswer {
    /// Output of the function.
    pub output: Value,
    /// The object as the manager sent it, without secret members.
    pub object: Value,
}

/// An object as a function decodes it, and all its members.
pub(crate) struct WholeObject<T> {
    pub(crate) object: T,
    members: Map<String, Value>,
}

impl<T> WholeObject<T> {
    /// The object, and its members without those that hold secrets.
    pub(crate) fn divide(self) -> (T, Value) {
        let mut members = Value::Object(self.members);
        sensitive::remove(&mut members);
        (self.object, members)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for WholeObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Map::deserialize(deserializer)?;
        let object = T::deserialize(Value::Object(members.clone())).map_err(D::Error::custom)?;
        Ok(Self { object, members })
    }
}

impl<T: ManagedObject> ManagedObject for WholeObject<T> {
    fn id(&self) -> &str {
        self.object.id()
    }

    fn display_name(&self) -> Option<&str> {
        self.object.display_name()
    }

    fn description(&self) -> Option<&str> {
        self.object.description()
    }

    fn resource_type(&self) -> Option<&str> {
        self.object.resource_type()
    }

    fn path(&self) -> Option<&str> {
        self.object.path()
    }

    fn marked_for_delete(&self) -> bool {
        self.object.marked_for_delete()
    }
}

impl<T: 'static> Plan<T> {
    /// The plan for objects with all their members.
    pub(crate) fn whole(self) -> Plan<WholeObject<T>> {
        let filters = self.choose.filters.into_iter().map(|filter| {
            let (actual, fits) = (filter.actual, filter.fits);
            Filter::new(
                filter.property,
                filter.wanted,
                move |whole: &WholeObject<T>| actual(&whole.object),
                move |whole, wanted| fits(&whole.object, wanted),
            )
        });
        let choose = Choose {
            name: self.choose.name,
            filters: filters.collect(),
        };
        Plan {
            read: self.read,
            choose,
            must_be: self
                .must_be
                .map(|check| -> MustBe<WholeObject<T>> { Box::new(move |whole| check(&whole.object)) }),
            is_meant: self.is_meant.map(|is_meant| -> Test<WholeObject<T>> {
                Box::new(move |whole, key| is_meant(&whole.object, key))
            }),
        }
    }
}

/// Runs a function, and keeps the object that it selects.
pub(crate) type Whole = for<'a> fn(Value, &'a LookupContext<'a>) -> BoxFuture<'a, Result<WholeAnswer, Error>>;

/// Runs `L` as [`Function::run`](crate::lookup::Function::run) does, and keeps the object.
pub(crate) fn run<'a, L>(input: Value, cx: &'a LookupContext<'a>) -> BoxFuture<'a, Result<WholeAnswer, Error>>
where
    L: ObjectLookup<Output: Serialize>,
{
    Box::pin(async move {
        let lookup: L = input::decode(input).map_err(|problem| cx.invalid(vec![problem]))?;
        let plan = lookup.plan(cx.scope()).map_err(|problems| cx.invalid(problems))?;
        let whole = select_object(cx, Arc::new(plan.whole())).boxed().await?;
        let (mut object, members) = whole.divide();
        lookup.complete(cx, &mut object).await?;
        let output = serde_json::to_value(lookup.output(object));
        Ok(WholeAnswer {
            output: output.map_err(|error| cx.internal(&error.to_string()))?,
            object: members,
        })
    })
}
