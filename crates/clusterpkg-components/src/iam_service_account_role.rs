//! `IamServiceAccountRole`: a role that one service account of a cluster can assume.

use pulumi_plugin::components::{
    Child, ChildOptions, ChildPackage, ChildValues, Component, ConstructError, InputProblems, Output,
    Resource, Scope, TextRule, all, object, properties, record,
};
use pulumi_plugin::schema::ChildSchemas;

use crate::aws;
use crate::check;
use crate::children;
use crate::policy::{PolicyDocument, Statement};
use crate::tags::Tags;
use crate::versions::PACKAGES;

/// Maximum length of a trust policy.
const LONGEST_TRUST: usize = 2048;
/// Stands for the region, which is unknown to checks: one of the longest names.
const LONG_REGION: &str = "ap-northeast-1";

const PROVIDER_ARN: TextRule = TextRule::new(
    "^arn:[a-z0-9-]+:iam::[0-9]{12}:oidc-provider/[A-Za-z0-9._~/-]+$",
    "must be the ARN of an OIDC provider, such as \
     arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
);
const PROVIDER_URL: TextRule = TextRule::new(
    "^(https://)?[A-Za-z0-9.-]+(/[A-Za-z0-9._~/-]*)?$",
    "must be the URL of an OIDC provider, such as https://oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
);
/// A name without wildcards.
const ONE_NAME: TextRule = TextRule::new(
    "^[^:*?]+$",
    "must name one namespace or service account, without `:`, `*` and `?`",
);

record! {
    /// Inputs of `IamServiceAccountRole`.
    #[schemars(transform = crate::describe_additions, extend(
        "x-source" = crate::section("2.6"),
        "examples" = [{
            "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
            "oidcProviderUrl": "https://oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
            "namespaceName": "shop",
            "serviceAccountName": "orders",
        }, {
            "clusterName": "main",
            "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
            "oidcProviderUrl": "https://oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
            "namespaceName": "shop",
            "serviceAccountName": "orders",
        }]
    ))]
    pub struct IamServiceAccountRoleInputs {
        /// Own values for the children of the component, by their names, which its page lists. Properties have the names of
        /// the child's provider. They are merged over those of the component: objects, also into JSON text, member by
        /// member; other values and lists replace; null removes, as do paths in the member `without`. Names must be known in
        /// a preview. Default: none.
        #[schemars(extend("x-addition" = true))]
        pub children: Option<ChildValues>,
        /// ARN of the cluster's OIDC provider.
        #[schemars(transform = PROVIDER_ARN.rule())]
        pub oidc_provider_arn: Output<String>,
        /// URL of the cluster's OIDC provider, with or without `https://`.
        #[schemars(transform = PROVIDER_URL.rule())]
        pub oidc_provider_url: Output<String>,
        /// Namespace of the service account.
        #[schemars(transform = ONE_NAME.rule())]
        pub namespace_name: Output<String>,
        /// Name of the service account.
        #[schemars(transform = ONE_NAME.rule())]
        pub service_account_name: Output<String>,
        /// Name of the cluster. If set, pods of the service account also get the role through EKS Pod Identity,
        /// without an annotation of the service account. Requires the add-on `eks-pod-identity-agent`, which `addons`
        /// of `Cluster` installs. A service account can have only one such role, so AWS rejects a component with a new
        /// name for the same service account until the old one is deleted; to rename a component, name the old one in
        /// its `aliases`. Default: only the OIDC provider.
        #[schemars(transform = check::CLUSTER_NAME.rule(), extend("x-addition" = true))]
        pub cluster_name: Option<Output<String>>,
        /// ARN of an IAM policy that limits the permissions of the role (permissions boundary). Default: none.
        #[schemars(transform = check::POLICY.rule(), extend("x-addition" = true))]
        pub permissions_boundary: Option<Output<String>>,
        /// Tags of the role.
        pub tags: Tags,
    }
}

object! {
    /// Outputs of `IamServiceAccountRole`.
    pub struct IamServiceAccountRoleOutputs {
        /// The IAM role. Attach the policies that the service account needs.
        #[schemars(extend("x-resource" = "aws:iam/role:Role"))]
        pub role: Resource,
    }
}

/// The component.
pub struct IamServiceAccountRole;

impl Component for IamServiceAccountRole {
    const TOKEN: &'static str = "clusterpkg:index:IamServiceAccountRole";
    const DESCRIPTION: &'static str = "An IAM role that one service account of a cluster can assume.";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    const CHILDREN: &'static [Child] = children::IAM_SERVICE_ACCOUNT_ROLE;
    type Inputs = IamServiceAccountRoleInputs;
    type Outputs = IamServiceAccountRoleOutputs;

    fn child_values(inputs: &IamServiceAccountRoleInputs) -> Option<&ChildValues> {
        inputs.children.as_ref()
    }

