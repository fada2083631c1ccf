//! Tests of every function against a manager that responds to every request with status 200 and an unusable
//! body.

use netmgr_transport::{Client, ErrorKind as RequestErrorKind};
use serde_json::{Value, json};

use crate::contract::call::Call;
use crate::contract::error::{Error, ErrorKind};
use crate::tests::manager::{connection, stack};
use crate::{ALL, FunctionEntry, Lookups};

/// Bodies that are not a valid response to any request.
const NO_ANSWERS: &[&str] = &[
    "",
    "{}",
    "null",
    "7",
    r#""ok""#,
    "<html><title>Welcome</title></html>",
    r#"{"redirectUrl":"https://proxy.example.com/login"}"#,
    r#"{"status":"ok","data":[]}"#,
    r#"{"httpStatus":"INTERNAL_SERVER_ERROR","error_code":100,"error_message":"General error."}"#,
    r#"{"results":{}}"#,
    r#"{"results":null}"#,
    r#"{"id":"","external_id":"","cluster_id":"","node_version":"","state":null}"#,
];

/// Inputs that the function accepts: its example, and a name.
fn inputs(entry: &FunctionEntry) -> [Value; 2] {
    let example: Value = serde_json::from_str(entry.spec.example).unwrap();
    let mut named = example.clone();
    named["displayName"] = json!("blue");
    if let Some(named) = named.as_object_mut() {
        named.remove("id");
    }
    [example, named]
}

#[tokio::test(start_paused = true)]
async fn no_function_takes_a_200_that_is_no_answer_for_an_empty_or_missing_object() {
    // One function sends no request.
    for entry in ALL.iter().filter(|entry| entry.spec.name != "getProviderInfo") {
        for body in NO_ANSWERS {
            let mut is_reached = false;
            for (global, input) in [false, true]
                .into_iter()
                .flat_map(|global| inputs(entry).map(|input| (global, input)))
            {
                let manager = connection(|config| config.global_manager = Some(global));
                let stack = stack(|path| match path {
                    // Functions with a minimum version request the version first.
                    "/api/v1/node/version" if entry.spec.name != "getManagerInfo" => {
                        (200, r#"{"product_version":"9.9.0"}"#.to_owned())
                    }
                    _ => (200, (*body).to_owned()),
                });
                let lookups = Lookups::new(Client::new(manager, stack));
                let outcome = lookups
                    .invoke(entry.spec.name, input.clone(), &Call::default())
                    .await;
                let context = format!("{} {input} on {body}: {outcome:?}", entry.spec.name);
                let error = outcome.expect_err(&context);
                match error.kind() {
                    ErrorKind::InvalidInput | ErrorKind::Unsupported => {}
                    _ => {
                        is_reached = true;
                        assert!(is_bad_reply(&error), "{context}");
                    }
                }
            }
            assert!(is_reached, "{} sent no request", entry.spec.name);
        }
    }
}

fn is_bad_reply(error: &Error) -> bool {
    match error {
        Error::Manager { source, .. } => source.kind() == RequestErrorKind::BadReply,
        Error::Fixed { source, .. } => is_bad_reply(source),
        _ => false,
    }
}
