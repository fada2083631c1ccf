//! The shapes, compared with the facts about `nsxt` in `facts.json`: its data sources in versions 3.8.0 to 3.12.2 and in
//! its newest branch, from its source.
//!
//! `members` are those of the newest version, by path: type, use, and default, or nesting and number of blocks. `older`
//! contains those that other versions have otherwise, or lack.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use terraform_plugin::{AttributeStep, Path};

use super::*;
use crate::data_source::DataSource;
use crate::{names, values};

#[derive(serde::Deserialize)]
struct Facts {
    versions: Vec<String>,
    members: BTreeMap<String, String>,
    #[serde(default)]
    deprecated: bool,
    #[serde(default)]
    older: BTreeMap<String, BTreeMap<String, Option<String>>>,
}

fn facts() -> BTreeMap<String, Facts> {
    serde_json::from_str(include_str!("facts.json")).unwrap()
}

fn source(name: &str) -> &'static DataSource {
    DataSource::named(&format!("{PREFIX}{name}"))
}

/// The members of a block by path: the type and the use, or the nesting and the number of blocks.
fn members(block: &Block) -> BTreeMap<String, (String, Option<AttributeUsage>)> {
    fn kind(of: &Type) -> String {
        match of {
            Type::Bool => "bool".to_owned(),
            Type::Number => "number".to_owned(),
            Type::String => "string".to_owned(),
            Type::List(of) => format!("list({})", kind(of)),
            Type::Set(of) => format!("set({})", kind(of)),
            Type::Map(of) => format!("map({})", kind(of)),
            Type::Object(_) | Type::Nested(_) => "object".to_owned(),
        }
    }
    fn add_type(found: &mut BTreeMap<String, (String, Option<AttributeUsage>)>, path: &str, of: &Type) {
        match of {
            Type::List(of) | Type::Set(of) => add_type(found, path, of),
            Type::Object(members) => {
                for (name, of) in members {
                    let path = format!("{path}.{name}");
                    add_type(found, &path, of);
                    found.insert(path, (kind(of), None));
                }
            }
            _ => {}
        }
    }
    let mut found = BTreeMap::new();
    for attribute in &block.attributes {
        add_type(&mut found, &attribute.name, &attribute.kind);
        found.insert(
            attribute.name.clone(),
            (kind(&attribute.kind), Some(attribute.usage)),
        );
    }
    for nested in &block.blocks {
        let nesting = format!("{:?}", nested.nesting).to_lowercase();
        let max = nested.max_items.map_or("any".to_owned(), |max| max.to_string());
        let text = format!("{nesting} block, {} to {max}", nested.min_items);
        found.insert(nested.name.clone(), (text, None));
        let inner = members(&nested.block).into_iter();
        found.extend(inner.map(|(path, member)| (format!("{}.{path}", nested.name), member)));
    }
    found
}

/// The difference of a member that can be set or filled in only there, or that has another type.
fn difference(
    there: &str,
    here: Option<&(String, Option<AttributeUsage>)>,
    is_in_block: bool,
) -> Option<String> {
    let Some((kind, usage)) = here else {
        return Some("missing".to_owned());
    };
    if there.contains(" block, ") || usage.is_none() {
        let there = there.split(" = ").next().unwrap_or_default();
        return (there != kind).then(|| format!("{kind} instead of {there}"));
    }
    let usage = (*usage)?;
    let mut words = there.split(' ').take_while(|word| *word != "=");
    let type_there = words.next().unwrap_or_default();
    let words: BTreeSet<&str> = words.collect();
    let is_argument_there = words.contains("required") || words.contains("optional");
    let is_computed = matches!(usage, AttributeUsage::Computed | AttributeUsage::OptionalComputed);
    let reason = if type_there != kind {
        "type"
    } else if usage == AttributeUsage::Required && !words.contains("required") {
        "required here"
    } else if usage == AttributeUsage::Computed && is_argument_there {
        "no argument"
    } else if words.contains("computed") && !is_computed && !is_in_block {
        "not computed"
    } else {
        return None;
    };
    Some(format!("{reason}: {usage:?} {kind} instead of {there}"))
}

/// Arguments here that are only results there.
const SETTABLE: [&str; 2] = [
    "policy_project.tier0_gateway_paths",
    "policy_user_management_role_binding.user_id",
];

/// Whether a member has the use that it has in the newest version.
fn is_used_alike(path: &str, there: &str, usage: AttributeUsage) -> bool {
    let there = there.split(" = ").next().unwrap_or_default();
    let words = there.split(' ').skip(1).filter(|word| *word != "deprecated");
    match (words.collect::<Vec<_>>().join(" ").as_str(), usage) {
        ("required", AttributeUsage::Required) | ("computed", AttributeUsage::Computed) => true,
        // Reads fill it in there as well, although the schema does not say so. In a plan that defers the read, it would
        // then be null instead of unknown.
        ("optional", AttributeUsage::Optional | AttributeUsage::OptionalComputed) => true,
        ("optional computed" | "implicit", AttributeUsage::OptionalComputed) => true,
        ("implicit", AttributeUsage::Computed) => true,
        ("computed", AttributeUsage::OptionalComputed) => SETTABLE.contains(&path),
        // Hosts accept blocks that a read fills in although the configuration lacks them, but only if all of their
        // members are optional.
        (_, AttributeUsage::Optional) => path.matches('.').count() > 1,
        _ => false,
    }
}

