//! Completion of objects in an inventory to the body that the manager returns.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::kinds::{CollectionKind, Place, TreePath};

const CREATED: u64 = 1_754_300_000_000;
const MODIFIED: u64 = 1_754_386_400_000;
const OWNER: &str = "5f0a8f0e-6d7e-4b15-9a57-21c0c1d7a001";

/// Reason why an object cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InventoryError {
    /// The manager has no such collection.
    #[error("there is no collection at {0}")]
    UnknownCollection(String),
    /// The body is something other than a JSON object.
    #[error("a body for {0} is not a JSON object")]
    NotAnObject(String),
    /// The id is empty or contains a slash.
    #[error("{0:?} is not a valid id")]
    UnusableId(String),
    /// An object of a document has a member that no object of a manager has.
    #[error(
        "{0:?} is not a member of objects; members are spelled as in the manager's API, such as \"display_name\""
    )]
    UnknownMember(String),
    /// A common member of an object of a document has another type than the manager's.
    #[error("{0:?} is not {1}")]
    WrongType(String, &'static str),
    /// A list of a document has two objects at this path.
    #[error("an object at {0} is in the list already")]
    Duplicate(String),
    /// A document is neither JSON nor YAML with a list of objects for each collection.
    #[error("the inventory is not a JSON or YAML object with a list of objects for each collection: {0}")]
    Document(String),
    /// An object of a document cannot be added.
    #[error("object {position} of {collection}{}", id.as_ref().map_or_else(String::new, |id| format!(" (id {id:?})")))]
    Object {
        /// The collection, as in the document.
        collection: String,
        /// Position in its list, from 1.
        position: usize,
        /// Its id, if it has one.
        id: Option<String>,
        /// Cause.
        source: Box<InventoryError>,
    },
    /// A recording of a format that is newer than the newest known one.
    #[error("the inventory has format {0}, but only formats up to {1} are supported")]
    NewerVersion(u64, u64),
    /// A recording without its last line.
    #[error(
        "the inventory is incomplete: its last line is missing, so recording or copying it was interrupted"
    )]
    Unfinished,
    /// There is no object at the path.
    #[error("there is no object at {0}")]
    Missing(String),
}

/// A complete object and its path.
#[derive(Debug, Clone)]
pub(crate) struct StoredObject {
    /// Policy path, or `/api/v1/...` for everything else.
    pub(crate) path: String,
    pub(crate) kind: &'static CollectionKind,
    /// Shared, so that copies of an inventory are cheap.
    pub(crate) body: Arc<Value>,
}

impl StoredObject {
    /// Completes `body`, an object of the collection. Fields that `body` contains, even as null, are kept. The only
    /// object of its kind can also be given below its parent, if it contains its path.
    pub(crate) fn new(collection: &str, body: Value) -> Result<Self, InventoryError> {
        let own_path = body.get("path").and_then(Value::as_str).map(str::to_owned);
        let single = own_path
            .as_deref()
            .filter(|path| kind_at(path).is_some_and(|kind| kind.place == Place::Single));
        let collection = single.unwrap_or(collection);
        let kind = kind_at(collection)
            .filter(|kind| !matches!(kind.place, Place::Derived(_)))
            .ok_or_else(|| InventoryError::UnknownCollection(collection.to_owned()))?;
        let Value::Object(given) = body else {
            return Err(InventoryError::NotAnObject(collection.to_owned()));
        };
        let id = id_of(kind, collection, &given);
        if id.is_empty() || id.contains('/') {
            return Err(InventoryError::UnusableId(id));
        }
        let path = match kind.place {
            Place::Single => collection.to_owned(),
            _ => format!("{collection}/{id}"),
        };
        let mut fields = common_fields(kind, collection, &id, &path);
        fields.extend(kind.template());
        if given.get("_system_owned") == Some(&Value::Bool(true)) {
            fields.extend(into_fields(
                json!({"_create_user": "system", "_last_modified_user": "system"}),
            ));
        }
        if let Some(unique) = given.get("unique_id").filter(|_| kind.is_policy()) {
            fields.insert("realization_id".to_owned(), unique.clone());
        }
        fields.extend(given);
        Ok(Self {
            path,
            kind,
            body: Arc::new(Value::Object(fields)),
        })
    }
}

/// Members of most objects.
const COMMON: [&str; 8] = [
    "description",
    "display_name",
    "external_id",
    "id",
    "parent_path",
    "path",
    "resource_type",
    "tags",
];

