//! Runs a lookup.

use std::io::Read as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use netmgr_lookups::{Call, Lookups, Observer, Progress, Stats};
use netmgr_transport::{Client, Traffic};
use serde_json::Value;
use tokio::time::Instant;

use crate::arguments::{Get, Input};
use crate::connection;
use crate::failure::CliError;
use crate::print;
use crate::signals::interrupt;
use crate::simulate::Simulated;

/// Additional time for a lookup to report details after its deadline.
const GRACE: Duration = Duration::from_millis(200);
/// Maximum time to end the session after the result was printed.
const GOODBYE: Duration = Duration::from_secs(2);
/// The same after Ctrl-C, when the user waits for the prompt. A login in progress has to complete before its
/// session can end.
const GOODBYE_INTERRUPTED: Duration = Duration::from_secs(1);

/// Maximum time without a progress message.
const SILENCE: Duration = Duration::from_secs(60);

/// Runs a lookup, prints the result with `render`, and always ends the session.
pub(crate) async fn run(get: Get, render: impl FnOnce(&Value) -> String) -> Result<(), CliError> {
    let input = read_input(get.input)?;
    let simulated = match get.simulate {
        true => Some(Simulated::start(&get.settings).await?),
        false => None,
    };
    let connection = match &simulated {
        Some(manager) => connection::to_simulated(manager.settings(), get.settings, get.config.as_deref())?,
        None => connection::configured(get.settings, get.config.as_deref())?,
    };
    let client = Client::builder(connection).build().map_err(CliError::Client)?;
    let mut call = Call::default().observer(Arc::new(Terminal::default()));
    call.deadline = get.deadline;
    let lookups = Lookups::new(client.clone());
    let started = Instant::now();
    let work = async {
        install_licenses(&client).await;
        lookups.invoke(get.function, input, &call).await
    };
    let outcome = tokio::select! {
        // In this order, so that interrupts are handled before anything is sent.
        biased;
        () = interrupt() => Err(CliError::Interrupted),
        outcome = work => outcome.map_err(CliError::from),
        passed = passed(get.deadline) => Err(CliError::Deadline(passed)),
    };
    let goodbye = match &outcome {
        Err(CliError::Interrupted) => GOODBYE_INTERRUPTED,
        _ => GOODBYE,
    };
    let elapsed = started.elapsed();
    let outcome = outcome.and_then(|answer| print::standard_output(&render(&answer)));
    if get.stats {
        print::standard_error(&report(&lookups.stats(), elapsed));
    }
    // Otherwise, the session expires on the manager.
    let _ = tokio::time::timeout(goodbye, client.close()).await;
    outcome
}

/// Statistics of a lookup, without the end of its session.
fn report(stats: &Stats, elapsed: Duration) -> String {
    let Traffic {
        requests,
        retries,
        bytes,
        ..
    } = stats.traffic;
    format!(
        "statistics: lookups {}, shared reads {}, requests {requests}, retries {retries}, pages {}, bytes {bytes}, seconds {:.3}",
        stats.lookups,
        stats.shared,
        stats.pages,
        elapsed.as_secs_f64()
    )
}

/// Adds the configured licence keys that the manager lacks. A failure is reported but does not end the
/// lookup.
async fn install_licenses(client: &Client) {
    if client.connection().license_keys.is_empty() {
        return;
    }
    match client.install_missing_licenses().await {
        Ok(0) => {}
        Ok(added) => print::standard_error(&format!("added licence keys to the manager: {added}")),
        Err(error) => {
            let error = CliError::Client(error).report();
            print::standard_error(&format!("warning: the licence keys could not be added: {error}"));
        }
    }
}

/// Completes shortly after the deadline, so that a lookup that observes its deadline can report more details.
/// Never completes without a deadline.
async fn passed(deadline: Option<Duration>) -> Duration {
    let Some(deadline) = deadline else {
        return std::future::pending().await;
    };
    tokio::time::sleep(deadline.saturating_add(GRACE)).await;
    deadline
}

/// The input object.
fn read_input(input: Input) -> Result<Value, CliError> {
    let source = match input {
        Input::Flags(object) => return Ok(Value::Object(object)),
        Input::Source(source) => source,
    };
    let (name, text) = match source.as_str() {
        "-" => ("standard input".to_owned(), {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        }),
        source => match source.strip_prefix('@') {
            Some(file) => (file.to_owned(), std::fs::read_to_string(file)),
            None => ("--input".to_owned(), Ok(source.to_owned())),
        },
    };
    let text = text.map_err(|error| CliError::Usage {
        what: format!("cannot read {name}"),
        source: Some(error.into()),
    })?;
    match serde_json::from_str(&text) {
        Ok(object @ Value::Object(_)) => Ok(object),
        Ok(_) => Err(CliError::usage(format!("{name}: the input is not a JSON object"))),
        Err(error) => Err(CliError::Usage {
            what: format!("{name}: the input is not JSON"),
            source: Some(error.into()),
        }),
    }
}

/// Prints warnings and the progress of waits to standard error.
#[derive(Default)]
struct Terminal {
    told: Mutex<Option<Progress>>,
}

impl Observer for Terminal {
    fn warning(&self, message: &str) {
        print::standard_error(&format!("warning: {message}"));
    }

    fn progress(&self, progress: &Progress) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if is_news(told.as_ref(), progress) {
            print::standard_error(&progress.to_string());
            *told = Some(progress.clone());
        }
    }
}

/// Whether the state changed, or did not change for a long time.
fn is_news(told: Option<&Progress>, now: &Progress) -> bool {
    told.is_none_or(|told| {
        told.what != now.what
            || told.state != now.state
            || told.trouble.is_some() != now.trouble.is_some()
            || now.elapsed >= told.elapsed + SILENCE
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_wait_tells_every_change_and_otherwise_once_a_minute() {
        let poll = |what: &str, state: &str, seconds| {
            Progress::new(what, state).elapsed(Duration::from_secs(seconds))
        };
        let told = poll("x", "pending", 10);
        assert!(is_news(Some(&told), &told.clone().trouble("503")));
        assert!(is_news(None, &told));
        assert!(!is_news(Some(&told), &poll("x", "pending", 69)));
        assert!(is_news(Some(&told), &poll("x", "pending", 70)));
        assert!(is_news(Some(&told), &poll("x", "success", 11)));
        assert!(is_news(Some(&told), &poll("registration of x", "pending", 0)));
    }

    fn read(source: &str) -> Result<Value, String> {
        read_input(Input::Source(source.to_owned())).map_err(|failure| failure.report())
    }

    #[test]
    fn an_input_is_a_json_object() {
        assert_eq!(read(r#"{ "id": "x" }"#).unwrap(), json!({ "id": "x" }));
        assert_eq!(
            read("[]").unwrap_err(),
            "error: --input: the input is not a JSON object"
        );
        assert_eq!(
            read("{id}").unwrap_err(),
            "error: --input: the input is not JSON\n  caused by: key must be a string at line 1 column 2"
        );
    }

    #[test]
    fn an_input_file_that_cannot_be_read_is_named() {
        let error = read("@/nonexistent/input.json").unwrap_err();
        assert!(
            error.starts_with("error: cannot read /nonexistent/input.json\n  caused by: "),
            "{error}"
        );
    }
}
