//! What the environment tells the stand-in to do.

use std::time::Duration;

use engine_values::Urn;

/// Milliseconds that each creation, change and deletion takes.
const DELAY: &str = "STAND_IN_DELAY_MS";
/// Names of resources that take as many times as long: `name=times`, separated by commas.
const SLOW: &str = "STAND_IN_SLOW";
/// Name of a resource that cannot be created.
const FAIL: &str = "STAND_IN_FAIL";

/// Orders of the environment.
#[derive(Default)]
pub(crate) struct Orders {
    delay: Duration,
    slow: Vec<(String, u32)>,
    fail: Option<String>,
}

impl Orders {
    pub(crate) fn from_environment() -> Self {
        let told = |name| std::env::var(name).unwrap_or_default();
        let slow = told(SLOW);
        let slow = slow.split(',').filter_map(|entry| {
            let (name, times) = entry.split_once('=')?;
            Some((name.to_owned(), times.parse().ok()?))
        });
        Self {
            delay: Duration::from_millis(told(DELAY).parse().unwrap_or_default()),
            slow: slow.collect(),
            fail: Some(told(FAIL)).filter(|name| !name.is_empty()),
        }
    }

    /// Takes as long as ordered for a resource.
    pub(crate) async fn take_time(&self, urn: &Urn) {
        let slow = self.slow.iter().find(|(name, _)| is_named(urn, name));
        let times = slow.map_or(1, |(_, times)| *times);
        tokio::time::sleep(self.delay * times).await;
    }

    /// Whether a resource is not to be created.
    pub(crate) fn forbid(&self, urn: &Urn) -> bool {
        self.fail.as_ref().is_some_and(|name| is_named(urn, name))
    }
}

fn is_named(urn: &Urn, name: &str) -> bool {
    urn.parts().is_ok_and(|parts| parts.name == name)
}
