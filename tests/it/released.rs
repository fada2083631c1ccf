//! State that the last release wrote, which the next one reads unchanged.
//!
//! Stored in `tests/data/released`. With the variable `NETMGR_STORE_STATE`, the tests write the state of the current
//! version instead, as docs/releasing.md describes.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::engine::cluster::{
    CLUSTER, NODE_GROUP, SERVICE_ACCOUNT_ROLE, node_group, resource, service_account, small,
};
use crate::engine::support::{Cloud, Stack, Tools, manager, tools};
use crate::terraform::support::{Module, host};

/// A file of the last release, in its folder.
fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data/released")
        .join(name)
}

/// Whether the state of this version is stored.
fn is_storing() -> bool {
    std::env::var_os("NETMGR_STORE_STATE").is_some()
}

impl Stack {
    /// Continues with the state of the last release, or stores the state of this version, and expects no change.
    async fn continue_from(&mut self, name: &str) {
        let file = stored(name);
        let path = file.to_str().unwrap();
        if is_storing() {
            self.up().await.succeeded();
            let mut state: Value = serde_json::from_str(&self.exported().await).unwrap();
            without_times(&mut state);
            fs::write(&file, format!("{state:#}\n")).unwrap();
        } else {
            self.run(&["stack", "import", "--file", path]).await.succeeded();
        }
        self.is_settled().await;
        self.options.push("--expect-no-changes");
        self.up().await.succeeded();
        self.options.clear();
        self.refresh().await.succeeded();
        self.destroy().await.succeeded();
    }
}

/// Removes members that differ between runs and are not read.
fn without_times(state: &mut Value) {
    let deployment = &mut state["deployment"];
    deployment["manifest"]["time"] = json!("2026-01-01T00:00:00Z");
    for resource in deployment["resources"].as_array_mut().unwrap() {
        let resource = resource.as_object_mut().unwrap();
        resource.remove("created");
        resource.remove("modified");
        // The folder is the temporary one in which the program registered it.
        resource.remove("sourcePosition");
        resource.remove("stackTrace");
    }
}

/// A stack with one component of each kind that a small cluster needs.
async fn components(tools: &'static Tools) -> Cloud {
    let cloud = Cloud::new(tools).await;
    let inputs = small(json!({ "tags": { "owner": "me", "token": { "secret": "hunter2" } } }));
    cloud
        .list(&json!([
            resource(CLUSTER, "main", inputs),
            resource(NODE_GROUP, "extra", node_group()),
            resource(SERVICE_ACCOUNT_ROLE, "orders", service_account()),
        ]))
        .await;
    cloud
}

#[tokio::test(flavor = "multi_thread")]
async fn the_released_state_of_components_is_read_without_a_change() {
    let tools = tools!("the_released_state_of_components_is_read_without_a_change");
    let mut cloud = components(tools).await;
    cloud.stack.continue_from("components.json").await;
}

/// The state is one from before system nodes followed the control plane. docs/components/Cluster.md lists the changes.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_update_of_older_components_replaces_attachments_of_one_policy() {
    let tools = tools!("the_first_update_of_older_components_replaces_attachments_of_one_policy");
    let mut cloud = components(tools).await;
    let state = stored("components-before.json");
    let import = ["stack", "import", "--file", state.to_str().unwrap()];
    cloud.stack.run(&import).await.succeeded();
    let preview = cloud.stack.preview().await.succeeded().text;
    let mut changes: Vec<&str> = preview
        .lines()
        .filter(|line| {
            [" update [", " replace ["]
                .iter()
                .any(|change| line.contains(change))
                || line.ends_with("delete ")
        })
        // The engine's dots may be on the same line.
        .filter_map(|line| line.rsplit("....").next())
        .map(str::trim)
        .collect();
    changes.sort_unstable();
    insta::assert_snapshot!(changes.join("\n"), @"
    +- aws:iam:RolePolicyAttachment extra-node-ecr-policy replace [diff: ~policyArn]
    +- aws:iam:RolePolicyAttachment main-system-node-ecr-policy replace [diff: ~policyArn]
    -  kubernetes:storage.k8s.io/v1:StorageClassPatch main-gp2-storage-class delete
    ~  aws:eks:Addon main-ebs-csi update [diff: ~configurationValues]
    ~  aws:eks:Addon main-vpc-cni update [diff: +configurationValues]
    ~  aws:eks:Cluster main update [diff: +deletionProtection,upgradePolicy,zonalShiftConfig~vpcConfig]
    ~  aws:eks:NodeGroup extra-nodes update [diff: +nodeRepairConfig]
    ~  aws:eks:NodeGroup main-system-nodes update [diff: +nodeRepairConfig,version]
    ~  clusterpkg:index:AttachedNodeGroup extra update [diff: +useLaunchTemplate]
    ~  clusterpkg:index:AttachedNodeGroup main-system update [diff: +useLaunchTemplate,version]
    ~  clusterpkg:index:Cluster main update [diff: +authenticationMode,enableIamAuthController,enableLoadBalancerController,systemNodesUseLaunchTemplate,upgradeSystemNodes]
    ~  pulumi:providers:kubernetes main-k8s-provider update [diff: +upsertExistingObjects]
    ");
    cloud.stack.up().await.succeeded();
    cloud.stack.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_released_state_of_a_provider_is_read_without_a_change() {
    let tools = tools!("the_released_state_of_a_provider_is_read_without_a_change");
    let mut stack = Stack::of(tools, "quiet-typescript").await;
    let provider = json!({
        "host": "127.0.0.1:1", "username": "admin", "password": "x", "maxRetries": 2,
        "retryOnStatusCodes": [429, 503], "licenseKeys": ["00000-00000-00000-00000-00000"],
    });
    stack.configure(&[], "provider", &provider.to_string()).await;
    stack.continue_from("provider.json").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_released_state_of_data_sources_is_read_without_a_change() {
    let host = host!("the_released_state_of_data_sources_is_read_without_a_change");
    let manager = manager().await;
    // A lookup by name, one with a map and one without inputs.
    let module = Module::new(
        host,
        "data \"netmgr_ip_pool\" \"pool\" { display_name = \"tep-pool\" }\n\
         data \"netmgr_ns_groups\" \"all\" {}\n\
         data \"netmgr_manager_info\" \"info\" {}\n\
         output \"id\" { value = data.netmgr_ip_pool.pool.id }\n\
         output \"groups\" { value = data.netmgr_ns_groups.all.items }\n\
         output \"version\" { value = data.netmgr_manager_info.info.version }\n",
    )
    .with(&manager);
    let file = stored("terraform.tfstate");
    if is_storing() {
        module.run("apply -auto-approve").await.succeeded();
        fs::write(&file, module.read("terraform.tfstate")).unwrap();
    } else {
        module.write("terraform.tfstate", &fs::read_to_string(&file).unwrap());
    }
    // With the stored state: without reading, and with reading again.
    module.run("show -json").await.succeeded();
    let plan = module.run("plan -detailed-exitcode").await;
    assert_eq!(plan.code, Some(0), "{}{}", plan.stdout, plan.stderr);
    module.run("destroy -auto-approve").await.succeeded();
}
