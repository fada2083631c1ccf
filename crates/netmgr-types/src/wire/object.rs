//! Objects of the manager with all of their members.

use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::PolicyPath;
use crate::input::not_of_type;
use crate::shapes::Tag;

/// An object of the manager, with all of its members.
///
/// A member of an unexpected type is treated as absent, except the members that identify the object: an object with an
/// id, a display name, a type or a path of an unexpected type cannot be compared with what a lookup looks for, so it
/// cannot be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ManagedObject {
    /// Empty if the object has none.
    id: String,
    members: Map<String, Value>,
}

/// The members that identify an object.
const IDENTITY: [&str; 5] = ["id", "external_id", "display_name", "resource_type", "path"];

impl<'de> Deserialize<'de> for ManagedObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor { needs_id: true })
    }
}

/// An object that may have no id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MaybeIdentified(pub ManagedObject);

impl<'de> Deserialize<'de> for MaybeIdentified {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_map(ObjectVisitor { needs_id: false })
            .map(Self)
    }
}

struct ObjectVisitor {
    needs_id: bool,
}

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = ManagedObject;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut sent: A) -> Result<ManagedObject, A::Error> {
        let mut members = Map::new();
        // Objects that the manager only discovers have no `id`.
        let (mut id, mut external_id) = (String::new(), String::new());
        while let Some((name, value)) = sent.next_entry::<String, Value>()? {
            if IDENTITY.contains(&&*name) {
                if members.contains_key(&name) {
                    return Err(A::Error::custom(format_args!(
                        "the member {name:?} is there twice"
                    )));
                }
                match &*name {
                    "id" => id = id_of(&name, &value)?,
                    "external_id" => external_id = id_of(&name, &value)?,
                    _ if value.is_string() || value.is_null() => {}
                    _ => return Err(wrong_member(&name, "a string", &value)),
                }
            }
            members.insert(name, value);
        }
        if id.is_empty() {
            id = external_id;
        }
        if self.needs_id && id.is_empty() {
            return Err(A::Error::custom(ManagedObject::WITHOUT_ID));
        }
        Ok(ManagedObject { id, members })
    }
}

/// An id: a string, or a number as its text. Empty if there is none.
fn id_of<E: Error>(name: &str, value: &Value) -> Result<String, E> {
    match value {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(wrong_member(name, "a string or a number", value)),
    }
}

fn wrong_member<E: Error>(name: &str, expected: &str, value: &Value) -> E {
    E::custom(format_args!(
        "the member {name:?} {}",
        not_of_type(expected, value)
    ))
}

impl ManagedObject {
    /// The problem of an object without an id.
    pub const WITHOUT_ID: &str = "has no id";

    /// Id: `id`, or `external_id` if the object has no `id`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The display name, or the id if the object has none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.text("display_name").unwrap_or(&self.id)
    }

    /// Description; empty if there is none.
    #[must_use]
    pub fn description(&self) -> &str {
        self.text("description").unwrap_or_default()
    }

    /// Type, such as `BfdProfile`.
    #[must_use]
    pub fn resource_type(&self) -> Option<&str> {
        self.text("resource_type")
    }

    /// Policy path of a policy object.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.text("path")
    }

    /// Whether the object is being deleted. Only policy objects report this.
    #[must_use]
    pub fn marked_for_delete(&self) -> bool {
        self.flag("marked_for_delete").unwrap_or_default()
    }

    /// The text of a member. `a.b` is the member `b` of the object `a`.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.sent(name).filter(|text| !text.is_empty())
    }

    /// A string member as it was sent, even if it is empty.
    #[must_use]
    pub fn sent(&self, name: &str) -> Option<&str> {
        self.member(name)?.as_str()
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

    /// The members as they were sent.
    #[must_use]
    pub fn members(&self) -> &Map<String, Value> {
        &self.members
    }

    /// A member. `a.b` is the member `b` of the object `a`.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Value> {
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

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> ManagedObject {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn members_of_another_type_are_absent() {
        let read = object(json!({
            "id": 7, "description": ["a"], "tags": [{ "scope": "b", "tag": null }, { "tag": "z" }, { "scope": "a", "tag": "b" }],
            "default": "yes", "start": "12", "attachment": { "id": "vif" }, "names": ["a", 1],
        }));
        assert_eq!((read.id(), read.name(), read.description()), ("7", "7", ""));
        assert_eq!(read.flag("default"), None);
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
    fn an_object_needs_an_id_and_texts_that_identify_it() {
        let problem = |text: &str| match serde_json::from_str::<ManagedObject>(text) {
            Ok(object) => panic!("{object:?}"),
            Err(problem) => problem.to_string(),
        };
        for without in ["{}", r#"{"id":null}"#, r#"{"id":""}"#] {
            assert!(problem(without).starts_with("has no id at line 1"), "{without}");
            assert!(serde_json::from_str::<MaybeIdentified>(without).is_ok());
        }
        assert_eq!(
            problem(r#"{"id":{},"x":1}"#),
            "the member \"id\" must be a string or a number, not an object at line 1 column 8"
        );
        let unnamed = problem(r#"{"id":"a","display_name":[]}"#);
        assert_eq!(
            unnamed,
            "the member \"display_name\" must be a string, not an array at line 1 column 28"
        );
        assert!(problem(r#"{"id":"a","id":"b"}"#).starts_with("the member \"id\" is there twice"));
        assert!(serde_json::from_str::<ManagedObject>("7").is_err());
        for body in [
            json!({}),
            json!({ "display_name": null }),
            json!({ "display_name": "" }),
        ] {
            let mut body = body;
            body["external_id"] = json!("e");
            let read = object(body);
            assert_eq!((read.id(), read.name(), read.path()), ("e", "e", None));
        }
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
