//! One call of a lookup with its options.

use std::fmt;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use netmgr_lookups::{Call, Error, Lookup, Lookups, Observer, Progress, Waits};

/// A lookup that starts when it is awaited, with the options of this one call.
///
/// Dropping the future cancels the lookup; other lookups that share its requests continue. The future borrows nothing,
/// so that `tokio::spawn(manager.run(lookup).into_future())` works.
#[must_use = "a lookup does nothing until it is awaited"]
pub struct Run<L> {
    lookups: Lookups,
    lookup: L,
    call: Call,
    listeners: Listeners,
    stop: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<L: Lookup> Run<L> {
    pub(crate) fn new(lookups: Lookups, lookup: L) -> Self {
        Self {
            lookups,
            lookup,
            call: Call::default(),
            listeners: Listeners::default(),
            stop: None,
        }
    }

    /// Sets the maximum time of this lookup with all its requests, logins and retries. Default: the deadline of the
    /// client. The lookups that wait for a realization have a `timeout` input, which limits them instead.
    pub fn deadline(mut self, limit: Duration) -> Self {
        self.call.deadline = Some(limit);
        self
    }

    /// Ends the lookup with [`Error::Cancelled`] when `signal` completes, such as `tokio::signal::ctrl_c()` or a token.
    pub fn cancel_when(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.stop = Some(Box::pin(signal));
        self
    }

    /// Calls `listen` after each poll of a lookup that waits.
    pub fn on_progress(mut self, listen: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.listeners.progress = Some(Box::new(listen));
        self
    }

    /// Calls `listen` with each warning. The lookup still succeeds. An example is an id that was found, but with
    /// another display name.
    pub fn on_warning(mut self, listen: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.listeners.warning = Some(Box::new(listen));
        self
    }

    /// Reads the state of an object once instead of waiting until it is final. Has no effect on lookups that do not
    /// wait.
    pub fn without_waiting(mut self) -> Self {
        self.call.waits = Waits::ReportOnce;
        self
    }
}

impl<L: Lookup> IntoFuture for Run<L> {
    type Output = Result<L::Output, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self {
            lookups,
            lookup,
            mut call,
            listeners,
            stop,
        } = self;
        call.observer = Some(Arc::new(listeners));
        Box::pin(async move {
            let mut work = pin!(lookups.run(lookup, &call));
            if let Some(stop) = stop {
                tokio::select! {
                    biased;
                    outcome = &mut work => return outcome,
                    () = stop => call.cancel.cancel(),
                }
            }
            work.await
        })
    }
}

impl<L: fmt::Debug> fmt::Debug for Run<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("lookup", &self.lookup)
            .finish_non_exhaustive()
    }
}

/// The functions that are called during a call.
#[derive(Default)]
struct Listeners {
    progress: Option<Listen<Progress>>,
    warning: Option<Listen<str>>,
}

type Listen<T> = Box<dyn Fn(&T) + Send + Sync>;

impl Observer for Listeners {
    fn warning(&self, message: &str) {
        if let Some(listen) = &self.warning {
            listen(message);
        }
    }

    fn progress(&self, progress: &Progress) {
        if let Some(listen) = &self.progress {
            listen(progress);
        }
    }
}

#[cfg(test)]
mod tests;
