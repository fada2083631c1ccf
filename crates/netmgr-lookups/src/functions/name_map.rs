//! Maps of all objects of a kind, by display name.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use netmgr_types::shapes::{NameMap, given};
use netmgr_types::wire::ManagedObject;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::{By, Read};
use crate::wording::nouns::plural;

/// The `value` of all objects of a kind, by display name.
///
/// If several objects have the same name, the map contains the smallest value, independent of their order. A
/// warning names the others.
pub(crate) async fn names(
    cx: &LookupContext<'_>,
    kind: &'static ObjectKind,
    value: fn(&ManagedObject) -> String,
    id: &Option<String>,
) -> Result<NameMap, Error> {
    let read = Arc::new(Read::new(kind, cx.scope, By::All));
    let entry = move |object: &ManagedObject| Some((object.name().to_owned(), value(object)));
    let entries = cx.collect(&read, entry).await?;
    let items = by_name(cx, kind.noun, entries);
    let id = given(id).unwrap_or(cx.spec.name);
    Ok(NameMap::new(id, items))
}

/// The smallest value of each name. A warning names the others.
pub(crate) fn by_name(
    cx: &LookupContext<'_>,
    noun: &str,
    mut entries: Vec<(String, String)>,
) -> BTreeMap<String, String> {
    entries.sort();
    unique(entries, |name, kept, left_out| {
        cx.warn(&format!(
            "several {} have display name {}: the map contains {} but not {}",
            plural(noun),
            cx.quoted(&cx.stored(name)),
            cx.sanitized(kept),
            cx.sanitized(&left_out.join(", "))
        ));
    })
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
