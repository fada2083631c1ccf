//! `doctor`: checks the connection to a manager step by step.
//!
//! The steps of the connection are in `doctor/network.rs`, those that need the manager in `doctor/manager.rs` and
//! `doctor/role.rs`, and the output in `doctor/report.rs`.

mod manager;
mod network;
mod pace;
mod report;
mod role;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use clap::{ArgMatches, Command};
use netmgr_transport::{Client, LoginRecord, Probe};
use netmgr_types::{Credentials, Deployment, LoginScheme};
use serde_json::json;

use crate::app::App;
use crate::connection::{self, OpenedConnection};
use crate::failure::CliError;
use crate::options::ConnectionOptions;
use crate::origins;
use crate::output::{standard_error, terminal};
use crate::session;
use crate::setting_flags;
use crate::signals::interrupt;
use crate::subcommand::{SharedOptions, Subcommand};
use report::{DoctorCheck, DoctorReport, Finding};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "doctor",
    command,
    shared: SharedOptions::All,
    run,
};

/// Maximum duration of each step, unless `--deadline` is shorter.
const STEP: Duration = Duration::from_secs(15);

fn command() -> Command {
    Command::new("doctor")
        .about("Check the connection to the manager step by step")
        .long_about(
            "Check the connection to the manager step by step: settings, name resolution, TCP, TLS, login, clock, \
             version, role, rate limits and search index. Each check is ok, warn or fail, with a remedy. The exit code \
             is that of the first failure.\n\n\
             Nothing is retried, and a rejected password is sent once.",
        )
        .after_help(
            "Examples:\n  netmgr doctor\n  netmgr doctor -o json --query '.checks[] | select(.status != \"ok\")'",
        )
}

fn run(app: &App, _: &ArgMatches) -> Result<(), CliError> {
    app.block_on(Box::pin(async {
        let mut client = None;
        let outcome = tokio::select! {
            biased;
            exit = interrupt() => Err(CliError::Interrupted(exit)),
            outcome = examine(app, &mut client) => outcome,
        };
        if let Some(client) = client {
            terminal::status("");
            session::end(&client, outcome.as_ref().err()).await;
            if app.connection.stats {
                let traffic = client.traffic();
                standard_error(&format!(
                    "statistics: requests {}, bytes {}",
                    traffic.requests, traffic.bytes
                ));
            }
        }
        outcome
    }))
}

/// Performs all checks. `client` becomes the client of those that need a session.
async fn examine(app: &App, client: &mut Option<Client>) -> Result<(), CliError> {
    let options = &app.connection;
    let mut opened = connection::open(options).await?;
    opened.warn();
    // Each step shows what happens to one request.
    opened.connection.retry.max_retries = 0;
    let mut report = DoctorReport::new(&app.output, setting_flags::words(origins::names(&opened.origins)));
    let limit = options.deadline.map_or(STEP, |deadline| deadline.min(STEP));
    check(&opened, options, limit, &mut report, client).await?;
    report.end(&app.output)
}

/// Performs all checks until one fails that the others need.
async fn check(
    opened: &OpenedConnection,
    options: &ConnectionOptions,
    limit: Duration,
    report: &mut DoctorReport,
    client: &mut Option<Client>,
) -> Result<(), CliError> {
    let connection = opened.connection.clone();
    let probe = match Probe::try_new(&connection) {
        Ok(probe) => probe,
        Err(error) => {
            let action = "`netmgr config show --origin` lists where each setting is from";
            return report.add(Finding::failed(DoctorCheck::Settings, &error, action));
        }
    };
    report.add(shown(opened))?;
    if !network::check(&probe, limit, report).await? {
        return Ok(());
    }
    let built = Client::builder(connection)
        .connect_timeout(limit)
        .attempt_timeout(limit)
        .lookup_deadline(limit)
        // A diagnosis always sends the login.
        .login_record(options.login_record().map(LoginRecord::logging_in_always))
        .build()
        .map_err(|error| CliError::Client(error).of_settings(&opened.origins))?;
    let client = client.insert(built);
    manager::check(client, report).await
}

/// The settings, which were checked.
fn shown(opened: &OpenedConnection) -> Finding {
    let OpenedConnection {
        connection, origins, ..
    } = opened;
    let login = login(&connection.credentials);
    let kind = match connection.deployment {
        Deployment::PolicyManager => "policy manager",
        Deployment::GlobalManager => "global manager",
        Deployment::HostedCloud => "hosted cloud",
    };
    let url = connection.host.base_url();
    let origins: BTreeMap<&String, String> = origins
        .iter()
        .map(|(property, origin)| (property, origin.to_string()))
        .collect();
    let finding = Finding::ok(DoctorCheck::Settings, format!("{url}, {kind}, {login}"))
        .detail("url", json!(url))
        .detail("deployment", json!(kind))
        .detail("login", json!(login))
        .detail("origins", json!(origins));
    let distinct: BTreeSet<&str> = origins.values().map(String::as_str).collect();
    match distinct.is_empty() {
        true => finding,
        false => finding.note(format!("from {}", Vec::from_iter(distinct).join(", "))),
    }
}

/// The login method, without secrets.
fn login(credentials: &Credentials) -> String {
    match credentials {
        Credentials::Session(login) => format!("session of user {}", login.username),
        Credentials::Header(login) => {
            let scheme = match login.scheme {
                LoginScheme::Basic => "basic",
                LoginScheme::Remote => "remote",
            };
            format!("{scheme} authentication of user {}", login.username)
        }
        Credentials::Certificate => "client certificate".to_owned(),
        Credentials::Cloud(_) => "token of the hosted cloud".to_owned(),
    }
}
