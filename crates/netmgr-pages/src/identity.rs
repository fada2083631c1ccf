//! What a row is recognized by on other pages.

use std::hash::{Hash, Hasher};

use crate::row::Head;

/// Identity of a row, which is compared by its hash.
#[derive(Debug)]
pub(crate) enum Identity<'a> {
    /// What identifies an object. The kind is always part of it: different kinds can share ids, and paths in mixed
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
    use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

    use bytes::Bytes;

    use super::*;
    use crate::Page;

    fn hash(identity: &Identity<'_>) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(identity)
    }

    fn named(kind: &str, field: u8, name: &str) -> u64 {
        let (kind, name) = (kind.as_bytes(), name.as_bytes());
        hash(&Identity::Named { kind, field, name })
    }

    fn text(row: &str) -> u64 {
        hash(&Identity::Text(row.as_bytes()))
    }

    /// The hashed identities of the rows of a page.
    fn identities<const ROWS: usize>(rows: [&str; ROWS]) -> [u64; ROWS] {
        let page = Page::read(&Bytes::from(format!("[{}]", rows.join(",")))).unwrap();
        std::array::from_fn(|row| hash(&page.rows[row].identity()))
    }

    #[test]
    fn the_path_comes_first_then_the_id_then_other_ids() {
        let rows = [
            r#"{"path":"/infra/a/b","resource_type":"A","id":"b"}"#,
            r#"{"path":null,"resource_type":"A","id":"b","external_id":"c"}"#,
            r#"{"path":"","id":"b"}"#,
            r#"{"resource_type":"\u0041","external_id":"u:domain-c20"}"#,
            r#"{"node_uuid":"n","id":7}"#,
        ];
        let expected = [
            named("A", 0, "/infra/a/b"),
            named("A", 1, "b"),
            named("", 1, "b"),
            named("A", 2, "u:domain-c20"),
            named("", 3, "n"),
        ];
        assert_eq!(identities(rows), expected);
    }

    #[test]
    fn a_row_that_nothing_names_is_the_same_only_as_an_identical_one() {
        let rows = [r#"{"n":1}"#, r#"{"n":2}"#, r#"{"id":""}"#, "7"];
        assert_eq!(identities(rows), rows.map(text));
        let [one, other] = identities([r#"{"id":"a","n":1}"#, r#"{"id":"a","n":2}"#]);
        assert_eq!(one, other);
    }

    #[test]
    fn every_part_and_its_place_counts() {
        let all = [
            named("Distributed", 0, "/infra/a"),
            named("Gateway", 0, "/infra/a"),
            named("Gateway", 1, "/infra/a"),
            named("Gateway/infra", 0, "/a"),
            named("", 0, "Gateway/infra/a"),
            text("Gateway/infra/a"),
        ];
        for (number, identity) in all.iter().enumerate() {
            assert!(!all[..number].contains(identity), "{number}");
        }
    }
}
