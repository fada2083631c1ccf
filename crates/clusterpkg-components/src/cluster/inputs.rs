//! Inputs and outputs of `Cluster`. Checks are in `checks`; inputs beyond the specification
//! are marked (decision additions).

use pulumi_plugin::components::{ChildValues, List, Output, Plain, Resource, object, record};

use crate::attached_node_group::DEFAULT_INSTANCE_TYPE;
use crate::attached_node_group::image::MOST_HOPS;
use crate::check;
use crate::cluster::access_entries::AccessEntries;
use crate::cluster::allowed::{
    AUTHENTICATION_MODES, CERTIFICATES, CHART_REPOSITORY, DEFAULT_AUTHENTICATION_MODE, DEFAULT_SUPPORT_TYPE,
    DNS_OWNER, EMAIL, ENTRY_NAME, HOSTED_ZONE, IP_FAMILIES, KMS_KEY, LB_TYPES, LOG_TYPES, NODE_POOLS,
    RETENTIONS, SERVICE_RANGE, SUPPORT_TYPES, SUPPORTED_VERSION,
};
use crate::cluster::foundation::{ADDONS, AddonVersions};
use crate::cluster::ingress_inputs::{IngressConfig, ProxyIngressConfig};
use crate::cluster::kubeconfig::KubeconfigOptions;
use crate::cluster::managed_addons::{self, ManagedAddons};
use crate::cluster::vpc_cni_config::VpcCniConfig;
use crate::tags::Tags;
use crate::versions;

const SOME_NODES: &str = "must be a whole number that is at least 1";

