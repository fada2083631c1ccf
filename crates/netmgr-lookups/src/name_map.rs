//! Maps of all objects of a kind, by display name.
//!
//! A map can have a hundred thousand entries. So a row is decoded into nothing but its entry, and
//! texts are moved from there to the JSON output.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure};
use netmgr_types::shapes::{MapInput, NameMap, given};
use netmgr_types::wire::ManagedObject;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::context::Context;
use crate::error::Error;
use crate::executor::Wanted;
use crate::read::{By, ObjectKind, Read};

/// What a map is made of.
pub(crate) trait Mapped: 'static {
    /// The kind of its objects.
    const KIND: &'static ObjectKind;
    /// Object that the manager sends.
    type Row: Wanted;
    /// The value of an object.
    fn value(row: Self::Row) -> String;
}

/// What is kept of a row.
struct Entry<M> {
    name: Box<str>,
    value: Box<str>,
    is_of_kind: bool,
    of: PhantomData<fn() -> M>,
}

impl<'de, M: Mapped> Deserialize<'de> for Entry<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let row = M::Row::deserialize(deserializer)?;
        let kind = M::KIND.resource_type;
        Ok(Self {
            is_of_kind: !row.marked_for_delete()
                && (kind.is_empty() || row.resource_type().is_none_or(|sent| sent == kind)),
            name: row.name().into(),
            value: M::value(row).into(),
            of: PhantomData,
        })
    }
}

impl<M> ManagedObject for Entry<M> {
    fn id(&self) -> &str {
        &self.value
    }

    fn display_name(&self) -> Option<&str> {
        Some(&self.name)
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
        Some(&self.value)
    }

    /// An object of another kind is left out like one that is about to be deleted.
    fn marked_for_delete(&self) -> bool {
        !self.is_of_kind
    }
}

/// All objects of a kind by display name.
///
/// If several objects have the same name, the map contains the smallest value, independent of their order. A
/// warning names the others.
pub(crate) async fn name_map<M: Mapped>(cx: &Context<'_>, input: &MapInput) -> Result<NameMap, Error> {
    let noun = M::KIND.noun;
    let read = Arc::new(Read::new(M::KIND, cx.scope(), By::All));
    let batch = cx.find::<Entry<M>>(&read).await?;
    if let Some(why) = batch.incomplete(|_| true) {
        // An empty map would be mistaken for a manager without objects.
        if batch.objects.is_empty() || batch.lost {
            let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(why));
            return Err(Error::request_failed(cx.name(), format!("all {noun}s"), source));
        }
        cx.warn(&format!("the map may be incomplete: {why}"));
    }
    let mut entries = batch.objects;
    entries.sort_unstable_by(|a, b| (&a.name, &a.value).cmp(&(&b.name, &b.value)));
    for same in entries.chunk_by(|a, b| a.name == b.name) {
        if let [kept, left_out @ ..] = same
            && !left_out.is_empty()
        {
            let left_out: Vec<&str> = left_out.iter().map(|entry| &*entry.value).collect();
            cx.warn(&format!(
                "several {noun}s have display name {:?}: the map contains {} but not {}",
                kept.name,
                kept.value,
                left_out.join(", ")
            ));
        }
    }
    entries.dedup_by(|later, kept| later.name == kept.name);
    let items: BTreeMap<String, String> = entries
        .into_iter()
        .map(|entry| (entry.name.into(), entry.value.into()))
        .collect();
    Ok(NameMap::new(given(&input.id).unwrap_or(cx.name()), items))
}

/// The map as JSON. Its texts are moved and not copied.
pub(crate) fn json(map: NameMap) -> Value {
    let items = map
        .items
        .into_iter()
        .map(|(name, value)| (name, Value::String(value)));
    let members = [
        ("id".to_owned(), Value::String(map.id)),
        ("items".to_owned(), Value::Object(items.collect())),
    ];
    Value::Object(members.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_map_is_what_it_serializes_to() {
        let items = [("b", "2"), ("a", "1")].map(|(name, id)| (name.to_owned(), id.to_owned()));
        let map = NameMap::new("x", items.into());
        assert_eq!(serde_json::to_value(&map).unwrap(), json(map));
    }
}
