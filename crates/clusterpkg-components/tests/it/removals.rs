//! Every optional input of every component: set, then removed. What the children then receive is a default, or a
//! property is absent, and `docs/decisions/removals.md` says what its provider does. Own values for a child do the same as a
//! deprecated addition.

use std::collections::{BTreeMap, BTreeSet};

use clusterpkg_components::{
    ALL, AttachedNodeGroup, AttachedServerlessProfile, AutoscaledNodeGroup, Cluster, IamRoleMapping,
    IamServiceAccountRole,
};
use pulumi_plugin::components::schemars::SchemaGenerator;
use pulumi_plugin::components::{Component, ConstructError, Registration};
use serde_json::{Value as Json, json};

use crate::children::at;
use crate::cluster::least;
use crate::oracle;
use crate::refused_late::{group, nodes, over, profile, role};
use crate::stage::stage;

const PAGE: &str = include_str!("../../../../docs/decisions/removals.md");

/// Values of inputs with a form of their own, and of those that need others.
const SAMPLES: &str = r##"{
    "accessEntries": { "accessEntries": { "ops": {
        "principalArn": "arn:aws:iam::123456789012:role/ops", "groups": ["ops"], "policies": ["AmazonEKSViewPolicy"],
        "namespaces": ["shop"], "type": "STANDARD", "userName": "ops", "formerName": "former"
    } } },
    "addonVersions": { "addonVersions": { "coredns": "v1.11.4-eksbuild.2" } },
    "addons": { "addons": { "metrics-server": {
        "configurationValues": "{\"replicas\":3}", "resolveConflictsOnCreate": "NONE", "resolveConflictsOnUpdate": "OVERWRITE",
        "roleArn": "arn:aws:iam::123456789012:role/metrics", "version": "v0.8.0-eksbuild.1"
    } } },
    "additionalSecurityGroupIds": { "additionalSecurityGroupIds": ["sg-1"] },
    "adminAccessPrincipal": { "adminAccessPrincipal": "arn:aws:iam::123456789012:role/admin" },
    "amiFamily": { "amiFamily": "Bottlerocket" },
    "amiId": { "amiId": "ami-0a1" },
    "amiType": { "amiType": "BOTTLEROCKET_x86_64" },
    "amiVersion": { "amiVersion": "v20260801" },
    "annotations": { "annotations": { "team": "a" } },
    "authenticationMode": { "authenticationMode": "API" },
    "autoMode": { "autoMode": false },
    "autoModeNodePools": { "autoModeNodePools": [], "autoMode": true },
    "children": { "children": {} },
    "startupTaints": { "startupTaints": [{ "key": "team", "value": "a", "effect": "NoSchedule", "timeAdded": "2026-01-01T00:00:00Z" }] },
    "terminationGracePeriod": { "terminationGracePeriod": "48h" },
    "capacityType": { "capacityType": "SPOT" },
    "certManagerVersion": { "certManagerVersion": "v1.20.0" },
    "certificateArn": { "certificateArn": "arn:aws:acm:eu-west-1:123456789012:certificate/1" },
    "clusterEndpointPublicAccess": { "clusterEndpointPublicAccess": false, "clusterEndpointPrivateAccess": true },
    "clusterIamAuthControllerVersion": { "clusterIamAuthControllerVersion": "0.1.8" },
    "clusterName": { "clusterName": "shop" },
    "clusterVersion": { "clusterVersion": "1.35" },
    "diskSize": { "diskSize": 80 },
    "disruption": { "disruption": {
        "budgets": [{ "duration": "8h", "nodes": "1", "reasons": ["Drifted"], "schedule": "@daily" }],
        "consolidateAfter": "20m", "consolidationPolicy": "WhenEmpty", "expireAfter": "720h"
    } },
    "dnsOwnerId": { "dnsOwnerId": "shop" },
    "enableGatewayApi": { "enableGatewayApi": true, "enableLoadBalancerController": true },
    "enabledClusterLogTypes": { "enabledClusterLogTypes": ["audit"] },
    "endpointPublicAccessCidrs": { "endpointPublicAccessCidrs": ["203.0.113.0/24"] },
    "externalDNSVersion": { "externalDNSVersion": "1.20.0" },
    "gatewayApiCrdsInstalled": { "gatewayApiCrdsInstalled": true, "enableGatewayApi": true, "enableLoadBalancerController": true },
    "gatewayApiCrdsRepository": { "gatewayApiCrdsRepository": "https://charts.example", "enableGatewayApi": true, "enableLoadBalancerController": true },
    "gatewayApiCrdsVersion": { "gatewayApiCrdsVersion": "1.2.2", "enableGatewayApi": true, "enableLoadBalancerController": true },
    "hostedZoneIds": { "hostedZoneIds": ["Z0123456789"] },
    "iamAuthControllerImage": { "iamAuthControllerImage": { "repository": "registry.example/auth", "tag": "1" } },
    "ingressConfig": { "serviceMonitorCrdsInstalled": true, "enableLoadBalancerController": true, "lbType": "external", "ingressConfig": {
        "additionalConfig": { "a": "b" }, "allowSnippetAnnotations": true, "controllerReplicas": 2, "enableExternal": true,
        "enableInternal": true, "enableMetrics": true, "enableServiceMonitor": true, "nlbTargetType": "instance",
        "extraServiceAnnotations": { "a": "b" }, "serviceMonitorNamespace": "monitoring",
        "image": { "repository": "registry.example/ingress", "tag": "v1.15.9", "digest": "sha256:0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a" }
    } },
    "instanceTypes": { "instanceTypes": ["m7i.large"] },
    "ipFamily": { "ipFamily": "ipv4" },
    "kubeconfigOptions": { "kubeconfigOptions": { "profileName": "ops", "roleArn": "arn:aws:iam::123456789012:role/ops" } },
    "kubelet": { "kubelet": {
        "evictionHard": { "memory.available": "5%" }, "kubeReserved": { "cpu": "100m" }, "maxPods": 110, "podsPerCore": 10,
        "systemReserved": { "cpu": "100m" }
    } },
    "labels": { "labels": { "team": "a" } },
    "lbType": { "lbType": "external" },
    "letsEncryptEmail": { "letsEncryptEmail": "ops@example.com" },
    "limits": { "limits": { "cpu": "10" } },
    "loadBalancerControllerVersion": { "loadBalancerControllerVersion": "3.4.0", "enableLoadBalancerController": true },
    "logRetentionDays": { "logRetentionDays": 30, "name": "shop" },
    "metadataHopLimit": { "metadataHopLimit": 2 },
    "metadataOptions": { "metadataOptions": {
        "httpEndpoint": "enabled", "httpProtocolIPv6": "enabled", "httpPutResponseHopLimit": 2, "httpTokens": "optional"
    } },
    "name": { "name": "shop" },
    "nodeAutoscalerVersion": { "nodeAutoscalerVersion": "1.13.0" },
    "nodeClassApiVersion": { "nodeClassApiVersion": "karpenter.k8s.aws/v1" },
    "nodePoolApiVersion": { "nodePoolApiVersion": "karpenter.sh/v1" },
    "permissionsBoundary": { "permissionsBoundary": "arn:aws:iam::123456789012:policy/boundary" },
    "proxyIngressConfig": { "serviceMonitorCrdsInstalled": true, "enableLoadBalancerController": true, "lbType": "external", "proxyIngressConfig": {
        "additionalConfig": { "a": "b" }, "allowSnippetAnnotations": true, "controllerReplicas": 2, "enableExternal": true,
        "enableInternal": true, "enableMetrics": true, "enableServiceMonitor": true, "nlbTargetType": "instance",
        "extraServiceAnnotations": { "a": "b" }, "serviceMonitorNamespace": "monitoring",
        "image": { "repository": "registry.example/ingress", "tag": "v1.15.9", "digest": "sha256:0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a" }
    } },
    "proxyIngressRegistry": { "proxyIngressRegistry": "registry.example" },
    "proxyIngressTag": { "proxyIngressTag": "v1.14.0" },
    "proxyIngressVersion": { "proxyIngressVersion": "4.14.0" },
    "releaseVersion": { "releaseVersion": "1.35.1-20260801" },
    "rootDeviceName": { "rootDeviceName": "/dev/sda1", "amiFamily": "Custom", "amiId": "ami-0a1" },
    "scalingConfig": { "scalingConfig": { "minSize": 2, "desiredSize": 2, "maxSize": 3 } },
    "secretsKmsKeyArn": { "secretsKmsKeyArn": "arn:aws:kms:eu-west-1:123456789012:key/0a1b" },
    "serviceIpv4Cidr": { "serviceIpv4Cidr": "10.100.0.0/16" },
    "systemNodeDesiredCount": { "systemNodeDesiredCount": 2 },
    "systemNodeInstanceTypes": { "systemNodeInstanceTypes": ["m7i.large"] },
    "systemNodeMaxCount": { "systemNodeMaxCount": 12 },
    "systemNodeMetadataHopLimit": { "systemNodeMetadataHopLimit": 2 },
    "systemNodeMinCount": { "systemNodeMinCount": 2 },
    "tags": { "tags": { "team": "a" } },
    "taints": { "taints": [{ "key": "team", "value": "a", "effect": "NO_SCHEDULE" }] },
    "upgradePolicy": { "upgradePolicy": "STANDARD" },
    "userData": { "userData": "#!/bin/sh" },
    "version": { "version": "1.35" },
    "vpcCniConfig": { "vpcCniConfig": {
        "enableNetworkPolicy": true, "enablePrefixDelegation": true, "enableWindowsIpam": true,
        "nodeAgent": {
            "enableMonitoringLogs": true, "enablePolicyEventLogs": true, "healthProbeBindAddr": 8263, "metricsBindAddr": 8262
        },
        "podSecurityGroupIds": ["sg-1"], "podSubnetIds": { "eu-west-1a": "subnet-7" }
    } },
    "weight": { "weight": 10 }
}"##;

