//! What a program gives to a cluster and gets from it. The rules for it are in `checks`.

use engine_components::{List, Output, Plain, Resource, object, record};

use crate::aws::Tags;
use crate::cluster::autoscaler::SUPPORTED_VERSION;
use crate::cluster::checks::LB_TYPES;
use crate::cluster::control_plane::LOG_TYPES;
use crate::cluster::ingress_config::{IngressConfig, ProxyIngressConfig};
use crate::cluster::vpc_cni::VpcCniConfig;
use crate::versions;

pub(super) const DEFAULT_LB_TYPE: &str = "nlb";

record! {
    /// Inputs of `Cluster`.
    #[schemars(extend(
        "x-summary" = "A managed cluster with system nodes, an OIDC provider for its service accounts, and add-ons.",
        "x-source" = "cluster-components 2.1",
        "examples" = [
            {
                "clusterSubnetIds": ["subnet-0a1", "subnet-0b2"],
                "systemNodeSubnetIds": ["subnet-0a1", "subnet-0b2"],
                "systemNodeMinCount": 2,
                "letsEncryptEmail": "ops@example.com",
                "proxyIngressConfig": { "enableExternal": false, "controllerReplicas": 2 },
                "tags": { "team": "platform" },
            },
            {
                "clusterSubnetIds": ["subnet-0a1", "subnet-0b2"],
                "systemNodeSubnetIds": ["subnet-0a1", "subnet-0b2"],
                "enableCertManager": true,
                "enableExternalDns": true,
                "enableMonitoringAgent": true,
                "enableNodeAutoscaler": true,
                "enableOtel": true,
                "letsEncryptEmail": "ops@example.com",
                "proxyIngressConfig": { "enableExternal": true, "enableInternal": true },
                "vpcCniConfig": { "enableNetworkPolicy": true, "nodeAgent": { "enableMonitoringLogs": true } },
            },
        ]
    ))]
    pub struct ClusterInputs {
        /// Subnets for the control plane, in at least two zones.
        #[schemars(extend("minItems" = 2))]
        pub cluster_subnet_ids: List<String>,
        /// Subnets for the system nodes. At least one.
        #[schemars(extend("minItems" = 1))]
        pub system_node_subnet_ids: List<String>,
        /// ARN of the role or user that administers the cluster. It has to be who runs the program, or the add-ons
        /// cannot be installed. Default: who runs the program.
        #[schemars(extend("pattern" = "^arn:", "not" = { "pattern": ":assumed-role/" }))]
        pub admin_access_principal: Option<Output<String>>,
        /// Version of the certificate manager's chart. Default `v1.21.1`.
        #[schemars(extend("x-default" = versions::CERT_MANAGER.version))]
        pub cert_manager_version: Option<Output<String>>,
        /// ARN of the certificate that the ingress controllers' load balancers use. They then end TLS.
        pub certificate_arn: Option<Output<String>>,
        /// Whether the API endpoint can be reached from the subnets. Default false.
        #[schemars(extend("default" = false))]
        pub cluster_endpoint_private_access: Option<Output<bool>>,
        /// Whether the API endpoint can be reached from everywhere. Default true.
        #[schemars(extend("default" = true))]
        pub cluster_endpoint_public_access: Option<Output<bool>>,
        /// Version of the cluster. Default: the newest when it is created.
        pub cluster_version: Option<Output<String>>,
        /// Version of the IAM auth controller's chart. Default `0.1.9`.
        #[schemars(extend("x-default" = versions::AUTH_CONTROLLER.version))]
        pub cluster_iam_auth_controller_version: Option<Output<String>>,
        /// Whether to install the certificate manager. Default true.
        #[schemars(extend("default" = true))]
        pub enable_cert_manager: Option<Plain<bool>>,
        /// Whether to install the cloud's monitoring agent. Default false.
        #[schemars(extend("default" = false))]
        pub enable_monitoring_agent: Option<Plain<bool>>,
        /// Whether to install external DNS. Default true.
        #[schemars(extend("default" = true))]
        pub enable_external_dns: Option<Plain<bool>>,
        /// Whether to install the external ingress controller. Default true.
        #[schemars(extend(
            "x-default" = true,
            "deprecated" = true,
            "x-deprecation" = "use proxyIngressConfig.enableExternal"
        ))]
        pub enable_external_ingress: Option<Plain<bool>>,
        /// Whether to install the internal ingress controller. Default true.
        #[schemars(extend(
            "x-default" = true,
            "deprecated" = true,
            "x-deprecation" = "use proxyIngressConfig.enableInternal"
        ))]
        pub enable_internal_ingress: Option<Plain<bool>>,
        /// Whether to install the node autoscaler. Default true.
        #[schemars(extend("default" = true))]
        pub enable_node_autoscaler: Option<Plain<bool>>,
        /// Whether to install the OpenTelemetry distribution. It needs the certificate manager. Default false.
        #[schemars(extend("default" = false))]
        pub enable_otel: Option<Plain<bool>>,
        /// Logs that the control plane writes: `api`, `audit`, `authenticator`, `controllerManager`, `scheduler`.
        /// Default: all of them.
        #[schemars(extend("items" = { "type": "string", "enum": LOG_TYPES }))]
        pub enabled_cluster_log_types: Option<List<String>>,
        /// Version of external DNS's chart. Default `1.21.1`.
        #[schemars(extend("x-default" = versions::EXTERNAL_DNS.version))]
        pub external_dns_version as "externalDNSVersion": Option<Output<String>>,
        /// Ingress controllers.
        #[schemars(extend("deprecated" = true, "x-deprecation" = "use proxyIngressConfig"))]
        pub ingress_config: Option<Output<IngressConfig>>,
        /// Version of the node autoscaler, 1.0 or newer. Default `1.14.1`.
        #[schemars(extend("default" = versions::AUTOSCALER.version, "pattern" = SUPPORTED_VERSION))]
        pub node_autoscaler_version: Option<Output<String>>,
        /// Type of the ingress controllers' load balancers: `nlb`; or `nlb-ip` or `external`, which need a load
        /// balancer controller that this package does not install. Default `nlb`.
        #[schemars(extend("default" = DEFAULT_LB_TYPE, "enum" = LB_TYPES))]
        pub lb_type: Option<Output<String>>,
        /// Contact address for a public certificate authority. When it is given, certificates can be issued.
        pub lets_encrypt_email: Option<Plain<String>>,
        /// Ingress controllers.
        pub proxy_ingress_config: Option<Output<ProxyIngressConfig>>,
        /// Registry of the ingress controllers' images. Default `registry.k8s.io`.
        #[schemars(extend("default" = versions::INGRESS_REGISTRY))]
        pub proxy_ingress_registry: Option<Output<String>>,
        /// Tag of the ingress controllers' image. Default `v1.15.1`.
        #[schemars(extend("default" = versions::INGRESS_TAG))]
        pub proxy_ingress_tag: Option<Output<String>>,
        /// Version of the ingress controllers' chart. Default `4.15.1`.
        #[schemars(extend("x-default" = versions::INGRESS.version))]
        pub proxy_ingress_version: Option<Output<String>>,
        /// Number of system nodes at first. Default: the smallest number, or 1 if that is 0.
        #[schemars(extend("minimum" = 0, "maximum" = i32::MAX, "multipleOf" = 1))]
        pub system_node_desired_count: Option<Output<f64>>,
        /// Instance types of the system nodes, all of one CPU architecture. Default `t3.medium`.
        #[schemars(extend("minItems" = 1))]
        pub system_node_instance_types: Option<List<String>>,
        /// Largest number of system nodes. Default 10, or what the other counts need.
        #[schemars(extend("minimum" = 1, "maximum" = i32::MAX, "multipleOf" = 1))]
        pub system_node_max_count: Option<Output<f64>>,
        /// Smallest number of system nodes. Default 1, or what the other counts allow.
        #[schemars(extend("minimum" = 0, "maximum" = i32::MAX, "multipleOf" = 1))]
        pub system_node_min_count: Option<Output<f64>>,
        /// Tags of everything that can be tagged.
        pub tags: Tags,
        /// Configuration of the network plugin.
        pub vpc_cni_config: Option<Output<VpcCniConfig>>,
    }
}

