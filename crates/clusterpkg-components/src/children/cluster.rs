//! Children of `Cluster`, with the children of the components inside it.

use pulumi_plugin::components::{Child, ChildKind, Own};

use super::kinds::{
    ACCESS_ENTRY, ACCESS_POLICY, ACCOUNT, ADDON, ATTACHMENT, CONTROL_PLANE, EVENT_RULE, EVENT_TARGET,
    GATEWAY_CLASS, ISSUER, KMS_KEY, KUBERNETES, LAUNCH_TEMPLATE, LOG_GROUP, MAPPING, NODE_GROUP, OBJECT_TYPE,
    OF_OWN_POLICY, OIDC_PROVIDER, POLICY, QUEUE, QUEUE_POLICY, RELEASE, ROLE, ROLE_POLICY, STORAGE_CLASS,
    WITH_ROLE, ecr_policy, refers, ssm_policy, worker_policy,
};

const AUTO_MODE: &str = "with `autoMode`";
const AUTOSCALER: &str = "with `enableNodeAutoscaler`";
const CERT_MANAGER: &str = "with `enableCertManager`";
const EXTERNAL_DNS: &str = "with `enableExternalDns`";
const GATEWAYS: &str = "with `enableGatewayApi`";
const IAM_AUTH: &str = "with `enableIamAuthController`";
const LOAD_BALANCERS: &str = "with `enableLoadBalancerController`";
const MONITORING: &str = "with `enableMonitoringAgent`";
const OWN_POOLS: &str = "with an empty `autoModeNodePools`";
const NO_AUTO_MODE: &str = "without `autoMode`";

/// A role of the cluster's service accounts.
const fn account_role(name: &'static str, purpose: &'static str) -> Child {
    Child::new(name, &ROLE, purpose)
}

/// A policy of the component.
const fn policy(name: &'static str, purpose: &'static str) -> Child {
    Child::new(name, &POLICY, purpose)
}

/// The attachment of a policy of the component, which is registered with the name of the policy.
const fn attached(name: &'static str, policy: &'static str) -> Child {
    Child::new(name, &ATTACHMENT, "Attaches the policy to its role")
        .registered_as(policy)
        .own(OF_OWN_POLICY)
}

/// An event that the node autoscaler reacts to, and its target, which is registered with the same name.
const fn event(name: &'static str, purpose: &'static str) -> Child {
    Child::new(name, &EVENT_RULE, purpose).only(AUTOSCALER)
}

const fn target(name: &'static str, event: &'static str) -> Child {
    Child::new(name, &EVENT_TARGET, "Sends the events to the queue")
        .registered_as(event)
        .only(AUTOSCALER)
}

const fn add_on(name: &'static str, purpose: &'static str) -> Child {
    Child::new(name, &ADDON, purpose)
}

const fn chart(name: &'static str, purpose: &'static str) -> Child {
    const KIND: &ChildKind = &RELEASE;
    Child::new(name, KIND, purpose)
}

const OWN_OF_AUTOSCALER: &[Own] = &[
    ACCOUNT,
    refers(&["values.settings.clusterName", "values.settings.interruptionQueue"]),
];
const OWN_OF_EXTERNAL_DNS: &[Own] = &[ACCOUNT];
const OWN_OF_CERT_MANAGER: &[Own] = &[ACCOUNT];
const OWN_OF_LOAD_BALANCERS: &[Own] = &[
    ACCOUNT,
    refers(&["values.clusterName", "values.region", "values.vpcId"]),
];

/// Settings of the network plugin, all of which are text in the schema of the add-on.
const TEXTS_OF_NETWORK: &[&str] = &[
    "configurationValues.enableNetworkPolicy",
    "configurationValues.enableWindowsIpam",
    "configurationValues.env",
    "configurationValues.init.env",
    "configurationValues.nodeAgent",
];