/// An input that is set, and the children with and without it. Inputs that it needs are set in both.
struct Removal {
    description: String,
    set: BTreeMap<String, Json>,
    removed: BTreeMap<String, Json>,
}

/// The schemas of all objects in the inputs of a component by their names, and the schema of the inputs.
fn input_schemas<C: Component>() -> (Json, Json) {
    let entry = ALL.iter().find(|entry| entry.token == C::TOKEN).unwrap();
    let mut generator = SchemaGenerator::default();
    (entry.inputs_schema)(&mut generator);
    let definitions = Json::Object(generator.take_definitions(true));
    let inputs = definitions[&format!("{}Inputs", C::TOKEN.rsplit(':').next().unwrap())].clone();
    (definitions, inputs)
}

/// Every optional input of a component, and every optional property of the objects in its inputs. If an input error says
/// that a property cannot be removed alone, nothing is sent.
async fn removals<C: Component>(base: Json) -> Vec<Removal> {
    let samples: Json = serde_json::from_str(SAMPLES).unwrap();
    let (definitions, schema) = input_schemas::<C>();
    let mut found = Vec::new();
    for (input, spec) in schema["properties"].as_object().unwrap() {
        let with = match base.get(input) {
            Some(_) => json!({}),
            None => sample(&samples, C::TOKEN, input, spec),
        };
        let with = over(&base, &with);
        let mut paths = Vec::new();
        if base.get(input).is_none() {
            paths.push(format!("/{input}"));
        }
        optional_paths(&definitions, spec, &with[input], &format!("/{input}"), &mut paths);
        for path in paths {
            let mut without = with.clone();
            let (object, member) = path.rsplit_once('/').unwrap();
            let object = without.pointer_mut(object).unwrap().as_object_mut().unwrap();
            object.remove(&member.replace("~1", "/")).unwrap();
            let set = children::<C>(&with).await.unwrap();
            let removed = match children::<C>(&without).await {
                Ok(removed) => removed,
                Err(problems) => {
                    assert_ne!(path, format!("/{input}"), "{}: {problems}", C::TOKEN);
                    continue;
                }
            };
            found.push(Removal {
                description: format!("{}{path}: {}", C::TOKEN, spec["description"].as_str().unwrap()),
                set,
                removed,
            });
        }
    }
    found
}

