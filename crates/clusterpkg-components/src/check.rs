//! Checks of inputs, one function for each rule. Unknown values are not checked.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use pulumi_plugin::components::{Deferrable, InputProblems, List, Output, Scope};
use regex::Regex;

/// Longest name of a role.
pub(crate) const ROLE_NAME: usize = 64;

/// Length of the suffix of automatically named resources: a dash and seven letters.
const AUTO_NAME: usize = 8;

/// Checks that names of children fit: `{name}{suffix}` and the random suffix must have at most `limit`
/// characters.
pub(crate) fn name_fits(name: &str, what: &str, suffix: &str, limit: usize, problems: &mut InputProblems) {
    let room = limit - AUTO_NAME - suffix.len();
    if name.len() > room {
        let length = name.len();
        problems.add(
            "",
            format!("the name has {length} characters; at most {room} are allowed, so that the name of {what} fits"),
        );
    }
}

/// Checks that the name is valid for EKS resources.
pub(crate) fn names_a_resource(name: &str, problems: &mut InputProblems) {
    if !is_resource_name(name) {
        let rule = "the name must be letters, digits, dashes and underscores and begin with a letter or digit, because \
                    AWS resources are named after it";
        problems.add("", rule);
    }
}

/// Pattern of the name of a cluster.
pub(crate) const CLUSTER_NAME: &str = "^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$";

/// Checks the name of an existing cluster.
pub(crate) fn cluster_name(path: &str, name: &Output<String>, problems: &mut InputProblems) {
    let rule = "must be the name of a cluster: at most 100 letters, digits, dashes and underscores";
    let is_name = |name: &str| is_resource_name(name) && name.len() <= 100;
    form(path, Some(name), is_name, rule, problems);
}

fn is_resource_name(name: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_inner)
}

/// Checks that the name is a valid prefix of names of Kubernetes objects.
pub(crate) fn names_an_object(name: &str, problems: &mut InputProblems) {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_outer = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_part =
        |part: &str| part.chars().all(inner) && part.starts_with(is_outer) && part.ends_with(is_outer);
    if !name.split('.').all(is_part) {
        let rule = "the name must be lower-case letters, digits, dots and dashes, because objects in the cluster are \
                    named after it";
        problems.add("", rule);
    }
}

/// Pattern of [`kubernetes_version`].
pub(crate) const KUBERNETES_VERSION: &str = "^[0-9]+[.][0-9]+$";

/// Checks a version of Kubernetes. AWS has no patch versions.
pub(crate) fn kubernetes_version(path: &str, version: Option<&Output<String>>, problems: &mut InputProblems) {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_version = |text: &str| {
        text.split_once('.')
            .is_some_and(|(major, minor)| is_number(major) && is_number(minor))
    };
    form(
        path,
        version,
        is_version,
        "must be a version such as 1.35",
        problems,
    );
}

/// Checks that a list is not empty.
pub(crate) fn not_empty<T: Deferrable>(path: &str, list: &List<T>, problems: &mut InputProblems) {
    if list.peek_known().is_some_and(Vec::is_empty) {
        problems.add(path, "must not be empty");
    }
}

/// Checks the ids of a list: a prefix such as `subnet-`, and lower-case letters and digits. AWS drops empty
/// strings, which would replace the group in every update.
pub(crate) fn ids(path: &str, prefix: &str, list: Option<&List<String>>, problems: &mut InputProblems) {
    no_empty_texts(path, list, problems);
    for (index, id) in known_elements(list).filter(|(_, id)| !id.is_empty()) {
        let path = format!("{path}[{index}]");
        form(
            &path,
            Some(&id.clone().into()),
            |id| is_id(prefix, id),
            &format!("must be an id, such as {prefix}0a1b2c3d"),
            problems,
        );
    }
}

/// Patterns of [`is_id`].
pub(crate) const SUBNET: &str = "^subnet-[0-9a-z]+$";
pub(crate) const SECURITY_GROUP: &str = "^sg-[0-9a-z]+$";
pub(crate) const IMAGE: &str = "^ami-[0-9a-z]+$";

/// Whether a text is a prefix followed by lower-case letters and digits.
pub(crate) fn is_id(prefix: &str, id: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    id.strip_prefix(prefix)
        .is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_inner))
}

/// Checks that a list has no empty strings. AWS drops them, which would replace the group in every update.
pub(crate) fn no_empty_texts(path: &str, list: Option<&List<String>>, problems: &mut InputProblems) {
    for (index, _) in known_elements(list).filter(|(_, text)| text.is_empty()) {
        problems.add(format!("{path}[{index}]"), "must not be empty");
    }
}

/// Whether a text matches a pattern, which is also in the schema.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).expect("a pattern is constant").is_match(text)
}

