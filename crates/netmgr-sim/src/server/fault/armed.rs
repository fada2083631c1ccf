//! The faults of a running simulator.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::Method;

use super::Fault;
use super::page::PageMemory;
use crate::api::{ApiRequest, ApiResponse, Backend};
use crate::server::reply::{HttpReply, TransferFault};

/// Id of a fault that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultId(u64);

/// The faults of a running simulator.
#[derive(Debug, Default)]
pub struct Faults {
    state: Mutex<ArmedFaults>,
}

#[derive(Debug, Default)]
struct ArmedFaults {
    last_id: u64,
    armed: Vec<Armed>,
}

#[derive(Debug)]
struct Armed {
    id: FaultId,
    fault: Fault,
    seen: u64,
    applied: u64,
    memory: Arc<Mutex<PageMemory>>,
}

impl Faults {
    /// Adds a fault, from the next request on.
    pub fn add(&self, fault: Fault) -> FaultId {
        let mut state = self.state();
        state.last_id += 1;
        let id = FaultId(state.last_id);
        state.armed.push(Armed {
            id,
            fault,
            seen: 0,
            applied: 0,
            memory: Arc::default(),
        });
        id
    }

    /// Removes a fault. Does nothing if it was already removed.
    pub fn remove(&self, id: FaultId) {
        self.state().armed.retain(|armed| armed.id != id);
    }

    /// Removes all faults.
    pub fn clear(&self) {
        self.state().armed.clear();
    }

    /// Number of requests that a fault affected; 0 if it was removed.
    pub fn applied(&self, id: FaultId) -> u64 {
        self.state()
            .armed
            .iter()
            .find(|armed| armed.id == id)
            .map_or(0, |armed| armed.applied)
    }

    /// The fault that applies to a request, if one does.
    pub(crate) fn fire(&self, method: &Method, path: &str) -> Option<AppliedFault> {
        for armed in self
            .state()
            .armed
            .iter_mut()
            .filter(|armed| armed.fault.matches(method, path))
        {
            armed.seen += 1;
            let due = armed.seen > armed.fault.after
                && (armed.seen - armed.fault.after).is_multiple_of(armed.fault.every);
            if due && armed.fault.count.is_none_or(|count| armed.applied < count) {
                armed.applied += 1;
                return Some(AppliedFault {
                    fault: armed.fault.clone(),
                    number: armed.applied,
                    memory: Arc::clone(&armed.memory),
                });
            }
        }
        None
    }

    fn state(&self) -> MutexGuard<'_, ArmedFaults> {
        self.state.lock().expect("no holder of the lock panics")
    }
}

/// A fault applied to one request.
#[derive(Debug)]
pub(crate) struct AppliedFault {
    pub(crate) fault: Fault,
    /// Number of this request among the affected ones, starting at 1.
    number: u64,
    memory: Arc<Mutex<PageMemory>>,
}

impl AppliedFault {
    /// The reply that replaces the regular one.
    pub(crate) fn reply(&self) -> Option<HttpReply> {
        self.fault.reply.reply()
    }

    /// The answer to a call, with the pages changed.
    pub(crate) fn respond(&self, call: ApiRequest, backend: &dyn Backend) -> ApiResponse {
        // A panic of the backend does not change the memory.
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        self.fault.pages.respond(call, backend, &mut memory)
    }

    /// Changes the reply. Returns how its transfer fails, if it does.
    pub(crate) fn change(self, mut reply: HttpReply) -> (HttpReply, Option<TransferFault>) {
        self.fault.delivery.change(&mut reply, self.number);
        let transfer_fault = self.fault.delivery.transfer_fault(&reply);
        (reply, transfer_fault)
    }
}