/// Checks that the members of `body` are not spelled as in the outputs of lookups, or common ones in another way or with
/// another type.
pub(super) fn check_members(body: &Value) -> Result<(), InventoryError> {
    let is_foreign = |name: &&String| {
        let letters = name.replace(['_', '-'], "").to_ascii_lowercase();
        let is_variant = |known: &&str| known.replace('_', "") == letters && known != name;
        name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.contains(|letter: char| letter.is_ascii_uppercase())
            || COMMON.iter().any(is_variant)
    };
    let mut members = body.as_object().into_iter().flat_map(Map::keys);
    match members.find(is_foreign) {
        Some(name) => Err(InventoryError::UnknownMember(name.clone())),
        None => COMMON.iter().try_for_each(|name| check_type(name, body)),
    }
}

/// Checks the type of a common member.
fn check_type(name: &str, body: &Value) -> Result<(), InventoryError> {
    let is_text = |value: &Value| value.is_null() || value.is_string();
    let is_member =
        |(name, value): (&String, &Value)| ["scope", "tag"].contains(&name.as_str()) && is_text(value);
    let is_tag = |tag: &Value| tag.as_object().is_some_and(|tag| tag.iter().all(is_member));
    let value = &body[name];
    let (is_right, expected) = match name {
        "tags" => {
            let are_tags = value.as_array().is_some_and(|tags| tags.iter().all(is_tag));
            (
                value.is_null() || are_tags,
                "a list of objects with the strings `scope` and `tag`",
            )
        }
        _ => (is_text(value), "a string"),
    };
    match is_right {
        true => Ok(()),
        false => Err(InventoryError::WrongType(name.to_owned(), expected)),
    }
}

/// The kind whose collection has this path.
pub(super) fn kind_at(path: &str) -> Option<&'static CollectionKind> {
    let path = path.strip_prefix('/').unwrap_or_default();
    let segments: Vec<String> = path.split('/').map(str::to_owned).collect();
    CollectionKind::of(&TreePath::of(&segments)?)
}

fn common_fields(kind: &CollectionKind, collection: &str, id: &str, path: &str) -> Map<String, Value> {
    if kind.is_inventory() {
        return into_fields(json!({"external_id": id, "_last_sync_time": CREATED}));
    }
    let mut fields = into_fields(json!({
        "id": id,
        "_create_user": "admin", "_create_time": CREATED,
        "_last_modified_user": "admin", "_last_modified_time": MODIFIED,
        "_system_owned": false, "_protection": "NOT_PROTECTED", "_revision": 0,
    }));
    if kind.is_policy() {
        let place = match kind.place {
            Place::Single => path,
            _ => collection,
        };
        let (parent, _) = place.rsplit_once('/').unwrap_or_default();
        let unique = made_up_uuid(path);
        fields.extend(into_fields(json!({
            "path": path, "relative_path": id, "parent_path": parent,
            "unique_id": unique, "realization_id": unique, "owner_id": OWNER,
            "marked_for_delete": false, "overridden": false,
        })));
    }
    fields
}

/// The explicit id, the member index of an edge node, the end of the path of a single object, or an id derived from
/// the collection and the name.
fn id_of(kind: &CollectionKind, collection: &str, given: &Map<String, Value>) -> String {
    let text = |field: &str| {
        given.get(field).map(|value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        })
    };
    let end_of_path = || match kind.place {
        Place::Single => collection.rsplit('/').next().map(str::to_owned),
        _ => None,
    };
    text(kind.id_field)
        .or_else(|| text("member_index"))
        .or_else(end_of_path)
        .unwrap_or_else(|| {
            let name = text("display_name").unwrap_or_default();
            made_up_uuid(&format!("{collection}/{name}"))
        })
}

fn into_fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// A UUID that is derived from the text, and is therefore the same in every run.
pub(crate) fn made_up_uuid(text: &str) -> String {
    let (high, low) = (hash(text, 0), hash(text, 1));
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        low >> 48 & 0xfff,
        low & 0xffff_ffff_ffff,
    )
}

/// FNV-1a with a final mixing step, so that similar strings have very different hashes.
pub(crate) fn hash(text: &str, seed: u64) -> u64 {
    let mixed = text.bytes().fold(0xcbf2_9ce4_8422_2325 ^ seed, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (mixed ^ mixed >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53) ^ mixed >> 29
}

impl StoredObject {
    /// Sets fields of the object and increments its revision.
    pub(crate) fn updated(mut self, fields: Map<String, Value>) -> Self {
        if let Value::Object(body) = Arc::make_mut(&mut self.body) {
            let revision = body.get("_revision").and_then(Value::as_u64);
            if let Some(revision) = revision {
                body.insert("_revision".to_owned(), json!(revision + 1));
            }
            body.extend(fields);
        }
        self
    }
}
