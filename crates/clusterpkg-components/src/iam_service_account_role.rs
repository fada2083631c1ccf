//! `IamServiceAccountRole`: a role that one service account of a cluster can assume.

use engine_components::{ChildPackage, Component, Output, Problems, Resource, Scope, all, object, record};

use crate::aws::{self, Tags};
use crate::check;
use crate::policy::{PolicyDocument, Statement};
use crate::versions::PACKAGES;

/// Pattern of a name that can stand for no other one.
const ONE_NAME: &str = "^[^:*?]+$";

record! {
    /// Inputs of `IamServiceAccountRole`.
    #[schemars(extend(
        "x-summary" = "An IAM role that one service account of a cluster can assume.",
        "x-source" = "cluster-components 2.6",
        "examples" = [{
            "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
            "oidcProviderUrl": "https://oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
            "namespaceName": "shop",
            "serviceAccountName": "orders",
        }]
    ))]
    pub struct IamServiceAccountRoleInputs {
        /// ARN of the cluster's OIDC provider.
        #[schemars(extend("pattern" = "^arn:"))]
        pub oidc_provider_arn: Output<String>,
        /// URL of the cluster's OIDC provider, with or without `https://`.
        pub oidc_provider_url: Output<String>,
        /// Namespace of the service account.
        #[schemars(extend("pattern" = ONE_NAME))]
        pub namespace_name: Output<String>,
        /// Name of the service account.
        #[schemars(extend("pattern" = ONE_NAME))]
        pub service_account_name: Output<String>,
        /// Tags of the role.
        pub tags: Tags,
    }
}

object! {
    /// Outputs of `IamServiceAccountRole`.
    pub struct IamServiceAccountRoleOutputs {
        /// The role. Attach to it what the service account may do.
        #[schemars(extend("x-resource" = "aws:iam/role:Role"))]
        pub role: Resource,
    }
}

/// The component.
pub struct IamServiceAccountRole;

impl Component for IamServiceAccountRole {
    const TOKEN: &'static str = "clusterpkg:index:IamServiceAccountRole";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    type Inputs = IamServiceAccountRoleInputs;
    type Outputs = IamServiceAccountRoleOutputs;

    fn check(name: &str, inputs: &IamServiceAccountRoleInputs, problems: &mut Problems) {
        check::name_fits(name, "the role", "", check::ROLE_NAME, problems);
        check::form(
            "oidcProviderArn",
            Some(&inputs.oidc_provider_arn),
            |arn| arn.starts_with("arn:"),
            "must be the ARN of an OIDC provider",
            problems,
        );
        let is_one_name = |name: &str| !name.is_empty() && !name.contains([':', '*', '?']);
        let rule = "must name one namespace or service account, without `:`, `*` and `?`";
        check::form(
            "namespaceName",
            Some(&inputs.namespace_name),
            is_one_name,
            rule,
            problems,
        );
        check::form(
            "serviceAccountName",
            Some(&inputs.service_account_name),
            is_one_name,
            rule,
            problems,
        );
    }

    fn build(scope: &Scope, inputs: IamServiceAccountRoleInputs) -> IamServiceAccountRoleOutputs {
        let parts = (
            inputs.oidc_provider_arn,
            inputs.oidc_provider_url,
            inputs.namespace_name,
            inputs.service_account_name,
        );
        let trust = all(parts).map(|(arn, url, namespace, account)| trust(&arn, &url, &namespace, &account));
        IamServiceAccountRoleOutputs {
            role: aws::role(scope, scope.name().to_owned(), trust, &inputs.tags),
        }
    }
}

/// Whom the role trusts: tokens of the provider that are made for the token service and for the one service
/// account. The audience is spelled alike in every partition.
fn trust(provider_arn: &str, provider_url: &str, namespace: &str, account: &str) -> PolicyDocument {
    let issuer = provider_url.trim_start_matches("https://").trim_end_matches('/');
    let subject = format!("system:serviceaccount:{namespace}:{account}");
    PolicyDocument::new([Statement::allow(["sts:AssumeRoleWithWebIdentity"])
        .federated(provider_arn)
        .when("StringEquals", format!("{issuer}:aud"), ["sts.amazonaws.com"])
        .when("StringEquals", format!("{issuer}:sub"), [subject])])
}
