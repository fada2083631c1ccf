//! Tests of the steps that need the manager.

use std::time::SystemTime;

use super::*;
use crate::commands::doctor::report::Status;

#[test]
fn a_clock_that_differs_by_more_than_half_a_minute_is_a_warning() {
    let here = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    for (manager, status, summary) in [
        (here, Status::Ok, "the manager and this machine agree"),
        (
            here - Duration::from_secs(30),
            Status::Ok,
            "the manager and this machine agree",
        ),
        (
            here - Duration::from_secs(31),
            Status::Warn,
            "the manager is 31 s behind this machine",
        ),
        (
            here + Duration::from_secs(3600),
            Status::Warn,
            "the manager is 3600 s ahead of this machine",
        ),
    ] {
        let finding = clock(Some(Clocks::new(manager, here)));
        assert_eq!((finding.status, finding.summary.as_str()), (status, summary));
    }
    assert_eq!(clock(None).status, Status::Ok);
}

#[test]
fn the_version_excludes_functions() {
    let gated = |version: &str, deployment| {
        let finding = gates(&version.parse().unwrap(), deployment);
        finding.details["unavailable"].as_object().unwrap().clone()
    };
    // Sites are objects of global managers.
    let new = gated("9.1.1", Deployment::PolicyManager);
    assert_eq!(new.keys().collect::<Vec<_>>(), ["policy-site"]);
    let mut old = gated("4.2.1", Deployment::PolicyManager);
    old.retain(|function, _| !new.contains_key(function));
    assert!(
        !old.is_empty()
            && old
                .values()
                .all(|reason| reason.as_str().unwrap().starts_with("requires 9."))
    );
    assert!(!gated("9.1.0", Deployment::GlobalManager).is_empty());
}
