//! Tests that no secret is logged or part of an error: passwords, tokens, cookies, keys and licences, for
//! successful and failed calls.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::sync::{Arc, LazyLock};

use http::header::{AUTHORIZATION, COOKIE};
use netmgr_sim::{ClientCertificates, DEFAULT_USERNAME, User};
use netmgr_transport::Client;
use tracing::Dispatch;

use super::support::*;
use super::*;

const PASSWORD: &str = "Pass+word-7193&%41";
const WRONG: &str = "Wrong+word-7193&%41";
const TOKEN: &str = "api/token+7193";
const APP_SECRET: &str = "app:secret+7193";
const LICENCE: &str = "71937-BBBBB-CCCCC-DDDDD-EEEEE";
const CONFIGURED: [&str; 6] = [PASSWORD, WRONG, TOKEN, APP_SECRET, LICENCE, "wrong-7193"];

/// A subscriber that ignores everything. With a single subscriber, tracing caches the interest of the first
/// thread that reaches a log statement for all threads, so that another test would disable the log of the
/// client.
static ANOTHER: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));

/// Everything that was logged or reported.
#[derive(Clone)]
struct Output(Arc<File>);

impl Output {
    fn new() -> Self {
        Self(Arc::new(tempfile::tempfile().unwrap()))
    }

    fn add(&self, text: &str) {
        (&*self.0).write_all(text.as_bytes()).unwrap();
    }

    fn text(&self) -> String {
        (&*self.0).rewind().unwrap();
        io::read_to_string(&*self.0).unwrap()
    }
}

/// Secrets of a manager, and the output of a client, which logs to `output` in a separate thread, because the log of
/// the manager's side may contain secrets.
struct Check {
    manager: Simulator,
    output: Output,
    secrets: BTreeSet<String>,
}

impl Check {
    async fn of(builder: netmgr_sim::SimulatorBuilder) -> Self {
        let builder = builder
            .user(User::local(DEFAULT_USERNAME, PASSWORD))
            .affinity_required(true);
        Self {
            manager: started(builder).await,
            output: Output::new(),
            secrets: CONFIGURED.map(str::to_owned).into(),
        }
    }

    /// Creates a client and calls everything with it.
    async fn use_client(&self, settings: Value) {
        let mut connection = connection(&self.manager, settings);
        // The configuration rejects them for the cloud; the client must not disclose them there either.
        connection.license_keys = vec![netmgr_types::Secret::new(LICENCE)];
        let output = self.output.clone();
        LazyLock::force(&ANOTHER);
        let work = move || {
            let subscriber = tracing_subscriber::fmt()
                .with_max_level(tracing::Level::TRACE)
                .with_span_events(tracing_subscriber::fmt::format::FmtSpan::FULL)
                .with_writer(Arc::clone(&output.0))
                .finish();
            tracing::subscriber::with_default(subscriber, || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .unwrap();
                runtime.block_on(talk(connection, &output));
            });
        };
        tokio::task::spawn_blocking(work).await.unwrap();
    }

    /// Asserts that nothing the manager received or sent was logged.
    fn prints_no_secret(mut self) {
        for request in self.manager.requests() {
            for name in [
                AUTHORIZATION.as_str(),
                COOKIE.as_str(),
                "x-xsrf-token",
                "csp-auth-token",
            ] {
                let value = request
                    .headers
                    .get(name)
                    .map_or("", |value| value.to_str().unwrap());
                // The word before a credential is not secret; cookies have names.
                for part in value.split(['=', ';', ' ']).filter(|part| part.len() > 12) {
                    self.secrets.insert(part.to_owned());
                }
            }
        }
        let output = self.output.text();
        assert!(!output.to_uppercase().contains(LICENCE));
        assert!(
            output.contains("request{method=GET"),
            "the client's own log is missing"
        );
        for secret in CONFIGURED {
            // In every encoding.
            assert_eq!(crate::canaries::find(&output, secret), None);
        }
        for secret in &self.secrets {
            if let Some(at) = output.find(secret.as_str()) {
                let start = output[..at].rfind('\n').unwrap_or_default();
                panic!("{secret:?} is printed: {}", &output[start..(at + secret.len())]);
            }
        }
    }
}