/// Every required input with its value in `base`, and with another one.
async fn changes<C: Component>(base: Json) -> Vec<Removal> {
    let other = json!({
        "clusterName": "other", "clusterSubnetIds": ["subnet-7", "subnet-8"], "nodeRole": "other",
        "requirements": [{ "key": "team", "operator": "Exists" }], "securityGroupIds": ["sg-7"], "subnetIds": ["subnet-7"],
        "systemNodeSubnetIds": ["subnet-7"],
    });
    let (_, schema) = input_schemas::<C>();
    let mut found = Vec::new();
    for input in base.as_object().unwrap().keys() {
        let changed = over(&base, &json!({ input: other[input] }));
        let description = schema["properties"][input]["description"].as_str().unwrap();
        found.push(Removal {
            description: format!("{}/{input}: {description}", C::TOKEN),
            set: children::<C>(&base).await.unwrap(),
            removed: children::<C>(&changed).await.unwrap(),
        });
    }
    found
}

/// Inputs with this one, and with others that it needs.
fn sample(samples: &Json, token: &str, input: &str, spec: &Json) -> Json {
    let taint = json!({
        "key": "team", "value": "a", "effect": "NoSchedule", "timeAdded": "2026-01-01T00:00:00Z",
    });
    match (token, input) {
        ("clusterpkg:index:AutoscaledNodeGroup", "diskSize") => return json!({ "diskSize": "80Gi" }),
        ("clusterpkg:index:AutoscaledNodeGroup", "taints") => return json!({ "taints": [taint] }),
        _ => {}
    }
    let flag = match spec["type"].as_str() {
        Some("boolean") => {
            let default = spec.get("default").or(spec.get("x-default"));
            json!({ input: default != Some(&json!(true)) })
        }
        _ => Json::Null,
    };
    let with = samples.get(input).cloned().unwrap_or(flag);
    assert!(with.is_object(), "{token} has no sample of {input}");
    with
}

