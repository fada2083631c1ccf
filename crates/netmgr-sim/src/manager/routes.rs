//! The URL space: maps calls to reads. Accounts and sessions are not checked here.

use std::sync::Arc;

use http::{Method, StatusCode};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::SimulatedState;
use super::kinds::{CollectionKind, ListFilter, Paging, Place, Root, TreePath};
use super::matcher::texts_at;
use super::paging::{self, Parameters};
use super::realization;
use super::search::Surface;
use super::settings::{ManagerKind, NameFilter};
use super::store::is_marked_for_delete;
use crate::ApiRequest;
use crate::manager_error::ManagerError;

impl SimulatedState {
    pub(super) fn respond(&self, call: &ApiRequest) -> Result<Value, ManagerError> {
        let segments = segments(&call.path)?;
        let names: Vec<&str> = segments.iter().map(String::as_str).collect();
        let (surface, place) = self.surface(&segments).ok_or_else(ManagerError::no_api)?;
        let read = || {
            if call.method == Method::GET {
                Ok(())
            } else {
                Err(ManagerError::method("GET"))
            }
        };
        match names[..] {
            ["api", "v1", "node", "version"] => {
                read()?;
                no_parameters(call)?;
                self.version()
            }
            ["api", "v1", "cluster"] if self.settings.kind != ManagerKind::HostedCloud => {
                read()?;
                no_parameters(call)?;
                Ok(self.cluster())
            }
            ["api", "v1", "search", "query"] | [_, "api", "v1", "search", "query"] => {
                read()?;
                self.search(surface, call)
            }
            _ => {
                let place = place.ok_or_else(ManagerError::no_api)?;
                let path = surface.path(&segments);
                if self.is_absent(&path) {
                    return Err(ManagerError::no_api());
                }
                let Some((kind, target)) = self.target(&place) else {
                    return self.container(&place, &path, call);
                };
                read()?;
                match target {
                    Target::Collection => self.list(kind, &path, call),
                    Target::Object => self.read(kind, &path, call),
                    Target::Part => self.part(kind, &path, call),
                }
            }
        }
    }

