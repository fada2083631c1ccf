//! Rules of inputs: forms of texts, which the schemas of inputs state, and checks that schemas cannot state. Unknown values
//! are not checked.

use pulumi_plugin::components::{Deferrable, InputProblems, List, Output, Scope, TextRule};

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

/// The name of an existing cluster.
pub(crate) const CLUSTER_NAME: TextRule = TextRule::new(
    "^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$",
    "must be the name of a cluster: at most 100 letters, digits, dashes and underscores",
);

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

/// The reason for rejecting numbers of nodes.
pub(crate) const NODES: &str = "must be a non-negative whole number";

/// A version of Kubernetes. AWS has no patch versions.
pub(crate) const KUBERNETES_VERSION: TextRule =
    TextRule::new("^[0-9]+[.][0-9]+$", "must be a version such as 1.35");

/// The id of a subnet.
pub(crate) const SUBNET: TextRule =
    TextRule::new("^subnet-[0-9a-z]+$", "must be an id, such as subnet-0a1b2c3d");
/// The id of a security group.
pub(crate) const SECURITY_GROUP: TextRule =
    TextRule::new("^sg-[0-9a-z]+$", "must be an id, such as sg-0a1b2c3d");
/// The id of a machine image.
pub(crate) const IMAGE: TextRule = TextRule::new(
    "^ami-[0-9a-z]+$",
    "must be the id of an image, such as ami-0a1b2c3d",
);

/// The ARN of an entity of IAM, with or without a path: pattern of its account, and of its kind.
macro_rules! iam_arn {
    ($account:literal, $kind:literal) => {
        concat!(
            "^arn:[a-z0-9-]+:iam::",
            $account,
            ":",
            $kind,
            "/([!-.0-9;-~]+/)*[A-Za-z0-9_+=,.@-]+$"
        )
    };
}

/// The ARN of a role or user.
pub(crate) const PRINCIPAL: TextRule = TextRule::new(
    iam_arn!("[0-9]{12}", "(role|user)"),
    "must be the ARN of a role or user, such as arn:aws:iam::123456789012:role/admin",
);