async fn talk(connection: netmgr_types::Connection, output: &Output) {
    output.add(&format!("{connection:?}"));
    let client = Client::builder(connection).build().unwrap();
    output.add(&format!("{client:?}"));
    let lookups = Lookups::new(client.clone());
    client.open_in_background();
    for (function, input) in [
        ("getIpPool", json!({"id": POOL})),
        ("getIpPool", json!({"id": "no-such-pool"})),
        ("getPolicyCertificate", json!({"displayName": "lb-cert-web"})),
        ("getPolicyBfdProfile", json!({"id": "fast-bfd"})),
        ("getManagerInfo", json!({})),
        ("getNsGroups", json!({"unknown": 1})),
    ] {
        match call(&lookups, function, input).await {
            Ok(answer) => output.add(&answer.to_string()),
            Err(error) => output.add(&format!("{} {error:?} {error:#?}", reported(&error))),
        }
    }
    if let Err(error) = client.install_missing_licenses().await {
        let mut text = format!("{error} {error:?}");
        write!(text, "{:?}", error.failure()).unwrap();
        output.add(&text);
    }
    client.close().await;
}

/// Faults of managers and proxies.
const FAULTS: [&str; 7] = [
    "* * status=500 count=2",
    "* * status=403 code=403 after=3 count=1",
    "* * body=html count=3",
    "* * truncate count=6",
    "* * reset count=8",
    "* * status=307 header=location:https://other.example/x?token=1",
    "* * status=307 header=location:https://jane:wrong-7193@other.example/x",
];

/// Replies that repeat the password in Base64, even to a login, or a licence key in lower case.
const ECHOES: [&str; 3] = [
    "POST * status=500 body={\"error_message\":\"UGFzcyt3b3JkLTcxOTMmJTQx\"}",
    "* * status=400 body={\"error_message\":\"UGFzcyt3b3JkLTcxOTMmJTQx\",\"details\":[\"UGFzcyt3b3JkLTcxOTMmJTQx\"]}",
    "GET * status=400 body={\"error_message\":\"71937-bbbbb-ccccc-ddddd-eeeee\"}",
];

#[tokio::test]
async fn sessions_and_passwords_never_appear() {
    let accounts = [PASSWORD, WRONG].map(|word| json!({"username": DEFAULT_USERNAME, "password": word}));
    for builder in both_protocols() {
        let check = Check::of(builder).await;
        for account in &accounts {
            for more in [
                json!({}),
                json!({"sessionAuth": false}),
                json!({"remoteAuth": true}),
            ] {
                check.use_client(with(account.clone(), more)).await;
            }
        }
        for text in FAULTS.into_iter().chain(ECHOES) {
            check.manager.faults().clear();
            check.manager.faults().add(fault(text));
            check.use_client(accounts[0].clone()).await;
        }
        check.prints_no_secret();
    }
}

#[tokio::test]
async fn tokens_never_appear() {
    let builder = manager().cloud_api_token(TOKEN).cloud_app("app-1", APP_SECRET);
    let mut check = Check::of(builder).await;
    let grants = [
        json!({"cloudToken": TOKEN}),
        json!({"cloudToken": "wrong-7193"}),
        json!({"cloudClientId": "app-1", "cloudClientSecret": APP_SECRET}),
        json!({"cloudClientId": "app-1", "cloudClientSecret": "wrong-7193"}),
    ];
    for text in ["* /none status=500"].into_iter().chain(FAULTS) {
        check.manager.faults().clear();
        check.manager.faults().add(fault(text));
        for grant in &grants {
            let host = json!({"cloudAuthHost": check.manager.addr().to_string()});
            check.use_client(with(grant.clone(), host)).await;
        }
    }
    // Encoded as on the wire.
    check.secrets.insert("api%2Ftoken".to_owned());
    check.prints_no_secret();
}

#[tokio::test]
async fn private_keys_never_appear() {
    let builder = manager()
        .client_certificates(ClientCertificates::Required)
        .principal_identity("reader");
    let mut check = Check::of(builder).await;
    let identity = check.manager.client_identity("reader").unwrap().clone();
    let settings = json!({"clientAuthCert": identity.certificate_pem, "clientAuthKey": identity.key_pem});
    check.use_client(settings).await;
    let lines = identity.key_pem.lines().filter(|line| !line.starts_with('-'));
    check.secrets.extend(lines.map(str::to_owned));
    check.prints_no_secret();
}
