//! Every optional input of every component: set, then removed. What the children then receive is a default, or a
//! property is absent, and `docs/decisions/removals.md` says what its provider does.

use std::collections::{BTreeMap, BTreeSet};

use clusterpkg_components::{
    ALL, AttachedNodeGroup, AttachedServerlessProfile, AutoscaledNodeGroup, Cluster, IamRoleMapping,
    IamServiceAccountRole,
};
use pulumi_plugin::components::schemars::SchemaGenerator;
use pulumi_plugin::components::{Component, Registration};
use serde_json::{Value as Json, json};

use crate::cluster::least;
use crate::oracle;
use crate::refused_late::{group, nodes, over, profile, role};
use crate::stage::stage;

const PAGE: &str = include_str!("../../../../docs/decisions/removals.md");

/// Values of inputs with a form of their own, and of those that need others.
const SAMPLES: &str = r##"{
    "accessEntries": { "accessEntries": { "ops": { "principalArn": "arn:aws:iam::123456789012:role/ops", "groups": ["ops"] } } },
    "addonVersions": { "addonVersions": { "coredns": "v1.11.4-eksbuild.2" } },
    "addons": { "addons": { "metrics-server": { "version": "v0.8.0-eksbuild.1" } } },
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
    "startupTaints": { "startupTaints": [{ "key": "team", "value": "a", "effect": "NoSchedule" }] },
    "terminationGracePeriod": { "terminationGracePeriod": "48h" },
    "capacityType": { "capacityType": "SPOT" },
    "certManagerVersion": { "certManagerVersion": "v1.20.0" },
    "certificateArn": { "certificateArn": "arn:aws:acm:eu-west-1:123456789012:certificate/1" },
    "clusterEndpointPublicAccess": { "clusterEndpointPublicAccess": false, "clusterEndpointPrivateAccess": true },
    "clusterIamAuthControllerVersion": { "clusterIamAuthControllerVersion": "0.1.8" },
    "clusterName": { "clusterName": "shop" },
    "clusterVersion": { "clusterVersion": "1.35" },
    "diskSize": { "diskSize": 80 },
    "disruption": { "disruption": { "expireAfter": "720h", "budgets": [{ "nodes": "1" }] } },
    "dnsOwnerId": { "dnsOwnerId": "shop" },
    "enableGatewayApi": { "enableGatewayApi": true, "enableLoadBalancerController": true },
    "enabledClusterLogTypes": { "enabledClusterLogTypes": ["audit"] },
    "endpointPublicAccessCidrs": { "endpointPublicAccessCidrs": ["203.0.113.0/24"] },
    "externalDNSVersion": { "externalDNSVersion": "1.20.0" },
    "gatewayApiCrdsInstalled": { "gatewayApiCrdsInstalled": true, "enableGatewayApi": true, "enableLoadBalancerController": true },
    "gatewayApiCrdsRepository": { "gatewayApiCrdsRepository": "https://charts.example", "enableGatewayApi": true, "enableLoadBalancerController": true },
    "gatewayApiCrdsVersion": { "gatewayApiCrdsVersion": "1.2.2", "enableGatewayApi": true, "enableLoadBalancerController": true },
    "hostedZoneIds": { "hostedZoneIds": ["Z0123456789"] },
    "iamAuthControllerImage": { "iamAuthControllerImage": { "tag": "1" } },
    "ingressConfig": { "ingressConfig": { "controllerReplicas": 2 } },
    "instanceTypes": { "instanceTypes": ["m7i.large"] },
    "ipFamily": { "ipFamily": "ipv4" },
    "kubeconfigOptions": { "kubeconfigOptions": { "profileName": "ops" } },
    "kubelet": { "kubelet": { "maxPods": 110 } },
    "labels": { "labels": { "team": "a" } },
    "lbType": { "lbType": "external" },
    "letsEncryptEmail": { "letsEncryptEmail": "ops@example.com" },
    "limits": { "limits": { "cpu": "10" } },
    "loadBalancerControllerVersion": { "loadBalancerControllerVersion": "3.4.0", "enableLoadBalancerController": true },
    "logRetentionDays": { "logRetentionDays": 30, "name": "shop" },
    "metadataHopLimit": { "metadataHopLimit": 2 },
    "metadataOptions": { "metadataOptions": { "httpTokens": "optional" } },
    "name": { "name": "shop" },
    "nodeAutoscalerVersion": { "nodeAutoscalerVersion": "1.13.0" },
    "nodeClassApiVersion": { "nodeClassApiVersion": "karpenter.k8s.aws/v1" },
    "nodePoolApiVersion": { "nodePoolApiVersion": "karpenter.sh/v1" },
    "permissionsBoundary": { "permissionsBoundary": "arn:aws:iam::123456789012:policy/boundary" },
    "proxyIngressConfig": { "proxyIngressConfig": { "controllerReplicas": 2 } },
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
    "vpcCniConfig": { "vpcCniConfig": { "enableNetworkPolicy": true } },
    "weight": { "weight": 10 }
}"##;

