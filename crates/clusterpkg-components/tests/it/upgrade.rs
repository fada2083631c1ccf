//! Upgrades of a cluster, against the rules of the cloud.

use clusterpkg_components::{AttachedNodeGroup, Cluster};
use serde_json::{Value as Json, json};

use crate::cluster::with;
use crate::stage::stage;

/// The versions of a cluster in the cloud, as minor versions.
#[derive(Default)]
struct Cloud {
    control_plane: Option<u32>,
    nodes: Option<u32>,
}

impl Cloud {
    /// Deploys a program as the cloud does: the control plane first, then its nodes.
    async fn deploy(&mut self, more: Json) -> Result<(), String> {
        let shown = stage().show::<Cluster>(with(more)).await;
        let minor = |inputs: &Json| inputs["version"].as_str()?.split_once('.')?.1.parse::<u32>().ok();
        let wanted = minor(&shown.inputs("/cluster:Cluster", "main")).ok_or("no version")?;
        if let (Some(now), Some(nodes)) = (self.control_plane, self.nodes)
            && wanted > now
        {
            if wanted > now + 1 {
                return Err(format!("unsupported update from 1.{now} to 1.{wanted}"));
            }
            if nodes != now {
                return Err(format!(
                    "nodegroups must be updated to match cluster version 1.{now}"
                ));
            }
        }
        self.control_plane = Some(wanted);
        let nodes = minor(&shown.inputs(":NodeGroup", "main-system-nodes"));
        // Without a version, nodes have that of the control plane when they are created, and keep it.
        self.nodes = Some(nodes.or(self.nodes).unwrap_or(wanted));
        Ok(())
    }
}

#[tokio::test]
async fn a_cluster_is_upgraded_by_two_versions_in_two_deployments() {
    let mut cloud = Cloud::default();
    for version in ["1.33", "1.34", "1.35"] {
        let deployed = cloud.deploy(json!({ "clusterVersion": version })).await;
        assert_eq!(deployed, Ok(()), "{version}");
    }
    let skipped = cloud.deploy(json!({ "clusterVersion": "1.37" })).await;
    assert_eq!(skipped, Err("unsupported update from 1.35 to 1.37".to_owned()));
}

#[tokio::test]
async fn system_nodes_that_do_not_follow_block_the_second_upgrade() {
    let mut cloud = Cloud::default();
    let program = |version| json!({ "clusterVersion": version, "upgradeSystemNodes": false });
    assert_eq!(cloud.deploy(program("1.33")).await, Ok(()));
    assert_eq!(cloud.deploy(program("1.34")).await, Ok(()));
    let refused = cloud.deploy(program("1.35")).await;
    assert_eq!(
        refused,
        Err("nodegroups must be updated to match cluster version 1.34".to_owned())
    );
}

/// The version of the nodes comes from the control plane, so that it is upgraded first.
#[tokio::test]
async fn nodes_are_upgraded_after_the_control_plane() {
    let shown = stage()
        .show::<Cluster>(with(json!({ "clusterVersion": "1.34" })))
        .await;
    let nodes = shown.child(":NodeGroup", "main-system-nodes");
    let sources = &nodes.property_dependencies["version"];
    let names: Vec<_> = sources.iter().map(|urn| urn.parts().unwrap().name).collect();
    assert_eq!(names, ["main"]);
}

#[tokio::test]
async fn an_attached_group_has_the_version_of_the_program() {
    let group =
        |version: Json| json!({ "clusterName": "shop", "subnetIds": ["subnet-1"], "version": version });
    let version = async |given: Json| {
        let shown = stage().show::<AttachedNodeGroup>(group(given)).await;
        shown.inputs(":NodeGroup", "main-nodes").get("version").cloned()
    };
    assert_eq!(version(json!("1.34")).await, Some(json!("1.34")));
    assert_eq!(version(Json::Null).await, None);
    let found = stage()
        .problems::<AttachedNodeGroup>(group(json!("1.34.2")))
        .await;
    assert_eq!(found, ["version must be a version such as 1.35"]);
}