/// Children of `Cluster`.
pub(crate) const CLUSTER: &[Child] = &[
    // The control plane.
    Child::new("control-plane", &CONTROL_PLANE, "The control plane").registered_as(""),
    Child::new("cluster-role", &ROLE, "Role of the control plane"),
    Child::new("cluster-policy", &ATTACHMENT, "Right to run a cluster"),
    Child::new(
        "cluster-policy-vpc",
        &ATTACHMENT,
        "Right to manage network interfaces of pods",
    ),
    Child::new(
        "cluster-policy-kms",
        &ROLE_POLICY,
        "Right to use the key of the secrets",
    ),
    Child::new("cluster-kms-key", &KMS_KEY, "Encrypts the secrets of the cluster")
        .only("without `secretsKmsKeyArn`"),
    Child::new("logs", &LOG_GROUP, "Logs of the control plane").only("with `logRetentionDays`"),
    Child::new(
        "oidc-provider",
        &OIDC_PROVIDER,
        "Identities of service accounts in IAM",
    ),
    Child::new("cluster-policy-compute", &ATTACHMENT, "Right to run machines").only(AUTO_MODE),
    Child::new("cluster-policy-storage", &ATTACHMENT, "Right to manage volumes").only(AUTO_MODE),
    Child::new(
        "cluster-policy-load-balancing",
        &ATTACHMENT,
        "Right to manage load balancers",
    )
    .only(AUTO_MODE),
    Child::new(
        "cluster-policy-networking",
        &ATTACHMENT,
        "Right to manage networks of nodes",
    )
    .only(AUTO_MODE),
    Child::new("auto-node-role", &ROLE, "Role of the machines that AWS runs").only(AUTO_MODE),
    worker_policy("auto-node-worker-policy").only(AUTO_MODE),
    ecr_policy("auto-node-ecr-policy").only(AUTO_MODE),
    Child::new(
        "auto-node-access",
        &ACCESS_ENTRY,
        "Access of the machines of own node pools",
    )
    .only(OWN_POOLS),
    Child::new(
        "auto-node-access-policy",
        &ACCESS_POLICY,
        "Rights of the machines of own node pools",
    )
    .only(OWN_POOLS),
    // Access.
    Child::new("admin-access", &ACCESS_ENTRY, "Access of the administrator"),
    Child::new("admin-policy", &ACCESS_POLICY, "Rights of the administrator"),
    Child::new("access-*", &ACCESS_ENTRY, "Access of an entry in `accessEntries`")
        .only("with an entry of `accessEntries`"),
    Child::new(
        "access-*",
        &ACCESS_POLICY,
        "A policy of an entry in `accessEntries`: `access-{entry}-{policy}`",
    )
    .only("with a policy of an entry of `accessEntries`"),
    Child::new("k8s-provider", &KUBERNETES, "Manages the objects in the cluster"),
    // Network and system nodes.
    add_on("vpc-cni", "Network of pods")
        .own(WITH_ROLE)
        .texts(TEXTS_OF_NETWORK),
    account_role("vpc-cni-role", "Role of the network plugin"),
    Child::new("vpc-cni-policy", &ATTACHMENT, "Right to assign addresses"),
    policy("vpc-cni-ipv6-policy", "Right to assign IPv6 addresses").only("with `ipFamily: ipv6`"),
    attached("vpc-cni-ipv6-policy-attachment", "vpc-cni-ipv6-policy").only("with `ipFamily: ipv6`"),
    policy("vpc-cni-logs-policy", "Right to write logs of network policies")
        .only("with `vpcCniConfig.nodeAgent.enableMonitoringLogs`"),
    attached("vpc-cni-logs-policy-attachment", "vpc-cni-logs-policy")
        .only("with `vpcCniConfig.nodeAgent.enableMonitoringLogs`"),
    add_on("kube-proxy", "Addresses of services"),
    Child::new("system-nodes", &NODE_GROUP, "Nodes that run the add-ons"),
    Child::new(
        "system-launch-template",
        &LAUNCH_TEMPLATE,
        "Disks, metadata service and tags of the system nodes",
    )
    .registered_as("system-nodes")
    .only("with `systemNodesUseLaunchTemplate` or `systemNodeMetadataHopLimit`"),
    Child::new("system-node-role", &ROLE, "Role of the system nodes"),
    worker_policy("system-node-worker-policy"),
    ecr_policy("system-node-ecr-policy"),
    ssm_policy("system-node-ssm-policy"),
    add_on("coredns", "Names of services"),
    // Storage.
    add_on("ebs-csi", "Volumes").own(WITH_ROLE).only(NO_AUTO_MODE),
    account_role("ebs-csi-role", "Role of the volume driver").only(NO_AUTO_MODE),
    Child::new("ebs-csi-policy", &ATTACHMENT, "Right to manage volumes").only(NO_AUTO_MODE),
    Child::new(
        "gp3-storage-class",
        &STORAGE_CLASS,
        "The default class of volumes",
    ),
    // Add-ons.
    add_on("addon-*", "An add-on in `addons`").only("with an entry of `addons`"),
    chart("aws-auth", "The IAM auth controller").only(IAM_AUTH),
    Child::new(
        "iam-identity-mapping-crd",
        &OBJECT_TYPE,
        "The kind of role mappings",
    )
    .only(IAM_AUTH),
    Child::new(
        "own-role-mapping",
        &MAPPING,
        "Keeps the controller removing deleted mappings",
    )
    .only(IAM_AUTH),
    chart("load-balancers", "The AWS Load Balancer Controller")
        .own(OWN_OF_LOAD_BALANCERS)
        .only(LOAD_BALANCERS),
    account_role("load-balancers-role", "Role of the load balancer controller").only(LOAD_BALANCERS),
    policy("load-balancers-policy", "Rights of the load balancer controller").only(LOAD_BALANCERS),
    attached("load-balancers-policy-attachment", "load-balancers-policy").only(LOAD_BALANCERS),
    chart("gateway-api-crds", "The kinds of the Gateway API").only(GATEWAYS),
    Child::new("gateway-class-aws-alb", &GATEWAY_CLASS, "Gateways for HTTP").only(GATEWAYS),
    Child::new(
        "gateway-class-aws-nlb",
        &GATEWAY_CLASS,
        "Gateways for TCP and UDP",
    )
    .only(GATEWAYS),
    chart("nginx-ext", "The external ingress controller").only("with `proxyIngressConfig.enableExternal`"),
    chart("nginx-int", "The internal ingress controller").only("with `proxyIngressConfig.enableInternal`"),
    chart("external-dns", "DNS records of services, ingresses and routes")
        .own(OWN_OF_EXTERNAL_DNS)
        .only(EXTERNAL_DNS),
    account_role("external-dns-role", "Role of external DNS").only(EXTERNAL_DNS),
    policy("external-dns-policy", "Rights of external DNS").only(EXTERNAL_DNS),
    attached("external-dns-policy-attachment", "external-dns-policy").only(EXTERNAL_DNS),
    chart("cert-manager", "Certificates")
        .own(OWN_OF_CERT_MANAGER)
        .only(CERT_MANAGER),
    account_role("cert-manager-role", "Role of the certificate manager").only(CERT_MANAGER),
    policy("cert-manager-policy", "Rights of the certificate manager").only(CERT_MANAGER),
    attached("cert-manager-policy-attachment", "cert-manager-policy").only(CERT_MANAGER),
    Child::new("cluster-issuer", &ISSUER, "Issues public certificates").only("with `letsEncryptEmail`"),
    add_on("monitoring", "The monitoring agent")
        .own(WITH_ROLE)
        .only(MONITORING),
    account_role("monitoring-role", "Role of the monitoring agent").only(MONITORING),
    Child::new(
        "monitoring-agent-policy",
        &ATTACHMENT,
        "Right to write metrics and logs",
    )
    .only(MONITORING),
    Child::new("monitoring-traces-policy", &ATTACHMENT, "Right to write traces").only(MONITORING),
    policy("monitoring-volumes-policy", "Right to read volumes").only(MONITORING),
    attached(
        "monitoring-volumes-policy-attachment",
        "monitoring-volumes-policy",
    )
    .only(MONITORING),
    add_on("otel", "OpenTelemetry").only("with `enableOtel`"),
    // The node autoscaler.
    chart("autoscaler", "The node autoscaler (Karpenter)")
        .own(OWN_OF_AUTOSCALER)
        .only(AUTOSCALER),
    chart("autoscaler-crds", "The kinds of the node autoscaler").only(AUTOSCALER),
    account_role("autoscaler-role", "Role of the node autoscaler").only(AUTOSCALER),
    policy("autoscaler-cluster", "Right to read the cluster").only(AUTOSCALER),
    attached("autoscaler-cluster-attachment", "autoscaler-cluster").only(AUTOSCALER),
    policy(
        "autoscaler-discovery",
        "Right to read machine types, prices and networks",
    )
    .only(AUTOSCALER),
    attached("autoscaler-discovery-attachment", "autoscaler-discovery").only(AUTOSCALER),
    policy("autoscaler-interruption", "Right to read interruption events").only(AUTOSCALER),
    attached("autoscaler-interruption-attachment", "autoscaler-interruption").only(AUTOSCALER),
    policy("autoscaler-nodes", "Right to run machines").only(AUTOSCALER),
    attached("autoscaler-nodes-attachment", "autoscaler-nodes").only(AUTOSCALER),
    policy("autoscaler-profiles", "Right to manage instance profiles").only(AUTOSCALER),
    attached("autoscaler-profiles-attachment", "autoscaler-profiles").only(AUTOSCALER),
    policy("autoscaler-zonal-shift", "Right to read zonal shifts").only(AUTOSCALER),
    attached("autoscaler-zonal-shift-attachment", "autoscaler-zonal-shift").only(AUTOSCALER),
    Child::new("autoscaler-node-role", &ROLE, "Role of autoscaled nodes").only(AUTOSCALER),
    worker_policy("autoscaler-node-worker-policy").only(AUTOSCALER),
    ecr_policy("autoscaler-node-ecr-policy").only(AUTOSCALER),
    ssm_policy("autoscaler-node-ssm-policy").only(AUTOSCALER),
    Child::new(
        "autoscaler-node-access",
        &ACCESS_ENTRY,
        "Access of autoscaled nodes",
    )
    .only(AUTOSCALER),
    Child::new("autoscaler-events", &QUEUE, "Queue of interruption events").only(AUTOSCALER),
    Child::new(
        "autoscaler-events-policy",
        &QUEUE_POLICY,
        "Right of AWS to send events",
    )
    .only(AUTOSCALER),
    event("capacity-event", "Changes of capacity reservations"),
    target("capacity-event-target", "capacity-event"),
    event("health-event", "Health events"),
    target("health-event-target", "health-event"),
    event("rebalance", "Recommendations to rebalance"),
    target("rebalance-target", "rebalance"),
    event("spot-interrupt", "Interruptions of spot machines"),
    target("spot-interrupt-target", "spot-interrupt"),
    event("state-change", "Changes of the state of machines"),
    target("state-change-target", "state-change"),
];
