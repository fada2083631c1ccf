//! `IamRoleMapping`: maps an IAM role to a user and groups of a cluster, with the controller that `Cluster`
//! installs.

use pulumi_plugin::components::{
    ChildOptions, ChildPackage, Component, InputProblems, List, Output, Scope, object, properties, record,
};

use crate::check;
use crate::versions::PACKAGES;

pub(crate) const API_VERSION: &str = "iamauthenticator.k8s.aws/v1alpha1";
pub(crate) const KIND: &str = "IAMIdentityMapping";

record! {
    /// Inputs of `IamRoleMapping`.
    #[schemars(extend(
        "x-summary" = "Maps an IAM role to a user and groups of a cluster. A deletion takes effect after up to 15 \
                       minutes. The input accessEntries of Cluster revokes access immediately and also supports roles with paths.",
        "x-source" = "cluster-components 2.5",
        "examples" = [{
            "roleArn": "arn:aws:iam::123456789012:role/developer",
            "username": "developer",
            "groups": ["viewers"],
        }]
    ))]
    pub struct IamRoleMappingInputs {
        /// ARN of the IAM role, without a path. The authenticator of the cluster ignores paths, so a mapping
        /// with a path would have no effect.
        #[schemars(extend("pattern" = check::ROLE_WITHOUT_PATH))]
        pub role_arn: Output<String>,
        /// User name of the role in the cluster.
        #[schemars(extend("minLength" = 1))]
        pub username: Output<String>,
        /// Groups that the role belongs to in the cluster.
        pub groups: List<String>,
    }
}

object! {
    /// Outputs of `IamRoleMapping`: none.
    pub struct IamRoleMappingOutputs {}
}

/// The component. A mapping takes effect at once and is removed up to 15 minutes after it is deleted.
pub struct IamRoleMapping;

impl Component for IamRoleMapping {
    const TOKEN: &'static str = "clusterpkg:index:IamRoleMapping";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    type Inputs = IamRoleMappingInputs;
    type Outputs = IamRoleMappingOutputs;

    fn check(name: &str, inputs: &IamRoleMappingInputs, problems: &mut InputProblems) {
        check::names_an_object(name, problems);
        let role = Some(&inputs.role_arn);
        let rule = "must be the ARN of a role, such as arn:aws:iam::123456789012:role/developer";
        check::form("roleArn", role, check::is_role_arn, rule, problems);
        let rule = "has a path, so the mapping would have no effect: the authenticator of the cluster ignores paths; \
                    use a role without a path, or accessEntries of Cluster";
        let has_no_path = |arn: &str| !check::is_role_arn(arn) || arn.matches('/').count() == 1;
        check::form("roleArn", role, has_no_path, rule, problems);
        check::form(
            "username",
            Some(&inputs.username),
            |name| !name.is_empty(),
            "must not be empty",
            problems,
        );
    }

    fn build(scope: &Scope, inputs: IamRoleMappingInputs) -> IamRoleMappingOutputs {
        check::warn_without_cluster(scope);
        let properties = properties! {
            "apiVersion": API_VERSION,
            "kind": KIND,
            "spec": properties! { "arn": inputs.role_arn, "username": inputs.username, "groups": inputs.groups },
        };
        scope.register(
            &format!("kubernetes:{API_VERSION}:{KIND}"),
            scope.name(),
            properties,
            ChildOptions::new(),
        );
        IamRoleMappingOutputs {}
    }
}
