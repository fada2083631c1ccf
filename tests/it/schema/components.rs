//! The schemas of the cluster package: the engine's rules, the specification's tables written down a
//! second time, descriptions, and the documented examples.
//!
//! That readers and schemas agree on inputs is tested in the components' crate.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::documents::each_property;
use super::examples::{blocks, read};
use super::{errors, validator};

/// Components and object types of the specification: inputs `>` outputs. `!` is required or always present, `~` plain,
/// `-` deprecated. `b` is a boolean, `i` an integer, `n` a number, `m` a map, `{}` any object, `[x]` a list, anything else a type; a
/// string has none.
const TABLE: &str = "
Cluster: adminAccessPrincipal certManagerVersion certificateArn clusterEndpointPrivateAccess:b clusterEndpointPublicAccess:b clusterIamAuthControllerVersion clusterSubnetIds!:[] clusterVersion enableCertManager~:b enableExternalDns~:b enableExternalIngress~-:b enableInternalIngress~-:b enableMonitoringAgent~:b enableNodeAutoscaler~:b enableOtel~:b enabledClusterLogTypes:[] externalDNSVersion ingressConfig-:IngressConfig lbType letsEncryptEmail~ nodeAutoscalerVersion proxyIngressConfig:ProxyIngressConfig proxyIngressRegistry proxyIngressTag proxyIngressVersion systemNodeDesiredCount:n systemNodeInstanceTypes:[] systemNodeMaxCount:n systemNodeMinCount:n systemNodeSubnetIds!:[] tags:m vpcCniConfig:VpcCniConfig > clusterName! controlPlane!:aws:eks/cluster:Cluster oidcProvider!:aws:iam/openIdConnectProvider:OpenIdConnectProvider kubeconfig! systemNodes!:aws:eks/nodeGroup:NodeGroup nodeAutoscalerNodeRole:aws:iam/role:Role nodeAutoscalerQueueName nodeAutoscalerRole:aws:iam/role:Role
AttachedNodeGroup: clusterName! subnetIds!:[] amiType capacityType diskSize:i instanceTypes:[] labels:m releaseVersion scalingConfig:aws:eks/NodeGroupScalingConfig:NodeGroupScalingConfig tags:m taints:[aws:eks/NodeGroupTaint:NodeGroupTaint] > nodeGroup!:aws:eks/nodeGroup:NodeGroup nodeRole!:aws:iam/role:Role
AttachedServerlessProfile: clusterName! subnetIds!:[] selectors!:[aws:eks/FargateProfileSelector:FargateProfileSelector] tags:m > profile!:aws:eks/fargateProfile:FargateProfile role!:aws:iam/role:Role
AutoscaledNodeGroup: nodeRole! diskSize! subnetIds!:[] securityGroupIds!:[] requirements!:[Requirement] amiFamily amiId annotations:m disruption:DisruptionConfig labels:m nodeClassApiVersion nodePoolApiVersion taints:[kubernetes:core/v1:Taint] >
IamRoleMapping: roleArn! username! groups!:[] >
IamServiceAccountRole: oidcProviderArn! oidcProviderUrl! namespaceName! serviceAccountName! tags:m > role!:aws:iam/role:Role
";

/// The object types, in the same form.
const TYPES: &str = "
BudgetConfig: duration nodes schedule
DisruptionConfig: budgets:[BudgetConfig] consolidateAfter consolidationPolicy expireAfter
IngressConfig: additionalConfig:m allowSnippetAnnotations:b controllerReplicas:i enableExternal:b enableInternal:b enableMetrics:b enableServiceMonitor:b extraServiceAnnotations:m nlbTargetType serviceMonitorNamespace
ProxyIngressConfig: additionalConfig:m allowSnippetAnnotations:b controllerReplicas:i enableExternal:b enableInternal:b enableMetrics:b enableServiceMonitor:b extraServiceAnnotations:m nlbTargetType serviceMonitorNamespace
Requirement: key! operator! values:[]
Taint: effect:[] key value
VpcCniConfig: enableNetworkPolicy:b nodeAgent:VpcCniNodeAgentConfig
VpcCniNodeAgentConfig: enableMonitoringLogs:b enablePolicyEventLogs:b healthProbeBindAddr:i metricsBindAddr:i
";

