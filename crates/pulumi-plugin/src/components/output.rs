//! `Output<T>`: a deferred value, which may be unknown or secret, with its dependencies. Outputs are combined
//! in `combine` and converted to properties in `property`.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, OnceLock};

use crate::values::Urn;
use futures_util::FutureExt;
use futures_util::future::ready;

use crate::components::error::ConstructError;
use crate::components::tasks::{self, Settled};

/// The resolved data of an [`Output`].
#[derive(Clone, PartialEq, Eq)]
pub struct OutputData<T> {
    /// The value. `None` if it is unknown, like results of resources in a preview.
    pub value: Option<T>,
    /// Whether the value, or anything that it depends on, is secret.
    pub secret: bool,
    /// The resources that the value depends on.
    pub dependencies: BTreeSet<Urn>,
}

/// Prints the value only if it is public.
impl<T: fmt::Debug> fmt::Debug for OutputData<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value: &dyn fmt::Debug = match self.secret {
            true => &"[secret]",
            false => &self.value,
        };
        f.debug_struct("OutputData")
            .field("value", value)
            .field("secret", &self.secret)
            .field("dependencies", &self.dependencies)
            .finish()
    }
}

impl<T> OutputData<T> {
    /// A known, public value without dependencies.
    pub fn known(value: T) -> Self {
        Self {
            value: Some(value),
            secret: false,
            dependencies: BTreeSet::new(),
        }
    }

    /// An unknown value without dependencies.
    pub fn unknown() -> Self {
        Self {
            value: None,
            secret: false,
            dependencies: BTreeSet::new(),
        }
    }

    /// Adds the marks of a value that this was derived from.
    pub(crate) fn tainted(mut self, secret: bool, dependencies: BTreeSet<Urn>) -> Self {
        self.secret |= secret;
        self.dependencies.extend(dependencies);
        self
    }
}

/// A deferred value: the result of a registration or call, or an input of a component.
///
/// Cheap to clone; clones share the result. A value that is derived from others with [`map`](Self::map),
/// [`then`](Self::then) or [`all`](crate::components::all) is unknown if one of them is unknown, secret if one of them is
/// secret, and has all their dependencies.
#[derive(Clone)]
pub struct Output<T: Clone>(Resolution<T>);

/// A resolved value is not stored in a future, so that inputs can be checked before anything is registered.
#[derive(Clone)]
enum Resolution<T: Clone> {
    Ready(Result<OutputData<T>, ConstructError>),
    /// The task that settles the output, the output that the task leaves, and the parts of the value that are known before.
    Later(Settled, Arc<OnceLock<Output<T>>>, Option<Box<T>>),
}

/// Types that a deferred value can contain: all types that tasks can share.
pub trait Deferrable: Clone + Send + Sync + 'static {}

impl<T: Clone + Send + Sync + 'static> Deferrable for T {}

impl<T: Deferrable> Output<T> {
    /// Creates a known value.
    pub fn known(value: T) -> Self {
        Self::ready(OutputData::known(value))
    }

    /// Creates an unknown value.
    pub fn unknown() -> Self {
        Self::ready(OutputData::unknown())
    }

    /// Creates a resolved value with its marks.
    pub fn ready(data: OutputData<T>) -> Self {
        Self(Resolution::Ready(Ok(data)))
    }

    pub(crate) fn failed(error: ConstructError) -> Self {
        Self(Resolution::Ready(Err(error)))
    }

    /// Creates an output from a future. The future runs when the output is awaited, at most once.
    pub(crate) fn later(
        future: impl Future<Output = Result<OutputData<T>, ConstructError>> + Send + 'static,
    ) -> Self {
        let output = Arc::new(OnceLock::new());
        let cell = Arc::clone(&output);
        let settled = async move {
            // It is set only here.
            let _ = cell.set(Self::ready(future.await?));
            Ok(())
        };
        Self(Resolution::Later(settled.boxed().shared(), output, None))
    }

    /// Creates an output that is computed after `first`.
    pub(crate) fn after(first: Settled, compute: Box<dyn FnOnce() -> Self + Send>) -> Self {
        let output = Arc::new(OnceLock::new());
        let cell = Arc::clone(&output);
        let rest = Box::new(move || {
            let computed = compute();
            let settled = computed.settled();
            // It is set only here.
            let _ = cell.set(computed);
            settled
        });
        Self(Resolution::Later(
            in_turn(first, rest).boxed().shared(),
            output,
            None,
        ))
    }

    /// Adds a value with the parts that are known before the output is resolved.
    pub(crate) fn with_known_parts(mut self, known: impl FnOnce() -> T) -> Self {
        if let Resolution::Later(_, _, parts) = &mut self.0 {
            *parts = Some(Box::new(known()));
        }
        self
    }

