//! What a row is recognized by on other pages.

use std::hash::{Hash, Hasher};

use crate::row::Head;

/// Identity of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Identity<'a> {
    /// What names an object. The kind is always part of it: different kinds can share ids, and paths in mixed
    /// collections (manager-api B.1).
    Named {
        kind: &'a [u8],
        /// The number of the first field that is not empty of path, id, external id and node id.
        field: u8,
        /// The text of this field.
        name: &'a [u8],
    },
    /// The whole row, if it has none of these fields.
    Text(&'a [u8]),
}

impl<'a> Identity<'a> {
    /// The identity by the fields of a row, in the order of [`Head::field`].
    pub(crate) fn named(fields: [&'a [u8]; Head::FIELDS]) -> Option<Self> {
        let [kind, path, id, external_id, node_uuid, _] = fields;
        let named = (0..).zip([path, id, external_id, node_uuid]);
        let (field, name) = named.into_iter().find(|(_, name)| !name.is_empty())?;
        Some(Self::Named { kind, field, name })
    }
}

impl Hash for Identity<'_> {
    /// The parts are separated by bytes that no UTF-8 has.
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Named { kind, field, name } => {
                state.write(kind);
                state.write_u8(0xf8 + field);
                state.write(name);
            }
            Self::Text(text) => {
                state.write_u8(0xff);
                state.write(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::Page;

    fn identities(rows: &str) -> Vec<String> {
        let page = Page::read(&Bytes::from(format!("[{rows}]"))).unwrap();
        page.rows
            .iter()
            .map(|row| format!("{:?}", row.identity()))
            .collect()
    }

    fn named(kind: &str, field: u8, name: &str) -> String {
        let (kind, name) = (kind.as_bytes(), name.as_bytes());
        format!("{:?}", Identity::Named { kind, field, name })
    }

    #[test]
    fn the_path_comes_first_then_the_id_then_other_ids() {
        for (row, kind, field, name) in [
            (
                r#"{"path":"/infra/a/b","resource_type":"A","id":"b"}"#,
                "A",
                0,
                "/infra/a/b",
            ),
            (
                r#"{"path":null,"resource_type":"A","id":"b","external_id":"c"}"#,
                "A",
                1,
                "b",
            ),
            (r#"{"path":"","id":"b"}"#, "", 1, "b"),
            (
                r#"{"resource_type":"\u0041","external_id":"u:domain-c20"}"#,
                "A",
                2,
                "u:domain-c20",
            ),
            (r#"{"node_uuid":"n","id":7}"#, "", 3, "n"),
        ] {
            assert_eq!(identities(row), [named(kind, field, name)], "{row}");
        }
    }

    #[test]
    fn rows_of_two_kinds_with_one_path_are_two_rows() {
        let row = |kind: &str| format!(r#"{{"resource_type":"{kind}","id":"a","path":"/infra/profiles/a"}}"#);
        let (distributed, gateway) = (row("Distributed"), row("Gateway"));
        let identities = identities(&format!("{distributed},{gateway},{gateway}"));
        assert_ne!(identities[0], identities[1]);
        assert_eq!(identities[1], identities[2]);
    }

    #[test]
    fn a_row_that_nothing_names_is_the_same_only_as_an_identical_one() {
        let identities =
            identities(r#"{"n":1},{"n":1},{"n":2},{"id":"a","n":1},{"id":"a","n":2},7,{"id":""}"#);
        assert!(identities[0] == identities[1] && identities[0] != identities[2]);
        assert_eq!(identities[3], identities[4]);
        assert!(identities[5].starts_with("Text") && identities[6].starts_with("Text"));
    }
}
