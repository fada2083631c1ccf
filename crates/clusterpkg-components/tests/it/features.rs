//! Settings for which other packages have inputs: the page about own values, and the example of a private cluster.

use clusterpkg_components::{
    AttachedNodeGroup, AttachedServerlessProfile, AutoscaledNodeGroup, Cluster, IamRoleMapping,
    IamServiceAccountRole,
};
use pulumi_plugin::components::recording::Recording;
use pulumi_plugin::components::{Child, Component};
use serde_json::{Value as Json, json};

use crate::oracle;
use crate::stage::stage;

const PAGE: &str = include_str!("../../../../docs/cluster-children.md");
const PRIVATE: &str = include_str!("../../../../examples/private-cluster-yaml/Pulumi.yaml");

/// Component and inputs of each row of the page.
fn rows() -> impl Iterator<Item = (&'static str, Json)> {
    let rows = PAGE.lines().filter(|line| line.ends_with("}` |"));
    rows.map(|row| {
        let [_, _, component, inputs, _] = row.splitn(5, '|').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let inputs = inputs.trim().trim_matches('`');
        (component.trim(), serde_json::from_str(inputs).unwrap())
    })
}

/// Inputs that the component requires, with others.
fn complete(component: &str, more: &Json) -> Json {
    let mut inputs = match component {
        "Cluster" => json!({
            "clusterSubnetIds": ["subnet-1", "subnet-2"], "systemNodeSubnetIds": ["subnet-1", "subnet-2"],
            "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
        }),
        "AttachedNodeGroup" => json!({ "clusterName": "main", "subnetIds": ["subnet-1"] }),
        "AttachedServerlessProfile" => json!({
            "clusterName": "main", "subnetIds": ["subnet-1"], "selectors": [{ "namespace": "a" }],
        }),
        "AutoscaledNodeGroup" => json!({
            "nodeRole": "nodes", "diskSize": "20Gi", "subnetIds": ["subnet-1"], "securityGroupIds": ["sg-1"],
            "amiVersion": "v20260801",
            "requirements": [{ "key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"] }],
        }),
        "IamRoleMapping" => json!({
            "roleArn": "arn:aws:iam::123456789012:role/a", "username": "a", "groups": ["b"],
        }),
        _ => json!({
            "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/AB",
            "oidcProviderUrl": "https://oidc.eks.eu-west-1.amazonaws.com/id/AB",
            "namespaceName": "a", "serviceAccountName": "b",
        }),
    };
    let more = more.as_object().unwrap().clone();
    inputs.as_object_mut().unwrap().extend(more);
    inputs
}

/// Whether everything in `given` is in `found`. Text is read as JSON if an object is given.
fn contains(found: &Json, given: &Json) -> bool {
    match (found, given) {
        (Json::String(text), Json::Object(_)) => {
            serde_json::from_str(text).is_ok_and(|found: Json| contains(&found, given))
        }
        (Json::Object(_) | Json::Null, Json::Object(given)) => given
            .iter()
            .all(|(name, given)| contains(found.get(name).unwrap_or(&Json::Null), given)),
        _ => found == given,
    }
}

/// Every value that is given to a child is in its registration, which its provider accepts.
async fn arrives<C: Component>(inputs: Json) -> Recording {
    let stage = stage();
    stage.try_show::<C>(inputs.clone()).await.unwrap();
    let record = stage.engine.record();
    assert_eq!(oracle::misnamed(&record), [""; 0]);
    let mut refusals = oracle::refusals(&record);
    // For AWS, they know only the properties that the components use.
    refusals.retain(|refusal| refusal.starts_with("kubernetes:"));
    assert_eq!(refusals, [""; 0]);
    for (name, given) in inputs["children"].as_object().into_iter().flatten() {
        let mut children = record.registrations.iter().filter(|child| child.custom);
        let child = children.find(|child| {
            let found = Child::find(C::CHILDREN, "main", &child.name, &child.token);
            found.is_some_and(|(_, found)| found == name)
        });
        let found = oracle::plain(&child.unwrap_or_else(|| panic!("{name} is not registered")).inputs);
        let mut given = given.clone();
        let without = given.as_object_mut().unwrap().remove("without");
        for path in without.iter().flat_map(|paths| paths.as_array().unwrap()) {
            let pointer = format!("/{}", path.as_str().unwrap().replace('.', "/"));
            assert!(
                found.pointer(&pointer).is_none_or(Json::is_null),
                "{name}: {path} is in {found}"
            );
        }
        assert!(contains(&found, &given), "{name}: {given} is not in {found}");
    }
    record
}

