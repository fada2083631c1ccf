//! Verification of a credential after an ambiguous reply (decision logins).
//!
//! The request is in `check.rs`.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::check::Shown;
use super::credential::Credential;
use crate::flight::Flight;

/// Time for which a verified credential is not verified again, even if other paths are refused.
const HOLDS: Duration = Duration::from_secs(60);

/// The last verification, and the one in progress.
#[derive(Default)]
pub(super) struct Confirmation(Mutex<Slot>);

#[derive(Default)]
struct Slot {
    checked: Option<Arc<Credential>>,
    accepted: Option<Instant>,
    flight: Flight<Shown>,
}

impl Confirmation {
    /// Verifies `credential` with `check`. All callers share the result.
    pub(super) async fn of<F>(
        self: &Arc<Self>,
        credential: &Arc<Credential>,
        check: impl FnOnce() -> F,
    ) -> Shown
    where
        F: Future<Output = Shown> + Send + 'static,
    {
        let shown = {
            let mut slot = self.slot();
            if !matches!(&slot.checked, Some(checked) if checked.is_from_login_of(credential)) {
                *slot = Slot {
                    checked: Some(credential.clone()),
                    ..Slot::default()
                };
            }
            if slot.accepted.is_some_and(|at| at.elapsed() < HOLDS) {
                return Shown::Accepted;
            }
            slot.flight.join_or_start(|| {
                let confirmation = self.clone();
                let credential = credential.clone();
                let check = check();
                async move {
                    let shown = check.await;
                    confirmation.checked(&credential, &shown);
                    shown
                }
            })
        };
        shown.await
    }

    /// Records that `credential` is accepted.
    pub(super) fn accepted(&self, credential: &Arc<Credential>) {
        *self.slot() = Slot {
            checked: Some(credential.clone()),
            accepted: Some(Instant::now()),
            ..Slot::default()
        };
    }

    fn checked(&self, credential: &Credential, shown: &Shown) {
        let mut slot = self.slot();
        if matches!(&slot.checked, Some(checked) if checked.is_from_login_of(credential)) {
            slot.flight.land();
            slot.accepted = matches!(shown, Shown::Accepted).then(Instant::now);
        }
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