record! {
    /// Inputs of `Cluster`.
    #[schemars(transform = crate::describe_additions, extend(
        "x-source" = crate::section("2.1"),
        "examples" = [
            {
                "clusterSubnetIds": ["subnet-0a1", "subnet-0b2"],
                "systemNodeSubnetIds": ["subnet-0a1", "subnet-0b2"],
                "systemNodeMinCount": 2,
                "letsEncryptEmail": "ops@example.com",
                "enableLoadBalancerController": true,
                "enableGatewayApi": true,
                "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
                "tags": { "team": "platform" },
            },
            {
                "clusterSubnetIds": ["subnet-0a1", "subnet-0b2"],
                "systemNodeSubnetIds": ["subnet-0a1", "subnet-0b2"],
                "autoMode": true,
                "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
            },
            {
                "name": "shop",
                "clusterSubnetIds": ["subnet-0a1", "subnet-0b2"],
                "systemNodeSubnetIds": ["subnet-0a1", "subnet-0b2"],
                "enableCertManager": true,
                "enableExternalDns": true,
                "enableGatewayApi": true,
                "enableIamAuthController": true,
                "enableLoadBalancerController": true,
                "enableMonitoringAgent": true,
                "enableNodeAutoscaler": true,
                "enableOtel": true,
                "ipFamily": "ipv6",
                "lbType": "external",
                "letsEncryptEmail": "ops@example.com",
                "logRetentionDays": 90,
                "proxyIngressConfig": { "enableExternal": true, "enableInternal": true },
                "vpcCniConfig": { "enableNetworkPolicy": true, "nodeAgent": { "enableMonitoringLogs": true } },
                "addons": { "metrics-server": { "version": "default" } },
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
        /// Subnets of the control plane, in at least two availability zones.
        #[schemars(extend(
            "minItems" = 2, "uniqueItems" = true, "items" = check::SUBNET.schema(),
            "x-reason" = "must have at least 2 elements, in different availability zones"
        ))]
        pub cluster_subnet_ids: List<String>,
        /// Subnets of the system nodes. At least one is required. A change replaces the system nodes.
        #[schemars(extend("minItems" = 1, "items" = check::SUBNET.schema()))]
        pub system_node_subnet_ids: List<String>,
        /// Additional principals with access to the cluster, keyed by names of your choice. Removing an entry revokes
        /// its access immediately. To rename a key, set `formerName` of the entry. Default: none.
        #[schemars(extend("x-addition" = true, "propertyNames" = ENTRY_NAME.schema()))]
        pub access_entries: Option<Plain<AccessEntries>>,
        /// Further AWS-managed add-ons, keyed by name, such as `metrics-server`, `snapshot-controller`,
        /// `eks-node-monitoring-agent` or `eks-pod-identity-agent`. Default: none.
        #[schemars(extend(
            "x-addition" = true, "propertyNames" = managed_addons::names()
        ))]
        pub addons: Option<Plain<ManagedAddons>>,
        /// Further security groups of the control plane's network interfaces. Default: only the one that AWS creates.
        #[schemars(extend(
            "x-addition" = true, "deprecated" = true, "x-deprecation" = "use children[\"control-plane\"].vpcConfig.securityGroupIds", "minItems" = 1, "items" = check::SECURITY_GROUP.schema()
        ))]
        pub additional_security_group_ids: Option<List<String>>,
        /// Versions of the AWS-managed add-ons that the cluster configures itself, keyed by add-on name: `vpc-cni`,
        /// `kube-proxy`, `coredns`, `aws-ebs-csi-driver`, `amazon-cloudwatch-observability`, `adot`. `latest` and
        /// `default` follow the version of the control plane: they are the latest version and the default version of
        /// the add-on for it, read at every update. Default: the version that AWS chooses when it installs the
        /// add-on, which is never upgraded.
        #[schemars(extend(
            "x-addition" = true,
            "propertyNames" = { "enum": ADDONS },
            "additionalProperties" = { "type": "string", "minLength": 1 }
        ))]
        pub addon_versions: Option<Plain<AddonVersions>>,
        /// ARN of the role or user that administers the cluster. It must be the identity that runs the
        /// program; otherwise the add-ons cannot be installed. Default: the identity that runs the program.
        #[schemars(transform = check::PRINCIPAL.rule())]
        pub admin_access_principal: Option<Output<String>>,
        /// How principals get access to the cluster: `API_AND_CONFIG_MAP`, or `API` for access entries only. A change
        /// to `API` cannot be undone, and the IAM auth controller has no effect with it.
        #[schemars(extend(
            "enum" = AUTHENTICATION_MODES, "x-addition" = true
        ))]
        pub authentication_mode: Output<String> = DEFAULT_AUTHENTICATION_MODE,
        /// Whether AWS runs nodes, their network, volumes and load balancers (EKS Auto Mode), at extra cost for each
        /// machine. It replaces the node autoscaler, the volume driver and the load balancer controller, which are
        /// then not installed; the system nodes stay. In an existing cluster, first delete all node pools
        /// (`AutoscaledNodeGroup`), and move volumes, because it does not mount those of the volume driver. The
        /// machines, volumes and load balancers that AWS creates do not have `tags`. To turn it off, set it to false;
        /// do not remove it. Default: not configured.
        #[schemars(extend("x-addition" = true))]
        pub auto_mode: Option<Plain<bool>>,
        /// Node pools of AWS that `autoMode` installs: `general-purpose`, `system`. With an empty list, there are only those
        /// of the program; their node classes use the role in the output `nodeAutoscalerNodeRole`, which then has an access
        /// entry. Default: both.
        #[schemars(extend("x-addition" = true, "uniqueItems" = true, "items" = { "type": "string", "enum": NODE_POOLS }))]
        pub auto_mode_node_pools: Option<Plain<Vec<String>>>,
        /// Own values for the children of the component, by their names, which its page lists. Properties have the names of
        /// the child's provider. They are merged over those of the component: objects, also into JSON text, member by
        /// member; other values and lists replace; null removes, as do paths in the member `without`. Names must be known in
        /// a preview. Default: none.
        #[schemars(extend("x-addition" = true))]
        pub children: Option<ChildValues>,
        /// Version of the cert-manager chart.
        pub cert_manager_version: Option<Output<String>> where default(versions::CERT_MANAGER.version),
        /// ARN of the certificate for the load balancers of the ingress controllers, in AWS Certificate Manager or IAM;
        /// commas separate several. If set, the load balancers terminate TLS, and HTTP requests are redirected to HTTPS. An
        /// empty string is treated as unset.
        #[schemars(transform = CERTIFICATES.rule())]
        pub certificate_arn: Option<Output<String>>,
        /// Whether the API endpoint is reachable from the subnets, so that nodes do not use the public endpoint.
        pub cluster_endpoint_private_access: Output<bool> = false,
        /// Whether the API endpoint is reachable from the internet.
        pub cluster_endpoint_public_access: Output<bool> = true,
        /// Kubernetes version of the cluster, such as `1.35`. Upgrade by one minor version at a time. A change also
        /// replaces the system nodes one at a time, unless `upgradeSystemNodes` is false. Default: the default version of AWS when the cluster is created, which is not always the latest one, and is
        /// kept.
        #[schemars(transform = check::KUBERNETES_VERSION.rule())]
        pub cluster_version: Option<Output<String>>,
        /// Version of the chart of the IAM auth controller.
        pub cluster_iam_auth_controller_version: Option<Output<String>>
            where default(versions::AUTH_CONTROLLER.version),
        /// Whether AWS rejects the deletion of the control plane, and the engine rejects it in the preview of a destroy,
        /// before it deletes anything else. To destroy the cluster, set it to false in an update first.
        #[schemars(extend("x-addition" = true))]
        pub deletion_protection: Option<Output<bool>> where default(false),
        /// Owner of the DNS records that external-dns creates. Clusters that share a hosted zone need different owners,
        /// and a changed owner leaves the records of the former one as they are. Default: the name of the cluster and,
        /// if `name` is set, the region, as in `shop.eu-west-1`; a cluster that already has external-dns keeps its
        /// owner.
        #[schemars(transform = DNS_OWNER.rule(), extend("x-addition" = true))]
        pub dns_owner_id: Option<Output<String>>,
        /// Whether to install the certificate manager.
        pub enable_cert_manager: Plain<bool> = true,
        /// Whether to install the AWS monitoring agent.
        pub enable_monitoring_agent: Plain<bool> = false,
        /// Whether to install external DNS.
        pub enable_external_dns: Plain<bool> = true,
        /// Whether to install the Gateway API: its CRDs, and the classes `aws-alb` for HTTP and `aws-nlb` for
        /// TCP and UDP. Requires `enableLoadBalancerController`. Delete all gateways before you set this to false;
        /// the CRDs stay in the cluster.
        #[schemars(extend("x-addition" = true))]
        pub enable_gateway_api: Option<Plain<bool>> where default(false),
        /// Whether to install the IAM auth controller, which `IamRoleMapping` needs unless its `clusterName` is set.
        /// The project behind it is archived, and its image comes from Docker Hub, where rate limits apply; if nodes
        /// cannot pull it, the release fails after 600 seconds.
        #[schemars(extend("x-addition" = true))]
        pub enable_iam_auth_controller: Plain<bool> = true,
        /// Whether to install the external ingress controller, whose project is retired.
        #[schemars(extend("deprecated" = true, "x-deprecation" = "use proxyIngressConfig.enableExternal"))]
        pub enable_external_ingress: Option<Plain<bool>> where default(true),
        /// Whether to install the internal ingress controller, whose project is retired.
        #[schemars(extend("deprecated" = true, "x-deprecation" = "use proxyIngressConfig.enableInternal"))]
        pub enable_internal_ingress: Option<Plain<bool>> where default(true),
        /// Whether to install the AWS Load Balancer Controller, which `lbType` other than `nlb` and `nlbTargetType`
        /// require, and which provides the Gateway API (`enableGatewayApi`). Delete services of type LoadBalancer,
        /// ingresses and gateways before you set this to false.
        #[schemars(extend("x-addition" = true))]
        pub enable_load_balancer_controller: Plain<bool> = false,
        /// Whether to install the node autoscaler. Delete all node pools (`AutoscaledNodeGroup`) before you set this to
        /// false, because nothing terminates their machines without the autoscaler. Its CRDs stay in the cluster when it
        /// is removed.
        pub enable_node_autoscaler: Option<Plain<bool>> where default(true),
        /// Whether to install the OpenTelemetry distribution. Requires the certificate manager.
        pub enable_otel: Plain<bool> = false,
        /// Whether AWS can move traffic and nodes out of an impaired availability zone (zonal shift). The node
        /// autoscaler then starts no machines there.
        #[schemars(extend("x-addition" = true))]
        pub enable_zonal_shift: Option<Output<bool>> where default(false),
        /// IP address ranges that can reach the public API endpoint, such as `203.0.113.0/24` or, if `ipFamily` is
        /// `ipv6`, also `2001:db8::/32`. Nodes use the public
        /// endpoint unless `clusterEndpointPrivateAccess` is true: set it, or include the addresses that nodes reach
        /// the internet from, because nodes cannot join the cluster otherwise. Default: all addresses.
        #[schemars(extend(
            "x-addition" = true, "minItems" = 1, "items" = check::ADDRESS_RANGE.schema()
        ))]
        pub endpoint_public_access_cidrs: Option<List<String>>,
        /// Types of logs that the control plane writes: `api`, `audit`, `authenticator`, `controllerManager`,
        /// `scheduler`. Default: all of them.
        #[schemars(extend("items" = { "type": "string", "enum": LOG_TYPES }))]
        pub enabled_cluster_log_types: Option<List<String>>,
        /// Version of the external-dns chart.
        pub external_dns_version as "externalDNSVersion": Option<Output<String>>
            where default(versions::EXTERNAL_DNS.version),
        /// Whether upgrades continue against objections: of the control plane although upgrade insights report problems,
        /// and of the system nodes although pods cannot be evicted, which are then deleted. Default: they fail.
        #[schemars(extend("x-addition" = true))]
        pub force_update_version: Option<Output<bool>>,
        /// Whether the CRDs of the Gateway API (standard channel, 1.6) are installed by other means, so that
        /// the component does not install them.
        #[schemars(extend("x-addition" = true))]
        pub gateway_api_crds_installed: Option<Plain<bool>> where default(false),
        /// Repository of the chart `gateway-api-crds`, which contains the CRDs of the Gateway API. The default is
        /// the repository of a third party; it can be your own repository with a copy of the chart. The address begins
        /// with `https://` or `oci://`.
        #[schemars(transform = CHART_REPOSITORY.rule(), extend("x-addition" = true, "deprecated" = true, "x-deprecation" = "use children[\"gateway-api-crds\"].repositoryOpts.repo, or chart for a registry"))]
        pub gateway_api_crds_repository: Option<Output<String>> where default(versions::GATEWAY_TYPES_REPOSITORY),
        /// Version of the chart of the CRDs of the Gateway API. Version 1.2.3 contains version 1.6.1 of the
        /// Gateway API.
        #[schemars(extend("x-addition" = true))]
        pub gateway_api_crds_version: Option<Output<String>> where default(versions::GATEWAY_TYPES.version),
        /// Hosted zones of Route 53 in which external-dns and the certificate manager change records. They have no
        /// permissions for other zones, and external-dns ignores them. Default: all zones of the account.
        #[schemars(extend(
            "x-addition" = true, "minItems" = 1, "uniqueItems" = true, "items" = HOSTED_ZONE.schema()
        ))]
        pub hosted_zone_ids: Option<List<String>>,
        /// Image of the IAM auth controller, for example in your own registry. Default: the image of the chart on
        /// Docker Hub.
        #[schemars(extend("x-addition" = true, "deprecated" = true, "x-deprecation" = "use children[\"aws-auth\"].values.image"))]
        pub iam_auth_controller_image: Option<Output<AuthControllerImage>>,
        /// Configuration of the ingress controllers.
        #[schemars(extend("deprecated" = true, "x-deprecation" = "use proxyIngressConfig"))]
        pub ingress_config: Option<Output<IngressConfig>>,
        /// Family of the addresses of pods and services: `ipv4` or `ipv6`. With `ipv6`, all subnets must have IPv6
        /// ranges. A change replaces the cluster. Default: chosen by AWS, currently `ipv4`.
        #[schemars(extend("x-addition" = true, "enum" = IP_FAMILIES))]
        pub ip_family: Option<Plain<String>>,
        /// Version of the node autoscaler, 1.0 or newer.
        #[schemars(transform = SUPPORTED_VERSION.rule())]
        pub node_autoscaler_version: Output<String> = versions::AUTOSCALER.version,
        /// Type of the ingress controllers' load balancers: `nlb`, `nlb-ip` or `external`. The last two require a
        /// load balancer controller (`enableLoadBalancerController`); without it, the program does not wait for such
        /// load balancers.
        #[schemars(extend("enum" = LB_TYPES))]
        pub lb_type: Output<String> = LB_TYPES[0],
        /// Version of the chart of the AWS Load Balancer Controller.
        #[schemars(extend("x-addition" = true, "deprecated" = true, "x-deprecation" = "use children[\"load-balancers\"].version"))]
        pub load_balancer_controller_version: Option<Output<String>>
            where default(versions::LOAD_BALANCERS.version),
        /// Identity with which the kubeconfig and the cluster's own Kubernetes provider obtain tokens. Default: the
        /// identity from the stack's configuration, then from the environment.
        #[schemars(extend("x-addition" = true))]
        pub kubeconfig_options: Option<Output<KubeconfigOptions>>,
        /// Contact address for Let's Encrypt. If set, a cluster issuer for public certificates is created.
        #[schemars(transform = EMAIL.rule())]
        pub lets_encrypt_email: Option<Plain<String>>,
        /// Days after which AWS deletes logs of the control plane. Requires `name`. The log group is created before
        /// the cluster, and deleted with it, or with all its logs if this input is removed; if it exists already, import
        /// it. Default: AWS creates the log group,
        /// keeps the logs forever, and does not delete it.
        #[schemars(extend("x-addition" = true, "enum" = RETENTIONS))]
        pub log_retention_days: Option<Output<i32>>,
        /// Name of the cluster in AWS. A change replaces the cluster; setting the current name of an existing cluster
        /// does not. Default: the name of the component and random digits.
        #[schemars(transform = check::CLUSTER_NAME.rule(), extend("x-addition" = true))]
        pub name: Option<Output<String>>,
        /// ARN of an IAM policy that limits the permissions of all roles of the component (permissions boundary).
        /// Default: none.
        #[schemars(transform = check::POLICY.rule(), extend("x-addition" = true))]
        pub permissions_boundary: Option<Output<String>>,
        /// Configuration of the ingress controllers, whose project (ingress-nginx) is retired. Clusters without
        /// them are recommended: set `enableExternal` and `enableInternal` to false.
        pub proxy_ingress_config: Option<Output<ProxyIngressConfig>>,
        /// Registry of the ingress controllers' images.
        pub proxy_ingress_registry: Output<String> = versions::INGRESS_REGISTRY,
        /// Tag of the ingress controllers' image.
        pub proxy_ingress_tag: Output<String> = versions::INGRESS_TAG,
        /// Version of the ingress controllers' chart.
        pub proxy_ingress_version: Option<Output<String>> where default(versions::INGRESS.version),
        /// ARN of the KMS key that encrypts the secrets of the cluster. A change replaces the cluster. Default: a key
        /// of the component.
        #[schemars(transform = KMS_KEY.rule(), extend("x-addition" = true))]
        pub secrets_kms_key_arn: Option<Output<String>>,
        /// Address range of services, such as `172.20.0.0/16`: from /12 to /24, within `10.0.0.0/8`, `172.16.0.0/12`
        /// or `192.168.0.0/16`. A change replaces the cluster. Default: chosen by AWS.
        #[schemars(transform = SERVICE_RANGE.rule(), extend("x-addition" = true, "deprecated" = true, "x-deprecation" = "use children[\"control-plane\"].kubernetesNetworkConfig.serviceIpv4Cidr"))]
        pub service_ipv4_cidr: Option<Output<String>>,
        /// Whether the kind `ServiceMonitor` is installed in the cluster, as `enableServiceMonitor` requires. If
        /// false, the component reports what is missing.
        #[schemars(extend("x-addition" = true))]
        pub service_monitor_crds_installed: Output<bool> = false,
        /// Number of system nodes. They are not autoscaled. Default: `systemNodeMinCount`, or 1 if that is 0.
        #[schemars(extend("minimum" = 0, "maximum" = i32::MAX, "multipleOf" = 1, "x-reason" = check::NODES))]
        pub system_node_desired_count: Option<Output<f64>>,
        /// Instance types of the system nodes, all of one CPU architecture. A change replaces the system nodes: new ones
        /// are created before the old ones are drained.
        #[schemars(extend(
            "minItems" = 1, "items" = { "type": "string", "minLength": 1 }, "x-default" = [DEFAULT_INSTANCE_TYPE]
        ))]
        pub system_node_instance_types: Option<List<String>>,
        /// Maximum number of system nodes. Default: 10, or more if the other counts require it.
        #[schemars(extend("minimum" = 1, "maximum" = i32::MAX, "multipleOf" = 1, "x-reason" = SOME_NODES))]
        pub system_node_max_count: Option<Output<f64>>,
        /// Maximum number of network hops for responses of the instance metadata service of the system nodes, from 1
        /// to 64. Setting or removing this input for an existing cluster replaces the system nodes: new ones are created
        /// before the old ones are drained. A change of the number replaces them one at a time. Default: chosen by AWS.
        #[schemars(extend("minimum" = 1, "maximum" = MOST_HOPS, "x-addition" = true))]
        pub system_node_metadata_hop_limit: Option<Output<i32>>,
        /// Whether AWS replaces system nodes that are unhealthy. The add-on `eks-node-monitoring-agent` finds more
        /// kinds of failures.
        #[schemars(extend("x-addition" = true, "deprecated" = true, "x-deprecation" = "use children[\"system-nodes\"].nodeRepairConfig"))]
        pub repair_system_nodes: Option<Output<bool>> where default(false),
        /// Whether the system nodes have a launch template that encrypts their disks, and tags the machines, disks
        /// and network interfaces with `tags`. Changing this input of an existing cluster replaces the system nodes:
        /// new ones are created before the old ones are drained.
        #[schemars(extend("default" = false, "x-addition" = true))]
        pub system_nodes_use_launch_template: Option<Plain<bool>>,
        /// Minimum number of system nodes. Default: 1, or less if the other counts require it.
        #[schemars(extend("minimum" = 0, "maximum" = i32::MAX, "multipleOf" = 1, "x-reason" = check::NODES))]
        pub system_node_min_count: Option<Output<f64>>,
        /// Tags of all taggable resources of the component, of the volumes that the volume driver creates, and
        /// of the load balancers of the ingress controllers. The machines of the system nodes and their disks
        /// are only tagged with `systemNodesUseLaunchTemplate`, and a change then replaces them one at a time; autoscaled machines have the `tags` of their
        /// `AutoscaledNodeGroup`.
        pub tags: Tags,
        /// Support policy for a cluster whose version leaves standard support: `STANDARD` upgrades it automatically,
        /// `EXTENDED` keeps the version at extra cost.
        #[schemars(extend("x-addition" = true, "deprecated" = true, "x-deprecation" = "use children[\"control-plane\"].upgradePolicy.supportType", "enum" = SUPPORT_TYPES))]
        pub upgrade_policy: Option<Output<String>> where default(DEFAULT_SUPPORT_TYPE),
        /// Whether the system nodes get the version of the control plane, so that an update that upgrades the
        /// control plane then replaces them one at a time. If false, upgrade them before the next upgrade of the
        /// control plane, which AWS rejects otherwise.
        #[schemars(extend("x-addition" = true))]
        pub upgrade_system_nodes: Plain<bool> = true,
        /// Configuration of the network plugin.
        pub vpc_cni_config: Option<Output<VpcCniConfig>>,
    }
}