/// Inputs beyond the specification, in the same form. The description of each mentions it.
const ADDITIONS: &str = "
Cluster: children:{{}} autoModeNodePools~:[] forceUpdateVersion:b accessEntries~:{AccessEntry} addonVersions~:m addons~:{ManagedAddon} autoMode~:b additionalSecurityGroupIds-:[] secretsKmsKeyArn serviceIpv4Cidr- authenticationMode deletionProtection:b dnsOwnerId hostedZoneIds:[] enableZonalShift:b repairSystemNodes-:b enableGatewayApi~:b gatewayApiCrdsInstalled~:b gatewayApiCrdsRepository- gatewayApiCrdsVersion enableIamAuthController~:b enableLoadBalancerController~:b loadBalancerControllerVersion- logRetentionDays:i name permissionsBoundary ipFamily~ iamAuthControllerImage-:AuthControllerImage endpointPublicAccessCidrs:[] kubeconfigOptions:KubeconfigOptions serviceMonitorCrdsInstalled:b systemNodeMetadataHopLimit:i systemNodesUseLaunchTemplate~:b upgradePolicy- upgradeSystemNodes~:b
AttachedNodeGroup: children:{{}} forceUpdateVersion:b ignoreDesiredSize~:b metadataHopLimit:i permissionsBoundary repairNodes-:b useLaunchTemplate~:b version
AttachedServerlessProfile: children:{{}} permissionsBoundary
AutoscaledNodeGroup: children:{{}} startupTaints:[kubernetes:core/v1:Taint] terminationGracePeriod amiVersion kubelet-:KubeletSettings limits-:m metadataOptions-:NodeMetadataOptions rootDeviceName tags:m userData weight-:i
IamRoleMapping: children:{{}} clusterName
IamServiceAccountRole: children:{{}} clusterName permissionsBoundary
";

/// Outputs beyond the specification, in the same form.
const ADDED_OUTPUTS: &str = "
Cluster: clusterSecurityGroupId!
";

/// Members of object types beyond the specification, in the same form.
const ADDED_MEMBERS: &str = "
BudgetConfig: reasons:[]
IngressConfig: image:IngressImage
ProxyIngressConfig: image:IngressImage
VpcCniConfig: enablePrefixDelegation:b enableWindowsIpam:b podSecurityGroupIds:[] podSubnetIds:m
";

/// Object types beyond the specification, in the same form.
const ADDED_TYPES: &str = "
AccessEntry: principalArn! formerName~ groups:[] namespaces:[] policies~:[] type~ userName
AuthControllerImage: repository tag
IngressImage: digest repository tag
KubeconfigOptions: profileName roleArn
KubeletSettings: evictionHard:m kubeReserved:m maxPods:i podsPerCore:i systemReserved:m
ManagedAddon: configurationValues resolveConflictsOnCreate resolveConflictsOnUpdate roleArn version
NodeMetadataOptions: httpEndpoint httpProtocolIPv6 httpPutResponseHopLimit:i httpTokens
";

