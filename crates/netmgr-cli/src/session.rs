//! A session with a manager: from the settings to the logout, with deadline, Ctrl-C and statistics.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use netmgr_lookups::typed::GetPolicyProject;
use netmgr_lookups::{
    Answer, Call, CallInputs, FunctionEntry, ListOptions, ListedPage, Lookup, Lookups, Observer, Progress,
    Stats, Tree, Waits,
};
use netmgr_recording::{RecordOptions, Recording};
use netmgr_transport::{Client, Traffic};
use netmgr_types::{Deployment, foreign};
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::app::App;
use crate::connection::{self, OpenedConnection};
use crate::exit::Exit;
use crate::failure::CliError;
use crate::options::ConnectionOptions;
use crate::output::{standard_error, terminal};
use crate::progress::ProgressLine;
use crate::setting_flags;
use crate::signals::{end_at_last, interrupt};

/// Additional time for a lookup to report details after its deadline.
const GRACE: Duration = Duration::from_millis(200);
/// Maximum time to end the session after the result was printed.
const GOODBYE: Duration = Duration::from_secs(2);
/// Maximum time to end the session after Ctrl-C or the deadline, when the user waits for the prompt.
const GOODBYE_IN_HASTE: Duration = Duration::from_millis(100);

/// A session with a manager.
pub(crate) struct LookupSession {
    lookups: Lookups,
    client: Client,
    deadline: Option<Duration>,
    /// Pages of lists, which the functions do not count.
    pages: AtomicU64,
    /// Ends with the session.
    opened: OpenedConnection,
}

impl LookupSession {
    /// Runs `work` in a session and ends it, whatever the outcome.
    pub(crate) fn run(
        app: &App,
        work: impl AsyncFnOnce(&Self) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        app.block_on(Box::pin(Self::within(&app.connection, work)))
    }

    /// Runs `work` in a session with these options, inside a runtime.
    pub(crate) async fn within<T>(
        options: &ConnectionOptions,
        work: impl AsyncFnOnce(&Self) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        let session = Self::begin(options).await?;
        let started = Instant::now();
        let outcome = tokio::select! {
            biased;
            exit = interrupt() => Err(CliError::Interrupted(exit)),
            outcome = work(&session) => {
                outcome.map_err(|failure| failure.of_settings(&session.opened.origins))
            }
        };
        terminal::status("");
        let elapsed = started.elapsed();
        end(&session.client, outcome.as_ref().err()).await;
        if options.stats {
            standard_error(&session.report(elapsed));
        }
        outcome
    }

    /// Starts a session, unless it is interrupted.
    async fn begin(options: &ConnectionOptions) -> Result<Self, CliError> {
        // In this order, so that interrupts are handled before anything is sent.
        end_at_last();
        tokio::select! {
            biased;
            exit = interrupt() => Err(CliError::Interrupted(exit)),
            session = Self::start(options) => session,
        }
    }

    async fn start(options: &ConnectionOptions) -> Result<Self, CliError> {
        let opened = connection::open(options).await?;
        opened.warn();
        let client = Client::builder(opened.connection.clone())
            .login_record(options.login_record())
            .build()
            .map_err(|error| CliError::Client(error).of_settings(&opened.origins))?;
        install_licenses(&client).await;
        Ok(Self {
            lookups: Lookups::new(client.clone()),
            client,
            deadline: options.deadline,
            pages: AtomicU64::new(0),
            opened,
        })
    }

    /// Runs a function, and reports its progress and its warnings to `observer`.
    pub(crate) async fn call(
        &self,
        entry: &'static FunctionEntry,
        input: Value,
        observer: Arc<dyn Observer>,
    ) -> Result<Answer, CliError> {
        let lookup = self.lookups.call_entry(entry, input, self.options(observer));
        self.within_deadline(async { Ok(lookup.await?) }).await
    }

    /// Runs a lookup, and reports its warnings to `observer`.
    pub(crate) async fn run_lookup<L: Lookup>(
        &self,
        lookup: L,
        observer: Arc<dyn Observer>,
    ) -> Result<L::Output, CliError> {
        let call = self.options(observer);
        self.within_deadline(async { Ok(self.lookups.run(lookup, &call).await?) })
            .await
    }

    /// Runs the lookup of a command that names its inputs with `flags`, and shows its progress.
    pub(crate) async fn run_command<L: Lookup>(
        &self,
        command: &str,
        flags: impl IntoIterator<Item = (String, String)>,
        lookup: L,
    ) -> Result<L::Output, CliError> {
        let words = setting_flags::words(flags);
        let found = self
            .run_lookup(lookup, Arc::new(ProgressLine::of(words.clone())))
            .await;
        found.map_err(|failure| failure.of_call(words, CallInputs::default(), command))
    }