/// Checks that a principal can have an access entry.
pub(crate) fn principal(path: &str, arn: Option<&Output<String>>, problems: &mut InputProblems) {
    let is_session = |arn: &str| arn.contains(":assumed-role/");
    let rule = "is the ARN of a session; use the ARN of its role";
    form(path, arn, |arn| !is_session(arn), rule, problems);
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
    /// Checks that the counts are in order.
    pub(crate) fn check(&self, problems: &mut InputProblems) {
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

/// A range of IPv4 or IPv6 addresses.
pub(crate) const ADDRESS_RANGE: TextRule = TextRule::new(
    "^(((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])[.]){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])/(3[0-2]|[12]?[0-9])|(([0-9A-Fa-f]{1,4}:){7}([0-9A-Fa-f]{1,4}|:)|([0-9A-Fa-f]{1,4}:){1,6}:[0-9A-Fa-f]{1,4}|([0-9A-Fa-f]{1,4}:){1,5}(:[0-9A-Fa-f]{1,4}){1,2}|([0-9A-Fa-f]{1,4}:){1,4}(:[0-9A-Fa-f]{1,4}){1,3}|([0-9A-Fa-f]{1,4}:){1,3}(:[0-9A-Fa-f]{1,4}){1,4}|([0-9A-Fa-f]{1,4}:){1,2}(:[0-9A-Fa-f]{1,4}){1,5}|([0-9A-Fa-f]{1,4}:){1,1}(:[0-9A-Fa-f]{1,4}){1,6}|:((:[0-9A-Fa-f]{1,4}){1,7}|:)|([0-9A-Fa-f]{1,4}:){1,6}:)/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))$",
    "must be an address range, such as 203.0.113.0/24",
);

/// Groups and users that access entries cannot have.
pub(crate) const RESERVED_NAME: TextRule = TextRule::new(
    "^(system|eks|aws|amazon|iam):",
    "is reserved by AWS: names must not begin with system:, eks:, aws:, amazon: or iam:",
);

/// The ARN of a role.
pub(crate) const ROLE: TextRule = TextRule::new(
    iam_arn!("[0-9]{12}", "role"),
    "must be the ARN of a role, such as arn:aws:iam::123456789012:role/developer",
);

/// The ARN of an IAM policy: of an account, or of AWS.
pub(crate) const POLICY: TextRule = TextRule::new(
    iam_arn!("([0-9]{12}|aws)", "policy"),
    "must be the ARN of an IAM policy, such as arn:aws:iam::123456789012:policy/boundary",
);

/// The ARN of an identity without its path and in lower case: no two identities of an account differ only in these.
pub(crate) fn identity(arn: &str) -> String {
    let (kind, rest) = arn.split_once('/').unwrap_or((arn, ""));
    let name = rest.rsplit('/').next().unwrap_or_default();
    format!("{kind}/{name}").to_ascii_lowercase()
}

/// A field of a cron expression: values, ranges and steps, as the library of the autoscaler reads them
/// (`github.com/robfig/cron`).
macro_rules! cron_field {
    ($value:literal) => {
        concat!(cron_field!(@item $value), "(,", cron_field!(@item $value), ")*")
    };
    (@item $value:literal) => {
        concat!("([*?]|", $value, "(-", $value, ")?)(/0*[1-9][0-9]*)?")
    };
}

/// A cron expression with five fields, or a shortcut.
pub(crate) const SCHEDULE: TextRule = TextRule::new(
    concat!(
        r"^(@(annually|yearly|monthly|weekly|daily|midnight|hourly)|[ \t]*",
        cron_field!("0*[1-5]?[0-9]"),
        r"[ \t]+",
        cron_field!("0*(1?[0-9]|2[0-3])"),
        r"[ \t]+",
        cron_field!("0*([1-9]|[12][0-9]|3[01])"),
        r"[ \t]+",
        cron_field!(
            "(0*([1-9]|1[0-2])|[jJ][aA][nN]|[fF][eE][bB]|[mM][aA][rR]|[aA][pP][rR]|[mM][aA][yY]|[jJ][uU][nN]|[jJ][uU][lL]|[aA][uU][gG]|[sS][eE][pP]|[oO][cC][tT]|[nN][oO][vV]|[dD][eE][cC])"
        ),
        r"[ \t]+",
        cron_field!(
            "(0*[0-6]|[sS][uU][nN]|[mM][oO][nN]|[tT][uU][eE]|[wW][eE][dD]|[tT][hH][uU]|[fF][rR][iI]|[sS][aA][tT])"
        ),
        r"[ \t]*)$"
    ),
    "must be a cron expression with five fields, such as 0 9 * * mon-fri, or a shortcut such as @daily",
);

/// A duration of a disruption budget.
pub(crate) const BUDGET_DURATION: TextRule = TextRule::new(
    "^([0-9]+h|[0-9]+m|[0-9]+h[0-9]+m)(0s)?$",
    "must be hours and minutes, such as 8h or 1h30m",
);

/// The size of a volume, up to 64 TB.
pub(crate) const VOLUME_SIZE: TextRule = TextRule::new(
    "^(([1-9][0-9]{0,3}|[1-4][0-9]{4}|5[0-8][0-9]{3}|59000)Gi|([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-3][0-9]{3}|64000)G|([1-9]|[1-5][0-7]|58)Ti|([1-9]|[1-5][0-9]|6[0-4])T)$",
    "must be a whole number with the unit Gi, G, Ti or T, such as 20Gi, up to 64T",
);

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

/// A number or percentage of nodes.
pub(crate) const COUNT_OR_PERCENTAGE: TextRule = TextRule::new(
    "^([0-9]+|[0-9]{1,2}%|100%)$",
    "must be a number of nodes or a percentage, such as 3 or 10%",
);

/// The pattern of an amount of a resource.
macro_rules! amount {
    () => {
        "[0-9]+([.][0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?"
    };
}

/// An amount of a resource.
pub(crate) const AMOUNT: TextRule = TextRule::new(
    concat!("^", amount!(), "$"),
    "must be an amount, such as 100m or 256Mi",
);

/// An amount of a resource, or a percentage.
pub(crate) const AMOUNT_OR_PERCENTAGE: TextRule = TextRule::new(
    concat!("^(", amount!(), "|([0-9]{1,2}|100)%)$"),
    "must be an amount or a percentage, such as 256Mi or 5%",
);

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

#[cfg(test)]
mod tests;
