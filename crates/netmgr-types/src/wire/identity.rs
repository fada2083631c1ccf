//! What tells one row of a list from another.

use serde::Deserialize;
use serde_json::value::RawValue;

/// Identity of a row, by which a row that comes twice on different pages is recognised.
///
/// The kind takes part in all of them: ids repeat between kinds, and so do paths in collections
/// that hold two kinds (manager-api B.1).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RowIdentity {
    resource_type: Option<String>,
    key: Key,
}

/// The first of these fields that a row has.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Path(String),
    Id(String),
    External(String),
    Node(String),
}

#[derive(Deserialize)]
struct Identifying {
    resource_type: Option<String>,
    path: Option<String>,
    id: Option<String>,
    external_id: Option<String>,
    node_uuid: Option<String>,
}

impl RowIdentity {
    /// The identity of `row` by its `path`, else `id`, `external_id` or `node_uuid`; nothing when
    /// the row has none of them or is not an object.
    #[must_use]
    pub fn of(row: &RawValue) -> Option<Self> {
        let row: Identifying = serde_json::from_str(row.get()).ok()?;
        let key = given(row.path)
            .map(Key::Path)
            .or_else(|| given(row.id).map(Key::Id))
            .or_else(|| given(row.external_id).map(Key::External))
            .or_else(|| given(row.node_uuid).map(Key::Node))?;
        Some(Self {
            resource_type: row.resource_type,
            key,
        })
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
    fn the_path_comes_first_then_the_id_then_other_ids() {
        let of = |resource_type: Option<&str>, key: Key| {
            Some(RowIdentity {
                resource_type: resource_type.map(str::to_owned),
                key,
            })
        };
        let text = str::to_owned;
        for (row, expected) in [
            (
                r#"{"path":"/infra/a/b","resource_type":"A","id":"b"}"#,
                of(Some("A"), Key::Path(text("/infra/a/b"))),
            ),
            (
                r#"{"path":null,"resource_type":"A","id":"b","external_id":"c"}"#,
                of(Some("A"), Key::Id(text("b"))),
            ),
            (r#"{"path":"","id":"b"}"#, of(None, Key::Id(text("b")))),
            (
                r#"{"resource_type":"A","external_id":"u:domain-c20"}"#,
                of(Some("A"), Key::External(text("u:domain-c20"))),
            ),
            (r#"{"node_uuid":"n"}"#, of(None, Key::Node(text("n")))),
        ] {
            assert_eq!(identity(row), expected, "{row}");
        }
    }

    #[test]
    fn rows_of_two_kinds_with_one_path_are_two_rows() {
        let row = |kind: &str| format!(r#"{{"resource_type":"{kind}","id":"a","path":"/infra/profiles/a"}}"#);
        assert_ne!(identity(&row("Distributed")), identity(&row("Gateway")));
        assert_eq!(identity(&row("Gateway")), identity(&row("Gateway")));
    }

    #[test]
    fn a_row_without_identifying_fields_has_no_identity() {
        for row in ["{}", "7", "null", "[]", r#"{"id":""}"#] {
            assert_eq!(identity(row), None, "{row}");
        }
    }
}