#[tokio::test]
async fn every_row_of_the_page_arrives_at_its_child() {
    let mut count = 0;
    for (component, inputs) in rows() {
        count += 1;
        let inputs = complete(component, &inputs);
        match component {
            "Cluster" => drop(arrives::<Cluster>(inputs).await),
            "AttachedNodeGroup" => drop(arrives::<AttachedNodeGroup>(inputs).await),
            "AttachedServerlessProfile" => drop(arrives::<AttachedServerlessProfile>(inputs).await),
            "AutoscaledNodeGroup" => drop(arrives::<AutoscaledNodeGroup>(inputs).await),
            "IamRoleMapping" => drop(arrives::<IamRoleMapping>(inputs).await),
            "IamServiceAccountRole" => drop(arrives::<IamServiceAccountRole>(inputs).await),
            other => panic!("{other} is not a component"),
        }
    }
    assert!(count > 40, "{count}");
}

/// The inputs of the example, with values for its configuration.
fn private() -> Json {
    let text = PRIVATE
        .replace("${firstSubnet}", "subnet-1")
        .replace("${secondSubnet}", "subnet-2")
        .replace("${registry}", "registry.internal");
    let program: Json = serde_saphyr::from_str(&text).unwrap();
    program["resources"]["main"]["properties"].clone()
}

/// The repositories of all images in values of a chart.
fn repositories<'a>(values: &'a Json, found: &mut Vec<&'a str>) {
    for (name, value) in values.as_object().into_iter().flatten() {
        match value.as_str().filter(|_| name == "repository") {
            Some(repository) => found.push(repository),
            None => repositories(value, found),
        }
    }
}

#[tokio::test]
async fn a_private_cluster_reads_nothing_from_the_internet() {
    let record = arrives::<Cluster>(private()).await;
    let releases = record
        .registrations
        .iter()
        .filter(|child| child.token == "kubernetes:helm.sh/v3:Release");
    let mut count = 0;
    for release in releases {
        count += 1;
        let inputs = oracle::plain(&release.inputs);
        let chart = inputs["chart"].as_str().unwrap();
        assert!(chart.starts_with("oci://registry.internal/"), "{chart}");
        assert_eq!(inputs.get("repositoryOpts"), None, "{}", release.name);
        let mut images = Vec::new();
        repositories(&inputs["values"], &mut images);
        let is_crds = chart.ends_with("-crd");
        assert_eq!(images.is_empty(), is_crds, "{chart}: {images:?}");
        assert!(
            images.iter().all(|image| image.starts_with("registry.internal/")),
            "{images:?}"
        );
    }
    assert_eq!(count, 3);
    let inputs = |token: &str, name: &str| oracle::plain(&record.find(token, name).unwrap().inputs);
    let network = &inputs("aws:eks/cluster:Cluster", "main")["vpcConfig"];
    assert_eq!(
        (
            &network["endpointPublicAccess"],
            &network["endpointPrivateAccess"]
        ),
        (&json!(false), &json!(true))
    );
    // Services without an endpoint are not called.
    let values = |name: &str| inputs("kubernetes:helm.sh/v3:Release", name)["values"].clone();
    assert_eq!(values("main-autoscaler")["settings"]["isolatedVPC"], true);
    for switch in ["enableShield", "enableWaf", "enableWafv2"] {
        assert_eq!(values("main-load-balancers")[switch], false, "{switch}");
    }
}

#[tokio::test]
async fn forcing_upgrades_concerns_the_control_plane_and_the_system_nodes() {
    let inputs = complete("Cluster", &json!({ "forceUpdateVersion": true }));
    let shown = stage().show::<Cluster>(inputs).await;
    assert_eq!(
        shown.inputs("eks/cluster:Cluster", "main")["forceUpdateVersion"],
        true
    );
    assert_eq!(
        shown.inputs("NodeGroup", "main-system-nodes")["forceUpdateVersion"],
        true
    );
}

#[tokio::test]
async fn settings_of_autoscaled_nodes_are_part_of_the_node_pool() {
    let more = json!({
        "startupTaints": [{ "key": "a", "effect": "NoExecute" }],
        "terminationGracePeriod": "48h",
        "disruption": { "budgets": [{ "nodes": "0", "reasons": ["Drifted"] }] },
    });
    let shown = stage()
        .show::<AutoscaledNodeGroup>(complete("AutoscaledNodeGroup", &more))
        .await;
    let spec = &shown.inputs("NodePool", "main-nodepool")["spec"];
    let template = &spec["template"]["spec"];
    assert_eq!(
        template["startupTaints"],
        json!([{ "key": "a", "effect": "NoExecute" }])
    );
    assert_eq!(template["terminationGracePeriod"], "48h");
    assert_eq!(
        spec["disruption"]["budgets"],
        json!([{ "nodes": "0", "reasons": ["Drifted"] }])
    );
    let wrong = json!({
        "startupTaints": [{ "key": "a b", "effect": "Never" }],
        "terminationGracePeriod": "2 days",
        "disruption": { "budgets": [{ "reasons": [] }, { "reasons": ["Expired"] }] },
    });
    let problems = stage()
        .problems::<AutoscaledNodeGroup>(complete("AutoscaledNodeGroup", &wrong))
        .await;
    let paths: Vec<_> = problems
        .iter()
        .map(|problem| problem.split(' ').next().unwrap())
        .collect();
    assert_eq!(
        paths,
        [
            "disruption.budgets[0].reasons",
            "disruption.budgets[1].reasons[0]",
            "startupTaints[0].key",
            "terminationGracePeriod",
            "startupTaints[0].effect",
        ],
        "{problems:?}"
    );
}