#[test]
fn every_data_source_of_every_version_is_served_in_its_shape() {
    let mut found = BTreeSet::new();
    for (name, facts) in facts() {
        let block = &source(&name).block;
        assert_eq!(block.deprecated, facts.deprecated, "{name}");
        let here = members(block);
        for version in &facts.versions {
            let mut there = facts.members.clone();
            for (path, member) in facts.older.get(version).into_iter().flatten() {
                match member {
                    Some(text) => there.insert(path.clone(), text.clone()),
                    None => there.remove(path),
                };
            }
            for (path, text) in &there {
                if let Some(difference) = difference(text, here.get(path), path.contains('.')) {
                    found.insert((format!("{name}.{path}"), difference));
                }
            }
        }
        for (path, text) in &facts.members {
            let path_of_all = format!("{name}.{path}");
            if let Some((_, Some(usage))) = here.get(path)
                && !is_used_alike(&path_of_all, text, *usage)
            {
                found.insert((path_of_all, format!("{usage:?} instead of {text}")));
            }
        }
        for path in here.keys().filter(|path| !facts.members.contains_key(*path)) {
            found.insert((format!("{name}.{path}"), "not there".to_owned()));
        }
    }
    assert_eq!(found, BTreeSet::new());
}

/// The result of a read that fills in nothing.
fn state(name: &str, config: Object) -> Object {
    source(name).result(config, json!({}))
}

fn object<const N: usize>(members: [(&str, AttributeValue); N]) -> Object {
    members.map(|(name, value)| (name.to_owned(), value)).into()
}

fn block<const N: usize>(members: [(&str, AttributeValue); N]) -> AttributeValue {
    AttributeValue::List(vec![AttributeValue::Object(object(members))])
}

/// The contents of the only block.
fn only(value: &AttributeValue) -> &Object {
    match value {
        AttributeValue::List(blocks) => match &blocks[..] {
            [AttributeValue::Object(block)] => block,
            _ => panic!("one block: {value:?}"),
        },
        _ => panic!("a list: {value:?}"),
    }
}

#[test]
fn arguments_that_are_not_set_have_the_defaults_of_the_facts() {
    for (name, facts) in facts() {
        let state = state(&name, Object::new());
        let block = &source(&name).block;
        // The read fills in the others.
        let is_argument = |path: &str| {
            let found = block.attribute(path);
            found.is_some_and(|attribute| attribute.usage == AttributeUsage::Optional)
        };
        for (path, text) in facts.members.iter().filter(|(path, _)| is_argument(path)) {
            let default = text.split_once(" = ").map_or("null", |(_, default)| default);
            let expected = match serde_json::from_str(default).unwrap() {
                serde_json::Value::Bool(flag) => flag.into(),
                serde_json::Value::Number(number) => number.as_i64().unwrap().into(),
                serde_json::Value::String(text) => text.into(),
                _ => AttributeValue::Null,
            };
            assert!(state[path] == expected, "{name}.{path}");
        }
    }
    let config = object([("context", block([("project_id", "dev".into())]))]);
    let expected = block([("project_id", "dev".into()), ("from_global", false.into())]);
    assert!(state("policy_segment", config)["context"] == expected);
    assert!(state("policy_segment", Object::new())["context"].is_null());
}

#[test]
fn blocks_and_arguments_that_nsxt_ignores_are_no_inputs() {
    let vm = source("policy_vm");
    let config = object([
        ("context", block([("project_id", "dev".into())])),
        ("description", "any".into()),
        ("display_name", "web".into()),
        ("tag", block([("tag", "any".into())])),
    ]);
    let input = json!({ "context": { "projectId": "dev" }, "displayName": "web" });
    assert_eq!(vm.input(&config), input);
    assert_eq!(vm.check(&config), []);
    // Attributes that the object lacks have the configured values.
    let state = vm.result(config, json!({ "displayName": "web-1", "tags": [] }));
    assert!(state["display_name"] == "web-1".into() && state["description"] == "any".into());
    assert!(state["tag"] == AttributeValue::List(Vec::new()));
    let config = ["id", "display_name", "description"].map(|name| (name, "x".into()));
    let cluster = source("policy_container_cluster");
    assert_eq!(cluster.input(&object(config.clone())), json!({ "id": "x" }));
    assert_eq!(cluster.check(&object(config)), []);
}