object! {
    /// Outputs of `Cluster`.
    #[schemars(transform = crate::describe_additions)]
    pub struct ClusterOutputs {
        /// Name of the cluster.
        pub cluster_name: Output<String>,
        /// Id of the security group that AWS creates for the control plane and its managed nodes. Nodes of an
        /// `AutoscaledNodeGroup` need it to reach the control plane and each other.
        #[schemars(extend("x-addition" = true))]
        pub cluster_security_group_id: Output<String>,
        /// The control plane.
        #[schemars(extend("x-resource" = "aws:eks/cluster:Cluster"))]
        pub control_plane: Resource,
        /// The OIDC provider of the cluster's service accounts.
        #[schemars(extend("x-resource" = "aws:iam/openIdConnectProvider:OpenIdConnectProvider"))]
        pub oidc_provider: Resource,
        /// Kubeconfig of the cluster as JSON. Clients need the AWS command line tool.
        #[schemars(extend("x-secret" = true))]
        pub kubeconfig: Output<String>,
        /// The system nodes.
        #[schemars(extend("x-resource" = "aws:eks/nodeGroup:NodeGroup"))]
        pub system_nodes: Resource,
        /// IAM role of autoscaled nodes: nodes of the node autoscaler, or of own node pools with an empty
        /// `autoModeNodePools`.
        #[schemars(extend("x-resource" = "aws:iam/role:Role"))]
        pub node_autoscaler_node_role: Option<Resource>,
        /// Name of the queue that receives interruption events.
        pub node_autoscaler_queue_name: Option<Output<String>>,
        /// IAM role of the node autoscaler.
        #[schemars(extend("x-resource" = "aws:iam/role:Role"))]
        pub node_autoscaler_role: Option<Resource>,
    }
}

record! {
    /// Image of the IAM auth controller. Not part of the original specification.
    pub struct AuthControllerImage {
        /// Repository of the image, such as `registry.example/aws-eks-iam-auth-controller`. Default: the repository in
        /// the chart.
        #[schemars(extend("minLength" = 1))]
        pub repository: Option<Output<String>>,
        /// Tag of the image. Default: the tag in the chart.
        #[schemars(extend("minLength" = 1))]
        pub tag: Option<Output<String>>,
    }
}

/// Whether the component installs the load balancer controller.
pub(super) fn has_load_balancer_controller(inputs: &ClusterInputs) -> bool {
    *inputs.enable_load_balancer_controller.get()
}

/// Whether pods and services have IPv6 addresses.
pub(super) fn is_ipv6(inputs: &ClusterInputs) -> bool {
    inputs
        .ip_family
        .as_ref()
        .is_some_and(|family| family.get() == "ipv6")
}

/// The certificate of the load balancers. An empty string is treated as unset.
pub(super) fn certificate(inputs: &ClusterInputs) -> Option<&Output<String>> {
    let certificate = inputs.certificate_arn.as_ref();
    certificate.filter(|arn| arn.peek_known().is_none_or(|arn| !arn.is_empty()))
}
