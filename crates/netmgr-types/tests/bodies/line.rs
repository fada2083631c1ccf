//! The values of each kind of object in one line.

use std::fmt::Display;

use netmgr_types::wire::{
    ApiError, ClusterConfig, ClusterNodeConfig, ClusterSecurityConfig, ComputeCollection, ComputeManager,
    ComputeManagerState, ComputeManagerStatus, DiscoveredNode, EdgeCluster, EdgeNode, EdgeTransportNodeState,
    Endpoint, LogicalRouter, ManagedObject, ManagerObject, NodeVersion, PolicyObject, UpgradeUnitGroup,
};

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

fn common(object: &impl ManagedObject) -> Vec<String> {
    vec![
        or_dash(&object.resource_type()),
        object.id().to_owned(),
        object.name().to_owned(),
        or_dash(&object.description()),
    ]
}

pub(crate) fn endpoint_line(endpoint: &Endpoint) -> String {
    [
        or_dash(&endpoint.ip_address),
        or_dash(&endpoint.fqdn),
        or_dash(&endpoint.certificate_sha256_thumbprint),
    ]
    .join(" ")
}

impl Line for ManagerObject {
    fn line(&self) -> String {
        join(common(self))
    }
}

impl Line for PolicyObject {
    fn line(&self) -> String {
        let mut parts = common(self);
        parts.extend([&self.path, &self.parent_path, &self.unique_id].map(or_dash));
        parts.extend(self.marked_for_delete.then(|| "deleted".to_owned()));
        join(parts)
    }
}

impl Line for ComputeCollection {
    fn line(&self) -> String {
        let own = [&self.cm_local_id, &self.origin_id, &self.origin_type].map(or_dash);
        join(common(self).into_iter().chain(own))
    }
}

impl Line for ComputeManager {
    fn line(&self) -> String {
        join(common(self).into_iter().chain([or_dash(&self.server)]))
    }
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

impl Line for DiscoveredNode {
    fn line(&self) -> String {
        join(common(self).into_iter().chain(self.ip_addresses.clone()))
    }
}

impl Line for EdgeCluster {
    fn line(&self) -> String {
        let own = [or_dash(&self.deployment_type), or_dash(&self.member_node_type)];
        let members = self.members.iter().flatten().map(|member| {
            format!(
                "{}={}",
                or_dash(&member.member_index),
                or_dash(&member.transport_node_id)
            )
        });
        join(common(self).into_iter().chain(own).chain(members))
    }
}

impl Line for LogicalRouter {
    fn line(&self) -> String {
        let own = [
            &self.router_type,
            &self.edge_cluster_id,
            &self.high_availability_mode,
        ]
        .map(or_dash);
        join(common(self).into_iter().chain(own))
    }
}

impl Line for EdgeNode {
    fn line(&self) -> String {
        let own = [
            or_dash(&self.path),
            or_dash(&self.parent_path),
            or_dash(&self.member_index),
            or_dash(&self.nsx_id),
            or_dash(&self.edge_transport_node_uuid),
        ];
        assert!(!self.marked_for_delete);
        join(common(self).into_iter().chain(own))
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

impl Line for UpgradeUnitGroup {
    fn line(&self) -> String {
        join(common(self).into_iter().chain([or_dash(&self.kind)]))
    }
}

impl Line for ClusterSecurityConfig {
    fn line(&self) -> String {
        let features = self
            .features
            .iter()
            .map(|feature| format!("{}={}", or_dash(&feature.feature), feature.enabled));
        join(
            common(self)
                .into_iter()
                .chain([or_dash(&self.path)])
                .chain(features),
        )
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

impl Line for ClusterNodeConfig {
    fn line(&self) -> String {
        join(
            common(self)
                .into_iter()
                .chain([or_dash(&self.appliance_mgmt_listen_addr)]),
        )
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
