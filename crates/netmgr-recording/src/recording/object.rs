//! Objects of recordings and their places.

use bytes::Bytes;
use netmgr_transport::Row;
use netmgr_types::PolicyPath;
use netmgr_types::wire::RowHead;

use super::RowPlace;
use super::options::RecordOptions;

/// An object, or a document such as the state of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedObject {
    /// Path of its collection, or its own if it is a document: `/infra/segments`, `/api/v1/cluster`,
    /// `/inventory/VirtualMachine`.
    pub collection: String,
    /// Its path.
    pub path: String,
    /// Its JSON text as the manager sent it.
    pub body: Bytes,
}

impl RecordedObject {
    /// The object as a document of an inventory: `{"/infra/segments":[{"id":"web"}]}`.
    #[must_use]
    pub fn document(&self) -> String {
        let collection = serde_json::Value::from(self.collection.as_str());
        format!("{{{collection}:[{}]}}\n", String::from_utf8_lossy(&self.body))
    }
}

/// The path of the object with this JSON text in a collection of a recording. That of a document is the path of the
/// collection.
#[must_use]
pub fn recorded_path(collection: &str, body: &[u8]) -> String {
    let head = RowHead::of(body).unwrap_or_default();
    if head.path == collection {
        return collection.to_owned();
    }
    if !head.path.is_empty() && PolicyPath::trusted(&head.path).collection() == collection {
        return head.path.into_owned();
    }
    let ids = [&head.id, &head.external_id, &head.node_uuid];
    match ids.into_iter().find(|id| !id.is_empty()) {
        Some(id) => format!("{collection}/{id}"),
        None => collection.to_owned(),
    }
}

impl RowPlace {
    /// The object of a row, unless it is elsewhere: lists of a project include objects that are shared with it.
    pub(super) fn object(&self, row: &Row, options: &RecordOptions) -> Option<RecordedObject> {
        let head = row.head()?;
        let parent = || PolicyPath::trusted(&head.path).collection();
        let collection = match self {
            Self::List { path, kind } if kind.is_policy() && !head.path.is_empty() => {
                (parent() == path).then(|| path.clone())?
            }
            Self::List { path, .. } => path.clone(),
            Self::Search {
                is_inventory: true, ..
            } => format!("/inventory/{}", head.resource_type),
            Self::Search { .. } => Some(parent()).filter(|parent| !parent.is_empty())?.to_owned(),
        };
        let body = Bytes::copy_from_slice(row.text());
        let path = recorded_path(&collection, &body);
        options.includes(&path).then_some(RecordedObject {
            collection,
            path,
            body,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_its_path_or_its_id_in_the_collection() {
        for (collection, body, path) in [
            ("/infra/a", r#"{"id":"x","path":"/infra/a/y"}"#, "/infra/a/y"),
            ("/infra/a", r#"{"id":"x","path":"/infra/b/y"}"#, "/infra/a/x"),
            ("/api/v1/a", r#"{"external_id":"x"}"#, "/api/v1/a/x"),
            ("/api/v1/cluster", r#"{"cluster_id":"x"}"#, "/api/v1/cluster"),
            (
                "/infra/a/x/settings",
                r#"{"id":"settings","path":"/infra/a/x/settings"}"#,
                "/infra/a/x/settings",
            ),
        ] {
            assert_eq!(recorded_path(collection, body.as_bytes()), path);
        }
    }
}
