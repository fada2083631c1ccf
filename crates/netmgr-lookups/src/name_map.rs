//! Maps of all objects of a kind, by display name.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::mem;
use std::sync::{Arc, Mutex};

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure, Reply, Row};
use netmgr_types::shapes::{MapInput, NameMap, given};
use netmgr_types::wire::ManagedObject;

use crate::context::LookupContext;
use crate::error::Error;
use crate::objects::{WireObject, is_in_place, is_of_kind};
use crate::read::{By, ObjectKind, Read};
use crate::rows::{RowCollector, SharedCollector, Skipped, Source, lock};
use crate::sentences::what;

/// A function that returns a map.
pub(crate) trait Mapped: Send + 'static {
    /// Kind of the objects.
    const KIND: &'static ObjectKind;
    /// Object that the manager sends.
    type Object: WireObject;
    /// The value of an object.
    fn value(object: &Self::Object) -> String;
}

/// All objects of a kind by display name.
///
/// If several objects have the same name, the map contains the smallest value, independent of their order. A
/// warning names the others.
pub(crate) async fn names<M: Mapped>(cx: &LookupContext<'_>, input: &MapInput) -> Result<NameMap, Error> {
    let noun = M::KIND.noun;
    let read = Arc::new(Read::new(M::KIND, cx.scope(), By::All));
    let entries = Arc::new(Mutex::new(Entries::<M> {
        read: Arc::clone(&read),
        entries: Vec::new(),
        skipped: Skipped::default(),
        value: M::value,
    }));
    let rows: SharedCollector = Arc::clone(&entries) as _;
    cx.admit().await?;
    let fetched = match cx.fetch().find(&read, &rows).await {
        Ok(fetched) => fetched,
        Err(refused) => return Err(cx.refused(what(&read), refused).await),
    };
    let (mut entries, skipped) = {
        let mut collected = lock(&*entries);
        (
            mem::take(&mut collected.entries),
            mem::take(&mut collected.skipped),
        )
    };
    if let Some(why) = fetched.incomplete(skipped.clause()) {
        // An empty map would be mistaken for a manager without objects.
        if entries.is_empty() || fetched.lost {
            let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(why));
            return Err(Error::request_failed(cx.name(), format!("all {noun}s"), source));
        }
        cx.warn(&format!("the map may be incomplete: {why}"));
    }
    entries.sort();
    let items = unique(entries, |name, kept, left_out| {
        cx.warn(&format!(
            "several {noun}s have display name {name:?}: the map contains {kept} but not {}",
            left_out.join(", ")
        ));
    });
    let id = given(&input.id).unwrap_or(cx.name());
    Ok(NameMap::new(id, items))
}

/// The first of several sorted entries with the same name. Calls `report` with the name and the values of each such
/// group.
fn unique(
    entries: Vec<(String, String)>,
    report: impl Fn(&str, &str, &[String]),
) -> BTreeMap<String, String> {
    let mut left_out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut items = BTreeMap::new();
    for (name, value) in entries {
        match items.entry(name) {
            Entry::Vacant(place) => drop(place.insert(value)),
            Entry::Occupied(kept) => left_out.entry(kept.key().clone()).or_default().push(value),
        }
    }
    for (name, values) in &left_out {
        report(name, &items[name], values);
    }
    items
}

/// Collects the entries of a map.
struct Entries<M: Mapped> {
    read: Arc<Read>,
    entries: Vec<(String, String)>,
    skipped: Skipped,
    value: fn(&M::Object) -> String,
}

impl<M: Mapped> RowCollector for Entries<M> {
    fn offer(&mut self, row: &Row, source: Source) -> bool {
        match row.decode::<M::Object>() {
            Ok(object) => {
                let is_meant = is_of_kind(&self.read, &object) && is_in_place(&self.read, &object, source);
                if is_meant {
                    self.entries
                        .push((object.name().to_owned(), (self.value)(&object)));
                }
                is_meant
            }
            Err(problem) => {
                self.skipped.add(&problem);
                false
            }
        }
    }

    fn take_reply(&mut self, reply: &Reply) -> Result<(), RequestError> {
        Err(reply.rejected("it is a single object".to_owned()))
    }

    fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn is_sound(&self) -> bool {
        self.skipped.is_empty()
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.skipped = Skipped::default();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn the_smallest_value_of_a_name_is_kept_and_the_others_are_reported() {
        let entry = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let mut entries: Vec<_> = [("b", "2"), ("a", "3"), ("b", "1"), ("a", "0"), ("c", "")]
            .map(entry)
            .into();
        entries.sort();
        let reported = RefCell::new(Vec::new());
        let items = unique(entries, |name, kept, left_out| {
            reported
                .borrow_mut()
                .push(format!("{name}: {kept} not {}", left_out.join(" ")));
        });
        assert_eq!(reported.into_inner(), ["a: 0 not 3", "b: 1 not 2"]);
        let kept: Vec<_> = items.into_iter().collect();
        assert_eq!(kept, [("a", "0"), ("b", "1"), ("c", "")].map(entry));
    }
}
