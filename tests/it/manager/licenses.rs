//! Licence keys: the only write.

use super::support::*;
use super::*;

const PRESENT: &str = "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE";
const MISSING: &str = "12345-BBBBB-CCCCC-DDDDD-EEEEE";

#[tokio::test]
async fn missing_keys_are_added_once_and_present_ones_stay() {
    let manager = started(manager().licenses([PRESENT.to_owned()])).await;
    let settings = with(session(), json!({"licenseKeys": [PRESENT, MISSING]}));
    let client = client(&manager, settings);
    for added in [1, 0] {
        assert_eq!(client.install_missing_licenses().await.unwrap(), added);
        assert_eq!(manager.counters().writes, 1);
    }
    assert_eq!(manager.license_keys(), [PRESENT, MISSING]);
}

#[tokio::test]
async fn without_keys_nothing_is_asked_or_written() {
    let manager = started(manager()).await;
    let added = client(&manager, session()).install_missing_licenses().await;
    assert_eq!(added.unwrap(), 0);
    assert_eq!(manager.counters().total_requests(), 0);
}

#[tokio::test]
async fn a_key_that_cannot_be_added_is_reported_and_not_written_again() {
    let manager = started(manager().fault(fault("POST /api/v1/licenses status=500"))).await;
    let settings = with(basic(), json!({"licenseKeys": [MISSING]}));
    let error = client(&manager, settings)
        .install_missing_licenses()
        .await
        .unwrap_err();
    assert!(error.to_string().contains("POST /api/v1/licenses"), "{error}");
    assert!(!error.to_string().contains(MISSING), "{error}");
    assert_eq!(
        manager
            .counters()
            .requests_to(&http::Method::POST, "/api/v1/licenses"),
        1
    );
}