/// An input that is set, and the children with and without it. Inputs that it needs are set in both.
struct Removal {
    description: String,
    set: BTreeMap<String, Json>,
    removed: BTreeMap<String, Json>,
}

/// Every optional input of a component.
async fn removals<C: Component>(base: Json) -> Vec<Removal> {
    let samples: Json = serde_json::from_str(SAMPLES).unwrap();
    let entry = ALL.iter().find(|entry| entry.token == C::TOKEN).unwrap();
    let mut generator = SchemaGenerator::default();
    (entry.inputs_schema)(&mut generator);
    let schema =
        &generator.take_definitions(true)[&format!("{}Inputs", C::TOKEN.rsplit(':').next().unwrap())];
    let mut found = Vec::new();
    for (input, spec) in schema["properties"].as_object().unwrap() {
        if base.get(input).is_some() {
            continue;
        }
        let with = match spec["type"].as_str() {
            Some("boolean") => {
                let default = spec.get("default").or(spec.get("x-default"));
                json!({ input.as_str(): default != Some(&json!(true)) })
            }
            _ => samples.get(input).cloned().unwrap_or(Json::Null),
        };
        let with = samples.get(input).cloned().unwrap_or(with);
        assert!(with.is_object(), "{} has no sample of {input}", C::TOKEN);
        let with = match (C::TOKEN, input.as_str()) {
            ("clusterpkg:index:AutoscaledNodeGroup", "diskSize") => json!({ "diskSize": "80Gi" }),
            ("clusterpkg:index:AutoscaledNodeGroup", "taints") => {
                json!({ "taints": [{ "key": "team", "value": "a", "effect": "NoSchedule" }] })
            }
            _ => with,
        };
        let mut without = with.clone();
        without.as_object_mut().unwrap().remove(input);
        found.push(Removal {
            description: format!("{}.{input}: {}", C::TOKEN, spec["description"].as_str().unwrap()),
            set: children::<C>(&over(&base, &with)).await,
            removed: children::<C>(&over(&base, &without)).await,
        });
    }
    found
}

async fn children<C: Component>(inputs: &Json) -> BTreeMap<String, Json> {
    let shown = stage().show::<C>(inputs.clone()).await;
    let custom = shown.record.registrations.iter().filter(|child| child.custom);
    let named = |child: &Registration| {
        (
            format!("{} {}", child.token, child.name),
            oracle::plain(&child.inputs),
        )
    };
    custom.map(named).collect()
}

async fn all_removals() -> Vec<Removal> {
    let mapping = json!({ "roleArn": "arn:aws:iam::123456789012:role/dev", "username": "dev", "groups": [] });
    let mut all = removals::<Cluster>(least()).await;
    all.extend(removals::<AttachedNodeGroup>(group()).await);
    all.extend(removals::<AttachedServerlessProfile>(profile(json!({ "namespace": "web" }))).await);
    all.extend(removals::<AutoscaledNodeGroup>(nodes()).await);
    all.extend(removals::<IamRoleMapping>(mapping).await);
    all.extend(removals::<IamServiceAccountRole>(role()).await);
    all
}

/// Paths of properties in `set` that `removed` lacks. Maps of names count as a whole.
fn absent(set: &Json, removed: &Json, path: &str, found: &mut BTreeSet<String>) {
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
    const OF_GROUPS: [&str; 7] = [
        "/amiType",
        "/capacityType",
        "/diskSize",
        "/instanceTypes",
        "/launchTemplate",
        "/releaseVersion",
        "/version",
    ];
    let mut silent = Vec::new();
    for removal in all_removals().await {
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
