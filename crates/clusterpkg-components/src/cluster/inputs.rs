//! What a program gives to a cluster and gets from it. The rules for it are in `checks`.

use engine_components::{List, Output, Plain, Resource, object, record};

use crate::attached_node_group::image::MOST_HOPS;
use crate::check;
use crate::cluster::access_entries::AccessEntries;
use crate::cluster::allowed::{
    DEFAULT_LB_TYPE, ENTRY_NAME, LB_TYPES, LOG_TYPES, SUPPORT_TYPES, SUPPORTED_VERSION,
};
use crate::cluster::foundation::{ADDONS, AddonVersions};
use crate::cluster::ingress_config::{IngressConfig, ProxyIngressConfig};
use crate::cluster::kubeconfig::KubeconfigOptions;
use crate::cluster::vpc_cni::VpcCniConfig;
use crate::tags::Tags;
use crate::versions;

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
                "accessEntries": {
                    "developers": {
                        "principalArn": "arn:aws:iam::123456789012:role/developer",
                        "policies": ["AmazonEKSViewPolicy"],
                        "namespaces": ["shop"],
                    },
                },
            },
        ]
    ))]
    pub struct ClusterInputs {
        /// Subnets for the control plane, in at least two zones.
        #[schemars(extend("minItems" = 2, "items" = { "type": "string", "minLength": 1 }))]
        pub cluster_subnet_ids: List<String>,
        /// Subnets for the system nodes. At least one.
        #[schemars(extend("minItems" = 1, "items" = { "type": "string", "minLength": 1 }))]
        pub system_node_subnet_ids: List<String>,
        /// Who else gets into the cluster, by names of your choice. Each is revoked as soon as it is removed. Default:
        /// nobody. An addition to the specification.
        #[schemars(extend("x-addition" = true, "propertyNames" = { "pattern": ENTRY_NAME }))]
        pub access_entries: Option<Plain<AccessEntries>>,
        /// Versions of the add-ons that the cloud manages, by their names: `vpc-cni`, `kube-proxy`, `coredns`,
        /// `aws-ebs-csi-driver`, `amazon-cloudwatch-observability`, `adot`. Default: the cloud's when an add-on is made. An
        /// addition to the specification.
        #[schemars(extend(
            "x-addition" = true,
            "propertyNames" = { "enum": ADDONS },
            "additionalProperties" = { "type": "string", "minLength": 1 }
        ))]
        pub addon_versions: Option<Plain<AddonVersions>>,
        /// ARN of the role or user that administers the cluster. It has to be who runs the program, or the add-ons
        /// cannot be installed. Default: who runs the program.
        #[schemars(extend("pattern" = check::PRINCIPAL))]
        pub admin_access_principal: Option<Output<String>>,
        /// Version of the certificate manager's chart. Default: `v1.21.1`.
        #[schemars(extend("x-default" = versions::CERT_MANAGER.version))]
        pub cert_manager_version: Option<Output<String>>,
        /// ARN of the certificate that the ingress controllers' load balancers use. They then end TLS, and plain
        /// requests are redirected to the encrypted address.
        pub certificate_arn: Option<Output<String>>,
        /// Whether the API endpoint can be reached from the subnets. Default false.
        #[schemars(extend("default" = false))]
        pub cluster_endpoint_private_access: Option<Output<bool>>,
        /// Whether the API endpoint can be reached from everywhere. Default true.
        #[schemars(extend("default" = true))]
        pub cluster_endpoint_public_access: Option<Output<bool>>,
        /// Version of the cluster. Default: the newest when it is created.
        pub cluster_version: Option<Output<String>>,
        /// Version of the IAM auth controller's chart. Default: `0.1.9`.
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
        /// Whether to install the external ingress controller. Default: `true`.
        #[schemars(extend(
            "x-default" = true,
            "deprecated" = true,
            "x-deprecation" = "use proxyIngressConfig.enableExternal"
        ))]
        pub enable_external_ingress: Option<Plain<bool>>,
        /// Whether to install the internal ingress controller. Default: `true`.
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
        /// Address ranges that reach the public API endpoint, such as `203.0.113.0/24`. Default: every address. An addition
        /// to the specification.
        #[schemars(extend(
            "x-addition" = true, "minItems" = 1, "items" = { "type": "string", "pattern": check::ADDRESS_RANGE }
        ))]
        pub endpoint_public_access_cidrs: Option<List<String>>,
        /// Logs that the control plane writes: `api`, `audit`, `authenticator`, `controllerManager`, `scheduler`.
        /// Default: all of them.
        #[schemars(extend("items" = { "type": "string", "enum": LOG_TYPES }))]
        pub enabled_cluster_log_types: Option<List<String>>,
        /// Version of external DNS's chart. Default: `1.21.1`.
        #[schemars(extend("x-default" = versions::EXTERNAL_DNS.version))]
        pub external_dns_version as "externalDNSVersion": Option<Output<String>>,
        /// Ingress controllers.
        #[schemars(extend("deprecated" = true, "x-deprecation" = "use proxyIngressConfig"))]
        pub ingress_config: Option<Output<IngressConfig>>,
        /// Version of the node autoscaler, 1.0 or newer. Default `1.14.1`.
        #[schemars(extend("default" = versions::AUTOSCALER.version, "pattern" = SUPPORTED_VERSION))]
        pub node_autoscaler_version: Option<Output<String>>,
        /// Type of the ingress controllers' load balancers: `nlb`; or `nlb-ip` or `external`, which need a load
        /// balancer controller that this package does not install, and which are not waited for. Default `nlb`.
        #[schemars(extend("default" = DEFAULT_LB_TYPE, "enum" = LB_TYPES))]
        pub lb_type: Option<Output<String>>,
        /// As whom the kubeconfig gets its tokens, here and in the cluster's own Kubernetes provider. Default: as the stack's
        /// configuration says, else as the environment says. An addition to the specification.
        #[schemars(extend("x-addition" = true))]
        pub kubeconfig_options: Option<Output<KubeconfigOptions>>,
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
        /// Version of the ingress controllers' chart. Default: `4.15.1`.
        #[schemars(extend("x-default" = versions::INGRESS.version))]
        pub proxy_ingress_version: Option<Output<String>>,
        /// Whether the cluster has the kind `ServiceMonitor`, which `enableServiceMonitor` needs. Default false. An
        /// addition to the specification.
        #[schemars(extend("default" = false, "x-addition" = true))]
        pub service_monitor_crds_installed: Option<Output<bool>>,
        /// Number of system nodes. Nothing else scales them. Default: the smallest number, or 1 if that is 0.
        #[schemars(extend("minimum" = 0, "maximum" = i32::MAX, "multipleOf" = 1))]
        pub system_node_desired_count: Option<Output<f64>>,
        /// Instance types of the system nodes, all of one CPU architecture. Default `t3.medium`.
        #[schemars(extend("minItems" = 1, "items" = { "type": "string", "minLength": 1 }))]
        pub system_node_instance_types: Option<List<String>>,
        /// Largest number of system nodes. Default 10, or what the other counts need.
        #[schemars(extend("minimum" = 1, "maximum" = i32::MAX, "multipleOf" = 1))]
        pub system_node_max_count: Option<Output<f64>>,
        /// How many network hops answers of the system nodes' metadata service may take, 1 to 64. Default: the cloud's. An
        /// addition to the specification.
        #[schemars(extend("minimum" = 1, "maximum" = MOST_HOPS, "x-addition" = true))]
        pub system_node_metadata_hop_limit: Option<Output<i32>>,
        /// Smallest number of system nodes. Default 1, or what the other counts allow.
        #[schemars(extend("minimum" = 0, "maximum" = i32::MAX, "multipleOf" = 1))]
        pub system_node_min_count: Option<Output<f64>>,
        /// Tags of everything that can be tagged.
        pub tags: Tags,
        /// What becomes of a cluster whose version is too old for standard support: `STANDARD` upgrades it, `EXTENDED` keeps
        /// it at a price. Default: the cloud's. An addition to the specification.
        #[schemars(extend("x-addition" = true, "enum" = SUPPORT_TYPES))]
        pub upgrade_policy: Option<Output<String>>,
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
