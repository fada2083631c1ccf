//! The requests of a recording (decision recordings).

use netmgr_transport::Get;

use super::sources::Source;
use super::{POLICY_API, Recording, Request, RowPlace};
use crate::finding::query::scope_term;
use crate::finding::read::{CollectionPlace, ObjectKind, Tree};
use crate::finding::requests;

impl Recording<'_> {
    /// The requests for `source`.
    pub(super) fn requests(&self, source: &Source) -> Vec<Request> {
        let project = self.options.project.as_deref();
        match source {
            Source::Search(kind) if kind.is_inventory && project.is_some() => Vec::new(),
            Source::Search(kind) => vec![self.search(&[kind])],
            Source::Searched(kinds) => {
                let wanted = &self.options.types;
                let is_wanted = |kind: &&ObjectKind| {
                    wanted.is_empty() || wanted.iter().any(|name| name == kind.resource_type)
                };
                let kinds: Vec<&ObjectKind> = kinds.iter().filter(is_wanted).collect();
                vec![self.search(&kinds)]
            }
            Source::List(kind) => {
                let CollectionPlace::Fixed(path) = kind.place else {
                    return Vec::new();
                };
                let list = path.strip_prefix(POLICY_API).unwrap_or(path).to_owned();
                let is_of_project = list.starts_with("/orgs/");
                let get = listed(kind, Get::new(path));
                let request = Request::Rows(
                    get,
                    RowPlace {
                        kind,
                        list: Some(list),
                        several: Vec::new(),
                    },
                );
                Vec::from_iter((project.is_none() || is_of_project).then_some(request))
            }
            Source::Below(kind, collection, parents) => {
                let parents = self.places.parents(parents);
                let request = |parent: String| {
                    let list = format!("{parent}/{collection}");
                    let get = listed(kind, self.policy(&list));
                    Request::Rows(
                        get,
                        RowPlace {
                            kind,
                            list: Some(list),
                            several: Vec::new(),
                        },
                    )
                };
                parents.into_iter().map(request).collect()
            }
            Source::Document(path) => {
                let own = path.strip_prefix(POLICY_API).unwrap_or(path).to_owned();
                vec![Request::Document(Get::new(*path), own)]
            }
            Source::Part(of, part) => self.parts(of, part),
        }
    }

    /// The search for objects of these kinds, which are all policy objects if there are several.
    pub(super) fn search(&self, kinds: &[&'static ObjectKind]) -> Request {
        let kind = kinds[0];
        let types: Vec<&str> = kinds.iter().map(|kind| kind.resource_type).collect();
        let (types, several) = match types.as_slice() {
            [only] => ((*only).to_owned(), Vec::new()),
            several => (format!("({})", several.join(" OR ")), kinds.to_vec()),
        };
        let mut terms = vec![format!("resource_type:{types}")];
        if !kind.is_inventory {
            terms.push("marked_for_delete:false".to_owned());
            let project = self.options.project.clone().map(Tree::Project);
            terms.extend(project.map(|tree| format!("path:{}", scope_term(&tree))));
        }
        let root = Tree::of(self.cx.scope().deployment).root();
        let get = requests::search(root, terms.join(" AND "));
        let list = None;
        Request::Rows(get, RowPlace { kind, list, several })
    }

    /// The requests for a part of each object of collections with this name, unless there are too many.
    fn parts(&self, of: &str, part: &str) -> Vec<Request> {
        let objects = self.places.objects(of);
        let (count, most) = (objects.len(), self.options.states);
        if count > most && most > 0 {
            let what = format!("{of}/{part} left out, because it takes {count} requests");
            self.cx.warn(&what);
        }
        if count > most {
            return Vec::new();
        }
        let request = |path: String| {
            let get = match path.starts_with("/api/") {
                true => Get::new("").policy_path(&path),
                false => self.policy(&path),
            };
            Request::Document(get.segment(part), format!("{path}/{part}"))
        };
        objects.into_iter().map(request).collect()
    }

    fn policy(&self, path: &str) -> Get {
        let root = Tree::of(self.cx.scope().deployment).root();
        Get::new(root).policy_path(path)
    }
}

/// The list of a kind at `get`.
fn listed(kind: &ObjectKind, get: Get) -> Get {
    let get = kind
        .list
        .iter()
        .fold(get, |get, (name, value)| get.query(name, *value));
    if kind.paged { get } else { get.unpaged() }
}