    fn child_schemas() -> Option<&'static ChildSchemas> {
        Some(children::schemas())
    }

    fn check(name: &str, inputs: &IamServiceAccountRoleInputs, problems: &mut InputProblems) {
        check::name_fits(name, "the role", "", check::ROLE_NAME, problems);
        let is_role_name = |c: char| c.is_ascii_alphanumeric() || "_+=,.@-".contains(c);
        if name.is_empty() || !name.chars().all(is_role_name) {
            problems.add(
                "",
                "the name must be letters, digits and `_+=,.@-`, because the role is named after it",
            );
        }
        check_length(inputs, problems);
    }

    fn build(
        scope: &Scope,
        inputs: IamServiceAccountRoleInputs,
    ) -> Result<IamServiceAccountRoleOutputs, ConstructError> {
        let parts = (
            inputs.oidc_provider_arn,
            inputs.oidc_provider_url,
            inputs.namespace_name.clone(),
            inputs.service_account_name.clone(),
        );
        let cluster = match &inputs.cluster_name {
            Some(name) => all((name.clone(), aws::region(scope))).map(Some),
            None => Output::known(None),
        };
        let trust = all((all(parts), cluster)).map(|((arn, url, namespace, account), cluster)| {
            let cluster = cluster
                .as_ref()
                .map(|(name, region)| cluster_arn(&arn, region, name));
            trust(&arn, &url, &namespace, &account, cluster)
        });
        let name = scope.name().to_owned();
        let role = aws::role(scope, name, trust, &inputs.permissions_boundary, &inputs.tags);
        if let Some(cluster) = inputs.cluster_name {
            let properties = properties! {
                "clusterName": cluster,
                "namespace": inputs.namespace_name,
                "serviceAccount": inputs.service_account_name,
                "roleArn": role.output::<String>("arn"),
                "tags": inputs.tags,
            };
            scope.register(
                "aws:eks/podIdentityAssociation:PodIdentityAssociation",
                scope.name(),
                properties,
                ChildOptions::below(&role),
            );
        }
        Ok(IamServiceAccountRoleOutputs { role })
    }
}

/// Checks the length of the trust policy.
fn check_length(inputs: &IamServiceAccountRoleInputs, problems: &mut InputProblems) {
    let known = |text: &Output<String>| text.peek_known().cloned();
    let parts = known(&inputs.oidc_provider_arn)
        .zip(known(&inputs.oidc_provider_url))
        .zip(known(&inputs.namespace_name).zip(known(&inputs.service_account_name)));
    let Some(((arn, url), (namespace, account))) = parts else {
        return;
    };
    let cluster = inputs.cluster_name.as_ref().map(|name| {
        let name = known(name).unwrap_or_default();
        cluster_arn(&arn, LONG_REGION, &name)
    });
    let length = trust(&arn, &url, &namespace, &account, cluster)
        .to_json()
        .chars()
        .count();
    if length > LONGEST_TRUST {
        let reason = format!(
            "the trust policy built from the inputs has {length} characters; at most {LONGEST_TRUST} are allowed"
        );
        problems.add("", reason);
    }
}

/// The ARN of a cluster in the partition and account of its provider.
fn cluster_arn(provider_arn: &str, region: &str, name: &str) -> String {
    let part = |index| provider_arn.split(':').nth(index).unwrap_or_default();
    format!("arn:{}:eks:{region}:{}:cluster/{name}", part(1), part(4))
}

/// The trust policy: tokens of the provider for the token service and the service account, and, for pods of a cluster,
/// the service behind EKS Pod Identity. Audience and service are the same in all partitions.
fn trust(
    provider_arn: &str,
    provider_url: &str,
    namespace: &str,
    account: &str,
    cluster_arn: Option<String>,
) -> PolicyDocument {
    let issuer = provider_url.trim_start_matches("https://").trim_end_matches('/');
    let subject = format!("system:serviceaccount:{namespace}:{account}");
    let tokens = Statement::allow(["sts:AssumeRoleWithWebIdentity"])
        .federated(provider_arn)
        .when("StringEquals", format!("{issuer}:aud"), ["sts.amazonaws.com"])
        .when("StringEquals", format!("{issuer}:sub"), [subject]);
    // Sessions of EKS Pod Identity have tags, which need a permission of their own.
    let owner = provider_arn.split(':').nth(4).unwrap_or_default();
    let pods = cluster_arn.map(|cluster| {
        Statement::allow(["sts:AssumeRole", "sts:TagSession"])
            .service(["pods.eks.amazonaws.com"])
            .when("StringEquals", "aws:SourceAccount", [owner])
            .when("StringEquals", "aws:RequestTag/kubernetes-namespace", [namespace])
            .when(
                "StringEquals",
                "aws:RequestTag/kubernetes-service-account",
                [account],
            )
            .when("ArnEquals", "aws:SourceArn", [cluster])
    });
    PolicyDocument::new([Some(tokens), pods].into_iter().flatten())
}