    /// The API root that a path starts with, if this kind of manager has it, and the location in its tree.
    fn surface<'a>(&self, segments: &'a [String]) -> Option<(Surface, Option<TreePath<'a>>)> {
        let names: Vec<&str> = segments.iter().take(3).map(String::as_str).collect();
        let (surface, tree) = match names[..] {
            ["api", "v1", ..] => (Surface::Manager, segments),
            ["policy", "api", "v1"] if self.settings.kind != ManagerKind::Global => {
                (Surface::Policy, &segments[3..])
            }
            ["global-manager", "api", "v1"] if self.settings.kind == ManagerKind::Global => {
                (Surface::Global, &segments[3..])
            }
            _ => return None,
        };
        let place = TreePath::of(tree).filter(|place| match (surface, place.root) {
            (Surface::Manager, root) => root == Root::Api,
            (Surface::Global, root) => root == Root::GlobalInfra,
            (Surface::Policy, Root::Infra | Root::GlobalInfra | Root::Access) => true,
            (Surface::Policy, Root::Org | Root::Project | Root::Vpc) => self.settings.has_projects(),
            (Surface::Policy, Root::Api | Root::Inventory) => false,
        });
        Some((surface, place))
    }

    fn target(&self, place: &TreePath<'_>) -> Option<(&'static CollectionKind, Target)> {
        let at = |above, target| {
            let kind = CollectionKind::of(&place.above(above)?)?;
            kind.exists_on(&self.settings).then_some((kind, target))
        };
        let whole = at(0, Target::Collection).map(|(kind, target)| match kind.place {
            Place::Single => (kind, Target::Object),
            _ => (kind, target),
        });
        let object = || at(1, Target::Object).filter(|(kind, _)| kind.place == Place::Collection);
        whole.or_else(object).or_else(|| {
            let (kind, target) = at(2, Target::Part)?;
            let part = place.below.last()?;
            kind.parts.contains(&part.as_str()).then_some((kind, target))
        })
    }

    fn list(
        &self,
        kind: &'static CollectionKind,
        path: &str,
        call: &ApiRequest,
    ) -> Result<Value, ManagerError> {
        let parameters = Parameters::new(&call.query, |name| {
            let of_pages =
                paging::is_paging(name) || kind.is_policy() && name == "include_mark_for_delete_objects";
            kind.paging != Paging::None && of_pages || kind.filters.iter().any(|(filter, _)| *filter == name)
        })?;
        self.check_parent(kind, path)?;
        let deleted = parameters.flag("include_mark_for_delete_objects")? == Some(true);
        let mut rows = match (kind.place, deleted) {
            (Place::Derived(view), _) => match self.recorded.lists.get(path) {
                Some(rows) => rows.clone(),
                None => self.view(view, path, &parameters)?,
            },
            (_, true) => self.store.complete_listing(path).to_vec(),
            (_, false) => self.store.listing(path).to_vec(),
        };
        for (name, filter) in kind.filters {
            self.filter(&mut rows, name, *filter, &parameters)?;
        }
        if rows.is_empty() && kind.resource_type == realization::REALIZED_ENTITY {
            let intent = parameters.require("intent_path")?;
            let body = self.store.get(intent).map(|(_, body)| body);
            rows.extend(body.map(|body| Arc::new(realization::realized(body))));
        }
        let largest = self.settings.max_page_size;
        let mut page = match kind.paging {
            Paging::Cursor => paging::list_page(path, &rows, &parameters, largest)?,
            Paging::Offset => paging::offset_page(&rows, &parameters, largest)?,
            Paging::None => {
                let rows: Vec<&Value> = rows.iter().map(|row| &**row).collect();
                json!({"result_count": rows.len(), "results": rows})
            }
        };
        for (name, filter) in kind.filters {
            if let ListFilter::Without(field) = filter
                && parameters.flag(name)? == Some(true)
            {
                let rows = page["results"].as_array_mut().into_iter().flatten();
                rows.filter_map(Value::as_object_mut)
                    .for_each(|row| drop(row.remove(*field)));
            }
        }
        Ok(page)
    }

    /// Removes the rows that the parameter `name` excludes.
    fn filter(
        &self,
        rows: &mut Vec<Arc<Value>>,
        name: &str,
        filter: ListFilter,
        parameters: &Parameters<'_>,
    ) -> Result<(), ManagerError> {
        match (filter, parameters.get(name)) {
            (ListFilter::SystemOwned, _) => {
                if !parameters.flag(name)?.unwrap_or(self.settings.lists_system_owned) {
                    rows.retain(|row| row["_system_owned"] != true);
                }
            }
            (ListFilter::Required(_), None) => {
                parameters.require(name)?;
            }
            (_, None) | (ListFilter::Accepted | ListFilter::Without(_), _) => {}
            (ListFilter::Name(field), Some(wanted)) if self.settings.name_filter == NameFilter::Prefix => {
                let wanted = wanted.to_lowercase();
                let begins = |name: &String| name.to_lowercase().starts_with(&wanted);
                rows.retain(|row| texts_at(field, row).iter().any(begins));
            }
            (ListFilter::TypeOfTarget(field), Some(wanted)) => {
                let has_type = |path: &String| {
                    let target = self.store.get(path);
                    target.is_some_and(|(_, body)| body["resource_type"] == wanted)
                };
                rows.retain(|row| texts_at(field, row).iter().any(has_type));
            }
            (
                ListFilter::Equals(field) | ListFilter::Required(field) | ListFilter::Name(field),
                Some(wanted),
            ) => {
                rows.retain(|row| texts_at(field, row).iter().any(|value| value == wanted));
            }
            (ListFilter::Presence(field), Some(_)) => {
                let wanted = parameters.flag(name)?.unwrap_or_default();
                rows.retain(|row| texts_at(field, row).is_empty() != wanted);
            }
        }
        Ok(())
    }

    /// A list below an object that does not exist is missing, not empty.
    fn check_parent(&self, kind: &CollectionKind, path: &str) -> Result<(), ManagerError> {
        let names: Vec<&str> = kind.collection.split('/').collect();
        // The names after the last id, or all of them if the collection is directly below a root.
        let own = names.len() - names.iter().rposition(|name| *name == "*").map_or(0, |at| at + 1);
        let parent = path.rsplitn(own + 1, '/').last().unwrap_or_default();
        if self.exists(parent) {
            Ok(())
        } else {
            Err(ManagerError::missing(parent))
        }
    }

    /// Whether the recorded manager has no API at the path.
    fn is_absent(&self, path: &str) -> bool {
        let covers = |absent: &String| {
            path.strip_prefix(absent.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.recorded.absent.iter().any(covers)
    }

    /// Whether lists below the path exist.
    fn exists(&self, path: &str) -> bool {
        let point = match self.settings.kind {
            ManagerKind::HostedCloud => "vmc-enforcementpoint",
            ManagerKind::Local | ManagerKind::Global => "default",
        };
        if let Some(tree) = path.strip_suffix("/domains/default") {
            return self.exists(tree);
        }
        matches!(path, "/api/v1" | "/aaa" | "/infra" | "/global-infra" | "/orgs/default")
            || path == format!("/infra/sites/default/enforcement-points/{point}")
            || path == format!("/infra/realized-state/enforcement-points/{point}")
            || self.store.reaches(path)
            // A project without objects.
            || path.strip_suffix("/infra").is_some_and(|project| self.store.get(project).is_some())
    }

    fn read(&self, kind: &CollectionKind, path: &str, call: &ApiRequest) -> Result<Value, ManagerError> {
        let parameters = Parameters::new(&call.query, |name| kind.read_parameters.contains(&name))?;
        let mut body = Value::clone(self.existing(path)?);
        for child in kind.embeds {
            let children = self.store.listing(&format!("{path}/{child}"));
            body[child] = children.iter().map(|child| Value::clone(child)).collect();
        }
        if parameters.flag("summary")? == Some(true) {
            body.as_object_mut().map(|fields| fields.remove("upgrade_units"));
        }
        Ok(body)
    }

    fn part(&self, kind: &CollectionKind, path: &str, call: &ApiRequest) -> Result<Value, ManagerError> {
        Parameters::new(&call.query, |name| kind.part_parameters.contains(&name))?;
        let (object, part) = path.rsplit_once('/').ok_or_else(ManagerError::no_api)?;
        self.existing(object)?;
        let now = Instant::now();
        Ok(match self.scripts().get_mut(path) {
            Some(script) => script.read(now),
            None => realization::ready(kind.collection, object, part),
        })
    }

    /// The root of a tree, a domain or an enforcement point. Each exists with the objects below it, so that it is in no
    /// inventory.
    fn container(&self, place: &TreePath<'_>, path: &str, call: &ApiRequest) -> Result<Value, ManagerError> {
        let names: Vec<&str> = place.below.iter().map(String::as_str).collect();
        let (resource_type, id) = match (place.root, &names[..]) {
            (Root::Infra | Root::GlobalInfra | Root::Project, []) => ("Infra", "infra"),
            (Root::Org, []) => ("Org", "default"),
            (Root::Infra | Root::GlobalInfra | Root::Project, ["domains", id]) => ("Domain", *id),
            (Root::Infra | Root::GlobalInfra, ["sites", _, "enforcement-points", id]) => {
                ("EnforcementPoint", *id)
            }
            (Root::Infra, ["realized-state", "enforcement-points", id]) => ("RealizedEnforcementPoint", *id),
            _ => return Err(ManagerError::no_api()),
        };
        no_parameters(call)?;
        let (parent, _) = path
            .rsplit_once('/')
            .and_then(|(collection, _)| collection.rsplit_once('/'))
            .unwrap_or_default();
        match self.exists(path) {
            true => Ok(json!({
                "id": id, "display_name": id, "path": path, "parent_path": parent, "relative_path": id,
                "resource_type": resource_type,
            })),
            false => Err(ManagerError::missing(path)),
        }
    }

    pub(super) fn existing(&self, path: &str) -> Result<&Arc<Value>, ManagerError> {
        let found = self.store.get(path).map(|(_, body)| body);
        found
            .filter(|body| !is_marked_for_delete(body))
            .ok_or_else(|| ManagerError::missing(path))
    }

    fn version(&self) -> Result<Value, ManagerError> {
        let settings = &self.settings;
        if settings.refuses_version {
            return Err(ManagerError::new(
                StatusCode::FORBIDDEN,
                401,
                "The account lacks read on this feature.",
            ));
        }
        let node_version = settings.node_version.as_ref().unwrap_or(&settings.version);
        let mut body = json!({"node_version": node_version});
        if settings.reports_product_version {
            body["product_version"] = json!(settings.version);
        }
        Ok(body)
    }

    /// The management cluster, its first node at the address that clients use.
    fn cluster(&self) -> Value {
        let mut body = self.cluster.clone();
        if let Some(endpoint) = &self.settings.endpoint {
            let node = &mut body["nodes"][0];
            node["fqdn"] = json!(endpoint.fqdn);
            let address = &mut node["api_listen_addr"];
            address["ip_address"] = json!(endpoint.ip_address);
            address["fqdn"] = json!(endpoint.fqdn);
            address["port"] = json!(endpoint.port);
            if let Some(thumbprint) = &endpoint.certificate_sha256_thumbprint {
                address["certificate_sha256_thumbprint"] = json!(thumbprint);
            }
        }
        body
    }
}

/// The target of a path below a kind's collection.
#[derive(Debug, Clone, Copy)]
enum Target {
    Collection,
    Object,
    /// `state` or `status` of an object.
    Part,
}

fn segments(path: &str) -> Result<Vec<String>, ManagerError> {
    let path = path.strip_prefix('/').ok_or_else(ManagerError::no_api)?;
    path.split('/')
        .map(|segment| match percent_decode_str(segment).decode_utf8() {
            Ok(text) => Ok(text.into_owned()),
            Err(_) => Err(ManagerError::invalid("The path is not UTF-8.")),
        })
        .collect()
}

fn no_parameters(call: &ApiRequest) -> Result<(), ManagerError> {
    Parameters::new(&call.query, |_| false).map(|_| ())
}
