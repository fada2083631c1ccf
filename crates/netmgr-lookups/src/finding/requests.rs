//! The requests for a read: pure functions from a [`Read`] to a [`Get`].
//!
//! `fetch.rs` and `fetch/batch.rs` decide which of them is sent and when.

use netmgr_transport::Get;

use crate::finding::object_kind::{CollectionPlace, Query};
use crate::finding::read::Read;

/// The object with this id at its own path.
pub(crate) fn object(read: &Read, id: &str) -> Get {
    with(collection(read).segment(id), read.kind.object_query)
}

/// The pages of the collection, without the filters of `read`.
pub(crate) fn list(read: &Read) -> Get {
    let mut get = with(collection(read), read.kind.list);
    if !read.point.is_empty() {
        get = get.query("enforcement_point_path", read.point.as_str());
    }
    if read.kind.paged { get } else { get.unpaged() }
}

/// The pages of the collection with the filters of `read`.
pub(crate) fn filtered_list(read: &Read) -> Get {
    let filters = read.list_filters.iter();
    filters.fold(list(read), |get, (name, value)| get.query(name, value.as_str()))
}

/// A search below an API root, such as `/policy/api/v1`.
pub(crate) fn search(root: &str, query: String) -> Get {
    Get::new(format!("{root}/search/query")).query("query", query)
}

fn collection(read: &Read) -> Get {
    match read.kind.place {
        CollectionPlace::Fixed(path) => Get::new(path),
        place => Get::new(read.tree.root())
            .policy_path(&read.above_collection())
            .policy_path(place.collection()),
    }
}

fn with(get: Get, query: Query) -> Get {
    query
        .iter()
        .fold(get, |get, (name, value)| get.query(name, *value))
}
