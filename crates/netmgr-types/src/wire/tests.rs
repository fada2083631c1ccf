use serde_json::json;

use super::*;

#[test]
fn a_version_is_the_products_else_the_nodes() {
    let version = |body| {
        let version: NodeVersion = serde_json::from_value(body).unwrap();
        version.version().to_owned()
    };
    assert_eq!(
        version(json!({"product_version": "9.1.0", "node_version": "9.0.0"})),
        "9.1.0"
    );
    assert_eq!(
        version(json!({"product_version": "", "node_version": "4.2.1"})),
        "4.2.1"
    );
}

#[test]
fn what_has_none_of_the_members_of_its_kind_is_not_of_that_kind() {
    fn reason<T: serde::de::DeserializeOwned>(body: serde_json::Value) -> Option<String> {
        serde_json::from_value::<T>(body)
            .err()
            .map(|error| error.to_string())
    }
    let other = || json!({"redirectUrl": "/login.jsp", "product_version": "", "state": null});
    assert_eq!(
        reason::<NodeVersion>(other()).as_deref(),
        Some("has none of `product_version` and `node_version`")
    );
    assert!(reason::<ComputeManagerState>(other()).is_some());
    assert!(reason::<ComputeManagerStatus>(other()).is_some());
    assert!(reason::<EdgeTransportNodeState>(other()).is_some());
    assert!(reason::<ClusterConfig>(other()).is_some());
    assert_eq!(
        reason::<ClusterConfig>(json!({"cluster_id": "c"})).as_deref(),
        Some("missing field `nodes`")
    );

    // An unknown state is a valid state.
    assert_eq!(reason::<ComputeManagerState>(json!({"details": []})), None);
    assert_eq!(
        reason::<ComputeManagerStatus>(json!({"connection_status": "UP"})),
        None
    );
    assert_eq!(
        reason::<EdgeTransportNodeState>(json!({"edge_transport_node_path": "/infra/x"})),
        None
    );
}

#[test]
fn error_codes_are_read_as_number_or_text() {
    for (code, expected) in [
        (json!(102), Some(102)),
        (json!("102"), Some(102)),
        (json!("E102"), None),
        (json!(null), None),
        (json!({}), None),
    ] {
        let error: ApiError =
            serde_json::from_value(json!({"error_code": code, "related_errors": [{"error_code": code}]}))
                .unwrap();
        assert_eq!(error.error_code, expected);
        assert_eq!(error.related_errors[0].error_code, expected);
        assert_eq!(error.has_code(&[98, 102]), expected.is_some());
    }
}

#[test]
fn the_code_of_an_error_below_counts_too() {
    let error: ApiError =
        serde_json::from_value(json!({"error_code": 607, "related_errors": [{"error_code": "610"}]}))
            .unwrap();
    assert!(error.has_code(&[610]) && error.has_code(&[607]) && !error.has_code(&[600]));
}

#[test]
fn errors_read_as_one_line_whatever_is_missing() {
    let text = |body| serde_json::from_value::<ApiError>(body).unwrap().to_string();
    assert_eq!(text(json!({})), "no message");
    assert_eq!(text(json!({"related_errors": null})), "no message");
    assert_eq!(
        text(json!({"error_message": "It failed.", "module_name": "policy"})),
        "It failed (module_name policy)"
    );
    assert_eq!(
        text(
            json!({"error_message": "It failed.", "details": "disk full.", "error_code": "7",
            "related_errors": [{"error_message": "Full."}]})
        ),
        "It failed: disk full (error_code 7); related: Full"
    );
}

#[test]
fn a_licence_key_is_not_shown() {
    let license: License =
        serde_json::from_value(json!({"license_key": "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE", "description": "x"}))
            .unwrap();
    assert_eq!(license.key.expose(), "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE");
    assert!(!format!("{license:?}").contains("AAAAA"));
}
