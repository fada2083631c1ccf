//! Point 8: errors of lookups in programs.

use netmgr_sim::{DEFAULT_PASSWORD, ServerCertificate, Simulator};
use serde_json::{Value, json};

use super::support::{Stack, manager, serve, tools};

/// Checks that the answer to a question is an error that contains these texts.
#[track_caller]
fn explains(answers: &Value, question: usize, texts: &[&str]) {
    let error = answers[question]["error"].as_str().unwrap_or_default();
    for text in texts {
        assert!(
            error.contains(text),
            "question {question}: nothing of {text:?} in {error:?}"
        );
    }
}

async fn failures(program: &str, tools: &'static super::support::Tools) {
    let manager = manager().await;
    let ill = serve(
        Simulator::builder()
            .fault("* /api/v1/transport-zones* status=503".parse().unwrap())
            .fault("GET /api/v1/ns-groups* status=503".parse().unwrap()),
    )
    .await;
    let mut stack = Stack::of(tools, program).await;
    stack.point_at(&manager);
    stack
        .ask(&json!([
            {"function": "getComputeManager", "arguments": {"displayName": "nowhere"}},
            {"function": "getCertificate", "arguments": {"displayName": "twin-cert"}},
            {"function": "getPolicyBfdProfile", "arguments": {"id": "x", "displayName": "y"}},
        ]))
        .await;
    stack.up().await.succeeded();
    let answers = stack.outputs().await["answers"].clone();
    explains(
        &answers,
        0,
        &[
            "netmgr:index/getComputeManager:getComputeManager",
            "no compute manager",
            r#""nowhere""#,
        ],
    );
    explains(
        &answers,
        1,
        &[
            "twin-cert",
            "0a4e7b9c-2d31-4b0e-9c7f-1a2b3c4d0004",
            "0a4e7b9c-2d31-4b0e-9c7f-1a2b3c4d0005",
        ],
    );
    explains(&answers, 2, &["displayName"]);

    stack.clear();
    stack.point_at(&ill);
    stack.ask(&json!([{"function": "getNsGroups"}])).await;
    stack.up().await.succeeded();
    let answers = stack.outputs().await["answers"].clone();
    explains(&answers, 0, &["getNsGroups", "503", "5 attempts"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_lookup_of_a_typescript_program_says_why() {
    let tools = tools!("a_failed_lookup_of_a_typescript_program_says_why");
    failures("ask-typescript", tools).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_lookup_of_a_python_program_says_why() {
    let tools = tools!("a_failed_lookup_of_a_python_program_says_why");
    failures("ask-python", tools).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manager_that_cannot_be_reached_trusted_or_logged_in_to_is_named() {
    let tools = tools!("a_manager_that_cannot_be_reached_trusted_or_logged_in_to_is_named");
    let manager = manager().await;
    let elsewhere = Simulator::builder()
        .tls(ServerCertificate::WrongHost)
        .start()
        .await
        .unwrap();
    let question = |host: String, ca: Option<&str>, password: &str| {
        json!({
            "function": "getComputeManager",
            "arguments": {"displayName": "vc-prod"},
            "provider": {
                "host": host, "ca": ca, "username": "admin", "password": password, "maxRetries": 1,
            },
        })
    };
    // Port 1 of this machine, which has no listener.
    let nobody = question("127.0.0.1:1".to_owned(), None, DEFAULT_PASSWORD);
    let questions = json!([
        nobody,
        question(manager.host(), manager.ca_pem(), "wrong"),
        question(elsewhere.host(), elsewhere.ca_pem(), DEFAULT_PASSWORD),
        question(manager.host(), elsewhere.ca_pem(), DEFAULT_PASSWORD),
    ]);
    let stack = Stack::of(tools, "ask-typescript").await;
    stack.ask(&questions).await;
    stack.up().await.succeeded();
    let answers = stack.outputs().await["answers"].clone();
    explains(&answers, 0, &["127.0.0.1:1", "refused"]);
    explains(&answers, 1, &["rejected the login"]);
    explains(&answers, 2, &["TLS handshake failed", "manager.invalid"]);
    explains(&answers, 3, &["TLS handshake failed", "unknown authority"]);
    assert_eq!(
        manager.counters().failed_logins,
        1,
        "a wrong password is tried once"
    );
}
