//! Slots of functions: a provider may limit how many run at once.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedSemaphorePermit;

/// The slot of a running function. Released when the last clone is dropped, or by [`Self::release`].
#[derive(Clone, Debug, Default)]
pub(crate) struct FunctionSlot(Option<Arc<Mutex<Option<OwnedSemaphorePermit>>>>);

impl FunctionSlot {
    pub(crate) fn new(permit: OwnedSemaphorePermit) -> Self {
        Self(Some(Arc::new(Mutex::new(Some(permit)))))
    }

    /// Releases the slot, although the function continues.
    pub(crate) fn release(&self) {
        if let Some(permit) = &self.0 {
            permit.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
}
