//! Tests of `check`.

use super::*;

fn check(rule: TextRule, good: &[&str], bad: &[&str]) {
    for text in good {
        assert!(rule.matches(text), "{text:?}");
    }
    for text in bad {
        assert!(!rule.matches(text), "{text:?}");
    }
}

#[test]
fn principals_are_roles_and_users_of_accounts() {
    let good = [
        "arn:aws:iam::123456789012:role/dev",
        "arn:aws-cn:iam::123456789012:role/teams/a!/dev_+=,.@-",
        "arn:aws:iam::123456789012:user/ann",
    ];
    let bad = [
        "",
        "arn:aws:iam::123456789012:role/",
        "arn:aws:iam::123456789012:role//dev",
        "arn:aws:iam::12345678901:role/dev",
        "arn:aws:iam::123456789012:root",
        "arn:aws:sts::123456789012:assumed-role/dev/session",
        "arn:aws:iam:eu-west-1:123456789012:role/dev",
        "arn:aws:iam::123456789012:role/dev:x",
        "arn:aws:iam::123456789012:role/dev ",
        "arn:aws:iam::123456789012:role/d!v",
        "arn:aws:iam::123456789012:role/größe",
        "arn:aws:iam::123456789012:role/teams a/dev",
        "arn::iam::123456789012:role/dev",
    ];
    check(PRINCIPAL, &good, &bad);
    check(ROLE, &good[..2], &good[2..]);
}

#[test]
fn policies_are_of_accounts_or_of_the_cloud() {
    let good = [
        "arn:aws:iam::123456789012:policy/boundary",
        "arn:aws-cn:iam::123456789012:policy/teams/a/boundary",
        "arn:aws:iam::aws:policy/PowerUserAccess",
    ];
    let bad = [
        "",
        "boundary",
        "arn:aws:iam::123456789012:policy/",
        "arn:aws:iam::123456789012:role/boundary",
        "arn:aws:iam::other:policy/boundary",
        "arn:iam::aws:policy/boundary",
        "arn:aws:iam::aws:policy/a:b",
    ];
    check(POLICY, &good, &bad);
}

#[test]
fn budgets_are_open_for_hours_and_minutes() {
    let good = ["8h", "30m", "1h30m", "8h0s", "1h30m0s"];
    check(
        BUDGET_DURATION,
        &good,
        &["", "0s", "90s", "30m1h", "1h2h", "1h30m5s", "m"],
    );
}

#[test]
fn schedules_have_five_fields_or_a_short_name() {
    let good = [
        "0 9 * * mon-fri",
        "*/5 0-6,22 1 1 ?",
        "@daily",
        "@hourly",
        "59 23 31 DEC Sun,6",
        "00 05/2 ? 12 *",
        "\t0 0 1-7 * 1 ",
    ];
    let bad = [
        "",
        "0 9 * *",
        "0 9 * * * *",
        "@often",
        "0 9 * * $",
        "60 9 * * *",
        "0 24 * * *",
        "0 0 0 * *",
        "0 0 32 * *",
        "0 0 * 13 *",
        "0 0 * * 7",
        "*/0 * * * *",
        "0 0 * * monday",
        "0,, 0 * * *",
    ];
    check(SCHEDULE, &good, &bad);
}

#[test]
fn volume_sizes_have_units_and_limits() {
    let good = ["1Gi", "20Gi", "59000Gi", "64000G", "9Ti", "17Ti", "58Ti", "64T"];
    check(
        VOLUME_SIZE,
        &good,
        &[
            "", "20", "20 Gi", "0Gi", "020Gi", "59001Gi", "64001G", "18Ti", "59Ti", "65T", "20GB", "1.5Ti",
        ],
    );
}

#[test]
fn volumes_are_made_in_whole_gibibytes() {
    for (size, expected) in [("20Gi", 20), ("20G", 19), ("21G", 20), ("1Ti", 1024), ("1T", 932)] {
        assert_eq!(gibibytes(size), Some(expected), "{size}");
    }
    assert_eq!(gibibytes("20"), None);
}

#[test]
fn budgets_count_nodes_or_shares_of_them() {
    check(
        COUNT_OR_PERCENTAGE,
        &["0", "3", "250", "0%", "99%", "100%"],
        &["", "%", "101%", "005%", "-1", "1.5", "all"],
    );
}

fn of_counts(min: Option<f64>, desired: Option<f64>, max: Option<f64>) -> Vec<String> {
    let mut problems = InputProblems::new();
    Counts {
        min: ("min", min),
        desired: ("desired", desired),
        max: ("max", max),
    }
    .check(&mut problems);
    problems
        .iter()
        .map(|problem| format!("{} {}", problem.property, problem.reason))
        .collect()
}

#[test]
fn counts_in_order_keep_the_rule_whichever_are_given() {
    for (min, desired, max) in [(1.0, 2.0, 3.0), (0.0, 0.0, 1.0), (2.0, 2.0, 2.0)] {
        for given in 0..8 {
            let take = |bit, count| (given & bit != 0).then_some(count);
            assert_eq!(
                of_counts(take(1, min), take(2, desired), take(4, max)),
                Vec::<String>::new()
            );
        }
    }
}

#[test]
fn counts_out_of_order_are_named() {
    assert_eq!(
        of_counts(Some(3.0), Some(2.0), Some(4.0)),
        ["min must not be greater than desired"]
    );
    assert_eq!(
        of_counts(Some(3.0), None, Some(2.0)),
        ["min must not be greater than max"]
    );
    assert_eq!(
        of_counts(None, Some(3.0), Some(2.0)),
        ["desired must not be greater than max"]
    );
}