/// Checks that no element is listed twice.
pub(crate) fn no_duplicates(path: &str, list: Option<&List<String>>, problems: &mut InputProblems) {
    let mut seen = BTreeSet::new();
    for (index, element) in known_elements(list) {
        if !seen.insert(element) {
            problems.add(format!("{path}[{index}]"), "must not be listed twice");
        }
    }
}

/// Checks that a principal can have an access entry.
pub(crate) fn principal(path: &str, arn: Option<&Output<String>>, problems: &mut InputProblems) {
    let is_session = |arn: &str| arn.contains(":assumed-role/");
    let rule = "is the ARN of a session; use the ARN of its role";
    form(path, arn, |arn| !is_session(arn), rule, problems);
    let rule = "must be the ARN of a role or user, such as arn:aws:iam::123456789012:role/admin";
    form(
        path,
        arn,
        |arn| is_session(arn) || is_principal_arn(arn),
        rule,
        problems,
    );
    identity_center(path, arn, problems);
}

/// Checks that the ARN of a role of IAM Identity Center has its path, without which it is the ARN of no role.
pub(crate) fn identity_center(path: &str, arn: Option<&Output<String>>, problems: &mut InputProblems) {
    let is_complete = |arn: &str| {
        let Some((_, role)) = arn.split_once(":role/") else {
            return true;
        };
        let name = role.rsplit('/').next().unwrap_or_default();
        !name.starts_with("AWSReservedSSO_") || role.starts_with("aws-reserved/sso.amazonaws.com/")
    };
    let rule = "is a role of IAM Identity Center without its path; use the whole ARN, \
                arn:aws:iam::<account>:role/aws-reserved/sso.amazonaws.com/<region>/AWSReservedSSO_…, as shown by aws iam \
                get-role";
    form(path, arn, is_complete, rule, problems);
}

/// Checks the length of a text.
pub(crate) fn length(
    path: impl Display,
    value: &Output<String>,
    least: usize,
    most: usize,
    problems: &mut InputProblems,
) {
    let Some(length) = value.peek_known().map(|text| text.chars().count()) else {
        return;
    };
    if length < least {
        problems.add(path, "must not be empty");
    } else if length > most {
        problems.add(path, format!("must have at most {most} characters, not {length}"));
    }
}

/// Checks that a value is one of the permitted ones.
pub(crate) fn one_of(
    path: &str,
    value: Option<&Output<String>>,
    allowed: &[&str],
    problems: &mut InputProblems,
) {
    if let Some(value) = value.and_then(Output::peek_known)
        && !allowed.contains(&value.as_str())
    {
        problems.add(path, format!("must be one of {}", allowed.join(", ")));
    }
}

/// Checks that a value satisfies a rule, which `rule` describes.
pub(crate) fn form(
    path: &str,
    value: Option<&Output<String>>,
    keeps: impl Fn(&str) -> bool,
    rule: &str,
    problems: &mut InputProblems,
) {
    if value
        .and_then(Output::peek_known)
        .is_some_and(|value| !keeps(value))
    {
        problems.add(path, rule);
    }
}

