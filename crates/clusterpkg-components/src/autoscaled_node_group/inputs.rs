//! Inputs of autoscaled node groups and their rules.

use std::borrow::Cow;

use pulumi_plugin::components::schemars::{JsonSchema, Schema, SchemaGenerator};
use pulumi_plugin::components::{Decode, InputProblems, IntoProperty, List, Map, Output, object, record};
use pulumi_plugin::values::{PropertyPath, Value};

use crate::autoscaled_node_group::node_class::{DEFAULT_FAMILY, ImageFamily, NAMES_OF_FAMILIES};
use crate::check;
use crate::versions::{NODE_CLASS_API_VERSION, NODE_POOL_API_VERSION};

pub(super) const DEFAULT_DISK_SIZE: &str = "20Gi";
pub(super) const WHEN_EMPTY: &str = "WhenEmpty";
const WHEN_UNDERUTILIZED: &str = "WhenEmptyOrUnderutilized";
/// Maximums of the node class and the node pool.
const MOST_SELECTED: usize = 30;
const MOST_REQUIREMENTS: usize = 100;
const MOST_BUDGETS: usize = 50;
const OPERATORS: [&str; 4] = ["In", "NotIn", "Exists", "DoesNotExist"];
const COMPARISONS: [&str; 4] = ["Gt", "Lt", "Gte", "Lte"];
const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
/// Pattern of a group and a version.
const API_VERSION: &str = "^[^/]+/[^/]+$";
/// Pattern of durations in the life of a node.
const AGE: &str = "^(Never|([0-9]+[smh])+)$";

