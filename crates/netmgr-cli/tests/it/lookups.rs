//! Nine functions, one of each kind, with all possible results: found by id, by name and by prefix, not found,
//! ambiguous, rejected because of a property or a type.

use crate::support::{Manager, assert_shown};

/// An input with a property that no function has, and one whose type does not match any property.
const UNKNOWN: &[&str] = &["--input", r#"{"displayNam": "x"}"#];
const WRONG_ID: &[&str] = &["--input", r#"{"id": 7}"#];
const WRONG_NAME: &[&str] = &["--input", r#"{"displayName": ["x"]}"#];

#[test]
fn manager_info() {
    let shown = Manager::start().transcript(
        "manager-info",
        &[(0, &[]), (0, &["--id", "mine"]), (2, UNKNOWN), (2, WRONG_ID)],
    );
    assert_shown!("manager_info", shown);
}

#[test]
fn compute_manager() {
    let shown = Manager::start().transcript(
        "compute-manager",
        &[
            (0, &["--id", "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001"]),
            (0, &["--display-name", "vc-prod"]),
            (3, &["--id", "nowhere"]),
            (3, &["--display-name", "vc-pro"]),
            (4, &[]),
            (2, UNKNOWN),
            (2, WRONG_NAME),
        ],
    );
    assert_shown!("compute_manager", shown);
}

#[test]
fn compute_collection() {
    let shown = Manager::start().transcript(
        "compute-collection",
        &[
            (
                0,
                &[
                    "--id",
                    "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20",
                    "--display-name",
                    "Compute-Cluster-01",
                ],
            ),
            (0, &["--display-name", "Rack (2)/Zürich"]),
            (
                0,
                &[
                    "--display-name",
                    "twin",
                    "--origin-id",
                    "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0002",
                ],
            ),
            (3, &["--display-name", "Compute-Cluster"]),
            (3, &["--display-name", "twin", "--origin-type", "VC_Host"]),
            (4, &["--display-name", "twin"]),
            (2, &[]),
            (2, UNKNOWN),
            (2, WRONG_NAME),
        ],
    );
    assert_shown!("compute_collection", shown);
}

#[test]
fn edge_cluster() {
    let shown = Manager::start().transcript(
        "edge-cluster",
        &[
            (0, &["--id", "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001"]),
            (0, &["--display-name", "edge"]),
            (0, &["--display-name", "edge-cluster-p"]),
            (
                0,
                &["--display-name", "edge-", "--deployment-type", "PHYSICAL_MACHINE"],
            ),
            (3, &["--id", "nowhere"]),
            (3, &["--display-name", "Edge-Cluster"]),
            (4, &["--display-name", "edge-cluster"]),
            (2, UNKNOWN),
            (2, WRONG_ID),
        ],
    );
    assert_shown!("edge_cluster", shown);
}

#[test]
fn ns_groups() {
    let shown = Manager::start().transcript(
        "ns-groups",
        &[(0, &[]), (0, &["--id", "mine"]), (2, UNKNOWN), (2, WRONG_ID)],
    );
    assert_shown!("ns_groups", shown);
}

#[test]
fn policy_bfd_profile() {
    let shown = Manager::start().transcript(
        "policy-bfd-profile",
        &[
            (0, &["--id", "fast-bfd"]),
            (0, &["--display-name", "bfd-fast"]),
            (0, &["--display-name", "Zürich"]),
            (0, &["--display-name", "100% [x] {y} ^~*?"]),
            (3, &["--id", "nowhere"]),
            (3, &["--display-name", "fast"]),
            (4, &["--display-name", "bfd-"]),
            (4, &["--display-name", "bfd-twin"]),
            (2, &["--id", "fast-bfd", "--display-name", "bfd-fast"]),
            (2, UNKNOWN),
            (2, WRONG_NAME),
        ],
    );
    assert_shown!("policy_bfd_profile", shown);
}

#[test]
fn policy_certificate() {
    let shown = Manager::start().transcript(
        "policy-certificate",
        &[
            (0, &["--id", "lb-cert-web"]),
            (0, &["--id", "lb-cert-web", "--context-project-id", "dev"]),
            (0, &["--display-name", "lb-cert"]),
            (0, &["--display-name", "dev-", "--context-project-id", "dev"]),
            (3, &["--id", "dev-only"]),
            (3, &["--display-name", "dev2", "--context-project-id", "dev"]),
            (4, &["--display-name", "cert-twin"]),
            (2, UNKNOWN),
            (2, &["--input", r#"{"context": {"project": "dev"}}"#]),
            (2, &["--input", r#"{"context": "dev"}"#]),
        ],
    );
    assert_shown!("policy_certificate", shown);
}

#[test]
fn policy_edge_cluster() {
    let shown = Manager::start().transcript(
        "policy-edge-cluster",
        &[
            (0, &["--id", "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001"]),
            (0, &["--display-name", "edge"]),
            (0, &["--display-name", "edge-cluster-t"]),
            (
                0,
                &["--display-name", "edge", "--site-path", "/infra/sites/default"],
            ),
            (3, &["--id", "nowhere"]),
            (3, &["--display-name", "paris"]),
            (4, &["--display-name", "edge-cluster"]),
            (2, UNKNOWN),
            (2, WRONG_ID),
        ],
    );
    assert_shown!("policy_edge_cluster", shown);
}

#[test]
fn policy_edge_cluster_of_a_global_manager() {
    let shown = Manager::with(&["--kind", "global"]).transcript(
        "policy-edge-cluster",
        &[
            (0, &["--site-path", "/global-infra/sites/paris"]),
            (
                0,
                &[
                    "--site-path",
                    "/global-infra/sites/london",
                    "--display-name",
                    "edge",
                ],
            ),
            (4, &["--site-path", "/global-infra/sites/london"]),
            (
                3,
                &[
                    "--site-path",
                    "/global-infra/sites/rome",
                    "--display-name",
                    "edge",
                ],
            ),
            (2, &["--display-name", "edge"]),
            (2, &["--site-path", "paris"]),
        ],
    );
    assert_shown!("policy_edge_cluster_global", shown);
}

#[test]
fn compute_manager_realization() {
    let shown = Manager::start().transcript(
        "compute-manager-realization",
        &[
            (
                0,
                &["--id", "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001", "--delay", "0"],
            ),
            (
                0,
                &[
                    "--id",
                    "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0002",
                    "--delay=0",
                    "--check-registration=false",
                ],
            ),
            (3, &["--id", "nowhere", "--delay", "0"]),
            (2, &[]),
            (2, &["--id", "x", "--timeout", "0"]),
            (2, &["--input", r#"{"id": "x", "timeout": "soon"}"#]),
            (2, &["--input", r#"{"id": "x", "displayName": "vc-prod"}"#]),
        ],
    );
    assert_shown!("compute_manager_realization", shown);
}