/// Sizes of a node group with their paths: minimum, desired, maximum.
pub(crate) struct Counts<'a> {
    pub(crate) min: (&'a str, Option<f64>),
    pub(crate) desired: (&'a str, Option<f64>),
    pub(crate) max: (&'a str, Option<f64>),
}

impl Counts<'_> {
    /// Checks that the counts are whole, not negative and in order, and that the maximum is at least 1.
    pub(crate) fn check(&self, problems: &mut InputProblems) {
        for (path, count) in [self.min, self.desired, self.max] {
            if count
                .is_some_and(|count| count.fract() != 0.0 || !(0.0..=f64::from(i32::MAX)).contains(&count))
            {
                problems.add(path, "must be a non-negative whole number");
            }
        }
        if self.max.1.is_some_and(|max| max < 1.0) {
            problems.add(self.max.0, "must be at least 1");
        }
        for (low, high) in [
            (self.min, self.desired),
            (self.desired, self.max),
            (self.min, self.max),
        ] {
            let in_order = low.1.zip(high.1).is_none_or(|(low, high)| low <= high);
            // The outer pair is only reported if the desired count is not set.
            if !in_order && (low.0 != self.min.0 || high.0 != self.max.0 || self.desired.1.is_none()) {
                problems.add(low.0, format!("must not be greater than {}", high.0));
            }
        }
    }
}

/// Pattern of [`is_address_range`].
pub(crate) const ADDRESS_RANGE: &str = "^(((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])[.]){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])/(3[0-2]|[12]?[0-9])|(([0-9A-Fa-f]{1,4}:){7}([0-9A-Fa-f]{1,4}|:)|([0-9A-Fa-f]{1,4}:){1,6}:[0-9A-Fa-f]{1,4}|([0-9A-Fa-f]{1,4}:){1,5}(:[0-9A-Fa-f]{1,4}){1,2}|([0-9A-Fa-f]{1,4}:){1,4}(:[0-9A-Fa-f]{1,4}){1,3}|([0-9A-Fa-f]{1,4}:){1,3}(:[0-9A-Fa-f]{1,4}){1,4}|([0-9A-Fa-f]{1,4}:){1,2}(:[0-9A-Fa-f]{1,4}){1,5}|([0-9A-Fa-f]{1,4}:){1,1}(:[0-9A-Fa-f]{1,4}){1,6}|:((:[0-9A-Fa-f]{1,4}){1,7}|:)|([0-9A-Fa-f]{1,4}:){1,6}:)/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))$";

/// Whether a text is a range of IPv4 or IPv6 addresses: `203.0.113.0/24`, `2001:db8::/32`.
pub(crate) fn is_address_range(range: &str) -> bool {
    is_ipv4_range(range) || (!range.contains('.') && is_range::<Ipv6Addr>(range, 128))
}

/// Whether a text is a range of IPv4 addresses.
pub(crate) fn is_ipv4_range(range: &str) -> bool {
    is_range::<Ipv4Addr>(range, 32)
}

fn is_range<A: FromStr>(range: &str, longest: u8) -> bool {
    let Some((address, bits)) = range.split_once('/') else {
        return false;
    };
    let is_number = !bits.is_empty() && bits.bytes().all(|b| b.is_ascii_digit());
    let is_short = bits.len() == 1 || !bits.starts_with('0');
    address.parse::<A>().is_ok()
        && is_number
        && is_short
        && bits.parse::<u8>().is_ok_and(|bits| bits <= longest)
}

/// Prefixes of groups and users that access entries cannot have.
pub(crate) const RESERVED_NAMES: [&str; 5] = ["system:", "eks:", "aws:", "amazon:", "iam:"];

/// Pattern of [`is_role_arn`].
pub(crate) const ROLE: &str = "^arn:[a-z0-9-]+:iam::[0-9]{12}:role/([!-.0-9;-~]+/)*[A-Za-z0-9_+=,.@-]+$";

/// Whether a text is the ARN of a role, with or without a path.
pub(crate) fn is_role_arn(arn: &str) -> bool {
    matches(ROLE, arn)
}

/// Pattern of [`is_policy_arn`].
pub(crate) const POLICY: &str =
    "^arn:[a-z0-9-]+:iam::([0-9]{12}|aws):policy/([!-.0-9;-~]+/)*[A-Za-z0-9_+=,.@-]+$";

/// Whether a text is the ARN of an IAM policy: of an account, or of AWS.
pub(crate) fn is_policy_arn(arn: &str) -> bool {
    matches(POLICY, arn)
}

/// Checks the policy that limits the permissions of roles.
pub(crate) fn permissions_boundary(arn: Option<&Output<String>>, problems: &mut InputProblems) {
    let rule = "must be the ARN of an IAM policy, such as arn:aws:iam::123456789012:policy/boundary";
    form("permissionsBoundary", arn, is_policy_arn, rule, problems);
}

/// Pattern of [`is_principal_arn`].
pub(crate) const PRINCIPAL: &str =
    "^arn:[a-z0-9-]+:iam::[0-9]{12}:(role|user)/([!-.0-9;-~]+/)*[A-Za-z0-9_+=,.@-]+$";

/// Whether a text is the ARN of a role or user, with or without a path.
pub(crate) fn is_principal_arn(arn: &str) -> bool {
    matches(PRINCIPAL, arn)
}

/// The ARN of an identity without its path and in lower case: no two identities of an account differ only in these.
pub(crate) fn identity(arn: &str) -> String {
    let (kind, rest) = arn.split_once('/').unwrap_or((arn, ""));
    let name = rest.rsplit('/').next().unwrap_or_default();
    format!("{kind}/{name}").to_ascii_lowercase()
}

/// Whether a text is a duration such as `1h30m`: digits with one of the units, repeated.
pub(crate) fn is_duration(text: &str, units: &str) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let Some(unit) = rest[digits..]
            .chars()
            .next()
            .filter(|unit| digits > 0 && units.contains(*unit))
        else {
            return false;
        };
        rest = &rest[digits + unit.len_utf8()..];
    }
    !text.is_empty()
}

/// Pattern of [`is_schedule`].
pub(crate) const SCHEDULE: &str = r"^(@(annually|yearly|monthly|weekly|daily|midnight|hourly)|[ \t]*[A-Za-z0-9*/,?-]+([ \t]+[A-Za-z0-9*/,?-]+){4}[ \t]*)$";

