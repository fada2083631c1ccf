//! Maps of all objects of a kind, by display name.
//!
//! A map can have a hundred thousand entries. So nothing is kept of a row but its entry, and all entries are in one
//! buffer until the result is encoded (0275).

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure, Reply, Row};
use netmgr_types::shapes::{MapInput, NameMap, given};
use netmgr_types::wire::{ManagedObject, MapRow, RowHead};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::context::Context;
use crate::error::Error;
use crate::executor::Wanted;
use crate::read::{By, ObjectKind, Place, Read};

mod entries;

use entries::Entries;

/// What a map is made of.
pub(crate) trait Mapped: 'static {
    /// The kind of its objects.
    const KIND: &'static ObjectKind;
    /// Object that the manager sends.
    type Row<'a>: Deserialize<'a> + Into<MapRow<'a>>;
    /// Whether id, name and kind, which identify a row, are all that a row has.
    const IS_IDENTITY: bool;
    /// The value of an object with this id and path.
    fn value(id: String, path: Option<String>) -> String;
}

/// What is kept of rows: one row after decoding, many in the list of a kind without a search.
struct Rows<M> {
    /// Name and value of the first row.
    first: (String, String),
    /// The entries of all rows in their order, if there are several.
    merged: Entries,
    is_of_kind: bool,
    of: PhantomData<fn() -> M>,
}

impl<'de, M: Mapped> Deserialize<'de> for Rows<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        M::Row::deserialize(deserializer).map(|row| Self::of(row.into()))
    }
}

impl<M: Mapped> Rows<M> {
    fn of(row: MapRow<'_>) -> Self {
        let kind = M::KIND.resource_type;
        let is_of_kind =
            !row.marked_for_delete && (kind.is_empty() || row.resource_type.is_none_or(|sent| sent == kind));
        let name = row.display_name.filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| row.id.clone());
        Self {
            first: (name, M::value(row.id, row.path)),
            merged: Entries::default(),
            is_of_kind,
            of: PhantomData,
        }
    }
}

impl<M: Mapped> ManagedObject for Rows<M> {
    fn id(&self) -> &str {
        &self.first.1
    }

    fn display_name(&self) -> Option<&str> {
        Some(&self.first.0)
    }

    fn description(&self) -> Option<&str> {
        None
    }

    /// Was compared when the row was read.
    fn resource_type(&self) -> Option<&str> {
        None
    }

    /// The value of policy objects.
    fn path(&self) -> Option<&str> {
        Some(&self.first.1)
    }

    /// An object of another kind is left out like one that is about to be deleted.
    fn marked_for_delete(&self) -> bool {
        !self.is_of_kind
    }
}

impl<M: Mapped> Rows<M> {
    /// The entry of a row with this head, if a row has nothing else.
    ///
    /// An empty text is one that is absent or no text, which decoding distinguishes.
    fn of_head(head: &RowHead<'_>) -> Option<Self> {
        let fields = [&head.id, &head.display_name, &head.resource_type];
        let is_whole = M::IS_IDENTITY && fields.into_iter().all(|field| !field.is_empty());
        is_whole.then(|| {
            Self::of(MapRow {
                id: head.id.clone().into_owned(),
                display_name: Some(head.display_name.clone().into_owned()),
                resource_type: Some(Cow::Borrowed(&head.resource_type)),
                path: None,
                marked_for_delete: false,
            })
        })
    }
}

impl<M: Mapped> Wanted for Rows<M> {
    fn of_row(_: &Read, row: &Row, head: Option<&RowHead<'_>>) -> Result<Self, serde_json::Error> {
        head.and_then(Self::of_head).map_or_else(|| row.decode(), Ok)
    }

    fn of_reply(_: &Read, reply: &Reply) -> Result<Self, RequestError> {
        reply.json()
    }

    /// Objects that a search can find are compared with their place one by one.
    fn merge(&mut self, other: Self) -> Option<Self> {
        if matches!(M::KIND.place, Place::Fixed(_)) {
            if self.merged.is_empty() {
                self.merged.push(&self.first.0, &self.first.1);
            }
            match other.merged.is_empty() {
                true => self.merged.push(&other.first.0, &other.first.1),
                false => self.merged.append(&other.merged),
            }
            return None;
        }
        Some(other)
    }
}

/// All objects of a kind by display name, in the order of their names.
#[derive(Debug, Clone)]
pub struct Names {
    id: String,
    entries: Entries,
}

impl Names {
    /// Id from the input, or an id that the provider generates.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Names with the ids or policy paths of the objects.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> + ExactSizeIterator + Clone {
        self.entries.iter()
    }
}

impl Names {
    /// The result as JSON.
    pub(crate) fn into_json(self) -> Value {
        let items = self
            .iter()
            .map(|(name, value)| (name.to_owned(), Value::String(value.to_owned())));
        let items = Value::Object(items.collect());
        let members = [
            ("id".to_owned(), Value::String(self.id)),
            ("items".to_owned(), items),
        ];
        Value::Object(members.into_iter().collect())
    }
}

impl From<Names> for NameMap {
    fn from(names: Names) -> Self {
        let items = names
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self::new(names.id(), items.collect())
    }
}

