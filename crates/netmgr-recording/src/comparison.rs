//! Comparison of two managers by their recorded objects.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};
use std::rc::Rc;

use netmgr_types::wire::RowHead;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::file::whole_documents;
use crate::recording::object::{RecordedObject, recorded_path};
use crate::recording::options::RecordOptions;
use crate::recording::sources;
use members::differences;

mod members;

pub use members::MemberChange;

/// Objects of a manager, by path. States, realized entities and rows without an id are not compared.
#[derive(Debug, Default)]
pub struct ComparedObjects(BTreeMap<String, ComparedObject>);

#[derive(Debug)]
struct ComparedObject {
    collection: Rc<str>,
    body: Box<RawValue>,
}

/// Difference between two managers at a path.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Only the first one has the object.
    Removed,
    /// Only the second one has the object.
    Added,
    /// The objects have members that differ.
    Changed(Vec<MemberChange>),
}

impl ComparedObjects {
    /// The objects of a finished recording, and its header, which files that are written manually lack.
    ///
    /// # Errors
    ///
    /// The same as [`whole_documents`], and an object without an id in a file that was written manually.
    pub fn read(file: impl BufRead) -> io::Result<(Self, Option<Value>)> {
        let mut objects = Self::default();
        let (mut header, mut without_id) = (None, None);
        whole_documents(file, |document| {
            for (collection, bodies) in document {
                let collection: Rc<str> = collection.into();
                for body in bodies {
                    match &*collection {
                        "inventory" => header = serde_json::from_str(body.get()).ok(),
                        _ if objects.insert(&collection, body) => {}
                        _ => without_id = Some(Rc::clone(&collection)),
                    }
                }
            }
            Ok(())
        })?;
        match without_id.filter(|_| header.is_none()) {
            Some(collection) => Err(io::Error::other(format!(
                "an object of {collection} has neither an id nor a path, so it cannot be compared"
            ))),
            None => Ok((objects, header)),
        }
    }

    /// Adds an object of a recording in progress.
    ///
    /// # Errors
    ///
    /// The object is not JSON.
    pub fn add(&mut self, object: RecordedObject) -> io::Result<()> {
        let body = RawValue::from_string(String::from_utf8_lossy(&object.body).into_owned())?;
        self.insert(&object.collection.into(), body);
        Ok(())
    }

    /// Adds an object that is compared. Returns `false` for a row without an id.
    fn insert(&mut self, collection: &Rc<str>, body: Box<RawValue>) -> bool {
        if !collection.starts_with('/') || collection.contains("/realized-state/") {
            return true;
        }
        let path = recorded_path(collection, body.get().as_bytes());
        // The only object of its kind has the path of the collection.
        let is_single = || RowHead::of(body.get().as_bytes()).is_some_and(|head| head.path == path);
        let has_id = path != **collection || is_single();
        if has_id {
            let collection = Rc::clone(collection);
            self.0.insert(path, ComparedObject { collection, body });
        }
        has_id
    }

    /// Number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names of the collections that have objects, such as `groups`.
    #[must_use]
    pub fn collections(&self) -> BTreeSet<String> {
        let collections = self.0.values().map(|object| &object.collection);
        let names = collections.filter_map(|path| path.rsplit('/').next());
        names.map(str::to_owned).collect()
    }

    /// Removes the objects that `options` does not select.
    pub fn narrow(&mut self, options: &RecordOptions) {
        let collections: BTreeSet<&Rc<str>> = self.0.values().map(|object| &object.collection).collect();
        let listed = collections
            .into_iter()
            .filter(|path| sources::lists(&options.types, path));
        let listed: BTreeSet<Rc<str>> = listed.cloned().collect();
        self.0.retain(|path, object| {
            options.includes(path) && (listed.contains(&object.collection) || object.is_of_type(options))
        });
    }

    /// The differences to `after`, by path. Members with a name in `ignore` are not compared, and neither are revisions
    /// and the time and user of changes.
    pub fn changes<'a>(
        &'a self,
        after: &'a Self,
        ignore: &'a [String],
    ) -> impl Iterator<Item = (&'a str, Change)> {
        let paths: BTreeSet<&String> = self.0.keys().chain(after.0.keys()).collect();
        let change = |path| match (self.0.get(path), after.0.get(path)) {
            (Some(before), Some(after)) => {
                let members = differences(&before.body, &after.body, ignore);
                (!members.is_empty()).then_some(Change::Changed(members))
            }
            (Some(_), None) => Some(Change::Removed),
            (None, _) => Some(Change::Added),
        };
        let changes = paths.into_iter();
        changes.filter_map(move |path| Some((path.as_str(), change(path)?)))
    }
}

impl ComparedObject {
    fn is_of_type(&self, options: &RecordOptions) -> bool {
        let head = RowHead::of(self.body.get().as_bytes()).unwrap_or_default();
        match &*head.resource_type {
            // Files that are written manually lack it. An object that may be of a type is compared.
            "" => {
                let mut types = sources::types_in(self.collection.rsplit('/').next().unwrap_or_default());
                types.retain(|name| name.starts_with(char::is_uppercase));
                types.is_empty() || options.wants(types)
            }
            own => options.wants([own]),
        }
    }
}