    /// Marks the value as secret.
    pub fn secret(self) -> Self {
        self.tainted(true, BTreeSet::new())
    }

    /// Adds dependencies.
    pub(crate) fn depending_on(self, urns: BTreeSet<Urn>) -> Self {
        self.tainted(false, urns)
    }

    /// Adds the marks of a value that this was derived from.
    pub(crate) fn tainted(self, secret: bool, dependencies: BTreeSet<Urn>) -> Self {
        if !secret && dependencies.is_empty() {
            return self;
        }
        self.alter(move |data| Output::ready(data.tainted(secret, dependencies)))
    }

    /// The data, if it is resolved.
    pub fn peek(&self) -> Option<&OutputData<T>> {
        match &self.0 {
            Resolution::Ready(result) => result.as_ref().ok(),
            Resolution::Later(_, output, _) => output.get()?.peek(),
        }
    }

    /// A value with the parts that are known already.
    pub(crate) fn known_parts(&self) -> Option<&T> {
        match &self.0 {
            Resolution::Ready(_) => None,
            Resolution::Later(_, _, parts) => parts.as_deref(),
        }
    }

    /// The value, if it is resolved and known. For checks of inputs.
    pub fn peek_known(&self) -> Option<&T> {
        self.peek()?.value.as_ref()
    }

    /// Waits for the data.
    ///
    /// # Errors
    ///
    /// Errors of the registration or call that produces the value.
    pub async fn resolve(&self) -> Result<OutputData<T>, ConstructError> {
        if let Resolution::Ready(result) = &self.0 {
            return result.clone();
        }
        self.settled().await?;
        Ok(self.settled_data())
    }

    fn settled_data(&self) -> OutputData<T> {
        self.peek().expect("it is settled without an error").clone()
    }

    /// The end of the value: its error, or nothing when it has data.
    pub(crate) fn settled(&self) -> Settled {
        match &self.0 {
            Resolution::Ready(result) => ready(result.as_ref().map(|_| ()).map_err(Clone::clone))
                .boxed()
                .shared(),
            Resolution::Later(settled, ..) => settled.clone(),
        }
    }

    /// Computes a value from this one when it is known.
    pub fn map<U: Deferrable>(self, f: impl FnOnce(T) -> U + Send + 'static) -> Output<U> {
        self.then(|value| Output::known(f(value)))
    }

    /// Computes a deferred value from this one when it is known.
    pub fn then<U: Deferrable>(self, f: impl FnOnce(T) -> Output<U> + Send + 'static) -> Output<U> {
        self.alter(|data| {
            let next = match data.value {
                None => Output::unknown(),
                Some(value) => f(value),
            };
            next.tainted(data.secret, data.dependencies)
        })
    }

    /// Computes a value from this one when it is known, or fails. Resources that depend on a failed output are not
    /// registered, and the component fails with the text of the error, which must not contain secrets. The component
    /// also fails if nothing uses the output.
    pub fn try_map<U: Deferrable, E: Into<Box<dyn Error + Send + Sync>>>(
        self,
        f: impl FnOnce(T) -> Result<U, E> + Send + 'static,
    ) -> Output<U> {
        let output = self.then(|value| {
            f(value).map_or_else(
                |error| Output::failed(ConstructError::failed(error)),
                Output::known,
            )
        });
        tasks::watch(output.settled());
        output
    }

    /// Computes a deferred value from the data, known or not: immediately if it is resolved, otherwise when it is.
    pub(crate) fn alter<U: Deferrable>(
        self,
        step: impl FnOnce(OutputData<T>) -> Output<U> + Send + 'static,
    ) -> Output<U> {
        match self.0 {
            Resolution::Ready(Err(error)) => Output::failed(error),
            Resolution::Ready(Ok(data)) => step(data),
            Resolution::Later(ref settled, ..) => {
                let settled = settled.clone();
                Output::after(settled, Box::new(move || step(self.settled_data())))
            }
        }
    }
}

/// Waits for both.
async fn in_turn(first: Settled, rest: Box<dyn FnOnce() -> Settled + Send>) -> Result<(), ConstructError> {
    first.await?;
    rest().await
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

/// Prints the value only if it is known and public.
impl<T: Deferrable + fmt::Debug> fmt::Debug for Output<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.peek() {
            None => f.write_str("Output(pending)"),
            Some(OutputData { secret: true, .. }) => f.write_str("Output([secret])"),
            Some(OutputData { value: None, .. }) => f.write_str("Output(unknown)"),
            Some(OutputData {
                value: Some(value), ..
            }) => f.debug_tuple("Output").field(value).finish(),
        }
    }
}

#[cfg(test)]
mod tests;