object! {
    /// Outputs of `Cluster`.
    pub struct ClusterOutputs {
        /// Name of the cluster.
        pub cluster_name: Output<String>,
        /// The control plane.
        #[schemars(extend("x-resource" = "aws:eks/cluster:Cluster"))]
        pub control_plane: Resource,
        /// The OIDC provider that service accounts are known by.
        #[schemars(extend("x-resource" = "aws:iam/openIdConnectProvider:OpenIdConnectProvider"))]
        pub oidc_provider: Resource,
        /// Configuration for clients of the cluster, as JSON. They need the cloud's command line tool.
        #[schemars(extend("x-secret" = true))]
        pub kubeconfig: Output<String>,
        /// The system nodes.
        #[schemars(extend("x-resource" = "aws:eks/nodeGroup:NodeGroup"))]
        pub system_nodes: Resource,
        /// Role for autoscaled nodes.
        #[schemars(extend("x-resource" = "aws:iam/role:Role"))]
        pub node_autoscaler_node_role: Option<Resource>,
        /// Name of the queue of interruption events.
        pub node_autoscaler_queue_name: Option<Output<String>>,
        /// Role of the node autoscaler.
        #[schemars(extend("x-resource" = "aws:iam/role:Role"))]
        pub node_autoscaler_role: Option<Resource>,
    }
}

/// Whether a plain flag is on.
pub(super) fn is_on(flag: Option<&Plain<bool>>, default: bool) -> bool {
    flag.map_or(default, |flag| *flag.get())
}
