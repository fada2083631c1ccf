//! Tests of checking, comparing and applying configuration.

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use tonic::Code;

use crate::engine::{bag, served, text};
use crate::sample::{Sample, detail};

#[tokio::test]
async fn configuration_failures_name_the_property_in_the_reason_alone() {
    let mut engine = served(Sample::default()).await;
    let answer = engine
        .client
        .check_config(rpc::CheckRequest::default())
        .await
        .unwrap()
        .into_inner();
    let failures: Vec<_> = answer
        .failures
        .iter()
        .map(|f| (&*f.property, &*f.reason))
        .collect();
    // The engine prints the values of reported properties, and any of them may be secret.
    assert_eq!(
        failures,
        [
            ("", "retries: must be at least 0"),
            ("", "tls.key: is no PEM text")
        ]
    );
    assert_eq!(answer.inputs, None);
}

#[tokio::test]
async fn checked_configuration_comes_back_as_it_was_given() {
    let mut engine = served(Sample::default()).await;
    let news = bag([("host", text("h")), ("version", text("0.3.1"))]);
    let request = rpc::CheckRequest {
        news: news.clone(),
        ..Default::default()
    };
    let answer = engine.client.check_config(request).await.unwrap().into_inner();
    assert_eq!((answer.inputs, answer.failures), (news, vec![]));
}

#[tokio::test]
async fn a_configuration_is_compared() {
    let mut engine = served(Sample::default()).await;
    let (a, b) = (bag([("host", text("a"))]), bag([("host", text("b"))]));
    for (news, expected) in [
        (a.clone(), rpc::diff_response::DiffChanges::DiffNone),
        (b, rpc::diff_response::DiffChanges::DiffSome),
    ] {
        let request = rpc::DiffRequest {
            olds: a.clone(),
            news,
            ..Default::default()
        };
        let answer = engine.client.diff_config(request).await.unwrap().into_inner();
        assert_eq!(answer.changes(), expected);
        assert!(answer.replaces.is_empty());
    }
}

#[tokio::test]
async fn missing_configuration_is_reported_key_by_key() {
    let mut engine = served(Sample::default()).await;
    let status = engine
        .client
        .configure(rpc::ConfigureRequest::default())
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(
        status.message(),
        "required configuration is missing: sample:host, sample:user"
    );
    let missing: rpc::ConfigureErrorMissingKeys = detail(&status, "ConfigureErrorMissingKeys");
    let keys: Vec<_> = missing
        .missing_keys
        .iter()
        .map(|k| (&*k.name, &*k.description))
        .collect();
    assert_eq!(
        keys,
        [
            ("sample:host", "the sample:host"),
            ("sample:user", "the sample:user")
        ]
    );
}