#[test]
fn an_argument_that_only_our_lookup_requires_is_named_if_it_is_missing() {
    let name = "policy_host_transport_node_collection_realization";
    for (name, config, argument) in [
        (
            "compute_collection",
            object([("origin_id", "x".into())]),
            "display_name",
        ),
        (name, Object::new(), "path"),
    ] {
        let [problem] = &source(name).check(&config)[..] else {
            panic!("one problem")
        };
        assert!(
            problem.detail.contains(&format!("`{argument}` is required")),
            "{problem:?}"
        );
    }
    let collections = source("compute_collection");
    let config = object([("id", "x".into()), ("display_name", AttributeValue::Null)]);
    assert_eq!(collections.check(&config), []);
    let state = collections.result(config, json!({ "displayName": "hosts", "id": "x" }));
    assert!(state["display_name"] == "hosts".into() && state["id"] == "x".into());
}

#[test]
fn a_data_source_that_nsxt_deprecates_names_its_replacement() {
    let config = object([("id", "x".into())]);
    for (name, detail) in [
        (
            "ip_pool",
            "`nsxt_ip_pool` is deprecated: use `nsxt_policy_ip_pool`.",
        ),
        (
            "mac_pool",
            "`nsxt_mac_pool` is deprecated, and no data source replaces it.",
        ),
    ] {
        let [warning] = &source(name).check(&config)[..] else {
            panic!("one warning")
        };
        assert_eq!(warning.detail, detail);
    }
    let here = DataSource::named("netmgr_ip_pool");
    assert!(here.check(&config).is_empty() && !here.block.deprecated);
}

#[test]
fn an_empty_string_means_that_an_optional_argument_is_not_set() {
    for source in DataSource::all().filter(|source| source.name.starts_with(PREFIX)) {
        let example = source.entry.describe().example;
        let arguments = source.inputs.iter().filter_map(|input| {
            let value = match values::output(example.get(&input.name)?.clone(), input) {
                AttributeValue::Object(members) => {
                    AttributeValue::List(vec![AttributeValue::Object(members)])
                }
                value => value,
            };
            Some((names::attribute(&input.name), value))
        });
        let example: Object = arguments.collect();
        let attributes = source.block.attributes.iter().filter(|attribute| {
            attribute.kind == Type::String
                && !matches!(
                    attribute.usage,
                    AttributeUsage::Computed | AttributeUsage::Required
                )
        });
        for attribute in attributes.filter(|attribute| !example.contains_key(&attribute.name)) {
            let mut config = example.clone();
            config.insert(attribute.name.clone(), "".into());
            assert_eq!(
                source.check(&config),
                source.check(&example),
                "{}.{}",
                source.name,
                attribute.name
            );
        }
    }
}

#[test]
fn problems_have_the_path_into_the_block() {
    let context = block([("project_id", "default".into())]);
    let group = source("policy_group");
    let [problem] = &group.check(&object([("id", "1".into()), ("context", context)]))[..] else {
        panic!("one problem")
    };
    let path = Path::attribute("context").then(AttributeStep::Index(0));
    let member = AttributeStep::Attribute("project_id".to_owned());
    assert_eq!(problem.path, path.then(member));
    let config = object([("id", "1".into()), ("context", AttributeValue::Unknown)]);
    assert_eq!(group.check(&config), []);
}

#[test]
fn nested_objects_become_blocks_with_the_names_of_nsxt() {
    let rule = json!({ "id": "r", "ruleId": 7, "tags": [{ "scope": "s", "tag": "t" }] });
    let output = json!({ "id": "p", "rules": [rule], "tags": [], "parentPath": "/infra" });
    let state = source("policy_intrusion_service_policy").result(Object::new(), output);
    let rule = only(&state["rule"]);
    assert!(rule["nsx_id"] == "r".into() && rule["rule_id"] == 7.into() && !rule.contains_key("id"));
    assert!(rule["tag"] == block([("scope", "s".into()), ("tag", "t".into())]));
    assert!(!state.contains_key("parent_path") && !state.contains_key("rules"));
    let target = json!({ "addressFamily": "L2VPN_EVPN", "importTargets": [], "exportTargets": [] });
    let output = json!({ "vrfConfig": { "gatewayPath": "/infra/tier-0s/a", "routeTarget": [target] } });
    let state = source("policy_tier0_gateway").result(Object::new(), output);
    let config = only(&state["vrf_config"]);
    assert!(config["gateway_path"] == "/infra/tier-0s/a".into());
    assert!(only(&config["route_target"])["address_family"] == "L2VPN_EVPN".into());
}

#[test]
fn the_id_of_security_settings_names_the_gateway() {
    for (argument, id) in [("tier0_id", "tier0/a"), ("tier1_id", "tier1/a")] {
        let config = object([(argument, "a".into())]);
        assert!(state("policy_gateway_security_config", config)["id"] == id.into());
    }
}

#[test]
fn a_function_without_a_counterpart_keeps_its_attributes() {
    let [here, there] = ["netmgr_policy_objects", "nsxt_policy_objects"].map(|name| {
        let members = members(&DataSource::named(name).block).into_keys();
        members
            .filter(|path| !path.starts_with("context."))
            .collect::<Vec<_>>()
    });
    assert_eq!(here, there);
}
