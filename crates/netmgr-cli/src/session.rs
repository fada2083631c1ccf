//! A session with a manager: from the settings to the logout, with deadline, Ctrl-C and statistics.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use netmgr_lookups::{Call, Lookups, Observer, Stats};
use netmgr_transport::{Client, Traffic};
use tokio::time::Instant;

use crate::app::App;
use crate::connection;
use crate::failure::CliError;
use crate::output::{standard_error, terminal};
use crate::progress::Terminal;
use crate::signals::{interrupt, is_first_report};

/// Additional time for a lookup to report details after its deadline.
const GRACE: Duration = Duration::from_millis(200);
/// Maximum time to end the session after the result was printed.
const GOODBYE: Duration = Duration::from_secs(2);
/// The same after Ctrl-C, when the user waits for the prompt.
const GOODBYE_INTERRUPTED: Duration = Duration::from_millis(100);
/// When the process ends after Ctrl-C, even if it is busy with a filter or waits for a reader of its output.
const LAST: Duration = Duration::from_millis(170);

/// A session with a manager.
pub(crate) struct Session {
    /// The functions.
    pub(crate) lookups: Lookups,
    /// The client, for what is no lookup.
    pub(crate) client: Client,
    deadline: Option<Duration>,
    /// Pages of lists, which the functions do not count.
    pages: AtomicU64,
    /// Ends with the session.
    _simulated: Option<connection::Simulated>,
}

impl Session {
    /// Runs `work` in a session and ends it, whatever the outcome.
    pub(crate) fn run(
        app: &App,
        work: impl AsyncFnOnce(&Self) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        app.block_on(async {
            // In this order, so that interrupts are handled before anything is sent.
            tokio::spawn(end_at_last());
            let session = tokio::select! {
                biased;
                exit = interrupt() => return Err(CliError::Interrupted(exit)),
                session = Self::start(app) => session?,
            };
            let started = Instant::now();
            let outcome = tokio::select! {
                biased;
                exit = interrupt() => Err(CliError::Interrupted(exit)),
                outcome = work(&session) => outcome,
            };
            terminal::status("");
            if app.connection.stats {
                standard_error(&session.report(started.elapsed()));
            }
            end(&session.client, &outcome).await;
            outcome
        })
    }

    async fn start(app: &App) -> Result<Self, CliError> {
        let options = &app.connection;
        let (connection, simulated) = connection::open(options).await?;
        let client = Client::builder(connection)
            .refused_logins(options.refused_logins())
            .build()
            .map_err(CliError::Client)?;
        install_licenses(&client).await;
        Ok(Self {
            lookups: Lookups::new(client.clone()),
            client,
            deadline: options.deadline,
            pages: AtomicU64::new(0),
            _simulated: simulated,
        })
    }

    /// Options of a call that shows its progress on the terminal.
    pub(crate) fn call(&self) -> Call {
        self.observed(Arc::new(Terminal::default()))
    }

    /// Options of a call with another observer.
    pub(crate) fn observed(&self, observer: Arc<dyn Observer>) -> Call {
        let mut call = Call::default().observer(observer);
        call.deadline = self.deadline;
        call
    }

    /// Limits `work` to the deadline of the command, if there is one. Work that observes its deadline has a
    /// moment longer, so that it can report more details.
    pub(crate) async fn within_deadline<T>(
        &self,
        work: impl Future<Output = Result<T, CliError>>,
    ) -> Result<T, CliError> {
        let Some(deadline) = self.deadline else {
            return work.await;
        };
        match tokio::time::timeout(deadline.saturating_add(GRACE), work).await {
            Ok(outcome) => outcome,
            Err(_) => Err(CliError::Deadline(deadline)),
        }
    }

    /// Counts a page of a list.
    pub(crate) fn count_page(&self) {
        self.pages.fetch_add(1, Relaxed);
    }

    /// Statistics without the end of the session.
    fn report(&self, elapsed: Duration) -> String {
        let Stats {
            lookups,
            shared,
            pages,
            traffic:
                Traffic {
                    requests,
                    retries,
                    bytes,
                    ..
                },
            ..
        } = self.lookups.stats();
        format!(
            "statistics: lookups {lookups}, shared reads {shared}, requests {requests}, retries {retries}, \
             pages {}, bytes {bytes}, seconds {:.3}",
            pages + self.pages.load(Relaxed),
            elapsed.as_secs_f64()
        )
    }
}

/// Ends the session of `client` after a command with this outcome. What takes too long expires on the manager.
pub(crate) async fn end(client: &Client, outcome: &Result<(), CliError>) {
    let goodbye = match outcome {
        Err(CliError::Interrupted(_)) => GOODBYE_INTERRUPTED,
        _ => GOODBYE,
    };
    let _ = tokio::time::timeout(goodbye, client.close()).await;
}

/// Ends the process soon after a signal.
async fn end_at_last() {
    let exit = interrupt().await;
    tokio::time::sleep(LAST).await;
    terminal::status("");
    if is_first_report() {
        standard_error(&CliError::Interrupted(exit).report());
    }
    std::process::exit(exit as i32);
}

/// Adds the configured licence keys that the manager lacks. A failure is reported but does not end the
/// command.
async fn install_licenses(client: &Client) {
    if client.connection().license_keys.is_empty() {
        return;
    }
    match client.install_missing_licenses().await {
        Ok(0) => {}
        Ok(added) => standard_error(&format!("added licence keys to the manager: {added}")),
        Err(error) => {
            let error = CliError::Client(error).report();
            standard_error(&format!("warning: the licence keys could not be added: {error}"));
        }
    }
}
