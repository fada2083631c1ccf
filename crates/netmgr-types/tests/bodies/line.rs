//! The values of each kind of object in one line.

use std::fmt::Display;

use netmgr_types::wire::{
    ApiError, ClusterConfig, ComputeManagerState, ComputeManagerStatus, EdgeTransportNodeState, Endpoint,
    ManagedObject, NodeVersion,
};
use serde::Deserialize;
use serde_json::Value;

/// The values of a decoded object in one line.
pub(crate) trait Line {
    fn line(&self) -> String;
}

pub(crate) fn or_dash(value: &Option<impl Display>) -> String {
    value.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string)
}

fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(" | ")
}

/// Objects that print their own members after the common ones.
macro_rules! objects {
    ($($name:ident: $own:expr;)*) => {$(
        #[derive(Deserialize)]
        pub(crate) struct $name(ManagedObject);

        impl Line for $name {
            fn line(&self) -> String {
                let Self(object) = self;
                let own: fn(&ManagedObject) -> Vec<String> = $own;
                let common = [
                    sent(object, "resource_type"),
                    object.id().to_owned(),
                    object.name().to_owned(),
                    sent(object, "description"),
                ];
                join(common.into_iter().chain(own(object)))
            }
        }
    )*};
}

objects! {
    ManagerObject: |_| Vec::new();
    PolicyObject: |object| {
        let mut parts = ["path", "parent_path", "unique_id"].map(|name| sent(object, name)).to_vec();
        parts.extend(object.marked_for_delete().then(|| "deleted".to_owned()));
        parts
    };
    ComputeCollection: |object| ["cm_local_id", "origin_id", "origin_type"].map(|name| sent(object, name)).to_vec();
    ComputeManager: |object| vec![sent(object, "server")];
    DiscoveredNode: |object| object.list("ip_addresses");
    EdgeCluster: |object| {
        let members: Vec<Value> = object.list("members");
        let members = members
            .iter()
            .map(|member| format!("{}={}", or_dash(&member.get("member_index")), text(&member["transport_node_id"])));
        let own = ["deployment_type", "member_node_type"].map(|name| sent(object, name));
        own.into_iter().chain(members).collect()
    };
    LogicalRouter: |object| {
        ["router_type", "edge_cluster_id", "high_availability_mode"].map(|name| sent(object, name)).to_vec()
    };
    EdgeNode: |object| {
        assert!(!object.marked_for_delete());
        vec![
            sent(object, "path"),
            sent(object, "parent_path"),
            or_dash(&object.number("member_index")),
            sent(object, "nsx_id"),
            sent(object, "edge_transport_node_uuid"),
        ]
    };
    UpgradeUnitGroup: |object| vec![sent(object, "type")];
    ClusterSecurityConfig: |object| {
        let features: Vec<Value> = object.list("features");
        let features = features
            .iter()
            .map(|feature| format!("{}={}", text(&feature["feature"]), feature["enabled"] == true));
        [sent(object, "path")].into_iter().chain(features).collect()
    };
    ClusterNodeConfig: |object| vec![sent(object, "appliance_mgmt_listen_addr")];
}

fn sent(object: &ManagedObject, name: &str) -> String {
    or_dash(&object.sent(name))
}

fn text(value: &Value) -> String {
    or_dash(&value.as_str())
}

pub(crate) fn endpoint_line(endpoint: &Endpoint) -> String {
    [
        or_dash(&endpoint.ip_address),
        or_dash(&endpoint.fqdn),
        or_dash(&endpoint.certificate_sha256_thumbprint),
    ]
    .join(" ")
}

impl Line for ComputeManagerState {
    fn line(&self) -> String {
        let own = [
            or_dash(&self.state),
            or_dash(&self.failure_code),
            or_dash(&self.failure_message),
        ];
        let details = self.details.iter().flatten().map(|detail| {
            [
                or_dash(&detail.sub_system_type),
                or_dash(&detail.sub_system_id),
                or_dash(&detail.state),
                or_dash(&detail.failure_code),
                or_dash(&detail.failure_message),
            ]
            .join(" ")
        });
        join(own.into_iter().chain(details))
    }
}

impl Line for ComputeManagerStatus {
    fn line(&self) -> String {
        let mut parts = vec![
            or_dash(&self.registration_status),
            or_dash(&self.connection_status),
        ];
        for (word, errors) in [
            ("registration", &self.registration_errors),
            ("connection", &self.connection_errors),
        ] {
            parts.extend(errors.iter().map(|error| {
                format!(
                    "{word}: {} {}",
                    or_dash(&error.error_code),
                    or_dash(&error.error_message)
                )
            }));
        }
        join(parts)
    }
}

impl Line for EdgeTransportNodeState {
    fn line(&self) -> String {
        let mut parts = vec![or_dash(&self.edge_transport_node_path)];
        if let Some(node) = &self.edge_tn_state {
            parts.extend([&node.consolidated_status, &node.state].map(or_dash));
            parts.extend([or_dash(&node.failure_code), or_dash(&node.failure_message)]);
            if let Some(deployment) = &node.deployment_state {
                parts.push(or_dash(&deployment.state));
                parts.extend([
                    or_dash(&deployment.failure_code),
                    or_dash(&deployment.failure_message),
                ]);
            }
        }
        join(parts)
    }
}

impl Line for ClusterConfig {
    fn line(&self) -> String {
        let nodes = self.nodes.iter().map(|node| {
            [
                or_dash(&node.node_uuid),
                or_dash(&node.display_name),
                or_dash(&node.fqdn),
                or_dash(&node.status),
                node.api_listen_addr
                    .as_ref()
                    .map_or_else(|| "-".to_owned(), endpoint_line),
            ]
            .join(" ")
        });
        join([self.cluster_id.clone()].into_iter().chain(nodes))
    }
}

impl Line for NodeVersion {
    fn line(&self) -> String {
        join([
            or_dash(&self.product_version),
            or_dash(&self.node_version),
            format!("version {}", self.version()),
        ])
    }
}

impl Line for ApiError {
    fn line(&self) -> String {
        let own = [
            or_dash(&self.http_status),
            or_dash(&self.error_code),
            or_dash(&self.module_name),
            or_dash(&self.error_message),
            or_dash(&self.details),
        ];
        let related = self.related_errors.iter().map(|error| {
            format!(
                "related {} {} {} {}",
                or_dash(&error.error_code),
                or_dash(&error.module_name),
                or_dash(&error.error_message),
                or_dash(&error.details)
            )
        });
        join(own.into_iter().chain(related))
    }
}
