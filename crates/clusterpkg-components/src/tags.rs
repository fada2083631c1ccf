//! Tags of resources and their rules.

use pulumi_plugin::components::{Decode, InputProblems, IntoProperty, Map, Output, TextRule, all_of};
use pulumi_plugin::values::{PropertyPath, Value};
use schemars::JsonSchema;
use serde_json::Value as Json;

/// Tags in inputs.
pub(crate) type Tags = Option<TagMap>;

/// Maximum of AWS for a resource.
const MOST_TAGS: usize = 50;
/// Maximum length of keys and values.
const LONGEST_KEY: usize = 128;
const LONGEST_VALUE: usize = 256;
/// Texts that IAM accepts, with letters, digits and spaces of Unicode, but neither marks nor symbols. Other services accept
/// more, but each component has a role, or an instance profile that the autoscaler creates.
const PERMITTED: TextRule = TextRule::new(
    r"^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$",
    "must consist of letters, digits, spaces and the characters _.:/=+-@, because IAM does not accept others for the role",
);
/// Keys that AWS reserves.
const RESERVED: TextRule = TextRule::new(
    "^[aA][wW][sS]:",
    "is reserved by AWS: keys must not begin with aws:",
);

fn keys() -> Json {
    let mut schema = PERMITTED.at_most(LONGEST_KEY).schema();
    schema["minLength"] = 1.into();
    schema["not"] = RESERVED.schema();
    schema
}

/// Tags that satisfy the rules of AWS. Unknown values are not checked.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(inline, extend(
    "maxProperties" = MOST_TAGS,
    "propertyNames" = keys(),
    "additionalProperties" = PERMITTED.at_most(LONGEST_VALUE).schema(),
))]
pub struct TagMap(Map<String>);

/// A controller in the cluster that tags what it creates. It reads the tags from a list `key=value,key=value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consumer {
    LoadBalancers,
    Volumes,
}

impl Consumer {
    /// Whether the controller accepts a tag. The volume driver, which does not start otherwise, gets its tags through a
    /// chart that does not quote them.
    fn accepts(self, key: &str, value: &str) -> bool {
        let is_own = match self {
            Self::LoadBalancers => key
                .split_once('/')
                .is_some_and(|(domain, _)| domain.ends_with(".k8s.aws")),
            Self::Volumes => {
                key.starts_with("kubernetes.io")
                    || OWN_VOLUME_TAGS.contains(&key)
                    || !is_plain(key)
                    || !is_plain(value)
            }
        };
        let has_separator = |text: &str| text.contains([',', '=']);
        let is_listable = match self {
            Self::LoadBalancers => !has_separator(key) && !has_separator(value),
            Self::Volumes => !has_separator(key) && !value.contains(','),
        };
        is_listable && !is_own
    }

    /// Beginning of a sentence about tags that the controller does not accept.
    pub(crate) fn lacks(self) -> &'static str {
        match self {
            Self::LoadBalancers => "load balancers do not have",
            Self::Volumes => "volumes of the volume driver do not have",
        }
    }

    /// The rule of the controller.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            Self::LoadBalancers => {
                "controllers read tags from a list, so keys and values must not contain commas or equals signs, and keys \
                 of the domain k8s.aws are reserved"
            }
            Self::Volumes => {
                "the driver does not start with keys that begin with kubernetes.io or contain an equals sign, with its own \
                 keys, or with commas and unquoted colons"
            }
        }
    }
}

/// Tags that the volume driver sets itself.
const OWN_VOLUME_TAGS: [&str; 3] = [
    "CSIVolumeName",
    "CSIVolumeSnapshotName",
    "ebs.csi.aws.com/cluster",
];

/// Whether a text is plain YAML, as part of an argument.
fn is_plain(text: &str) -> bool {
    !text.contains(": ") && !text.ends_with([':', ' '])
}

impl TagMap {
    /// The keys, if they are known.
    pub(crate) fn known_keys(&self) -> impl Iterator<Item = &String> {
        self.0.peek_known().into_iter().flat_map(|tags| tags.keys())
    }

    /// The tags that a consumer accepts.
    pub(crate) fn accepted_by(&self, consumer: Consumer) -> Map<String> {
        self.values().map(move |tags| {
            let accepted = tags
                .into_iter()
                .filter(|(key, value)| consumer.accepts(key, value));
            accepted.map(|(key, value)| (key, value.into())).collect()
        })
    }

    /// Keys of the tags that a consumer does not accept.
    pub(crate) fn refused_by(&self, consumer: Consumer) -> Output<Vec<String>> {
        self.values().map(move |tags| {
            let refused = tags
                .into_iter()
                .filter(|(key, value)| !consumer.accepts(key, value));
            refused.map(|(key, _)| key).collect()
        })
    }

    /// The tags that a consumer accepts, as text: `key=value,key=value`.
    pub(crate) fn listed_for(&self, consumer: Consumer) -> Output<String> {
        self.values().map(move |tags| {
            let accepted = tags.iter().filter(|(key, value)| consumer.accepts(key, value));
            let listed: Vec<_> = accepted.map(|(key, value)| format!("{key}={value}")).collect();
            listed.join(",")
        })
    }

    fn values(&self) -> Output<Vec<(String, String)>> {
        self.0.clone().then(|tags| {
            let tags = tags
                .into_iter()
                .map(|(key, value)| value.map(|value| (key, value)));
            all_of(tags.collect())
        })
    }
}

impl Decode for TagMap {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let tags = Map::<String>::decode(value, path, problems)?;
        check_case(&tags, path, problems);
        Some(Self(tags))
    }
}

/// IAM does not accept keys that differ only in case.
fn check_case(tags: &Map<String>, path: &PropertyPath, problems: &mut InputProblems) {
    let Some(tags) = tags.peek_known() else { return };
    for key in tags.keys() {
        if tags
            .keys()
            .any(|other| other < key && other.to_lowercase() == key.to_lowercase())
        {
            problems.add(
                path.join(key.clone()),
                "differs from another key only in case, which IAM does not accept for the role",
            );
        }
    }
}

impl IntoProperty for TagMap {
    fn into_property(self) -> Output<Value> {
        self.0.into_property()
    }
}
