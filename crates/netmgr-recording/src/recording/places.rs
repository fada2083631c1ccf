//! Paths of the objects that are parents of others.

use std::collections::{BTreeMap, BTreeSet};

use netmgr_lookups::Tree;
use netmgr_types::Connection;

use super::sources::{Parents, REALIZED_POINTS, RecordedSource, RecordedType};

/// Paths of parents, by the name of their collection.
#[derive(Debug)]
pub(super) struct Places {
    found: BTreeMap<&'static str, BTreeSet<String>>,
    /// Policy tree of the objects outside all projects. `None` if only a project is recorded.
    tree: Option<Tree>,
    enforcement_point: String,
}

impl Places {
    /// An empty set for the parents that `types` need.
    pub(super) fn of(types: &[RecordedType], connection: &Connection, project: Option<&str>) -> Self {
        let sources = types.iter().flat_map(|type_| &type_.sources);
        let needed = sources.flat_map(RecordedSource::parents);
        let mut places = Self {
            found: needed.map(|name| (name, BTreeSet::new())).collect(),
            tree: project.is_none().then(|| Tree::of(connection.deployment)),
            enforcement_point: connection.enforcement_point.clone(),
        };
        if let Some(project) = project {
            places.find(&Tree::Project(project.to_owned()).base());
        }
        places
    }

    /// Adds the object at `path` and its ancestors.
    pub(super) fn find(&mut self, path: &str) {
        let mut end = 0;
        let mut above = "";
        for segment in path.split('/') {
            end += segment.len() + 1;
            if let Some(paths) = self.found.get_mut(above) {
                let path = &path[..end - 1];
                if !paths.contains(path) {
                    paths.insert(path.to_owned());
                }
            }
            above = segment;
        }
    }

    /// The objects in collections of this name.
    pub(super) fn objects(&self, collection: &str) -> BTreeSet<String> {
        self.found.get(collection).cloned().unwrap_or_default()
    }

    /// Paths of all objects that `parents` describes.
    pub(super) fn parents(&self, parents: &Parents) -> BTreeSet<String> {
        match parents {
            Parents::Projects => self.objects("projects"),
            Parents::Tree => self.tree.iter().map(Tree::base).collect(),
            Parents::Trees => self.trees().collect(),
            Parents::Points => self.points(),
            Parents::Objects(collections) => self.objects_in(collections, self.parents(&Parents::Tree)),
            Parents::ObjectsOfTrees(collections) => {
                self.objects_in(collections, self.parents(&Parents::Trees))
            }
        }
    }

    fn trees(&self) -> impl Iterator<Item = String> {
        let projects = self.objects("projects").into_iter();
        let own = self.tree.iter().map(Tree::base);
        own.chain(projects.map(|project| format!("{project}/infra")))
    }

    /// The objects in `collections`, and the default domains and enforcement points of `trees`, which may contain no
    /// objects yet.
    fn objects_in(&self, collections: &[&'static str], trees: BTreeSet<String>) -> BTreeSet<String> {
        let point = &self.enforcement_point;
        let of_tree = |tree: &String| {
            let domain = ("domains", format!("{tree}/domains/default"));
            let realized = format!("{tree}/{REALIZED_POINTS}/{point}");
            [domain, (REALIZED_POINTS, realized)]
        };
        let usual = trees.iter().flat_map(of_tree);
        let usual = usual.filter_map(|(name, path)| collections.contains(&name).then_some(path));
        let found = collections.iter().flat_map(|name| self.objects(name));
        found.chain(usual).collect()
    }

    /// Enforcement points of sites: all that were found, and the configured one of each site.
    fn points(&self) -> BTreeSet<String> {
        let mut points = self.objects("enforcement-points");
        points.retain(|path| path.contains("/sites/"));
        let mut sites = self.objects("sites");
        sites.extend(
            self.tree
                .iter()
                .map(|tree| format!("{}/sites/default", tree.base())),
        );
        let configured = &self.enforcement_point;
        points.extend(
            sites
                .into_iter()
                .map(|site| format!("{site}/enforcement-points/{configured}")),
        );
        points
    }
}
