use netmgr_types::{Deployment, Host};

use super::*;
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::Scope;

const DHCP: ObjectKind = ObjectKind::infra("DHCP server", "DhcpServerConfig", "dhcp-server-configs");
const CERTIFICATE: ObjectKind = ObjectKind::infra("certificate", "TlsCertificate", "certificates");

fn read(kind: &'static ObjectKind, by: By) -> Read {
    let scope = Scope {
        deployment: Deployment::PolicyManager,
        enforcement_point: "default".to_owned(),
        host: Host::parse("mgr").unwrap(),
        tolerate_partial_success: false,
    };
    Read::new(kind, &scope, by)
}

fn named(kind: &'static ObjectKind, name: &str) -> Read {
    read(kind, By::Name(name.to_owned()))
}

fn queries(reads: &[Read]) -> Vec<String> {
    let reads: Vec<&Read> = reads.iter().collect();
    combine(&reads)
        .into_iter()
        .map(|combined| combined.query)
        .collect()
}

#[test]
fn reads_of_one_kind_share_their_common_terms() {
    assert_eq!(
        queries(&[named(&DHCP, "a b"), named(&DHCP, "c"), named(&DHCP, "a b")]),
        [r"(resource_type:DhcpServerConfig AND path:\/infra* AND ((display_name:a b*) OR display_name:c*))"]
    );
}

#[test]
fn kinds_and_projects_are_clauses_of_one_query() {
    let reads = [
        named(&DHCP, "a"),
        named(&CERTIFICATE, "b").in_project(Some("dev")),
        read(&CERTIFICATE, By::Id("c".to_owned())).in_project(Some("dev")),
    ];
    assert_eq!(
        queries(&reads),
        [concat!(
            r"((resource_type:DhcpServerConfig AND path:\/infra* AND display_name:a*) OR ",
            r"(resource_type:TlsCertificate AND path:\/orgs\/default\/projects\/dev\/* AND ",
            r"(display_name:b* OR id:c)))"
        )]
    );
}

#[test]
fn one_read_of_all_objects_makes_the_others_of_its_kind_needless() {
    assert_eq!(
        queries(&[named(&DHCP, "a"), read(&DHCP, By::All)]),
        [r"(resource_type:DhcpServerConfig AND path:\/infra*)"]
    );
}

mod properties {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn prop_every_read_is_in_one_query_that_can_be_sent(
            names in prop::collection::vec(("[ -~]{1,60}", any::<bool>(), prop::option::of("[a-z]{1,9}")), 1..80)
        ) {
            let reads: Vec<Read> = names
                .iter()
                .map(|(name, dhcp, project)| {
                    named(if *dhcp { &DHCP } else { &CERTIFICATE }, name).in_project(project.as_deref())
                })
                .collect();
            let reads: Vec<&Read> = reads.iter().collect();
            let combined = combine(&reads);
            let answered: Vec<usize> = combined.iter().flat_map(|one| one.reads.clone()).collect();
            prop_assert_eq!(answered.len(), reads.len());
            prop_assert_eq!(answered.into_iter().collect::<BTreeSet<_>>().len(), reads.len());
            for one in combined.iter().filter(|one| one.reads.len() > 1) {
                let get = crate::finding::requests::search("/policy/api/v1", one.query.clone())
                    .query("page_size", "1000")
                    .query("cursor", "1000000");
                prop_assert!(get.path_and_query().len() <= LONGEST);
            }
        }
    }
}
