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
        "x-summary" = "Lets an IAM role into a cluster, as a user with groups.",
        "x-source" = "cluster-components 2.5",
        "examples" = [{
            "roleArn": "arn:aws:iam::123456789012:role/developer",
            "username": "developer",
            "groups": ["viewers"],
        }]
    ))]
    pub struct IamRoleMappingInputs {
        /// ARN of the role.
        #[schemars(extend("pattern" = r"^arn:[\s\S]*:role/"))]
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

/// The component.
pub struct IamRoleMapping;

impl Component for IamRoleMapping {
    const TOKEN: &'static str = "clusterpkg:index:IamRoleMapping";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    type Inputs = IamRoleMappingInputs;
    type Outputs = IamRoleMappingOutputs;

    fn check(name: &str, inputs: &IamRoleMappingInputs, problems: &mut Problems) {
        check::names_an_object(name, problems);
        let is_arn = |arn: &str| {
            arn.strip_prefix("arn:")
                .is_some_and(|rest| rest.contains(":role/"))
        };
        check::form(
            "roleArn",
            Some(&inputs.role_arn),
            is_arn,
            "must be the ARN of a role",
            problems,
        );
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
