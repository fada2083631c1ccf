//! Requests per second and in flight, counted per authenticated identity.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::StatusCode;
use tokio::time::Instant;

use crate::manager_error::ManagerError;

const WINDOW: Duration = Duration::from_secs(1);

/// The limits and their usage per client.
#[derive(Debug)]
pub(crate) struct RequestLimits {
    /// Requests per second and client; 0 turns the limit off.
    per_second: u32,
    /// Requests in flight per client; 0 turns the limit off.
    in_flight: usize,
    usage: Arc<Mutex<LimitUsage>>,
}

#[derive(Debug, Default)]
struct LimitUsage {
    clients: HashMap<String, ClientUsage>,
    refused: u64,
}

#[derive(Debug, Default)]
struct ClientUsage {
    recent: VecDeque<Instant>,
    in_flight: usize,
}

/// An admitted request. Dropping it releases its slot.
#[derive(Debug)]
pub(crate) struct AdmittedRequest {
    client: String,
    usage: Arc<Mutex<LimitUsage>>,
}

impl RequestLimits {
    pub(crate) fn new(per_second: u32, in_flight: usize) -> Self {
        Self {
            per_second,
            in_flight,
            usage: Arc::default(),
        }
    }

    /// Requests per second and in flight per client.
    pub(crate) fn values(&self) -> (u32, usize) {
        (self.per_second, self.in_flight)
    }

    pub(crate) fn admit(&self, name: &str) -> Result<AdmittedRequest, ManagerError> {
        let mut usage = self.usage.lock().expect("no holder of the lock panics");
        let usage = &mut *usage;
        let client = usage.clients.entry(name.to_owned()).or_default();
        let now = Instant::now();
        while client.recent.front().is_some_and(|&start| now - start >= WINDOW) {
            client.recent.pop_front();
        }
        if self.per_second > 0 && client.recent.len() >= self.per_second as usize {
            usage.refused += 1;
            // The code is text in every other such body.
            let code_as_text = usage.refused % 2 == 1;
            return Err(ManagerError::rate(name, self.per_second, code_as_text));
        }
        if self.in_flight > 0 && client.in_flight >= self.in_flight {
            let message = format!("{} requests of this client are in flight already", self.in_flight);
            return Err(ManagerError::usual(StatusCode::SERVICE_UNAVAILABLE, 901).with_message(message));
        }
        client.recent.push_back(now);
        client.in_flight += 1;
        Ok(AdmittedRequest {
            client: name.to_owned(),
            usage: Arc::clone(&self.usage),
        })
    }
}

impl Drop for AdmittedRequest {
    fn drop(&mut self) {
        let mut usage = self.usage.lock().expect("no holder of the lock panics");
        if let Some(client) = usage.clients.get_mut(&self.client) {
            client.in_flight -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_rate_is_counted_per_client_over_the_last_second() {
        let limits = RequestLimits::new(2, 0);
        assert!(limits.admit("a").is_ok());
        tokio::time::advance(Duration::from_millis(600)).await;
        assert!(limits.admit("a").is_ok());
        let code = || limits.admit("a").unwrap_err().body()["error_code"].clone();
        assert_eq!([code(), code()], ["102".into(), serde_json::Value::from(102)]);
        assert!(limits.admit("b").is_ok());
        tokio::time::advance(Duration::from_millis(400)).await;
        assert!(limits.admit("a").is_ok());
        assert!(limits.admit("a").is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_finished_request_makes_room_for_another() {
        let limits = RequestLimits::new(0, 2);
        let first = limits.admit("a").unwrap();
        let _second = limits.admit("a").unwrap();
        assert_eq!(limits.admit("a").unwrap_err().code, 901);
        drop(first);
        assert!(limits.admit("a").is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn zero_turns_a_limit_off() {
        let limits = RequestLimits::new(0, 0);
        let slots: Vec<_> = (0..1000).map(|_| limits.admit("a")).collect();
        assert!(slots.iter().all(Result::is_ok));
    }
}
