//! Maps of all objects of a kind, by display name.
//!
//! A map can have a hundred thousand entries. So nothing is kept of a row but its entry, and all entries are in one
//! buffer until the result is encoded (0275).

use std::marker::PhantomData;
use std::sync::Arc;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure};
use netmgr_types::shapes::{MapInput, NameMap, given};
use netmgr_types::wire::{ManagedObject, MapRow};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::context::Context;
use crate::error::Error;
use crate::read::{By, ObjectKind, Place, Read};

/// What a map is made of.
pub(crate) trait Mapped: 'static {
    /// The kind of its objects.
    const KIND: &'static ObjectKind;
    /// Object that the manager sends.
    type Row<'a>: Deserialize<'a> + Into<MapRow<'a>>;
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

/// Names and values in a few buffers. A map can have a hundred thousand of them, for which separate texts would take
/// several times their size.
#[derive(Debug, Clone, Default)]
struct Entries {
    /// Buffers that do not grow: a buffer that grows is copied, and leaves gaps behind.
    texts: Vec<String>,
    spans: Vec<Span>,
}

/// Bytes of a buffer, unless an entry is longer.
const BUFFER: usize = 64 << 10;

/// Place of an entry: its name, and behind it its value.
#[derive(Debug, Clone, Copy)]
struct Span {
    text: u32,
    start: u32,
    name: u32,
    value: u32,
}

impl Entries {
    fn push(&mut self, name: &str, value: &str) {
        let needed = name.len() + value.len();
        let has_room = |text: &String| text.capacity() - text.len() >= needed;
        if !self.texts.last().is_some_and(has_room) {
            self.texts.push(String::with_capacity(needed.max(BUFFER)));
        }
        let index = self.texts.len() - 1;
        let text = &mut self.texts[index];
        let short = |length: usize| u32::try_from(length).expect("a page is shorter than 4 GiB");
        self.spans.push(Span {
            text: short(index),
            start: short(text.len()),
            name: short(name.len()),
            value: short(value.len()),
        });
        text.push_str(name);
        text.push_str(value);
    }

    fn append(&mut self, others: &Self) {
        for (name, value) in others.iter() {
            self.push(name, value);
        }
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> + ExactSizeIterator + Clone {
        self.spans.iter().map(|span| span.of(&self.texts))
    }

    /// Sorts by name and value.
    fn sort(&mut self) {
        let texts = &self.texts;
        self.spans
            .sort_unstable_by(|one, other| one.of(texts).cmp(&other.of(texts)));
    }

    /// Keeps the first of several entries with the same name, which are next to each other. Calls `report` with the
    /// name and the values of each such group.
    fn keep_first(&mut self, mut report: impl FnMut(&str, &[&str])) {
        let texts = &self.texts;
        for same in self
            .spans
            .chunk_by(|one, other| one.of(texts).0 == other.of(texts).0)
        {
            if same.len() > 1 {
                let values: Vec<&str> = same.iter().map(|span| span.of(texts).1).collect();
                report(same[0].of(texts).0, &values);
            }
        }
        self.spans
            .dedup_by(|later, kept| later.of(texts).0 == kept.of(texts).0);
    }
}

impl Span {
    fn of(self, texts: &[String]) -> (&str, &str) {
        let entry = &texts[self.text as usize][self.start as usize..];
        let (name, rest) = entry.split_at(self.name as usize);
        (name, &rest[..self.value as usize])
    }
}

impl<'de, M: Mapped> Deserialize<'de> for Rows<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let row: MapRow<'_> = M::Row::deserialize(deserializer)?.into();
        let kind = M::KIND.resource_type;
        let is_of_kind =
            !row.marked_for_delete && (kind.is_empty() || row.resource_type.is_none_or(|sent| sent == kind));
        let name = row.display_name.filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| row.id.clone());
        Ok(Self {
            first: (name, M::value(row.id, row.path)),
            merged: Entries::default(),
            is_of_kind,
            of: PhantomData,
        })
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

    /// Objects that a search can find are compared with their place one by one.
    fn merge(&mut self, other: Self) -> Option<Self> {
        if matches!(M::KIND.place, Place::Fixed(_)) {
            if self.merged.spans.is_empty() {
                self.merged.push(&self.first.0, &self.first.1);
            }
            match other.merged.spans.is_empty() {
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
        match (entries.spans.is_empty(), rows.merged.spans.is_empty()) {
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

    #[test]
    fn entries_of_many_buffers_are_found_again() {
        let long = "x".repeat(BUFFER + 1);
        let expected: Vec<(String, &str)> = (0..10_000)
            .map(|number| {
                (
                    format!("name {number:05}"),
                    if number == 77 { &*long } else { "value" },
                )
            })
            .collect();
        let mut entries = Entries::default();
        for (name, value) in expected.iter().rev() {
            let mut row = Entries::default();
            row.push(name, value);
            entries.append(&row);
        }
        entries.sort();
        assert!(entries.texts.len() > 3, "{}", entries.texts.len());
        assert!(
            entries
                .iter()
                .eq(expected.iter().map(|(name, value)| (&**name, *value)))
        );
    }

    #[test]
    fn the_smallest_value_of_a_name_is_kept_and_the_others_are_reported() {
        let mut entries = names(&[("b", "2"), ("a", "3"), ("b", "1"), ("a", "0"), ("c", "")]).entries;
        let mut reported = Vec::new();
        entries.sort();
        entries.keep_first(|name, values| reported.push(format!("{name}: {}", values.join(" "))));
        assert_eq!(reported, ["a: 0 3", "b: 1 2"]);
        let kept: Vec<_> = entries.iter().collect();
        assert_eq!(kept, [("a", "0"), ("b", "1"), ("c", "")]);
    }
}