/// All objects of a kind by display name.
///
/// If several objects have the same name, the map contains the smallest value, independent of their order. A
/// warning names the others.
pub(crate) async fn names<M: Mapped>(cx: &Context<'_>, input: &MapInput) -> Result<Names, Error> {
    let noun = M::KIND.noun;
    let read = Arc::new(Read::new(M::KIND, cx.scope(), By::All));
    let batch = cx.find::<Rows<M>>(&read).await?;
    if let Some(why) = batch.incomplete(|_| true) {
        // An empty map would be mistaken for a manager without objects.
        if batch.objects.is_empty() || batch.lost {
            let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(why));
            return Err(Error::request_failed(cx.name(), format!("all {noun}s"), source));
        }
        cx.warn(&format!("the map may be incomplete: {why}"));
    }
    let mut entries = Entries::default();
    for rows in batch.objects {
        match (entries.is_empty(), rows.merged.is_empty()) {
            (_, true) => entries.push(&rows.first.0, &rows.first.1),
            (true, false) => entries = rows.merged,
            (false, false) => entries.append(&rows.merged),
        }
    }
    entries.sort();
    entries.keep_first(|name, values| {
        if let [kept, left_out @ ..] = values {
            cx.warn(&format!(
                "several {noun}s have display name {name:?}: the map contains {kept} but not {}",
                left_out.join(", ")
            ));
        }
    });
    let id = given(&input.id).unwrap_or(cx.name()).to_owned();
    Ok(Names { id, entries })
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use netmgr_types::object;

    use super::*;
    use crate::functions::typed::{GetNsGroups, GetNsServices, GetPolicyContainerClusters};

    fn names(entries: &[(&str, &str)]) -> Names {
        let mut all = Entries::default();
        entries.iter().for_each(|(name, value)| all.push(name, value));
        Names {
            id: "x".to_owned(),
            entries: all,
        }
    }

    #[test]
    fn names_are_the_map_that_they_stand_for() {
        let names = names(&[("a", "1"), ("b", ""), ("\u{e9}", "\u{e9}2")]);
        let map = NameMap::from(names.clone());
        assert_eq!(map.items["\u{e9}"], "\u{e9}2");
        assert_eq!(map.items.len(), names.iter().len());
        assert_eq!(serde_json::to_value(&map).unwrap(), names.into_json());
    }

    fn row<M: Mapped>(text: &str) -> Result<Rows<M>, serde_json::Error> {
        object::from_slice(text.as_bytes())
    }

    #[test]
    fn path_and_mark_for_deletion_are_read_from_policy_objects_only() {
        let marked = r#"{"id":"a","display_name":"b","path":"/infra/a","marked_for_delete":true}"#;
        let row_of_group = row::<GetNsGroups>(marked).unwrap();
        assert_eq!(row_of_group.first, ("b".to_owned(), "a".to_owned()));
        assert!(!row_of_group.marked_for_delete());
        let row_of_cluster = row::<GetPolicyContainerClusters>(marked).unwrap();
        assert_eq!(row_of_cluster.first, ("b".to_owned(), "/infra/a".to_owned()));
        assert!(row_of_cluster.marked_for_delete());
        for odd in [r#"{"id":"a","path":7}"#, r#"{"id":"a","marked_for_delete":"no"}"#] {
            assert!(row::<GetNsGroups>(odd).is_ok(), "{odd}");
            assert!(row::<GetNsServices>(odd).is_ok(), "{odd}");
            assert!(row::<GetPolicyContainerClusters>(odd).is_err(), "{odd}");
        }
    }

    /// The row as its head describes it, and whether it is of the kind.
    fn of_head<M: Mapped>(text: &str) -> Option<((String, String), bool)> {
        let row = Row::new(Bytes::copy_from_slice(text.as_bytes()));
        let rows = Rows::<M>::of_head(&row.head()?)?;
        let decoded: Rows<M> = row.decode().unwrap();
        assert_eq!(
            (&rows.first, rows.is_of_kind),
            (&decoded.first, decoded.is_of_kind),
            "{text}"
        );
        Some((rows.first, rows.is_of_kind))
    }

    #[test]
    fn what_identifies_a_row_of_the_manager_api_is_its_entry() {
        let entry = |name: &str| Some(((name.to_owned(), "a".to_owned()), true));
        let usual = r#"{"id":"a","tags":[],"display_name":"b","resource_type":"NSGroup","description":7}"#;
        assert_eq!(of_head::<GetNsGroups>(usual), entry("b"));
        let escaped = r#"{"id":"a","display_name":"\u00e9","resource_type":"NSGroup"}"#;
        assert_eq!(of_head::<GetNsGroups>(escaped), entry("\u{e9}"));
        let other = r#"{"id":"a","display_name":"b","resource_type":"Other"}"#;
        assert_eq!(
            of_head::<GetNsGroups>(other).map(|(_, is_of_kind)| is_of_kind),
            Some(false)
        );
        for text in [
            r#"{"id":7,"display_name":"b","resource_type":"NSGroup"}"#,
            r#"{"id":"","display_name":"b","resource_type":"NSGroup"}"#,
            r#"{"id":"a","display_name":"","resource_type":"NSGroup"}"#,
            r#"{"id":"a","display_name":7,"resource_type":"NSGroup"}"#,
            r#"{"id":"a","display_name":"b","resource_type":null}"#,
            r#"{"external_id":"a","display_name":"b","resource_type":"NSGroup"}"#,
        ] {
            assert_eq!(of_head::<GetNsGroups>(text), None, "{text}");
        }
        let policy =
            r#"{"id":"a","display_name":"b","resource_type":"ClusterControlPlane","path":"/infra/a"}"#;
        assert_eq!(of_head::<GetPolicyContainerClusters>(policy), None);
    }
}