record! {
    /// Inputs of `AutoscaledNodeGroup`. The component should depend on the cluster, so that its nodes are
    /// deleted before the autoscaler.
    #[schemars(extend(
        "x-summary" = "Nodes that the node autoscaler starts and removes on demand. Consists of a node class and a node pool.",
        "x-source" = "cluster-components 2.4",
        "examples" = [{
            "nodeRole": "main-autoscaler-node-role",
            "diskSize": "50Gi",
            "subnetIds": ["subnet-0a1", "subnet-0b2"],
            "securityGroupIds": ["sg-0c3"],
            "requirements": [
                { "key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"] },
                { "key": "karpenter.k8s.aws/instance-generation", "operator": "Gt", "values": ["5"] },
            ],
            "disruption": {
                "consolidationPolicy": "WhenEmptyOrUnderutilized",
                "budgets": [{ "nodes": "1", "schedule": "0 9 * * mon-fri", "duration": "8h" }],
            },
        }]
    ))]
    pub struct AutoscaledNodeGroupInputs {
        /// Name (not the ARN) of the IAM role of the nodes. Use the name of the cluster's output
        /// `nodeAutoscalerNodeRole`.
        #[schemars(extend("pattern" = "^[^:/]+$"))]
        pub node_role: Output<String>,
        /// Size of the disks of the nodes with a unit: `Gi`, `G`, `Ti` or `T`. At least `20Gi` for Amazon
        /// Linux and `50Gi` for Windows. Default `20Gi`.
        #[schemars(extend("default" = DEFAULT_DISK_SIZE, "pattern" = check::VOLUME_SIZE))]
        pub disk_size: DiskSize,
        /// Subnets of the nodes, from 1 to 30.
        #[schemars(extend(
            "minItems" = 1, "maxItems" = MOST_SELECTED, "items" = { "type": "string", "minLength": 1 }
        ))]
        pub subnet_ids: List<String>,
        /// Security groups of the nodes, from 1 to 30.
        #[schemars(extend(
            "minItems" = 1, "maxItems" = MOST_SELECTED, "items" = { "type": "string", "minLength": 1 }
        ))]
        pub security_group_ids: List<String>,
        /// Rules that select the machines to start, at most 100. A machine must match all of them.
        #[schemars(extend("maxItems" = MOST_REQUIREMENTS))]
        pub requirements: List<Requirement>,
        /// Family of machine images: `AL2`, `AL2023`, `Bottlerocket`, `Custom`, `Windows2019`, `Windows2022`
        /// or `Windows2025`. Default `AL2023`. `Custom` requires `amiId`.
        #[schemars(extend("enum" = NAMES_OF_FAMILIES))]
        pub ami_family: Option<Output<String>>,
        /// Id of the machine image. Default: the latest image of the family.
        pub ami_id: Option<Output<String>>,
        /// Annotations of the node class and the node pool.
        pub annotations: Option<Map<String>>,
        /// Rules for the removal of nodes. Default: those of the autoscaler.
        pub disruption: Option<Output<DisruptionConfig>>,
        /// Labels of the nodes. By default, there is one label with the name of the group.
        pub labels: Option<Map<String>>,
        /// Group and version of the node class. The value must be known during a preview. Default
        /// `karpenter.k8s.aws/v1`.
        #[schemars(extend("default" = NODE_CLASS_API_VERSION, "pattern" = API_VERSION))]
        pub node_class_api_version: Option<Output<String>>,
        /// Group and version of the node pool. The value must be known during a preview. Default
        /// `karpenter.sh/v1`.
        #[schemars(extend("default" = NODE_POOL_API_VERSION, "pattern" = API_VERSION))]
        pub node_pool_api_version: Option<Output<String>>,
        /// Taints of the nodes.
        pub taints: Option<List<NodeTaint>>,
    }

    /// A rule for the machines that may be started.
    pub struct Requirement {
        /// Node label to which the rule applies.
        pub key: Output<String>,
        /// Operator that compares the label with the values: `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`,
        /// `Lt`, `Gte` or `Lte`.
        #[schemars(extend("enum" = [OPERATORS, COMPARISONS].concat()))]
        pub operator: Output<String>,
        /// Values to compare with. `In` requires at least one; `Gt`, `Lt`, `Gte` and `Lte` require one whole
        /// number.
        pub values: Option<List<String>>,
    }

    /// Rules for the removal of nodes.
    pub struct DisruptionConfig {
        /// Limits on the number of nodes that may be removed at the same time. At most 50.
        #[schemars(extend("maxItems" = MOST_BUDGETS))]
        pub budgets: Option<List<BudgetConfig>>,
        /// Time to wait before nodes are consolidated, such as `30s`, `10m` or `1h30m`. `Never` disables
        /// consolidation. Can only be set with the policy `WhenEmpty`; the other policy uses `0s`. Default:
        /// `10m`.
        #[schemars(extend("x-default" = "10m", "pattern" = AGE))]
        pub consolidate_after: Option<Output<String>>,
        /// Policy that selects the nodes to consolidate: `WhenEmpty` or `WhenEmptyOrUnderutilized`. Default
        /// `WhenEmpty`.
        #[schemars(extend("default" = WHEN_EMPTY, "enum" = [WHEN_EMPTY, WHEN_UNDERUTILIZED]))]
        pub consolidation_policy: Option<Output<String>>,
        /// Maximum lifetime of a node, such as `720h`, or `Never`. Default: that of the autoscaler.
        #[schemars(extend("pattern" = AGE))]
        pub expire_after: Option<Output<String>>,
    }

    /// Limit on the number of nodes that may be removed at the same time.
    pub struct BudgetConfig {
        /// Duration for which the budget applies from each time of the schedule, such as `8h` or `1h30m`.
        /// Requires `schedule`.
        #[schemars(extend("pattern" = check::BUDGET_DURATION))]
        pub duration: Option<Output<String>>,
        /// Maximum number or percentage of nodes that may be removed at the same time, such as `3` or `10%`.
        /// Default `10%`.
        #[schemars(extend("pattern" = check::COUNT_OR_PERCENTAGE))]
        pub nodes: Option<Output<String>>,
        /// Times at which the budget applies, as a cron expression or a shortcut such as `@daily`, in UTC.
        /// Requires `duration`.
        #[schemars(extend("pattern" = check::SCHEDULE))]
        pub schedule: Option<Output<String>>,
    }

    /// A taint of the nodes.
    #[schemars(extend("x-external" = "kubernetes:core/v1:Taint"))]
    pub struct NodeTaint {
        /// Effect of the taint: `NoSchedule`, `PreferNoSchedule` or `NoExecute`. A list of effects creates
        /// one taint for each.
        #[schemars(extend("enum" = EFFECTS))]
        pub effect: Effects,
        /// Key.
        pub key: Output<String>,
        /// Time at which the taint was added.
        pub time_added: Option<Output<String>>,
        /// Value.
        pub value: Option<Output<String>>,
    }

    /// A taint with several effects.
    pub struct Taint {
        /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`, one taint for each.
        #[schemars(extend("items" = { "type": "string", "enum": EFFECTS }))]
        pub effect: Option<List<String>>,
        /// Key.
        pub key: Option<Output<String>>,
        /// Value.
        pub value: Option<Output<String>>,
    }
}

object! {
    /// Outputs of `AutoscaledNodeGroup`: none.
    pub struct AutoscaledNodeGroupOutputs {}
}

/// A disk size with a default, although it is required in the schema: a program that omits it gets the
/// default.
#[derive(Debug, Clone)]
pub struct DiskSize(pub(super) Output<String>);

impl Decode for DiskSize {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        Output::decode(value, path, problems).map(Self)
    }

    fn absent() -> Option<Self> {
        Some(Self(DEFAULT_DISK_SIZE.into()))
    }
}

impl IntoProperty for DiskSize {
    fn into_property(self) -> Output<Value> {
        self.0.into_property()
    }
}

impl JsonSchema for DiskSize {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "DiskSize".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

/// The effect of a taint: one, as in Kubernetes, or several, as in `Taint` (decision clusters).
#[derive(Debug, Clone)]
pub struct Effects(pub(super) List<String>);

impl Decode for Effects {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let is_list = matches!(value.known(), Some(Value::Array(_)));
        if is_list {
            return Output::decode(value, path, problems).map(Self);
        }
        Output::<String>::decode(value, path, problems).map(|effect| Self(Output::known(vec![effect])))
    }
}

impl IntoProperty for Effects {
    fn into_property(self) -> Output<Value> {
        self.0.into_property()
    }
}

impl JsonSchema for Effects {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Effects".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

impl AutoscaledNodeGroupInputs {
    pub(super) fn check(&self, problems: &mut InputProblems) {
        let is_role_name = |name: &str| !name.is_empty() && !name.contains([':', '/']);
        check::form(
            "nodeRole",
            Some(&self.node_role),
            is_role_name,
            "must be the name of a role, not its ARN",
            problems,
        );
        let rule = "must be a whole number with the unit Gi, G, Ti or T, such as 20Gi, up to 64T";
        check::form(
            "diskSize",
            Some(&self.disk_size.0),
            check::is_volume_size,
            rule,
            problems,
        );
        check::count("subnetIds", Some(&self.subnet_ids), 1, MOST_SELECTED, problems);
        check::no_empty_texts("subnetIds", Some(&self.subnet_ids), problems);
        check::no_empty_texts("securityGroupIds", Some(&self.security_group_ids), problems);
        check::count(
            "securityGroupIds",
            Some(&self.security_group_ids),
            1,
            MOST_SELECTED,
            problems,
        );
        check::count(
            "requirements",
            Some(&self.requirements),
            0,
            MOST_REQUIREMENTS,
            problems,
        );
        for (index, requirement) in check::known_elements(Some(&self.requirements)) {
            requirement.check(&format!("requirements[{index}]"), problems);
        }
        self.check_image(problems);
        if let Some(disruption) = self.disruption.as_ref().and_then(Output::peek_known) {
            disruption.check(problems);
        }
        check_api_version(
            "nodeClassApiVersion",
            self.node_class_api_version.as_ref(),
            problems,
        );
        check_api_version(
            "nodePoolApiVersion",
            self.node_pool_api_version.as_ref(),
            problems,
        );
        for (index, taint) in check::known_elements(self.taints.as_ref()) {
            for (_, effect) in check::known_elements(Some(&taint.effect.0)) {
                let path = format!("taints[{index}].effect");
                check::one_of(&path, Some(&Output::known(effect.clone())), &EFFECTS, problems);
            }
            check::not_empty(&format!("taints[{index}].effect"), &taint.effect.0, problems);
        }
    }

    fn check_image(&self, problems: &mut InputProblems) {
        check::one_of(
            "amiFamily",
            self.ami_family.as_ref(),
            &NAMES_OF_FAMILIES,
            problems,
        );
        let family = self.ami_family.as_ref().and_then(Output::peek_known);
        if family.and_then(|name| ImageFamily::named(name)) == Some(ImageFamily::Custom)
            && self.ami_id.is_none()
        {
            problems.add("amiId", "is required if amiFamily is Custom");
        }
        // The size of a custom image is unknown.
        if self.ami_id.is_none() {
            self.check_disk(family.map_or(DEFAULT_FAMILY, String::as_str), problems);
        }
    }

    /// Checks that the disk is not smaller than its image.
    fn check_disk(&self, family: &str, problems: &mut InputProblems) {
        if self
            .ami_family
            .as_ref()
            .is_some_and(|family| family.peek_known().is_none())
        {
            return;
        }
        let (least, images) = match ImageFamily::named(family) {
            Some(ImageFamily::AmazonLinux) => (20, "Amazon Linux"),
            Some(ImageFamily::Windows) => (50, "Windows"),
            _ => return,
        };
        let size = self
            .disk_size
            .0
            .peek_known()
            .and_then(|size| check::gibibytes(size));
        if size.is_some_and(|size| size < least) {
            problems.add(
                "diskSize",
                format!("must be at least {least}Gi for images of {images}"),
            );
        }
    }
}

/// The group and version determine the registered type, so they must be known.
fn check_api_version(path: &str, version: Option<&Output<String>>, problems: &mut InputProblems) {
    let Some(version) = version else { return };
    let Some(known) = version.peek_known() else {
        problems.add(path, "must be known during a preview");
        return;
    };
    let parts: Vec<_> = known.split('/').collect();
    if parts.len() != 2 || parts.iter().any(|part| part.is_empty()) {
        problems.add(path, "must be a group and a version, such as karpenter.sh/v1");
    }
}

impl Requirement {
    fn check(&self, path: &str, problems: &mut InputProblems) {
        let operators = [OPERATORS, COMPARISONS].concat();
        check::one_of(
            &format!("{path}.operator"),
            Some(&self.operator),
            &operators,
            problems,
        );
        let Some(operator) = self.operator.peek_known().map(String::as_str) else {
            return;
        };
        let values = self.values.clone().unwrap_or_else(|| Output::known(Vec::new()));
        let Some(values) = values.peek_known() else { return };
        let path = format!("{path}.values");
        if operator == "In" && values.is_empty() {
            problems.add(&path, "must not be empty if the operator is In");
        }
        let is_number =
            |value: &Output<String>| value.peek_known().is_none_or(|text| text.parse::<u64>().is_ok());
        if COMPARISONS.contains(&operator) && (values.len() != 1 || !values.iter().all(is_number)) {
            problems.add(
                &path,
                format!("must be one whole number if the operator is {operator}"),
            );
        }
    }
}

impl DisruptionConfig {
    fn check(&self, problems: &mut InputProblems) {
        let policy = self.consolidation_policy.as_ref();
        check::one_of(
            "disruption.consolidationPolicy",
            policy,
            &[WHEN_EMPTY, WHEN_UNDERUTILIZED],
            problems,
        );
        let after = self.consolidate_after.as_ref();
        if after.is_some()
            && policy
                .and_then(Output::peek_known)
                .is_some_and(|policy| policy == WHEN_UNDERUTILIZED)
        {
            let reason = "can only be set if disruption.consolidationPolicy is WhenEmpty, although version 1 of the \
                          autoscaler's API accepts it with every policy";
            problems.add("disruption.consolidateAfter", reason);
        }
        let is_age = |text: &str| text == "Never" || check::is_duration(text, "smh");
        let rule = "must be a duration such as 30s, 10m or 1h30m, or Never";
        check::form("disruption.consolidateAfter", after, is_age, rule, problems);
        check::form(
            "disruption.expireAfter",
            self.expire_after.as_ref(),
            is_age,
            rule,
            problems,
        );
        check::count(
            "disruption.budgets",
            self.budgets.as_ref(),
            0,
            MOST_BUDGETS,
            problems,
        );
        for (index, budget) in check::known_elements(self.budgets.as_ref()) {
            budget.check(&format!("disruption.budgets[{index}]"), problems);
        }
    }
}

impl BudgetConfig {
    fn check(&self, path: &str, problems: &mut InputProblems) {
        let rule = "must be a number of nodes or a percentage, such as 3 or 10%";
        check::form(
            &format!("{path}.nodes"),
            self.nodes.as_ref(),
            check::is_count_or_percentage,
            rule,
            problems,
        );
        let rule = "must be hours and minutes, such as 8h or 1h30m";
        check::form(
            &format!("{path}.duration"),
            self.duration.as_ref(),
            check::is_budget_duration,
            rule,
            problems,
        );
        let rule = "must be a cron expression with five fields, or a shortcut such as @daily";
        check::form(
            &format!("{path}.schedule"),
            self.schedule.as_ref(),
            check::is_schedule,
            rule,
            problems,
        );
        match (&self.schedule, &self.duration) {
            (Some(_), None) => problems.add(format!("{path}.duration"), "is required if schedule is set"),
            (None, Some(_)) => problems.add(format!("{path}.schedule"), "is required if duration is set"),
            _ => {}
        }
    }
}
