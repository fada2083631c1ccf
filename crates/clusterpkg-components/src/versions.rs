//! Pinned versions, images and chart addresses, which the specification does not define (decision clusters). They
//! are the defaults of inputs, if the program can choose the version.

use pulumi_plugin::components::ChildPackage;

/// Packages of children.
pub(crate) const PACKAGES: &[ChildPackage] = &[
    ChildPackage {
        name: "aws",
        version: "7.48.0",
        download_url: None,
    },
    ChildPackage {
        name: "kubernetes",
        version: "4.34.2",
        download_url: None,
    },
];

/// A chart and its repository.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chart {
    /// Name in the repository, or the complete address.
    pub(crate) chart: &'static str,
    /// The repository; `None` if the chart is a complete address.
    pub(crate) repository: Option<&'static str>,
    /// Default version.
    pub(crate) version: &'static str,
}

pub(crate) const INGRESS: Chart = Chart {
    chart: "ingress-nginx",
    repository: Some("https://kubernetes.github.io/ingress-nginx"),
    version: "4.15.1",
};
pub(crate) const INGRESS_REGISTRY: &str = "registry.k8s.io";
/// Version of the controller for chart 4.15.1.
pub(crate) const INGRESS_TAG: &str = "v1.15.1";

pub(crate) const LOAD_BALANCERS: Chart = Chart {
    chart: "aws-load-balancer-controller",
    repository: Some("https://aws.github.io/eks-charts"),
    version: "3.5.0",
};

/// The object types of version 1.6.1 of the Gateway API. The project of the Gateway API publishes manifests, but no
/// chart.
pub(crate) const GATEWAY_TYPES: Chart = Chart {
    chart: "gateway-api-crds",
    repository: Some(GATEWAY_TYPES_REPOSITORY),
    version: "1.2.3",
};

pub(crate) const GATEWAY_TYPES_REPOSITORY: &str = "https://charts.christianhuth.de";

pub(crate) const CERT_MANAGER: Chart = Chart {
    chart: "cert-manager",
    repository: Some("https://charts.jetstack.io"),
    version: "v1.21.1",
};

pub(crate) const EXTERNAL_DNS: Chart = Chart {
    chart: "external-dns",
    repository: Some("https://kubernetes-sigs.github.io/external-dns/"),
    version: "1.21.1",
};

pub(crate) const AUTH_CONTROLLER: Chart = Chart {
    chart: "rustrial-aws-eks-iam-auth-controller",
    repository: Some("https://rustrial.github.io/aws-eks-iam-auth-controller"),
    version: "0.1.9",
};

pub(crate) const AUTOSCALER: Chart = Chart {
    chart: "oci://public.ecr.aws/karpenter/karpenter",
    repository: None,
    version: "1.14.1",
};

/// The autoscaler's object types, with the version of [`AUTOSCALER`].
pub(crate) const AUTOSCALER_CRDS: Chart = Chart {
    chart: "oci://public.ecr.aws/karpenter/karpenter-crd",
    repository: None,
    version: AUTOSCALER.version,
};

pub(crate) const NODE_CLASS_API_VERSION: &str = "karpenter.k8s.aws/v1";
pub(crate) const NODE_POOL_API_VERSION: &str = "karpenter.sh/v1";

/// The last version of Kubernetes with images of Amazon Linux 2.
pub(crate) const LAST_OF_AL2: (u32, u32) = (1, 32);

/// The last version of Kubernetes for which the pinned versions were tested.
pub(crate) const LAST_TESTED: (u32, u32) = (1, 36);

/// Warning about images of Amazon Linux 2.
pub(crate) const OLD_LINUX: &str = "Amazon Linux 2 images are only available up to Kubernetes 1.32; use AL2023 for clusters \
                                    of version 1.33 or newer";

/// Warning about images of Windows.
pub(crate) const WINDOWS_ADDRESSES: &str = "pods on Windows nodes only get addresses if vpcCniConfig.enableWindowsIpam of the \
                                            cluster is true";

/// Label and taint of the nodes that run the add-ons.
pub(crate) const SYSTEM_NODE_KEY: &str = "node.clusterpkg.dev/system";
/// Default label of autoscaled nodes, with the name of their group.
pub(crate) const NODE_GROUP_NAME_KEY: &str = "node.clusterpkg.dev/name";

/// The first two numbers of a version.
pub(crate) fn minor_of(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.strip_prefix('v').unwrap_or(version).split(['.', '-']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}