/// Pointers to all optional properties of the objects inside a sample, which has all of them.
fn optional_paths(definitions: &Json, spec: &Json, sample: &Json, path: &str, paths: &mut Vec<String>) {
    let reference = spec["$ref"].as_str().or(spec["anyOf"][0]["$ref"].as_str());
    let spec = match reference.and_then(|reference| reference.rsplit('/').next()) {
        Some(name) => &definitions[name],
        None => spec,
    };
    match sample {
        Json::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                optional_paths(
                    definitions,
                    &spec["items"],
                    element,
                    &format!("{path}/{index}"),
                    paths,
                );
            }
        }
        Json::Object(members) => {
            let Some(properties) = spec["properties"].as_object() else {
                for (name, member) in members {
                    let path = format!("{path}/{}", name.replace('/', "~1"));
                    optional_paths(definitions, &spec["additionalProperties"], member, &path, paths);
                }
                return;
            };
            for (name, property) in properties {
                let path = format!("{path}/{name}");
                assert!(members.contains_key(name), "the sample has no {path}");
                let required = spec["required"].as_array();
                if required.is_none_or(|names| !names.contains(&json!(name))) {
                    paths.push(path.clone());
                }
                optional_paths(definitions, property, &members[name], &path, paths);
            }
        }
        _ => {}
    }
}

