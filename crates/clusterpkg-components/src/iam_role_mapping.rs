//! `IamRoleMapping`: lets an IAM role into a cluster as a user with groups, through the controller that
//! `Cluster` installs.

use engine_components::{
    ChildPackage, Component, List, Options, Output, Problems, Scope, object, properties, record,
};

use crate::check;
use crate::versions::PACKAGES;

pub(crate) const API_VERSION: &str = "iamauthenticator.k8s.aws/v1alpha1";
pub(crate) const KIND: &str = "IAMIdentityMapping";

record! {
    /// Inputs of `IamRoleMapping`.
    #[schemars(extend(
        "x-summary" = "Lets an IAM role into a cluster, as a user with groups. Deleting it takes effect after up to 15 \
                       minutes; accessEntries of Cluster are revoked at once and take roles with paths too.",
        "x-source" = "cluster-components 2.5",
        "examples" = [{
            "roleArn": "arn:aws:iam::123456789012:role/developer",
            "username": "developer",
            "groups": ["viewers"],
        }]
    ))]
    pub struct IamRoleMappingInputs {
        /// ARN of the role, which must not have a path: the cluster's authenticator knows roles without theirs, so the
        /// mapping would grant nothing.
        #[schemars(extend("pattern" = check::ROLE_WITHOUT_PATH))]
        pub role_arn: Output<String>,
        /// Name that the role has in the cluster.
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

    fn check(name: &str, inputs: &IamRoleMappingInputs, problems: &mut Problems) {
        check::names_an_object(name, problems);
        let role = Some(&inputs.role_arn);
        let rule = "must be the ARN of a role, such as arn:aws:iam::123456789012:role/developer";
        check::form("roleArn", role, check::is_role_arn, rule, problems);
        let rule = "has a path, with which the mapping would grant nothing: the cluster's authenticator knows roles \
                    without their paths; use a role without one, or accessEntries of Cluster";
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
            Options::new(),
        );
        IamRoleMappingOutputs {}
    }
}
