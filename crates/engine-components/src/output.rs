//! `Output<T>`: a value that may arrive later, may be unknown, may be secret, and knows what it came from.
//! Combining several lives in `combine`; turning them into a child's properties in `property`.

use std::collections::BTreeSet;
use std::fmt;
use std::future::Future;

use engine_values::Urn;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};

use crate::error::Error;

/// What an [`Output`] carries once it has arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Data<T> {
    /// The value; `None` while it is unknown, as results of resources are in a preview.
    pub value: Option<T>,
    /// Whether the value, or anything it was made from, is secret.
    pub secret: bool,
    /// The resources that the value was made from.
    pub dependencies: BTreeSet<Urn>,
}

impl<T> Data<T> {
    /// A known, public value that comes from no resource.
    pub fn known(value: T) -> Self {
        Self {
            value: Some(value),
            secret: false,
            dependencies: BTreeSet::new(),
        }
    }

    /// An unknown value that comes from no resource.
    pub fn unknown() -> Self {
        Self {
            value: None,
            secret: false,
            dependencies: BTreeSet::new(),
        }
    }

    /// Adds the secretness and the dependencies of something this was made from.
    pub(crate) fn tainted(mut self, secret: bool, dependencies: BTreeSet<Urn>) -> Self {
        self.secret |= secret;
        self.dependencies.extend(dependencies);
        self
    }
}

/// A deferred value: what a registration, a call or an input of a component gives.
///
/// Cheap to clone; every clone shares one result. A value made from others through [`map`](Self::map),
/// [`then`](Self::then) or [`all`](crate::all) is unknown when one of them is unknown, secret when one is
/// secret, and depends on everything they depend on.
#[derive(Clone)]
pub struct Output<T: Clone>(State<T>);

/// A value that is there already stays outside the future, so that inputs can be looked at before anything
/// is registered.
#[derive(Clone)]
enum State<T: Clone> {
    Ready(Result<Data<T>, Error>),
    Later(Shared<BoxFuture<'static, Result<Data<T>, Error>>>),
}

/// What a deferred value may hold: anything that can be shared between the tasks that wait for it.
pub trait Deferrable: Clone + Send + Sync + 'static {}

impl<T: Clone + Send + Sync + 'static> Deferrable for T {}

impl<T: Deferrable> Output<T> {
    /// A value that is known now.
    pub fn known(value: T) -> Self {
        Self::ready(Data::known(value))
    }

    /// A value that will stay unknown.
    pub fn unknown() -> Self {
        Self::ready(Data::unknown())
    }

    /// A value that has arrived with its secretness and dependencies.
    pub fn ready(data: Data<T>) -> Self {
        Self(State::Ready(Ok(data)))
    }

    pub(crate) fn failed(error: Error) -> Self {
        Self(State::Ready(Err(error)))
    }

    /// The result of a future. The future runs when somebody waits for the output, and at most once.
    pub(crate) fn later(future: impl Future<Output = Result<Data<T>, Error>> + Send + 'static) -> Self {
        Self(State::Later(future.boxed().shared()))
    }

    /// The same value, marked as secret.
    pub fn secret(self) -> Self {
        self.alter(|data| Data { secret: true, ..data })
    }

    /// The same value, which also depends on the given resources.
    pub(crate) fn depending_on(self, urns: BTreeSet<Urn>) -> Self {
        self.alter(move |data| data.tainted(false, urns))
    }

    /// The data, if it has arrived.
    pub fn peek(&self) -> Option<&Data<T>> {
        match &self.0 {
            State::Ready(result) => result.as_ref().ok(),
            State::Later(shared) => shared.peek()?.as_ref().ok(),
        }
    }

    /// The value, if it has arrived and is known. Checks of inputs use it.
    pub fn peek_known(&self) -> Option<&T> {
        self.peek()?.value.as_ref()
    }

    /// Waits for the data.
    ///
    /// # Errors
    ///
    /// The failure of the registration or call that the value comes from.
    pub async fn resolve(&self) -> Result<Data<T>, Error> {
        match &self.0 {
            State::Ready(result) => result.clone(),
            State::Later(shared) => shared.clone().await,
        }
    }

    /// The value computed from this one, once it is known.
    pub fn map<U: Deferrable>(self, f: impl FnOnce(T) -> U + Send + 'static) -> Output<U> {
        self.alter(
            |Data {
                 value,
                 secret,
                 dependencies,
             }| Data {
                value: value.map(f),
                secret,
                dependencies,
            },
        )
    }

    /// The deferred value computed from this one, once it is known.
    pub fn then<U: Deferrable>(self, f: impl FnOnce(T) -> Output<U> + Send + 'static) -> Output<U> {
        let step = |data: Data<T>| match data.value {
            None => (Output::unknown(), data.secret, data.dependencies),
            Some(value) => (f(value), data.secret, data.dependencies),
        };
        match self.0 {
            State::Ready(Err(error)) => Output::failed(error),
            State::Ready(Ok(data)) => {
                let (next, secret, dependencies) = step(data);
                next.alter(move |data| data.tainted(secret, dependencies))
            }
            State::Later(shared) => Output::later(async move {
                let (next, secret, dependencies) = step(shared.await?);
                Ok(next.resolve().await?.tainted(secret, dependencies))
            }),
        }
    }

    /// Runs `f` on the data, known or not: at once when it is there, otherwise when it arrives.
    pub(crate) fn alter<U: Deferrable>(
        self,
        f: impl FnOnce(Data<T>) -> Data<U> + Send + 'static,
    ) -> Output<U> {
        match self.0 {
            State::Ready(result) => Output(State::Ready(result.map(f))),
            State::Later(shared) => Output::later(async move { Ok(f(shared.await?)) }),
        }
    }
}

impl<T: Deferrable> From<T> for Output<T> {
    fn from(value: T) -> Self {
        Self::known(value)
    }
}

impl From<&str> for Output<String> {
    fn from(value: &str) -> Self {
        Self::known(value.to_owned())
    }
}

/// Shows the value only when it is known and public.
impl<T: Deferrable + fmt::Debug> fmt::Debug for Output<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.peek() {
            None => f.write_str("Output(pending)"),
            Some(Data { secret: true, .. }) => f.write_str("Output([secret])"),
            Some(Data { value: None, .. }) => f.write_str("Output(unknown)"),
            Some(Data {
                value: Some(value), ..
            }) => f.debug_tuple("Output").field(value).finish(),
        }
    }
}

#[cfg(test)]
mod tests;