/// The inputs of the children, or the problems of the inputs of the component.
async fn children<C: Component>(inputs: &Json) -> Result<BTreeMap<String, Json>, ConstructError> {
    let stage = stage();
    stage.try_show::<C>(inputs.clone()).await?;
    let record = stage.engine.record();
    let custom = record.registrations.iter().filter(|child| child.custom);
    let named = |child: &Registration| {
        (
            format!("{} {}", child.token, child.name),
            oracle::plain(&child.inputs),
        )
    };
    Ok(custom.map(named).collect())
}

async fn all_removals() -> Vec<Removal> {
    let mapping = json!({ "roleArn": "arn:aws:iam::123456789012:role/dev", "username": "dev", "groups": [] });
    let mut all = removals::<Cluster>(least()).await;
    all.extend(removals::<AttachedNodeGroup>(group()).await);
    let selector = json!({ "namespace": "web", "labels": { "team": "a" } });
    all.extend(removals::<AttachedServerlessProfile>(profile(selector)).await);
    let requirement = json!({ "key": "team", "operator": "NotIn", "values": ["a"] });
    let nodes = over(&nodes(), &json!({ "requirements": [requirement] }));
    all.extend(removals::<AutoscaledNodeGroup>(nodes).await);
    all.extend(removals::<IamRoleMapping>(mapping).await);
    all.extend(removals::<IamServiceAccountRole>(role()).await);
    all
}

/// Paths of properties in `set` that `removed` lacks. Maps of names count as a whole.
fn absent(set: &Json, removed: &Json, path: &str, found: &mut BTreeSet<String>) {
    if let (Some(set), Some(removed)) = (set.as_array(), removed.as_array()) {
        for (set, removed) in set.iter().zip(removed) {
            absent(set, removed, &format!("{path}[]"), found);
        }
    }
    for (name, value) in set.as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        match removed.get(name) {
            None => _ = found.insert(path.trim_start_matches('.').to_owned()),
            Some(other) if !["tags", "labels"].contains(&name.as_str()) => absent(value, other, &path, found),
            Some(_) => {}
        }
    }
}

/// Objects in a cluster have the properties that were applied last, so that absent ones get their defaults.
#[tokio::test]
async fn the_page_says_what_the_cloud_does_with_every_property_that_becomes_absent() {
    let mut found = BTreeSet::new();
    for removal in all_removals().await {
        for (child, set) in removal.set.iter().filter(|(child, _)| child.starts_with("aws:")) {
            let Some(removed) = removal.removed.get(child) else {
                continue;
            };
            let mut paths = BTreeSet::new();
            absent(set, removed, "", &mut paths);
            let token = child.split(' ').next().unwrap();
            found.extend(paths.into_iter().map(|path| format!("`{token}` | `{path}`")));
        }
    }
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| `aws:"));
    let rows: BTreeSet<_> = rows
        .map(|row| {
            let cells: Vec<_> = row.split(" | ").collect();
            format!("`aws:{} | {}", cells[0], cells[1])
        })
        .collect();
    assert_eq!(found, rows);
}

/// Properties whose changes replace managed or autoscaled nodes.
#[tokio::test]
async fn every_input_that_replaces_nodes_says_so() {
    const OF_GROUPS: [&str; 9] = [
        "/amiType",
        "/capacityType",
        "/clusterName",
        "/diskSize",
        "/instanceTypes",
        "/launchTemplate",
        "/releaseVersion",
        "/subnetIds",
        "/version",
    ];
    let mut silent = Vec::new();
    let mut all = all_removals().await;
    all.extend(changes::<Cluster>(least()).await);
    all.extend(changes::<AttachedNodeGroup>(group()).await);
    all.extend(changes::<AutoscaledNodeGroup>(nodes()).await);
    for removal in all {
        let names: BTreeSet<_> = removal.set.keys().chain(removal.removed.keys()).collect();
        let differs = |child: &str, paths: &[&str]| {
            let of = |children: &BTreeMap<String, Json>, path: &str| {
                children
                    .get(child)
                    .and_then(|inputs| inputs.pointer(path))
                    .cloned()
            };
            paths
                .iter()
                .any(|path| of(&removal.set, path) != of(&removal.removed, path))
        };
        let replaces = names.iter().any(|child| {
            let token = child.split(' ').next().unwrap();
            match token.rsplit(':').next().unwrap() {
                "NodeGroup" => differs(child, &OF_GROUPS),
                "LaunchTemplate" => {
                    let both = removal.set.contains_key(*child) && removal.removed.contains_key(*child);
                    both && differs(
                        child,
                        &["/blockDeviceMappings", "/metadataOptions", "/tagSpecifications"],
                    )
                }
                "EC2NodeClass" => differs(child, &["/spec"]),
                "NodePool" => differs(child, &["/spec/template"]),
                _ => false,
            }
        });
        if replaces && !removal.description.contains("replace") {
            silent.push(removal.description);
        }
    }
    assert_eq!(silent, Vec::<String>::new());
}