/// The entry of a table for a name, or an empty string.
fn of(rows: &'static str, name: &str) -> &'static str {
    let mut rows = table(rows).filter(|(row, _)| *row == name);
    rows.next().map_or("", |(_, properties)| properties)
}

fn document() -> Value {
    serde_json::from_str(include_str!("../../../schema/clusterpkg.schema.json")).unwrap()
}

fn package() -> Value {
    serde_json::from_str(include_str!("../../../schema/clusterpkg.package.json")).unwrap()
}

/// The rows of a table: name and what follows it.
fn table(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.trim().lines().map(|line| line.split_once(": ").unwrap())
}

/// The schema of the inputs of a component.
fn inputs(name: &str) -> Value {
    let document = document();
    let token = format!("clusterpkg:index:{name}");
    let component = &document["properties"]["components"]["properties"][token];
    json!({ "$ref": component["properties"]["inputs"]["$ref"], "$defs": document["$defs"] })
}

/// The type of a property as the table writes it.
fn kind(spec: &Value) -> String {
    if spec["type"] == "object" && spec["additionalProperties"]["$ref"] == "pulumi.json#/Any" {
        return "{}".to_owned();
    }
    if let Some(reference) = spec["$ref"].as_str() {
        let own = reference.strip_prefix("#/types/clusterpkg:index:");
        return own.map_or_else(|| external(reference), str::to_owned);
    }
    match spec["type"].as_str().unwrap() {
        "string" => String::new(),
        "array" => format!("[{}]", kind(&spec["items"])),
        "object" if kind(&spec["additionalProperties"]).is_empty() => "m".to_owned(),
        "object" => format!("{{{}}}", kind(&spec["additionalProperties"])),
        primitive => primitive[..1].to_owned(),
    }
}

/// The token of another package's type or resource, which is referred to in the version of that package.
fn external(reference: &str) -> String {
    let (document, path) = reference.split_once("/schema.json#/").unwrap();
    let (kind, token) = path.split_once('/').unwrap();
    assert!(
        ["/aws/v7.", "/kubernetes/v4."]
            .iter()
            .any(|package| document.starts_with(package)),
        "{reference}"
    );
    assert!(["types", "resources"].contains(&kind), "{reference}");
    assert!(!token.contains('/'), "{reference}");
    token.replace("%2F", "/")
}

/// Properties as the table writes them.
fn row(properties: &Value, required: &Value) -> BTreeSet<String> {
    let is_required = |name: &String| {
        let required = required.as_array().into_iter().flatten();
        required.into_iter().any(|required| required == name)
    };
    let written = |(name, spec): (&String, &Value)| {
        let mark = |is: bool, mark| if is { mark } else { "" };
        let marks = [
            mark(is_required(name), "!"),
            mark(spec["plain"] == true, "~"),
            mark(spec["deprecationMessage"].is_string(), "-"),
        ];
        let kind = kind(spec);
        let between = mark(!kind.is_empty(), ":");
        format!("{name}{}{between}{kind}", marks.concat())
    };
    let properties = properties.as_object().into_iter().flatten();
    properties.map(written).collect()
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_package_has_the_components_of_the_specification() {
    let package = package();
    let resources = package["resources"].as_object().unwrap();
    assert_eq!(resources.len(), table(TABLE).count());
    for (name, properties) in table(TABLE) {
        let component = &resources[&format!("clusterpkg:index:{name}")];
        let (inputs, outputs) = properties.split_once('>').unwrap();
        assert_eq!(component["isComponent"], true, "{name}");
        let found = row(&component["inputProperties"], &component["requiredInputs"]);
        let additions = words(of(ADDITIONS, name));
        assert_eq!(found, &words(inputs) | &additions, "{name}");
        let found = row(&component["properties"], &component["required"]);
        assert_eq!(found, &words(outputs) | &words(of(ADDED_OUTPUTS, name)), "{name}");
    }
}

#[test]
fn the_package_has_the_object_types_of_the_specification_and_no_others() {
    let package = package();
    let types = package["types"].as_object().unwrap();
    assert_eq!(types.len(), table(TYPES).chain(table(ADDED_TYPES)).count());
    for (name, properties) in table(TYPES).chain(table(ADDED_TYPES)) {
        let object = &types[&format!("clusterpkg:index:{name}")];
        assert_eq!(object["type"], "object", "{name}");
        assert_eq!(
            row(&object["properties"], &object["required"]),
            &words(properties) | &words(of(ADDED_MEMBERS, name)),
            "{name}"
        );
    }
}

/// Users see which inputs another implementation of the specification would not have, and that they may be omitted.
#[test]
fn additions_say_what_they_are_and_are_optional() {
    let (document, package) = (document(), package());
    for (name, properties) in table(ADDITIONS) {
        let inputs = &document["$defs"][format!("{name}Inputs")];
        let marked: BTreeSet<_> = inputs["properties"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, spec)| spec["x-addition"] == true)
            .map(|(name, _)| name.clone())
            .collect();
        let bare = |word: &str| word.split(['~', '-', ':']).next().unwrap().to_owned();
        assert_eq!(
            marked,
            properties.split_whitespace().map(bare).collect(),
            "{name}"
        );
        for input in marked {
            let component = &package["resources"][format!("clusterpkg:index:{name}")];
            let text = component["inputProperties"][&input]["description"]
                .as_str()
                .unwrap();
            assert!(
                text.ends_with("Not part of the original specification."),
                "{name}.{input}: {text}"
            );
            assert!(
                !inputs["required"].as_array().unwrap().contains(&json!(input)),
                "{name}.{input}"
            );
        }
    }
}

#[test]
fn a_default_stands_only_where_filling_it_in_changes_nothing() {
    let package = package();
    let mut found = BTreeSet::new();
    each_property(&package, "", &mut |path, spec| {
        if let Some(default) = spec.get("default") {
            let parts: Vec<&str> = path.rsplit('/').collect();
            let owner = parts[2].rsplit(':').next().unwrap();
            found.insert(format!("{owner}.{}={default}", parts[0]));
        }
    });
    let expected = "
        AttachedNodeGroup.capacityType=\"ON_DEMAND\" AttachedNodeGroup.diskSize=40
        AttachedNodeGroup.ignoreDesiredSize=true Cluster.serviceMonitorCrdsInstalled=false
        AutoscaledNodeGroup.diskSize=\"20Gi\"
        AutoscaledNodeGroup.nodeClassApiVersion=\"karpenter.k8s.aws/v1\"
        AutoscaledNodeGroup.nodePoolApiVersion=\"karpenter.sh/v1\"
        Cluster.clusterEndpointPrivateAccess=false Cluster.clusterEndpointPublicAccess=true
        Cluster.enableCertManager=true Cluster.enableExternalDns=true
        Cluster.enableMonitoringAgent=false Cluster.enableOtel=false
        Cluster.systemNodesUseLaunchTemplate=false AttachedNodeGroup.useLaunchTemplate=false
        Cluster.enableIamAuthController=true Cluster.enableLoadBalancerController=false
        Cluster.authenticationMode=\"API_AND_CONFIG_MAP\" Cluster.upgradeSystemNodes=true Cluster.lbType=\"nlb\" Cluster.nodeAutoscalerVersion=\"1.14.1\"
        Cluster.proxyIngressRegistry=\"registry.k8s.io\" Cluster.proxyIngressTag=\"v1.15.1\"
        DisruptionConfig.consolidationPolicy=\"WhenEmpty\"";
    assert_eq!(found, words(expected));
}

/// Defaults that an SDK must not fill in: the component distinguishes an absent input, or existing stacks would see a new
/// one. Versions of charts are among them, too.
const DEFAULTS_OF_THE_PLUGIN: &str = r#"
    AttachedNodeGroupInputs.repairNodes=false AutoscaledNodeGroupInputs.rootDeviceName="/dev/xvda"
    ClusterInputs.deletionProtection=false ClusterInputs.enableZonalShift=false
    ClusterInputs.repairSystemNodes=false ClusterInputs.upgradePolicy="EXTENDED"
    AttachedNodeGroupInputs.instanceTypes=["t3.medium"]
    AttachedNodeGroupInputs.scalingConfig={"desiredSize":1,"maxSize":10,"minSize":1}
    AutoscaledNodeGroupInputs.amiFamily="AL2023" AutoscaledNodeGroupInputs.amiVersion="latest"
    BudgetConfig.nodes="10%" DisruptionConfig.consolidateAfter="10m"
    ClusterInputs.enableExternalIngress=true ClusterInputs.enableInternalIngress=true
    ClusterInputs.enableGatewayApi=false ClusterInputs.enableNodeAutoscaler=true
    ClusterInputs.gatewayApiCrdsInstalled=false
    ClusterInputs.gatewayApiCrdsRepository="https://charts.christianhuth.de"
    ClusterInputs.systemNodeInstanceTypes=["t3.medium"]
    IngressConfig.allowSnippetAnnotations=false IngressConfig.controllerReplicas=1
    IngressConfig.enableExternal=true IngressConfig.enableInternal=true
    IngressConfig.enableMetrics=false IngressConfig.enableServiceMonitor=false
    IngressConfig.nlbTargetType="ip"
    AccessEntry.type="STANDARD"
    ManagedAddon.resolveConflictsOnCreate="OVERWRITE" ManagedAddon.resolveConflictsOnUpdate="PRESERVE"
    NodeMetadataOptions.httpEndpoint="enabled" NodeMetadataOptions.httpProtocolIPv6="disabled"
    NodeMetadataOptions.httpPutResponseHopLimit=1 NodeMetadataOptions.httpTokens="required"
    ProxyIngressConfig.allowSnippetAnnotations=false ProxyIngressConfig.controllerReplicas=1
    ProxyIngressConfig.enableExternal=true ProxyIngressConfig.enableInternal=true
    ProxyIngressConfig.enableMetrics=false ProxyIngressConfig.enableServiceMonitor=false
    ProxyIngressConfig.nlbTargetType="ip"
    VpcCniConfig.enablePrefixDelegation=false VpcCniConfig.enableWindowsIpam=false"#;

#[test]
fn every_default_is_described_and_those_of_the_plugin_are_not_filled_in() {
    let (document, package) = (document(), package());
    let mut found = BTreeSet::new();
    let mut filled_in = 0;
    for (owner, object) in document["$defs"].as_object().unwrap() {
        for (property, schema) in object["properties"].as_object().into_iter().flatten() {
            let default = schema.get("default").or(schema.get("x-default"));
            let Some(default) = default else { continue };
            let description = schema["description"].as_str().unwrap();
            let parts: Vec<_> = description.split(" Default: `").collect();
            let [_, stated] = parts[..] else {
                panic!("{owner}.{property}: {description}")
            };
            let first = default.get(0).unwrap_or(default);
            let text = first.as_str().map_or_else(|| first.to_string(), str::to_owned);
            assert!(
                stated.starts_with(&format!("{text}`.")),
                "{owner}.{property}: {description}"
            );
            let token = format!("clusterpkg:index:{}", owner.trim_end_matches("Inputs"));
            let of_component = &package["resources"][&token]["inputProperties"][property];
            let of_type = &package["types"][&token]["properties"][property];
            let of_package = [of_component, of_type]
                .into_iter()
                .find_map(|spec| spec.get("default"));
            assert_eq!(of_package, schema.get("default"), "{owner}.{property}");
            match of_package {
                Some(_) => filled_in += 1,
                None if property.ends_with("Version") && owner == "ClusterInputs" => {}
                None => _ = found.insert(format!("{owner}.{property}={default}")),
            }
        }
    }
    assert_eq!(found, words(DEFAULTS_OF_THE_PLUGIN));
    assert_eq!(filled_in, 24);
}

#[test]
fn it_passes_the_engines_metaschema() {
    let metaschema = include_str!("../../data/engine-metaschema.json");
    let metaschema = validator(&serde_json::from_str(metaschema).unwrap());
    assert_eq!(errors(&metaschema, &package()), [""; 0]);
    let mut wrong = package();
    wrong["resources"]["clusterpkg:index:Cluster"]["inputProperties"]["tags"]["secret"] = json!("yes");
    assert!(!metaschema.is_valid(&wrong));
}

#[test]
fn it_keeps_the_rules_of_the_engines_binder() {
    let package = package();
    let mut names = BTreeSet::new();
    for kind in ["resources", "types"] {
        for (token, spec) in package[kind].as_object().unwrap() {
            let name = token.strip_prefix("clusterpkg:index:").unwrap();
            assert!(names.insert(name.to_lowercase()), "{token} differs only in case");
            assert!(!["pulumi", "provider"].contains(&name.to_lowercase().as_str()));
            for (properties, required) in [("inputProperties", "requiredInputs"), ("properties", "required")]
            {
                let properties = spec[properties].as_object();
                let has = |name: &str| properties.is_some_and(|all| all.contains_key(name));
                for name in spec[required].as_array().into_iter().flatten() {
                    assert!(has(name.as_str().unwrap()), "{token}: {name}");
                }
                assert!(!["pulumi", "urn"].iter().any(|name| has(name)), "{token}");
            }
        }
    }
    each_property(&package, "", &mut |path, spec| {
        let reference = spec["$ref"].as_str().or(spec["items"]["$ref"].as_str());
        if let Some(token) = reference.and_then(|reference| reference.strip_prefix("#/types/")) {
            assert!(package["types"].get(token).is_some(), "{path}: {token}");
        }
        match (&spec["default"], spec["type"].as_str()) {
            (Value::Null, _)
            | (Value::Bool(_), Some("boolean"))
            | (Value::String(_), Some("string"))
            | (Value::Number(_), Some("integer" | "number")) => {}
            (default, kind) => panic!("{path}: {default} for {kind:?}"),
        }
    });
}

#[test]
fn sdks_need_those_of_the_packages_in_the_versions_of_the_references() {
    let package = package();
    let text = package.to_string();
    for (name, next) in [("aws", 8), ("kubernetes", 5)] {
        let requirement = package["language"]["nodejs"]["dependencies"][format!("@pulumi/{name}")].as_str();
        let version = requirement.unwrap().strip_prefix('^').unwrap();
        let references = text.matches(&format!("\"/{name}/v")).count();
        assert!(references > 0);
        assert_eq!(
            text.matches(&format!("\"/{name}/v{version}/")).count(),
            references
        );
        let python = &package["language"]["python"]["requires"][format!("pulumi-{name}")];
        assert_eq!(*python, json!(format!(">={version},<{next}.0.0")));
    }
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_document_is_a_json_schema_that_refuses_what_it_does_not_know() {
    let document = document();
    let metaschema = jsonschema::draft202012::meta::validator();
    assert_eq!(errors(&metaschema, &document), [""; 0]);
    for (name, schema) in document["$defs"].as_object().unwrap() {
        assert_eq!(schema["title"], name.as_str());
        assert_eq!(schema["additionalProperties"], false, "{name}");
        assert!(schema["description"].is_string(), "{name}");
    }
}

#[test]
fn every_property_of_both_documents_is_described() {
    for (file, document) in [("schema", document()), ("package", package())] {
        let mut count = 0;
        each_property(&document, file, &mut |path, schema| {
            count += 1;
            let text = schema["description"].as_str().unwrap_or_default();
            assert!(text.len() > 2 && text.ends_with('.'), "{path}: {text:?}");
            assert!(!text.contains('\n'), "{path}: {text:?}");
        });
        assert!(count > 100, "{file}: {count} properties");
    }
}

#[test]
fn every_example_fits_its_schema_and_stands_on_its_page() {
    let document = document();
    for (name, _) in table(TABLE) {
        let schema = validator(&inputs(name));
        let examples = document["$defs"][format!("{name}Inputs")]["examples"].clone();
        let examples = examples.as_array().unwrap();
        for example in examples {
            assert_eq!(errors(&schema, example), [""; 0], "{name}");
        }
        let page = read(&format!("docs/components/{name}.md"));
        let [yaml] = blocks(&page, "yaml")[..] else {
            panic!("{name}: not one program")
        };
        assert!(yaml.contains(name), "{name}: {yaml}");
        assert!(
            !page.contains("\"sg-"),
            "{name}: security groups are outputs of the cluster"
        );
        for input in examples[0].as_object().unwrap().keys() {
            assert!(yaml.contains(&format!("      {input}:")), "{name}: {input}");
        }
    }
}

#[test]
fn the_kubeconfig_is_secret_and_nothing_else_is() {
    let package = package();
    let mut secret = Vec::new();
    each_property(&package, "", &mut |path, spec| {
        if spec["secret"] == true {
            secret.push(path.to_owned());
        }
    });
    assert_eq!(
        secret,
        ["/resources/clusterpkg:index:Cluster/properties/kubeconfig"]
    );
}
