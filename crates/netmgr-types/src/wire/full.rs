//! Objects with all of their members, for the functions that are declared as data.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_json::{Map, Value};

use super::ManagedObject;
use crate::PolicyPath;
use crate::shapes::Tag;

/// An object with all of its members. A member of an unexpected type is treated as absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FullObject {
    id: String,
    members: Map<String, Value>,
}

impl<'de> Deserialize<'de> for FullObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Map::deserialize(deserializer)?;
        // Objects that the manager only discovers have no `id`.
        let id = ["id", "external_id"]
            .into_iter()
            .find_map(|name| match members.get(name)? {
                Value::String(text) if !text.is_empty() => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            });
        let id = id.ok_or_else(|| D::Error::custom("has no id"))?;
        Ok(Self { id, members })
    }
}

impl FullObject {
    /// The text of a member. `a.b` is the member `b` of the object `a`.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.member(name)?.as_str().filter(|text| !text.is_empty())
    }

    /// A member that is true or false.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.member(name)?.as_bool()
    }

    /// A member that is a whole number or its text.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.member(name)? {
            Value::String(text) => text.trim().parse().ok(),
            other => other.as_i64(),
        }
    }

    /// A member that can be read as `T`. Null is treated as absent at any depth.
    #[must_use]
    pub fn value<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_value(without_nulls(self.member(name)?)).ok()
    }

    /// The items of a list that can be read as `T`. Null is treated as absent at any depth.
    #[must_use]
    pub fn list<T: DeserializeOwned>(&self, name: &str) -> Vec<T> {
        let items = self.member(name).and_then(Value::as_array);
        let items = items.into_iter().flatten();
        items
            .filter_map(|item| serde_json::from_value(without_nulls(item)).ok())
            .collect()
    }

    /// The tags, sorted.
    #[must_use]
    pub fn tags(&self) -> Vec<Tag> {
        let mut tags: Vec<Tag> = self.list("tags");
        tags.sort();
        tags
    }

    /// Policy path of the parent: as sent, or the path without its last two segments.
    #[must_use]
    pub fn parent_path(&self) -> &str {
        let above = || Some(PolicyPath::trusted(self.text("path")?).parent());
        self.text("parent_path").or_else(above).unwrap_or_default()
    }

    /// The object as it was sent.
    #[must_use]
    pub fn into_json(self) -> Value {
        self.members.into()
    }

    /// Sets a member.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.members.insert(name.to_owned(), value.into());
    }

    fn member(&self, name: &str) -> Option<&Value> {
        match name.split_once('.') {
            Some((outer, inner)) => self.members.get(outer)?.get(inner),
            None => self.members.get(name),
        }
    }
}

/// `value` without members and items that are null.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            members
                .map(|(name, value)| (name.clone(), without_nulls(value)))
                .collect()
        }
        Value::Array(items) => {
            let items = items.iter().filter(|item| !item.is_null());
            items.map(without_nulls).collect()
        }
        other => other.clone(),
    }
}

impl ManagedObject for FullObject {
    fn id(&self) -> &str {
        &self.id
    }

    fn display_name(&self) -> Option<&str> {
        self.text("display_name")
    }

    fn description(&self) -> Option<&str> {
        self.text("description")
    }

    fn resource_type(&self) -> Option<&str> {
        self.text("resource_type")
    }

    fn path(&self) -> Option<&str> {
        self.text("path")
    }

    fn marked_for_delete(&self) -> bool {
        self.flag("marked_for_delete").unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> FullObject {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn members_of_another_type_are_absent() {
        let read = object(json!({
            "id": 7, "display_name": ["a"], "tags": [{ "scope": "b", "tag": null }, { "tag": "z" }, { "scope": "a", "tag": "b" }],
            "default": "yes", "start": "12", "attachment": { "id": "vif" }, "names": ["a", 1],
        }));
        assert_eq!((read.id(), read.name(), read.flag("default")), ("7", "7", None));
        assert_eq!(
            (read.number("start"), read.text("attachment.id")),
            (Some(12), Some("vif"))
        );
        assert_eq!(read.list::<String>("names"), ["a"]);
        let tags = read.tags();
        assert_eq!(tags.len(), 3);
        assert_eq!((&*tags[0].scope, &*tags[0].tag), ("", "z"));
        assert_eq!((&*tags[2].scope, &*tags[2].tag), ("b", ""));
    }

    #[test]
    fn null_is_absent_at_any_depth() {
        #[derive(Debug, Default, PartialEq, Deserialize)]
        #[serde(default)]
        struct Site {
            path: String,
            clusters: Vec<String>,
        }
        let sites =
            json!([{ "path": "/a", "clusters": null }, null, { "path": null, "clusters": ["b", null] }]);
        let read = object(json!({ "id": "a", "sites": sites, "site": sites[2] }));
        let site = |path: &str, clusters: &[&str]| Site {
            path: path.to_owned(),
            clusters: clusters.iter().map(ToString::to_string).collect(),
        };
        assert_eq!(read.list::<Site>("sites"), [site("/a", &[]), site("", &["b"])]);
        assert_eq!(read.value::<Site>("site"), Some(site("", &["b"])));
    }

    #[test]
    fn an_object_without_an_id_is_none() {
        assert!(serde_json::from_value::<FullObject>(json!({ "display_name": "a" })).is_err());
        assert_eq!(object(json!({ "external_id": "e" })).id(), "e");
    }

    #[test]
    fn the_parent_follows_from_the_path() {
        assert_eq!(
            object(json!({ "id": "a", "path": "/infra/tier-0s/a" })).parent_path(),
            "/infra"
        );
        let sent = json!({ "id": "a", "path": "/infra/x/a", "parent_path": "/infra/y" });
        assert_eq!(object(sent).parent_path(), "/infra/y");
        assert_eq!(object(json!({ "id": "a" })).parent_path(), "");
    }
}