/// Additions that change one child. Own values for the child replace the deprecated ones among them, of which there are
/// `count`; the others are returned.
async fn of_one_child<C: Component>(base: Json, count: usize) -> Vec<String> {
    let samples: Json = serde_json::from_str(SAMPLES).unwrap();
    let (_, schema) = input_schemas::<C>();
    let inputs = schema["properties"].as_object().unwrap().iter();
    let (mut deprecated, mut others) = (0, Vec::new());
    for (input, spec) in inputs.filter(|(name, spec)| *name != "children" && spec["x-addition"] == true) {
        let with = over(&base, &sample(&samples, C::TOKEN, input, spec));
        let mut without = with.clone();
        without.as_object_mut().unwrap().remove(input);
        let set = children::<C>(&with).await.unwrap();
        let removed = children::<C>(&without).await.unwrap();
        let names: BTreeSet<_> = set.keys().chain(removed.keys()).collect();
        let changed: Vec<_> = names
            .into_iter()
            .filter(|child| set.get(*child) != removed.get(*child))
            .collect();
        let path = spec["x-deprecation"].as_str();
        let Some(path) = path.and_then(|advice| advice.strip_prefix("use children")) else {
            if changed.len() == 1 {
                others.push(input.clone());
            }
            continue;
        };
        let [child] = changed[..] else {
            panic!("{input} changes {changed:?}")
        };
        let path = path
            .split(',')
            .next()
            .unwrap()
            .replace("[\"", ".")
            .replace("\"]", "");
        let (name, property) = path[1..].split_once('.').unwrap();
        let value = set[child].pointer(&format!("/{}", property.replace('.', "/")));
        let own = at(&format!("children.{name}.{property}"), value.unwrap().clone());
        assert_eq!(
            children::<C>(&over(&without, &own)).await.unwrap(),
            set,
            "{input}"
        );
        deprecated += 1;
    }
    assert_eq!(deprecated, count);
    others
}

/// The inputs that are not deprecated have rules, warnings or defaults of their own, decide whether a child exists, are the
/// same in several components.
#[tokio::test]
async fn additions_that_only_repeat_a_property_of_a_child_are_deprecated() {
    assert_eq!(
        of_one_child::<Cluster>(least(), 7).await,
        [
            "addonVersions",
            "addons",
            "authenticationMode",
            "autoMode",
            "deletionProtection",
            "dnsOwnerId",
            "endpointPublicAccessCidrs",
            "ipFamily",
            "kubeconfigOptions",
            "logRetentionDays",
            "upgradeSystemNodes",
        ]
    );
    assert_eq!(
        of_one_child::<AttachedNodeGroup>(group(), 1).await,
        ["forceUpdateVersion", "permissionsBoundary", "version"]
    );
    assert_eq!(
        of_one_child::<AutoscaledNodeGroup>(nodes(), 4).await,
        [
            "amiVersion",
            "rootDeviceName",
            "startupTaints",
            "tags",
            "terminationGracePeriod",
            "userData",
        ]
    );
}