/// Whether a text is a cron expression with five fields or a shortcut.
pub(crate) fn is_schedule(text: &str) -> bool {
    matches(SCHEDULE, text)
}

/// Pattern of [`is_budget_duration`].
pub(crate) const BUDGET_DURATION: &str = "^([0-9]+h|[0-9]+m|[0-9]+h[0-9]+m)(0s)?$";

/// Whether a text is a duration of a disruption budget: `8h`, `30m`, `1h30m`.
pub(crate) fn is_budget_duration(text: &str) -> bool {
    matches(BUDGET_DURATION, text)
}

/// Pattern of [`is_volume_size`].
pub(crate) const VOLUME_SIZE: &str = "^(([1-9][0-9]{0,3}|[1-4][0-9]{4}|5[0-8][0-9]{3}|59000)Gi|([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-3][0-9]{3}|64000)G|([1-9]|[1-5][0-7]|58)Ti|([1-9]|[1-5][0-9]|6[0-4])T)$";

/// Whether a text is a volume size such as `20Gi`, up to 64 TB.
pub(crate) fn is_volume_size(text: &str) -> bool {
    matches(VOLUME_SIZE, text)
}

/// The size of a volume in GiB, rounded up as in AWS.
pub(crate) fn gibibytes(size: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 4] = [
        ("Gi", 1 << 30),
        ("Ti", 1 << 40),
        ("G", 1_000_000_000),
        ("T", 1_000_000_000_000),
    ];
    let (digits, unit) = UNITS
        .iter()
        .find_map(|(name, bytes)| Some((size.strip_suffix(name)?, bytes)))?;
    let bytes = digits.parse::<u64>().ok()?.checked_mul(*unit)?;
    Some(bytes.div_ceil(1 << 30))
}

/// Pattern of [`is_count_or_percentage`].
pub(crate) const COUNT_OR_PERCENTAGE: &str = "^([0-9]+|[0-9]{1,2}%|100%)$";

/// Whether a text is a number or percentage of nodes: `3`, `10%`.
pub(crate) fn is_count_or_percentage(text: &str) -> bool {
    matches(COUNT_OR_PERCENTAGE, text)
}

/// The known elements of a list with their indexes.
pub(crate) fn known_elements<T: Deferrable>(list: Option<&List<T>>) -> impl Iterator<Item = (usize, &T)> {
    let elements = list.and_then(Output::peek_known).into_iter().flatten();
    elements
        .enumerate()
        .filter_map(|(index, element)| Some((index, element.peek_known()?)))
}

/// Warns if there is no explicit provider, because objects are then created in the cluster of the ambient
/// kubeconfig.
pub(crate) fn warn_without_cluster(scope: &Scope) {
    if !scope.has_provider("kubernetes") {
        scope.warn(
            "this component has no explicit kubernetes provider, so its objects are created in the \
             cluster of the ambient kubeconfig; pass a provider that uses the kubeconfig output of the cluster",
        );
    }
}

/// Checks that a number is within limits.
pub(crate) fn within(
    path: &str,
    number: Option<&Output<i32>>,
    least: i32,
    most: i32,
    problems: &mut InputProblems,
) {
    let Some(number) = number.and_then(Output::peek_known) else {
        return;
    };
    if !(least..=most).contains(number) {
        let rule = match most {
            i32::MAX => format!("must be at least {least}"),
            most => format!("must be from {least} to {most}"),
        };
        problems.add(path, rule);
    }
}

/// Pattern of [`is_amount`].
pub(crate) const AMOUNT: &str = "^[0-9]+([.][0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$";

/// Whether a text is an amount of a resource: `4`, `500m`, `1.5Gi`.
pub(crate) fn is_amount(text: &str) -> bool {
    matches(AMOUNT, text)
}

/// Pattern of [`is_amount_or_percentage`].
pub(crate) const AMOUNT_OR_PERCENTAGE: &str =
    "^([0-9]+([.][0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?|([0-9]{1,2}|100)%)$";

/// Whether a text is an amount of a resource or a percentage.
pub(crate) fn is_amount_or_percentage(text: &str) -> bool {
    text.ends_with('%') && is_count_or_percentage(text) || is_amount(text)
}

/// Checks the number of elements of a list.
pub(crate) fn count<T: Deferrable>(
    path: &str,
    list: Option<&List<T>>,
    least: usize,
    most: usize,
    problems: &mut InputProblems,
) {
    let Some(length) = list.and_then(Output::peek_known).map(Vec::len) else {
        return;
    };
    if length < least {
        problems.add(path, "must not be empty");
    } else if length > most {
        problems.add(path, format!("must have at most {most} elements, not {length}"));
    }
}

#[cfg(test)]
mod tests;
