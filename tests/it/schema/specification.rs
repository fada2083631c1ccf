//! The functions of the schemas against the specification's own table, written down a second time.

use netmgr_lookups::ALL;
use serde_json::Value;

use super::{input_schema, output_schema, package, target};
use crate::lookups::further::rows::is_further;

/// Function, inputs with `!` if required, outputs with `*` if always returned. `b` is a boolean, `n` a number, `c` the
/// context object, `m` a map, anything else a string.
const TABLE: &str = "
getCertificate: description displayName id > description* displayName* id*
getComputeCollection: displayName! cmLocalId id originId originType > displayName* id* cmLocalId originId originType
getComputeManager: description displayName id > description displayName* id* server*
getComputeManagerRealization: id! checkRegistration:b delay:n timeout:n > id* state* registrationStatus* checkRegistration:b delay:n timeout:n
getDiscoveredNode: computeManagerState id ipAddress > id* ipAddress* computeManagerState
getEdgeCluster: deploymentType description displayName id memberNodeType > deploymentType* description* displayName* id* memberNodeType*
getEdgeUpgradeGroup: upgradePrepareId! description displayName id > description* displayName* id* upgradePrepareId*
getFailureDomain: description displayName id > description* displayName* id*
getFirewallSection: description displayName id > description* displayName* id*
getHostUpgradeGroup: upgradePrepareId! description displayName id > description* displayName* id* upgradePrepareId*
getIpPool: description displayName id > description* displayName* id*
getLogicalTier0Router: description displayName edgeClusterId highAvailabilityMode id > description* displayName* edgeClusterId* highAvailabilityMode* id*
getLogicalTier1Router: description displayName edgeClusterId id > description* displayName* edgeClusterId* id*
getMacPool: description displayName id > description* displayName* id*
getManagementCluster: > id* nodeSha256Thumbprint*
getManagerClusterNode: applianceMgmtListenAddress description displayName id > applianceMgmtListenAddress* description* displayName* id*
getManagerInfo: id > id* version*
getNsGroup: description displayName id > description* displayName* id*
getNsGroups: id > id* items:m*
getNsService: description displayName id > description* displayName* id*
getNsServices: id > id* items:m*
getPolicyBfdProfile: description displayName id > description* displayName* id* path*
getPolicyBridgeProfile: description displayName id > description* displayName* id* path*
getPolicyCertificate: description displayName id context:c > description* displayName* id* path* context:c
getPolicyClusterSecurityConfig: clusterId! id > clusterId* description* dfwEnabled:b* displayName* id* path*
getPolicyContainerCluster: description displayName id > description* displayName* id* path*
getPolicyContainerClusters: id > id* items:m*
getPolicyContextProfile: description displayName id context:c > description* displayName* id* path* context:c
getPolicyDhcpServer: description displayName id context:c > description* displayName* id* path* context:c
getPolicyDistributedFloodProtectionProfile: description displayName id context:c > description* displayName* id* path* context:c
getPolicyDistributedVlanConnection: description displayName id > displayName* id* path* description
getPolicyEdgeCluster: description displayName id sitePath > description* displayName* id* path* sitePath
getPolicyEdgeHighAvailabilityProfile: description displayName id sitePath > description* displayName* id* path* uniqueId* sitePath
getPolicyEdgeNode: edgeClusterPath! description displayName id memberIndex:n > description* displayName* edgeClusterPath* id* path* realizationId* uniqueId* memberIndex:n
getPolicyEdgeTransportNode: description displayName id > description* displayName* id* path* uniqueId*
getPolicyEdgeTransportNodeRealization: path! delay:n timeout:n > id* path* state* failureReason delay:n timeout:n
";

/// A property as the table writes it.
fn written(name: &str, spec: &Value, required: bool, mark: &str) -> String {
    let kind = match spec["type"].as_str() {
        Some("string") => "",
        Some("boolean") => ":b",
        Some("number" | "integer") => ":n",
        Some("object") if spec["additionalProperties"]["type"] == "string" => ":m",
        None if spec["$ref"] == "#/types/netmgr:index:TenantContext" => ":c",
        _ => ":?",
    };
    let mark = if required { mark } else { "" };
    format!("{name}{kind}{mark}")
}

/// The properties of an object of the package schema as the table writes them, sorted.
fn row(object: &Value, mark: &str) -> Vec<String> {
    let required = object["required"].as_array().cloned().unwrap_or_default();
    let properties = object["properties"].as_object().into_iter().flatten();
    let mut row: Vec<String> = properties
        .map(|(name, spec)| {
            let required = required.iter().any(|required| required == name);
            written(name, spec, required, mark)
        })
        .collect();
    row.sort_unstable();
    row
}

fn sorted(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    words.sort_unstable();
    words
}

#[test]
fn the_package_schema_has_the_rows_of_the_specification() {
    let package = package();
    let mut rows = 0;
    for line in TABLE.trim().lines() {
        let (name, properties) = line.split_once(':').unwrap();
        let (inputs, outputs) = properties.split_once('>').unwrap();
        let function = &package["functions"][format!("netmgr:index/{name}:{name}")];
        assert_eq!(row(&function["inputs"], "!"), sorted(inputs), "{name}");
        assert_eq!(row(&function["outputs"], "*"), sorted(outputs), "{name}");
        rows += 1;
    }
    assert_eq!(rows, 36);
    let names = ALL.iter().map(|entry| entry.spec.name);
    assert_eq!(names.filter(|name| !is_further(name)).count(), rows);
    assert_eq!(package["functions"].as_object().unwrap().len(), ALL.len());
}

#[test]
fn the_json_schema_has_the_same_properties_as_the_package_schema() {
    let package = package();
    for entry in ALL {
        let function = &package["functions"][entry.spec.token()];
        for (part, schema) in [("inputs", input_schema(entry)), ("outputs", output_schema(entry))] {
            let names = |object: &Value| -> Vec<String> {
                let properties = object["properties"].as_object();
                properties
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.clone())
                    .collect()
            };
            let required = |object: &Value| -> Vec<String> {
                let required = object["required"].as_array();
                let mut names: Vec<String> = required
                    .into_iter()
                    .flatten()
                    .map(|name| name.as_str().unwrap().to_owned())
                    .collect();
                names.sort_unstable();
                names
            };
            let (ours, engines) = (target(&schema), &function[part]);
            assert_eq!(names(ours), names(engines), "{} {part}", entry.spec.name);
            assert_eq!(required(ours), required(engines), "{} {part}", entry.spec.name);
        }
    }
}

#[test]
fn the_context_object_has_a_required_project() {
    let package = package();
    let context = &package["types"]["netmgr:index:TenantContext"];
    assert_eq!(row(context, "!"), ["projectId!"]);
}