#[tokio::test]
async fn access_entries_have_types_and_user_names() {
    let role = |name: &str| format!("arn:aws:iam::123456789012:role/{name}");
    let entries = json!({ "accessEntries": {
        "ci": { "principalArn": role("ci"), "groups": ["ci"], "userName": "ci" },
        "windows": { "principalArn": role("windows"), "type": "EC2_WINDOWS" },
        "auto": { "principalArn": role("auto"), "type": "EC2", "policies": ["AmazonEKSAutoNodePolicy"] },
    } });
    let shown = stage().show::<Cluster>(complete("Cluster", &entries)).await;
    let ci = shown.inputs("AccessEntry", "main-access-ci");
    assert_eq!((&ci["type"], &ci["userName"]), (&json!("STANDARD"), &json!("ci")));
    let windows = shown.inputs("AccessEntry", "main-access-windows");
    assert_eq!(
        (&windows["type"], windows.get("kubernetesGroups")),
        (&json!("EC2_WINDOWS"), None)
    );
    shown.child(
        "AccessPolicyAssociation",
        "main-access-auto-AmazonEKSAutoNodePolicy",
    );

    let wrong = json!({ "accessEntries": {
        "a": { "principalArn": role("a"), "type": "EC2_LINUX", "groups": ["g"], "userName": "u", "policies": ["P"] },
        "b": { "principalArn": "arn:aws:iam::123456789012:user/b", "type": "HYBRID_LINUX" },
        "c": { "principalArn": role("c"), "groups": ["g"], "userName": "system:admin" },
        "d": { "principalArn": role("d"), "type": "WINDOWS", "groups": ["g"] },
        "e": { "principalArn": role("e"), "type": "EC2", "groups": ["g"] },
    } });
    let problems = stage().problems::<Cluster>(complete("Cluster", &wrong)).await;
    for expected in [
        "accessEntries.a.groups cannot be set for an entry of type EC2_LINUX",
        "accessEntries.a.policies cannot be set for an entry of type EC2_LINUX",
        "accessEntries.a.userName cannot be set for an entry of type EC2_LINUX",
        "accessEntries.b.principalArn must be a role, because nodes have no users",
        "accessEntries.c.userName is reserved by AWS: names must not begin with system:, eks:, aws:, amazon: or iam:",
        "accessEntries.d.type must be one of STANDARD, EC2, EC2_LINUX, EC2_WINDOWS, FARGATE_LINUX, HYBRID_LINUX, HYPERPOD_LINUX",
        "accessEntries.e.groups cannot be set for an entry of type EC2",
    ] {
        assert!(
            problems.iter().any(|problem| problem == expected),
            "{expected}: {problems:#?}"
        );
    }
}

#[tokio::test]
async fn auto_mode_without_node_pools_of_aws_lets_nodes_of_own_ones_join() {
    let inputs = complete("Cluster", &json!({ "autoMode": true, "autoModeNodePools": [] }));
    let shown = stage().show::<Cluster>(inputs).await;
    let compute = &shown.inputs("eks/cluster:Cluster", "main")["computeConfig"];
    // AWS rejects a role without node pools.
    assert_eq!(*compute, json!({ "enabled": true, "nodePools": [] }));
    assert_eq!(
        shown.inputs("AccessEntry", "main-auto-node-access")["type"],
        "EC2"
    );
    let policy = shown.inputs("AccessPolicyAssociation", "main-auto-node-access-policy");
    assert_eq!(
        policy["policyArn"],
        "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAutoNodePolicy"
    );
    assert!(shown.made.state.contains_key("nodeAutoscalerNodeRole"));

    let one = complete(
        "Cluster",
        &json!({ "autoMode": true, "autoModeNodePools": ["system"] }),
    );
    let shown = stage().show::<Cluster>(one).await;
    let compute = &shown.inputs("eks/cluster:Cluster", "main")["computeConfig"];
    assert_eq!(compute["nodePools"], json!(["system"]));
    assert!(compute.get("nodeRoleArn").is_some());

    for (more, expected) in [
        (
            json!({ "autoModeNodePools": [] }),
            "autoModeNodePools requires autoMode",
        ),
        (
            json!({ "autoMode": true, "autoModeNodePools": ["gpu"] }),
            "autoModeNodePools[0] must be one of general-purpose, system",
        ),
        (
            json!({ "autoMode": true, "autoModeNodePools": ["system", "system"] }),
            "autoModeNodePools[1] must not be listed twice",
        ),
    ] {
        let problems = stage().problems::<Cluster>(complete("Cluster", &more)).await;
        assert_eq!(problems, [expected]);
    }
}
