//! The requests of a recording (decision recordings).

use netmgr_lookups::{CollectionPlace, ObjectKind, Tree, scope_term};
use netmgr_transport::Get;

use super::sources::RecordedSource;
use super::{POLICY_API, Recording, Request, RowPlace};

impl Recording {
    /// The requests for `source`.
    pub(super) fn requests(&self, source: &RecordedSource) -> Vec<Request> {
        let project = self.options.project.as_deref();
        match source {
            RecordedSource::Search(kind) if kind.is_inventory && project.is_some() => Vec::new(),
            RecordedSource::Search(kind) => {
                vec![self.search(vec![kind.resource_type.to_owned()], kind.is_inventory)]
            }
            RecordedSource::Further(types) => {
                let wanted = types.iter().filter(|name| self.options.wants([name.as_str()]));
                vec![self.search(wanted.cloned().collect(), false)]
            }
            RecordedSource::List(kind) => {
                let CollectionPlace::Fixed(path) = kind.place else {
                    return Vec::new();
                };
                let list = path.strip_prefix(POLICY_API).unwrap_or(path);
                let is_of_project = list.starts_with("/orgs/");
                let request = listed(kind, Get::new(path), list.to_owned());
                Vec::from_iter((project.is_none() || is_of_project).then_some(request))
            }
            RecordedSource::Below(kind, collection, parents) => {
                let parents = self.places.parents(parents);
                let request = |parent: String| {
                    let list = format!("{parent}/{collection}");
                    listed(kind, self.policy(&list), list)
                };
                parents.into_iter().map(request).collect()
            }
            RecordedSource::Document(path) => {
                let own = path.strip_prefix(POLICY_API).unwrap_or(path).to_owned();
                vec![Request::Document(Get::new(*path), own)]
            }
            RecordedSource::Part(of, part) => self.parts(of, part),
        }
    }

    /// The search for objects of `types`, which are all policy objects if there are several.
    pub(super) fn search(&self, types: Vec<String>, is_inventory: bool) -> Request {
        let any = match types.as_slice() {
            [only] => only.clone(),
            several => format!("({})", several.join(" OR ")),
        };
        let mut terms = vec![format!("resource_type:{any}")];
        if !is_inventory {
            terms.push("marked_for_delete:false".to_owned());
            let project = self.options.project.clone().map(Tree::Project);
            terms.extend(project.map(|tree| format!("path:{}", scope_term(&tree))));
        }
        let get = Get::new(format!("{}/search/query", self.root())).query("query", terms.join(" AND "));
        Request::Rows(get, RowPlace::Search { types, is_inventory })
    }

    /// The requests for a part of each object of collections with this name, unless there are too many.
    fn parts(&self, of: &str, part: &str) -> Vec<Request> {
        let objects = self.places.objects(of);
        let (count, most) = (objects.len(), self.options.states);
        if count > most && most > 0 {
            self.warn(&format!(
                "{of}/{part} left out, because it takes {count} requests"
            ));
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
        Get::new(self.root()).policy_path(path)
    }

    fn root(&self) -> &'static str {
        Tree::of(self.client.connection().deployment).root()
    }
}

/// The list of a kind at `get`, whose path in the recording is `path`.
fn listed(kind: &'static ObjectKind, get: Get, path: String) -> Request {
    let get = kind
        .list
        .iter()
        .fold(get, |get, (name, value)| get.query(name, *value));
    let get = if kind.paged { get } else { get.unpaged() };
    Request::Rows(get, RowPlace::List { path, kind })
}
