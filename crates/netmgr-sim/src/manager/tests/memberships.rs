//! Tests of members of groups.

use serde_json::{Value, json};

use crate::{Inventory, Manager, ManagerSettings};

use super::support::{column, read, refusal, results};

const INFRA: &str = "/policy/api/v1/infra";
const GROUPS: &str = "/infra/domains/default/groups";

fn machine(name: &str, tags: &Value) -> Value {
    json!({"external_id": name, "display_name": name, "tags": tags, "guest_info": {"os_name": "Linux"}})
}

fn manager(expressions: &[(&str, Value)]) -> Manager {
    let mut inventory = Inventory::empty()
        .with(
            "/api/v1/fabric/virtual-machines",
            machine("web-1", &json!([{"scope": "env", "tag": "prod"}])),
        )
        .with(
            "/api/v1/fabric/virtual-machines",
            machine("web-2", &json!([{"scope": "old", "tag": "prod"}])),
        )
        .with(
            "/api/v1/fabric/virtual-machines",
            machine("db-1", &json!([{"scope": "env", "tag": "test"}])),
        );
    for (id, expression) in expressions {
        inventory = inventory.with(GROUPS, json!({"id": id, "expression": expression}));
    }
    Manager::new(ManagerSettings::default(), inventory)
}

fn machines_of(manager: &Manager, group: &str) -> Vec<String> {
    let rows = results(&read(
        manager,
        &format!("/policy/api/v1{GROUPS}/{group}/members/virtual-machines"),
    ));
    column(&rows, "display_name")
}

fn condition(key: &str, operator: &str, value: &str) -> Value {
    json!({"resource_type": "Condition", "member_type": "VirtualMachine", "key": key, "operator": operator, "value": value})
}

fn operator(name: &str) -> Value {
    json!({"resource_type": "ConjunctionOperator", "conjunction_operator": name})
}

#[test]
fn conditions_compare_tags_and_names() {
    let other_scope = |value: &str| {
        let mut condition = condition("Tag", "EQUALS", value);
        condition["scope_operator"] = json!("NOTEQUALS");
        condition
    };
    for (expression, expected) in [
        (condition("Tag", "EQUALS", "env|prod"), &["web-1"][..]),
        (condition("Tag", "EQUALS", "|prod"), &["web-1", "web-2"]),
        (condition("Tag", "EQUALS", "prod"), &["web-1", "web-2"]),
        (condition("Tag", "NOTEQUALS", "env|prod"), &["db-1", "web-2"]),
        (condition("Tag", "STARTSWITH", "env|te"), &["db-1"]),
        (other_scope("env|prod"), &["web-2"]),
        (condition("Name", "STARTSWITH", "web"), &["web-1", "web-2"]),
        (condition("Name", "ENDSWITH", "-1"), &["db-1", "web-1"]),
        (condition("Name", "CONTAINS", "b-"), &["db-1", "web-1", "web-2"]),
        (condition("Name", "EQUALS", "web"), &[]),
        (
            condition("OSName", "EQUALS", "Linux"),
            &["db-1", "web-1", "web-2"],
        ),
    ] {
        let manager = manager(&[("g", json!([expression]))]);
        assert_eq!(machines_of(&manager, "g"), expected, "{expression}");
    }
}

#[test]
fn and_binds_more_closely_than_or() {
    let prod = condition("Tag", "EQUALS", "prod");
    let first = condition("Name", "ENDSWITH", "-1");
    let db = condition("Name", "STARTSWITH", "db");
    let (and, or) = (operator("AND"), operator("OR"));
    for (expression, expected) in [
        (json!([db, or, prod, and, first]), &["db-1", "web-1"][..]),
        (json!([prod, and, first, or, db]), &["db-1", "web-1"]),
        (
            json!([{"resource_type": "NestedExpression", "expressions": [db, or, prod]}, and, first]),
            &["db-1", "web-1"],
        ),
        (json!([db, and, prod]), &[]),
    ] {
        let manager = manager(&[("g", expression)]);
        assert_eq!(machines_of(&manager, "g"), expected);
    }
}

#[test]
fn groups_contain_the_members_of_nested_groups_even_in_a_circle() {
    let paths = |id: &str| json!({"resource_type": "PathExpression", "paths": [format!("{GROUPS}/{id}")]});
    let manager = manager(&[
        (
            "a",
            json!([paths("b"), operator("OR"), condition("Name", "EQUALS", "web-1")]),
        ),
        (
            "b",
            json!([paths("a"), operator("OR"), condition("Name", "EQUALS", "db-1")]),
        ),
        ("c", json!([paths("missing")])),
    ]);
    assert_eq!(machines_of(&manager, "a"), ["db-1", "web-1"]);
    assert_eq!(machines_of(&manager, "b"), ["db-1", "web-1"]);
    assert_eq!(machines_of(&manager, "c"), [""; 0]);
    let tag = json!({"tags": [{"scope": "env", "tag": "none"}]});
    manager
        .update("/api/v1/fabric/virtual-machines/web-1", tag)
        .unwrap();
    manager
        .update(
            "/api/v1/fabric/virtual-machines/web-1",
            json!({"display_name": "new"}),
        )
        .unwrap();
    assert_eq!(machines_of(&manager, "a"), ["db-1"]);
}

#[test]
fn an_association_needs_its_parameter() {
    let manager = manager(&[]);
    for name in [
        "group",
        "ip-address-group",
        "virtual-machine-group",
        "virtual-network-interface-group",
    ] {
        assert_eq!(refusal(&manager, &format!("{INFRA}/{name}-associations")).0, 400);
    }
}

#[test]
fn addresses_are_compared_with_subnets_and_ranges() {
    let texts = ["10.0.0.0/30", "10.1.0.1-10.1.0.9", "2001:db8::/32", "192.0.2.1"];
    let manager = manager(&[(
        "g",
        json!([{"resource_type": "IPAddressExpression", "ip_addresses": texts}]),
    )]);
    let is_member = |address: &str| {
        let url = format!("{INFRA}/ip-address-group-associations?ip_address={address}");
        !results(&read(&manager, &url)).is_empty()
    };
    for inside in ["10.0.0.3", "10.1.0.9", "2001:db8:1::5", "192.0.2.1"] {
        assert!(is_member(inside), "{inside}");
    }
    for outside in ["10.0.0.4", "10.1.0.10", "2001:db9::", "192.0.2.2", "::"] {
        assert!(!is_member(outside), "{outside}");
    }
}
