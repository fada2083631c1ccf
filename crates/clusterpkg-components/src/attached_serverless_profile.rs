//! `AttachedServerlessProfile`: a profile for pods of an existing cluster that run without nodes.

use pulumi_plugin::components::{
    Child, ChildOptions, ChildPackage, ChildValues, Component, ConstructError, InputProblems, List, Map,
    Output, Resource, Scope, all, object, properties, record,
};
use pulumi_plugin::schema::ChildSchemas;

use crate::aws::{self, Partition};
use crate::check;
use crate::children;
use crate::policy::{PolicyDocument, Statement};
use crate::tags::Tags;
use crate::versions::PACKAGES;

/// Maximum of AWS for a profile.
const MOST_SELECTORS: usize = 5;

/// Maximum of AWS for a selector.
const MOST_LABELS: usize = 5;

const ROLE_SUFFIX: &str = "-fargateprofile-role";

record! {
    /// Inputs of `AttachedServerlessProfile`.
    #[schemars(transform = crate::describe_additions, extend(
        "x-source" = crate::section("2.3"),
        "examples" = [{
            "clusterName": "main",
            "subnetIds": ["subnet-0a1"],
            "selectors": [{ "namespace": "batch", "labels": { "serverless": "true" } }],
        }]
    ))]
    pub struct AttachedServerlessProfileInputs {
        /// Name of the cluster.
        #[schemars(transform = check::CLUSTER_NAME.rule())]
        pub cluster_name: Output<String>,
        /// Private subnets of the pods. At least one is required.
        #[schemars(extend("minItems" = 1, "items" = check::SUBNET.schema()))]
        pub subnet_ids: List<String>,
        /// Selectors of the pods that run in the profile, from one to five.
        #[schemars(extend("minItems" = 1, "maxItems" = MOST_SELECTORS))]
        pub selectors: List<ProfileSelector>,
        /// Own values for the children of the component, by their names, which its page lists. Properties have the names of
        /// the child's provider. They are merged over those of the component: objects, also into JSON text, member by
        /// member; other values and lists replace; null removes, as do paths in the member `without`. Names must be known in
        /// a preview. Default: none.
        #[schemars(extend("x-addition" = true))]
        pub children: Option<ChildValues>,
        /// ARN of an IAM policy that limits the permissions of the role (permissions boundary). Default: none.
        #[schemars(transform = check::POLICY.rule(), extend("x-addition" = true))]
        pub permissions_boundary: Option<Output<String>>,
        /// Tags of the profile and its role.
        pub tags: Tags,
    }

    /// Pods of a namespace, all of them or those with certain labels.
    #[schemars(extend("x-external" = "aws:eks/FargateProfileSelector:FargateProfileSelector"))]
    pub struct ProfileSelector {
        /// Labels that the pods must have, at most 5.
        #[schemars(extend("maxProperties" = MOST_LABELS))]
        pub labels: Option<Map<String>>,
        /// Namespace of the pods.
        #[schemars(extend("minLength" = 1))]
        pub namespace: Output<String>,
    }
}

object! {
    /// Outputs of `AttachedServerlessProfile`.
    pub struct AttachedServerlessProfileOutputs {
        /// The profile.
        #[schemars(extend("x-resource" = "aws:eks/fargateProfile:FargateProfile"))]
        pub profile: Resource,
        /// The IAM role that is used to start the pods.
        #[schemars(extend("x-resource" = "aws:iam/role:Role"))]
        pub role: Resource,
    }
}

/// The component.
pub struct AttachedServerlessProfile;

impl Component for AttachedServerlessProfile {
    const TOKEN: &'static str = "clusterpkg:index:AttachedServerlessProfile";
    const DESCRIPTION: &'static str =
        "A serverless profile of an existing cluster. The selected pods run without nodes.";
    const PACKAGES: &'static [ChildPackage] = PACKAGES;
    const CHILDREN: &'static [Child] = children::ATTACHED_SERVERLESS_PROFILE;
    type Inputs = AttachedServerlessProfileInputs;
    type Outputs = AttachedServerlessProfileOutputs;

    fn child_values(inputs: &AttachedServerlessProfileInputs) -> Option<&ChildValues> {
        inputs.children.as_ref()
    }

    fn child_schemas() -> Option<&'static ChildSchemas> {
        Some(children::schemas())
    }

    fn check(name: &str, _: &AttachedServerlessProfileInputs, problems: &mut InputProblems) {
        check::name_fits(
            name,
            "the profile's role",
            ROLE_SUFFIX,
            check::ROLE_NAME,
            problems,
        );
        check::names_a_resource(name, problems);
    }

    fn build(
        scope: &Scope,
        inputs: AttachedServerlessProfileInputs,
    ) -> Result<AttachedServerlessProfileOutputs, ConstructError> {
        let partition = Partition::of(scope);
        let role = pod_execution_role(scope, &partition, &inputs);
        let policies = [
            ("execution", "AmazonEKSFargatePodExecutionRolePolicy"),
            ("ecr", "AmazonEC2ContainerRegistryPullOnly"),
        ]
        .map(|(name, policy)| {
            let name = format!("{}-fargateprofile-{name}-policy", scope.name());
            aws::attach(scope, name, &role, partition.managed_policy(policy))
        });
        let properties = properties! {
            "clusterName": inputs.cluster_name,
            "podExecutionRoleArn": role.output::<String>("arn"),
            "subnetIds": inputs.subnet_ids,
            "selectors": inputs.selectors,
            "tags": inputs.tags,
        };
        let profile = scope.register(
            "aws:eks/fargateProfile:FargateProfile",
            format!("{}-fargateprofile", scope.name()),
            properties,
            ChildOptions::new().depends_on(&policies),
        );
        Ok(AttachedServerlessProfileOutputs { profile, role })
    }
}

/// Registers the role, which can only be assumed for profiles of this cluster (decision clusters).
fn pod_execution_role(
    scope: &Scope,
    partition: &Partition,
    inputs: &AttachedServerlessProfileInputs,
) -> Resource {
    let facts = (
        partition.name.clone(),
        aws::region(scope),
        aws::CallerIdentity::of(scope).account,
        inputs.cluster_name.clone(),
    );
    let trust = all(facts).map(|(partition, region, account, cluster)| {
        let profiles = format!("arn:{partition}:eks:{region}:{account}:fargateprofile/{cluster}/*");
        PolicyDocument::new([Statement::allow(["sts:AssumeRole"])
            .service(["eks-fargate-pods.amazonaws.com"])
            .when("ArnLike", "aws:SourceArn", [profiles])])
    });
    aws::role(
        scope,
        format!("{}{ROLE_SUFFIX}", scope.name()),
        trust,
        &inputs.permissions_boundary,
        &inputs.tags,
    )
}
