//! What tells one row of a list from another.

use serde::Deserialize;
use serde_json::value::RawValue;

/// Identity of a row, by which a row that comes twice on different pages is recognised.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RowIdentity {
    /// The policy path, unique on one manager.
    Path(String),
    /// Kind and id; ids repeat between kinds.
    Id {
        /// `resource_type`, when sent.
        resource_type: Option<String>,
        /// `id`.
        id: String,
    },
    /// The `external_id` of objects without an id.
    External(String),
    /// The `node_uuid` of objects without either.
    Node(String),
}

#[derive(Deserialize)]
struct Identifying {
    path: Option<String>,
    resource_type: Option<String>,
    id: Option<String>,
    external_id: Option<String>,
    node_uuid: Option<String>,
}

impl RowIdentity {
    /// The identity of `row`, or nothing when the row is not an object or has none of the
    /// identifying fields.
    #[must_use]
    pub fn of(row: &RawValue) -> Option<Self> {
        let row: Identifying = serde_json::from_str(row.get()).ok()?;
        let id = |id| Self::Id {
            resource_type: row.resource_type,
            id,
        };
        given(row.path)
            .map(Self::Path)
            .or_else(|| given(row.id).map(id))
            .or_else(|| given(row.external_id).map(Self::External))
            .or_else(|| given(row.node_uuid).map(Self::Node))
    }
}

fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(row: &str) -> Option<RowIdentity> {
        RowIdentity::of(&serde_json::from_str::<Box<RawValue>>(row).unwrap())
    }

    #[test]
    fn the_path_comes_first_then_kind_and_id_then_other_ids() {
        let id = |resource_type: Option<&str>, id: &str| RowIdentity::Id {
            resource_type: resource_type.map(str::to_owned),
            id: id.to_owned(),
        };
        for (row, expected) in [
            (
                r#"{"path":"/infra/a/b","resource_type":"A","id":"b"}"#,
                RowIdentity::Path("/infra/a/b".to_owned()),
            ),
            (
                r#"{"path":null,"resource_type":"A","id":"b","external_id":"c"}"#,
                id(Some("A"), "b"),
            ),
            (r#"{"path":"","id":"b"}"#, id(None, "b")),
            (
                r#"{"resource_type":"A","external_id":"u:domain-c20"}"#,
                RowIdentity::External("u:domain-c20".to_owned()),
            ),
            (r#"{"node_uuid":"n"}"#, RowIdentity::Node("n".to_owned())),
        ] {
            assert_eq!(identity(row), Some(expected), "{row}");
        }
    }

    #[test]
    fn a_row_without_identifying_fields_has_no_identity() {
        for row in ["{}", "7", "[]", r#"{"id":""}"#] {
            assert_eq!(identity(row), None, "{row}");
        }
    }
}
