//! Objects with the fields that most lookups read, and the trait that all objects implement.

use schemars::JsonSchema;
use serde::Deserialize;

use super::tolerant;

/// Fields that every object of the manager has, independent of their names in the body.
pub trait ManagedObject {
    /// Id for outputs: `id`, or `external_id` if the object has no `id`.
    fn id(&self) -> &str;

    /// The display name as sent.
    fn display_name(&self) -> Option<&str>;

    /// Free text about the object.
    fn description(&self) -> Option<&str>;

    /// The kind of object on the wire, such as `BfdProfile`.
    fn resource_type(&self) -> Option<&str>;

    /// The policy path of a policy object.
    fn path(&self) -> Option<&str> {
        None
    }

    /// Whether the object is being deleted. Only policy objects report this.
    fn marked_for_delete(&self) -> bool {
        false
    }

    /// The display name, or the id if the object has none.
    fn name(&self) -> &str {
        self.display_name()
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| self.id())
    }
}

/// Implements [`ManagedObject`] for a struct with the common fields.
macro_rules! managed_object {
    ($type:ty, id: $id:ident $(, path: $path:ident)? $(, deleted: $deleted:ident)?) => {
        impl $crate::wire::ManagedObject for $type {
            fn id(&self) -> &str {
                &self.$id
            }

            fn display_name(&self) -> Option<&str> {
                self.display_name.as_deref()
            }

            fn description(&self) -> Option<&str> {
                self.description.as_deref()
            }

            fn resource_type(&self) -> Option<&str> {
                self.resource_type.as_deref()
            }

            $(fn path(&self) -> Option<&str> {
                self.$path.as_deref()
            })?

            $(fn marked_for_delete(&self) -> bool {
                self.$deleted
            })?
        }
    };
}
pub(super) use managed_object;

/// An object of the manager API, with the fields that most lookups read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ManagerObject {
    /// Id, case-sensitive.
    #[serde(deserialize_with = "tolerant::id")]
    pub id: String,
    /// Display name; see [`ManagedObject::name`].
    pub display_name: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Kind of object.
    pub resource_type: Option<String>,
}
managed_object!(ManagerObject, id: id);

/// An object of the policy API, with the fields that most lookups read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct PolicyObject {
    /// Id, case-sensitive; unique among the objects of one kind below one parent.
    #[serde(deserialize_with = "tolerant::id")]
    pub id: String,
    /// Display name; see [`ManagedObject::name`].
    pub display_name: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Kind of object.
    pub resource_type: Option<String>,
    /// Policy path, such as `/infra/bfd-profiles/fast`.
    pub path: Option<String>,
    /// Policy path of the parent.
    pub parent_path: Option<String>,
    /// Identifier assigned by the system.
    pub unique_id: Option<String>,
    /// Whether the object is being deleted. Absent means false.
    #[serde(default, deserialize_with = "tolerant::null_as_default")]
    pub marked_for_delete: bool,
}
managed_object!(PolicyObject, id: id, path: path, deleted: marked_for_delete);

/// An object of either API, with only the fields that an entry of a map is made of, so that no other field of a row
/// matters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct MapRow {
    /// Id, case-sensitive.
    #[serde(deserialize_with = "tolerant::id")]
    pub id: String,
    /// Display name as sent.
    pub display_name: Option<String>,
    /// Kind of object.
    pub resource_type: Option<String>,
    /// Policy path of a policy object.
    pub path: Option<String>,
    /// Whether the object is being deleted. Absent means false.
    #[serde(default, deserialize_with = "tolerant::null_as_default")]
    pub marked_for_delete: bool,
}

impl ManagedObject for MapRow {
    fn id(&self) -> &str {
        &self.id
    }

    fn display_name(&self) -> Option<&str> {
        self.display_name.as_deref()
    }

    fn description(&self) -> Option<&str> {
        None
    }

    fn resource_type(&self) -> Option<&str> {
        self.resource_type.as_deref()
    }

    fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    fn marked_for_delete(&self) -> bool {
        self.marked_for_delete
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wire_types_describe_themselves_by_their_names_on_the_wire() {
        let schema = schemars::schema_for!(PolicyObject);
        let properties = schema
            .get("properties")
            .and_then(|value| value.as_object())
            .unwrap();
        assert!(properties.contains_key("parent_path"));
        assert_eq!(schema.get("required").unwrap(), &serde_json::json!(["id"]));
    }
}
