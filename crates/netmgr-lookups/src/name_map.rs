//! Whole collections as maps by display name.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use netmgr_transport::{Error as RequestError, Failure};
use netmgr_types::shapes::{MapInput, NameMap, given};

use crate::context::Context;
use crate::error::Error;
use crate::executor::Wanted;
use crate::lookup::request_failed;
use crate::read::{By, ObjectKind, Read};

/// All objects of `kind`, `value` by display name.
///
/// Of several objects with one name the map keeps the one with the smallest value, whatever order
/// the manager sends them in; a warning names the others.
pub(crate) async fn name_map<T: Wanted>(
    cx: &Context<'_>,
    kind: &'static ObjectKind,
    input: &MapInput,
    value: fn(T) -> String,
) -> Result<NameMap, Error> {
    let batch = cx.find::<T>(&Read::new(kind, cx.scope(), By::All)).await?;
    if let Some(why) = batch.incomplete(|_| true) {
        // A map without its objects looks like a manager without any.
        if batch.objects.is_empty() || batch.lost {
            let reason = RequestError::BadReply(Box::new(Failure {
                reason: Some(why),
                ..Failure::default()
            }));
            return Err(request_failed(
                cx.name(),
                format!("all {}s", kind.noun),
                Arc::new(reason),
            ));
        }
        cx.warn(&format!("the map may be incomplete: {why}"));
    }
    let mut pairs: Vec<(String, String)> = batch
        .objects
        .into_iter()
        .map(|object| (object.name().to_owned(), value(object)))
        .collect();
    pairs.sort();
    let mut items = BTreeMap::new();
    let mut left_out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in pairs {
        match items.entry(name) {
            Entry::Vacant(free) => {
                free.insert(value);
            }
            Entry::Occupied(taken) => left_out.entry(taken.key().clone()).or_default().push(value),
        }
    }
    for (name, values) in left_out {
        cx.warn(&format!(
            "several {}s have display name {name:?}: the map has {} and leaves out {}",
            kind.noun,
            items[&name],
            values.join(", ")
        ));
    }
    Ok(NameMap {
        id: given(&input.id).unwrap_or(cx.name()).to_owned(),
        items,
    })
}