    /// The tree of the project with this id, for a command. Fails if there is none.
    pub(crate) async fn project(&self, command: &str, id: &str) -> Result<Tree, CliError> {
        let lookup = GetPolicyProject::by_id(id);
        match self
            .run_command(command, setting_flags::of_project(), lookup)
            .await
        {
            Err(failure) if failure.exit() == Exit::NotFound => Err(CliError::NotFound {
                what: format!("project {} does not exist", foreign::one_line(id)),
                hint: "`netmgr list projects` lists the projects".to_owned(),
            }),
            found => Ok(Tree::Project(found?.id)),
        }
    }

    /// Lists the collection of a function, and passes each page to `take`.
    pub(crate) async fn list(
        &self,
        entry: &'static FunctionEntry,
        input: Map<String, Value>,
        options: ListOptions,
        observer: Arc<dyn Observer>,
        mut take: impl FnMut(ListedPage) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let call = self.options(observer);
        let listing = async {
            let mut listing = self.lookups.list(entry.spec.name, input, options, &call)?;
            while let Some(page) = listing.next().await? {
                self.pages.fetch_add(1, Relaxed);
                take(page)?;
            }
            Ok(())
        };
        self.within_deadline(listing).await
    }

    /// Records everything that functions read from the manager, and passes the recording to `work`.
    pub(crate) async fn record<T>(
        &self,
        options: RecordOptions,
        work: impl AsyncFnOnce(&mut Recording) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        let recording = async {
            let observer = Arc::new(ProgressLine::default());
            let mut recording = Recording::new(self.client.clone(), options, Some(observer))?;
            let outcome = work(&mut recording).await;
            self.pages.fetch_add(recording.pages(), Relaxed);
            outcome
        };
        self.within_deadline(recording).await
    }

    /// The kind of manager.
    pub(crate) fn deployment(&self) -> Deployment {
        self.client.connection().deployment
    }

    /// The functions.
    pub(crate) fn lookups(&self) -> &Lookups {
        &self.lookups
    }

    fn options(&self, observer: Arc<dyn Observer>) -> Call {
        let mut call = Call::default().observer(observer);
        call.deadline = self.deadline;
        call.waits = Waits::UntilSuccess;
        call
    }

    /// Limits `work` to the deadline of the command, if there is one. Work that observes its deadline has a
    /// moment longer, so that it can report more details.
    async fn within_deadline<T>(
        &self,
        work: impl Future<Output = Result<T, CliError>>,
    ) -> Result<T, CliError> {
        let work = async {
            tokio::select! {
                biased;
                outcome = work => outcome,
                never = self.show_silence() => match never {},
            }
        };
        let Some(deadline) = self.deadline else {
            return work.await;
        };
        match tokio::time::timeout(deadline.saturating_add(GRACE), work).await {
            Ok(outcome) => outcome,
            Err(_) => Err(CliError::Deadline(deadline)),
        }
    }

    /// Shows on a terminal for how long the manager has not responded, unless other progress is shown.
    async fn show_silence(&self) -> Infallible {
        const TICK: Duration = Duration::from_secs(1);
        let (mut seen, mut since) = (self.client.traffic(), Instant::now());
        loop {
            tokio::time::sleep(TICK).await;
            let now = self.client.traffic();
            if now != seen {
                (seen, since) = (now, Instant::now());
            }
            terminal::silence(since.elapsed());
        }
    }

    /// Statistics, with the requests of the whole session, as `--trace` shows them. `elapsed` is without its end.
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

/// Ignores warnings about single objects, for commands that report a result for each.
pub(crate) struct NoWarnings;

impl Observer for NoWarnings {
    fn warning(&self, _: &str) {}

    fn progress(&self, _: &Progress) {}
}

/// Ends the session of `client` after a command, which may have failed. If that takes too long, the session expires on
/// the manager.
pub(crate) async fn end(client: &Client, failure: Option<&CliError>) {
    let is_over = failure.is_some_and(|failure| {
        matches!(
            failure.exit(),
            Exit::Interrupted | Exit::HungUp | Exit::DeadlineExceeded
        )
    });
    let goodbye = if is_over { GOODBYE_IN_HASTE } else { GOODBYE };
    let _ = tokio::time::timeout(goodbye, client.close()).await;
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
