//! `IamRoleMapping`: maps an IAM role to a user and groups of a cluster, with the controller that `Cluster`
//! installs.

use pulumi_plugin::components::{
    Child, ChildOptions, ChildPackage, ChildValues, Component, ConstructError, InputProblems, List, Output,
    Scope, object, properties, record,
};
use pulumi_plugin::schema::ChildSchemas;

use crate::check;
use crate::children;
use crate::versions::PACKAGES;

pub(crate) const API_VERSION: &str = "iamauthenticator.k8s.aws/v1alpha1";
pub(crate) const KIND: &str = "IAMIdentityMapping";

/// Maximum length of the name: the maximum for an object, without a dash and eight random letters.
const LONGEST_NAME: usize = 253 - 9;

record! {
    /// Inputs of `IamRoleMapping`.
    #[schemars(transform = crate::describe_additions, extend(
        "x-source" = crate::section("2.5"),
        "examples" = [{
            "roleArn": "arn:aws:iam::123456789012:role/developer",
            "username": "developer",
            "groups": ["viewers"],
        }, {
            "clusterName": "main",
            "roleArn": "arn:aws:iam::123456789012:role/developer",
            "username": "developer",
            "groups": ["viewers"],
        }]
    ))]
    pub struct IamRoleMappingInputs {
        /// ARN of the IAM role. Without `clusterName`, it must not have a path: the authenticator of the
        /// cluster ignores paths, so a mapping with a path would have no effect.
        #[schemars(transform = check::ROLE.rule())]
        pub role_arn: Output<String>,
        /// User name of the role in the cluster.
        #[schemars(extend("minLength" = 1))]
        pub username: Output<String>,
        /// Groups that the role belongs to in the cluster.
        pub groups: List<String>,
        /// Own values for the children of the component, by their names, which its page lists. Properties have the names of
        /// the child's provider. They are merged over those of the component: objects, also into JSON text, member by
        /// member; other values and lists replace; null removes, as do paths in the member `without`. Names must be known in
        /// a preview. Default: none.
        #[schemars(extend("x-addition" = true))]
        pub children: Option<ChildValues>,
        /// Name of the cluster. If set, the mapping is an access entry of the cluster: it needs neither the IAM auth
        /// controller nor a Kubernetes provider, and the role can have a path. AWS rejects groups and user names that
        /// begin with `system:` and other reserved words. Default: the mapping is an object for the IAM auth
        /// controller.
        #[schemars(transform = check::CLUSTER_NAME.rule(), extend("x-addition" = true))]
        pub cluster_name: Option<Output<String>>,
    }
}

object! {
    /// Outputs of `IamRoleMapping`: none.
    pub struct IamRoleMappingOutputs {}
}

/// The component. A mapping takes effect immediately. A deleted mapping is revoked within 15 minutes.
pub struct IamRoleMapping;

impl Component for IamRoleMapping {
    const TOKEN: &'static str = "clusterpkg:index:IamRoleMapping";
    const DESCRIPTION: &'static str = "Maps an IAM role to a user and groups of a cluster: with the IAM auth controller that Cluster \
         installs (enableIamAuthController), or, if clusterName is set, with an access entry. The controller \
         takes up to 15 minutes to revoke access after a deletion; an access entry is revoked immediately.";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    const CHILDREN: &'static [Child] = children::IAM_ROLE_MAPPING;
    type Inputs = IamRoleMappingInputs;
    type Outputs = IamRoleMappingOutputs;

    fn child_values(inputs: &IamRoleMappingInputs) -> Option<&ChildValues> {
        inputs.children.as_ref()
    }

    fn child_schemas() -> Option<&'static ChildSchemas> {
        Some(children::schemas())
    }

    fn check(name: &str, inputs: &IamRoleMappingInputs, problems: &mut InputProblems) {
        match &inputs.cluster_name {
            Some(_) => check_entry(inputs, problems),
            None => check_object(name, inputs, problems),
        }
    }

    fn build(scope: &Scope, inputs: IamRoleMappingInputs) -> Result<IamRoleMappingOutputs, ConstructError> {
        if let Some(cluster) = inputs.cluster_name {
            let properties = properties! {
                "clusterName": cluster,
                "principalArn": inputs.role_arn,
                "kubernetesGroups": inputs.groups,
                "type": "STANDARD",
                "userName": inputs.username,
            };
            let token = "aws:eks/accessEntry:AccessEntry";
            scope.register(token, scope.name(), properties, ChildOptions::new());
            return Ok(IamRoleMappingOutputs {});
        }
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
        Ok(IamRoleMappingOutputs {})
    }
}

/// Checks the name and the role of a mapping that is an object in the cluster.
fn check_object(name: &str, inputs: &IamRoleMappingInputs, problems: &mut InputProblems) {
    check::names_an_object(name, problems);
    if name.len() > LONGEST_NAME {
        let length = name.len();
        let reason = format!("the name has {length} characters; at most {LONGEST_NAME} are allowed");
        problems.add("", reason);
    }
    let rule = "has a path, so the mapping would have no effect: the authenticator of the cluster ignores paths; use a \
                role without a path, or set clusterName";
    let has_no_path = |arn: &str| !check::ROLE.matches(arn) || arn.matches('/').count() == 1;
    check::form("roleArn", Some(&inputs.role_arn), has_no_path, rule, problems);
}

/// Checks names that an access entry cannot have.
fn check_entry(inputs: &IamRoleMappingInputs, problems: &mut InputProblems) {
    for (index, group) in check::known_elements(Some(&inputs.groups)) {
        if check::RESERVED_NAME.matches(group) {
            let reason = "is reserved by AWS, so an access entry cannot have it; remove clusterName, or give the role an access \
                          policy with accessEntries of Cluster";
            problems.add(format!("groups[{index}]"), reason);
        }
    }
    check::identity_center("roleArn", Some(&inputs.role_arn), problems);
    let rule = "is reserved by AWS, so an access entry cannot have it; remove clusterName";
    let is_free = |name: &str| !check::RESERVED_NAME.matches(name);
    check::form("username", Some(&inputs.username), is_free, rule, problems);
}
