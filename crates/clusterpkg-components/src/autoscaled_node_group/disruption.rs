//! Rules for the removal of nodes, and their checks.

use pulumi_plugin::components::{InputProblems, List, Output, TextRule, record};

use crate::check;

pub(super) const WHEN_EMPTY: &str = "WhenEmpty";
const WHEN_UNDERUTILIZED: &str = "WhenEmptyOrUnderutilized";
/// Maximum of the node pool.
const MOST_BUDGETS: usize = 50;
/// Reasons for the removal of nodes.
const REASONS: [&str; 3] = ["Underutilized", "Empty", "Drifted"];
/// Durations in the life of a node.
const AGE: TextRule = TextRule::new(
    "^(Never|([0-9]+[smh])+)$",
    "must be a duration such as 30s, 10m or 1h30m, or Never",
);

record! {
    /// Rules for the removal of nodes.
    pub struct DisruptionConfig {
        /// Limits on the number of nodes that may be removed at the same time. At most 50.
        #[schemars(extend("maxItems" = MOST_BUDGETS))]
        pub budgets: Option<List<BudgetConfig>>,
        /// Time to wait before nodes are consolidated, such as `30s`, `10m` or `1h30m`. `Never` disables
        /// consolidation. Can only be set with the policy `WhenEmpty`; the other policy uses `0s`.
        #[schemars(transform = AGE.rule())]
        pub consolidate_after: Option<Output<String>> where default("10m"),
        /// Policy that selects the nodes to consolidate: `WhenEmpty` or `WhenEmptyOrUnderutilized`.
        #[schemars(extend("enum" = [WHEN_EMPTY, WHEN_UNDERUTILIZED]))]
        pub consolidation_policy: Output<String> = WHEN_EMPTY,
        /// Maximum lifetime of a node, such as `720h`, or `Never`. Default: that of the autoscaler.
        #[schemars(transform = AGE.rule())]
        pub expire_after: Option<Output<String>>,
    }

    /// Limit on the number of nodes that may be removed at the same time.
    pub struct BudgetConfig {
        /// Duration for which the budget applies from each time of the schedule, such as `8h` or `1h30m`.
        /// Requires `schedule`.
        #[schemars(transform = check::BUDGET_DURATION.rule())]
        pub duration: Option<Output<String>>,
        /// Maximum number or percentage of nodes that may be removed at the same time, such as `3` or `10%`.
        #[schemars(transform = check::COUNT_OR_PERCENTAGE.rule())]
        pub nodes: Option<Output<String>> where default("10%"),
        /// Reasons for removals that the budget applies to: `Underutilized`, `Empty` or `Drifted`. Default: all of them.
        /// Not part of the original specification.
        #[schemars(extend("minItems" = 1, "items" = { "type": "string", "enum": REASONS }))]
        pub reasons: Option<List<String>>,
        /// Times at which the budget applies, as a cron expression or a shortcut such as `@daily`, in UTC.
        /// Requires `duration`.
        #[schemars(transform = check::SCHEDULE.rule())]
        pub schedule: Option<Output<String>>,
    }
}

impl DisruptionConfig {
    pub(super) fn check(&self, problems: &mut InputProblems) {
        let policy = &self.consolidation_policy;
        let after = self.consolidate_after.as_ref();
        if after.is_some()
            && policy
                .peek_known()
                .is_some_and(|policy| policy == WHEN_UNDERUTILIZED)
        {
            let reason = "can only be set if disruption.consolidationPolicy is WhenEmpty, although version 1 of the \
                          autoscaler's API accepts it with every policy";
            problems.add("disruption.consolidateAfter", reason);
        }
        for (index, budget) in check::known_elements(self.budgets.as_ref()) {
            budget.check(&format!("disruption.budgets[{index}]"), problems);
        }
    }
}

impl BudgetConfig {
    fn check(&self, path: &str, problems: &mut InputProblems) {
        match (&self.schedule, &self.duration) {
            (Some(_), None) => problems.add(format!("{path}.duration"), "is required if schedule is set"),
            (None, Some(_)) => problems.add(format!("{path}.schedule"), "is required if duration is set"),
            _ => {}
        }
    }
}
