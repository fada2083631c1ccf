//! Tests of reports of failures.

use netmgr_lookups::Candidate;
use netmgr_types::ProviderConfig;
use serde_json::json;

use super::*;

#[test]
fn every_problem_of_a_configuration_has_a_line() {
    let errors = ProviderConfig::from_json(json!({ "hots": "m", "maxRetries": "many" })).unwrap_err();
    let failure = CliError::Configuration(errors);
    assert_eq!(failure.exit(), Exit::Usage);
    insta::assert_snapshot!(failure.report());
}

#[test]
fn a_failed_lookup_reports_each_cause_once() {
    let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
    let failure = netmgr_transport::Failure::default()
        .attempts(5_u32)
        .elapsed(std::time::Duration::from_millis(1200))
        .source(refused);
    let request = netmgr_transport::Error::new(RequestErrorKind::Connect, failure);
    let failed = netmgr_lookups::Error::request_failed("getManagerInfo", "the version of its node", request);
    let failure = CliError::from(failed);
    assert_eq!(failure.exit(), Exit::Network);
    insta::assert_snapshot!(failure.report());
}

#[test]
fn every_candidate_has_a_line() {
    let found = [
        Candidate::new("blue", "b-1").path("/infra/bfd-profiles/b-1"),
        Candidate::new("blue", "b-2"),
    ];
    let what = "several BFD profile objects have display name \"blue\"";
    let mut error = netmgr_lookups::Error::ambiguous("getPolicyBfdProfile", what, found, 3);
    if let netmgr_lookups::Error::Ambiguous { incomplete, .. } = &mut error {
        *incomplete = Some("1 object could not be read".to_owned());
    }
    let failure = CliError::from(error);
    assert_eq!(failure.exit(), Exit::Ambiguous);
    insta::assert_snapshot!(failure.report());
}

#[test]
fn a_wrong_input_points_at_the_help_of_its_function() {
    let problem = netmgr_lookups::InvalidProperty::new("displayNam", "is not known");
    let failure = CliError::from(netmgr_lookups::Error::invalid_input(
        "getPolicyEdgeCluster",
        [problem],
    ));
    assert_eq!(failure.exit(), Exit::Usage);
    insta::assert_snapshot!(failure.report());
}
