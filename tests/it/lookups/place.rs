//! The location of a function's objects: the collection of its line in a tree and below a parent, the inputs that name
//! it, and the requests that may be sent for it.

use serde_json::{Map, Value, json};

use super::harness::World;
use super::table::Row;

/// The tree of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tree {
    /// Outside all projects. For functions of projects and VPCs: project `dev`, VPC `web`.
    Default,
    /// A project.
    Project(&'static str),
    /// A VPC of a project.
    Vpc(&'static str, &'static str),
    /// Objects of the global manager on a local manager.
    FromGlobal,
    /// On a global manager.
    Global,
}

/// A collection and the inputs that name it.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) collection: String,
    /// Inputs that the function needs for it, including the context.
    pub(super) input: Map<String, Value>,
    /// Inputs that name the parent.
    pub(super) parent: Map<String, Value>,
}

/// The first parent in the tests; `one-2` begins with it.
pub(super) const PARENT: &str = "one";

impl Place {
    /// The location of objects of the function below the first parent.
    pub(super) fn of(row: &Row) -> Self {
        let tree = if row.is_global() {
            Tree::Global
        } else {
            Tree::Default
        };
        Self::below(row, tree, PARENT)
    }

    /// The location in a tree, below a parent with this id. Parents with a default have the id `default` instead of the
    /// first.
    pub(super) fn below(row: &Row, tree: Tree, parent: &str) -> Self {
        let mut place = Self {
            collection: String::new(),
            input: row.more.input.clone(),
            parent: Map::new(),
        };
        let (project, vpc) = match tree {
            Tree::Project(project) => (project, "web"),
            Tree::Vpc(project, vpc) => (project, vpc),
            Tree::Default | Tree::FromGlobal | Tree::Global => ("dev", "web"),
        };
        let is_tenant = row.collection.contains("{project}");
        let pattern = match (tree, &row.more.projects) {
            (Tree::Project(_), Some(Value::String(other))) => other,
            _ => row.collection,
        };
        for segment in pattern.split('/').skip(1) {
            let name = segment.strip_prefix('{').and_then(|name| name.strip_suffix('}'));
            let id = match name {
                None => segment,
                Some("project") => project,
                Some("vpc") => vpc,
                Some("domain" | "sitePath" | "enforcementPoint") if parent == PARENT => "default",
                Some(_) => parent,
            };
            place.collection += "/";
            place.collection += id;
            if place.collection == "/infra" {
                place.collection = match tree {
                    Tree::Project(project) => format!("/orgs/default/projects/{project}/infra"),
                    Tree::FromGlobal | Tree::Global => "/global-infra".to_owned(),
                    Tree::Default | Tree::Vpc(..) => "/infra".to_owned(),
                };
            }
            let Some(name) = name.filter(|name| !matches!(*name, "project" | "vpc")) else {
                continue;
            };
            let value = match name.ends_with("ath") {
                true => json!(place.collection),
                false => json!(id),
            };
            place.parent.insert(name.to_owned(), value.clone());
            let is_required = row
                .inputs
                .iter()
                .any(|input| input.name == name && input.required);
            if is_required || row.more.needs.iter().any(|needed| needed == name) {
                place.input.insert(name.to_owned(), value);
            }
        }
        let context = match tree {
            Tree::Default | Tree::Global if !is_tenant => None,
            Tree::FromGlobal => Some(json!({"fromGlobal": true})),
            _ if row.contexts.vpc => Some(json!({"projectId": project, "vpcId": vpc})),
            _ => Some(json!({"projectId": project})),
        };
        place
            .input
            .extend(context.map(|context| ("context".to_owned(), context)));
        place
    }

    /// The input of a call with these additional members.
    pub(super) fn input(&self, more: Value) -> Value {
        let mut input = self.input.clone();
        if let Value::Object(more) = more {
            input.extend(more);
        }
        Value::Object(input)
    }

    /// Adds an object.
    pub(super) fn add(&self, world: World, row: &Row, body: Value) -> World {
        let mut fields = row.more.fields.clone();
        fields.insert("resource_type".to_owned(), json!(row.resource_type));
        if let Value::Object(body) = body {
            fields.extend(body);
        }
        world.with(&self.collection, Value::Object(fields))
    }

    /// Requests of the function for another collection or another type.
    pub(super) fn strangers(&self, row: &Row, requests: &[String]) -> Vec<String> {
        let root = match &self.collection {
            path if path.starts_with("/api/") => String::new(),
            _ if requests
                .iter()
                .any(|request| request.contains(" /global-manager/")) =>
            {
                "/global-manager/api/v1".to_owned()
            }
            _ => "/policy/api/v1".to_owned(),
        };
        let collection = format!("{root}{}", self.collection);
        let of_type = format!("resource_type:{} ", row.resource_type);
        let is_expected = |request: &&String| {
            let path = request.split(' ').nth(1).unwrap_or_default();
            let is_collection = path == collection
                || path
                    .strip_prefix(&collection)
                    .is_some_and(|rest| rest.matches('/').count() == 1 && rest.starts_with('/'));
            let is_search = path.ends_with("/search/query")
                && (request.contains(&of_type) || request.ends_with(of_type.trim_end()));
            let is_also = row.more.also.iter().any(|part| request.contains(part.as_str()));
            is_collection || is_search || is_also || path == "/api/v1/node/version"
        };
        requests
            .iter()
            .filter(|request| !is_expected(request))
            .cloned()
            .collect()
    }
}
