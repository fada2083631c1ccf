//! Rules for the removal of nodes, and their checks.

use pulumi_plugin::components::{InputProblems, List, Output, record};

use crate::check;

pub(super) const WHEN_EMPTY: &str = "WhenEmpty";
const WHEN_UNDERUTILIZED: &str = "WhenEmptyOrUnderutilized";
/// Maximum of the node pool.
const MOST_BUDGETS: usize = 50;
/// Reasons for the removal of nodes.
const REASONS: [&str; 3] = ["Underutilized", "Empty", "Drifted"];
/// Pattern of durations in the life of a node.
const AGE: &str = "^(Never|([0-9]+[smh])+)$";

record! {
    /// Rules for the removal of nodes.
    pub struct DisruptionConfig {
        /// Limits on the number of nodes that may be removed at the same time. At most 50.
        #[schemars(extend("maxItems" = MOST_BUDGETS))]
        pub budgets: Option<List<BudgetConfig>>,
        /// Time to wait before nodes are consolidated, such as `30s`, `10m` or `1h30m`. `Never` disables
        /// consolidation. Can only be set with the policy `WhenEmpty`; the other policy uses `0s`.
        #[schemars(extend("pattern" = AGE))]
        pub consolidate_after: Option<Output<String>> where default("10m"),
        /// Policy that selects the nodes to consolidate: `WhenEmpty` or `WhenEmptyOrUnderutilized`.
        #[schemars(extend("enum" = [WHEN_EMPTY, WHEN_UNDERUTILIZED]))]
        pub consolidation_policy: Output<String> = WHEN_EMPTY,
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
        #[schemars(extend("pattern" = check::COUNT_OR_PERCENTAGE))]
        pub nodes: Option<Output<String>> where default("10%"),
        /// Reasons for removals that the budget applies to: `Underutilized`, `Empty` or `Drifted`. Default: all of them.
        /// Not part of the original specification.
        #[schemars(extend("minItems" = 1, "items" = { "type": "string", "enum": REASONS }))]
        pub reasons: Option<List<String>>,
        /// Times at which the budget applies, as a cron expression or a shortcut such as `@daily`, in UTC.
        /// Requires `duration`.
        #[schemars(extend("pattern" = check::SCHEDULE))]
        pub schedule: Option<Output<String>>,
    }
}

impl DisruptionConfig {
    pub(super) fn check(&self, problems: &mut InputProblems) {
        let policy = &self.consolidation_policy;
        check::one_of(
            "disruption.consolidationPolicy",
            Some(policy),
            &[WHEN_EMPTY, WHEN_UNDERUTILIZED],
            problems,
        );
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
        if let Some(reasons) = &self.reasons {
            check::not_empty(&format!("{path}.reasons"), reasons, problems);
        }
        for (index, reason) in check::known_elements(self.reasons.as_ref()) {
            let path = format!("{path}.reasons[{index}]");
            check::one_of(&path, Some(&reason.clone().into()), &REASONS, problems);
        }
        match (&self.schedule, &self.duration) {
            (Some(_), None) => problems.add(format!("{path}.duration"), "is required if schedule is set"),
            (None, Some(_)) => problems.add(format!("{path}.schedule"), "is required if duration is set"),
            _ => {}
        }
    }
}
