//! Tags of resources and their rules.

use std::borrow::Cow;

use pulumi_plugin::components::schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use pulumi_plugin::components::{Decode, InputProblems, IntoProperty, Map, Output, all_of};
use pulumi_plugin::values::{PropertyPath, Value};

/// Tags in inputs.
pub(crate) type Tags = Option<TagMap>;

/// Maximum of AWS for a resource.
const MOST_TAGS: usize = 50;
/// Maximum length of keys and values.
const LONGEST_KEY: usize = 128;
const LONGEST_VALUE: usize = 256;
/// Pattern of reserved keys.
const RESERVED: &str = "^[aA][wW][sS]:";

/// Tags that satisfy the rules of AWS. Unknown values are not checked.
#[derive(Debug, Clone)]
pub struct TagMap(Map<String>);

/// Whether a tag can be part of a list `key=value,key=value`.
fn is_listable(key: &str, value: &str) -> bool {
    !key.contains([',', '=']) && !value.contains([',', '='])
}

impl TagMap {
    /// The keys, if they are known.
    pub(crate) fn known_keys(&self) -> impl Iterator<Item = &String> {
        self.0.peek_known().into_iter().flat_map(|tags| tags.keys())
    }

    /// The tags as text, `key=value,key=value`, without those that it cannot express.
    pub(crate) fn listed(&self) -> Output<String> {
        self.values().map(|tags| {
            let listed = tags.iter().filter(|(key, value)| is_listable(key, value));
            let listed: Vec<_> = listed.map(|(key, value)| format!("{key}={value}")).collect();
            listed.join(",")
        })
    }

    /// The tags in [`listed`](Self::listed), as a map.
    pub(crate) fn listable(&self) -> Map<String> {
        self.values().map(|tags| {
            let listable = tags.into_iter().filter(|(key, value)| is_listable(key, value));
            listable.map(|(key, value)| (key, value.into())).collect()
        })
    }

    /// Keys of the tags that [`listed`](Self::listed) omits.
    pub(crate) fn unlisted(&self) -> Output<Vec<String>> {
        self.values().map(|tags| {
            let left_out = tags.into_iter().filter(|(key, value)| !is_listable(key, value));
            left_out.map(|(key, _)| key).collect()
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
        check(&tags, path, problems);
        Some(Self(tags))
    }
}

fn check(tags: &Map<String>, path: &PropertyPath, problems: &mut InputProblems) {
    let Some(tags) = tags.peek_known() else { return };
    if tags.len() > MOST_TAGS {
        let reason = format!("must have at most {MOST_TAGS} tags, not {}", tags.len());
        problems.add(path, reason);
    }
    for (key, value) in tags {
        let path = path.join(key.clone());
        if key.is_empty() {
            problems.add(&path, "the key must not be empty");
        }
        if key.chars().count() > LONGEST_KEY {
            problems.add(
                &path,
                format!("the key must have at most {LONGEST_KEY} characters"),
            );
        }
        if key
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("aws:"))
        {
            problems.add(&path, "is reserved by AWS: keys must not begin with aws:");
        }
        if value
            .peek_known()
            .is_some_and(|value| value.chars().count() > LONGEST_VALUE)
        {
            problems.add(&path, format!("must have at most {LONGEST_VALUE} characters"));
        }
    }
}

impl IntoProperty for TagMap {
    fn into_property(self) -> Output<Value> {
        self.0.into_property()
    }
}

impl JsonSchema for TagMap {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Tags".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "maxProperties": MOST_TAGS,
            "propertyNames": { "minLength": 1, "maxLength": LONGEST_KEY, "not": { "pattern": RESERVED } },
            "additionalProperties": { "type": "string", "maxLength": LONGEST_VALUE },
        })
    }
}
