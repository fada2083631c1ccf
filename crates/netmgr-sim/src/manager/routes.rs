//! The URL space: maps calls to reads. Accounts and sessions are not checked here.

use std::sync::Arc;

use http::{Method, StatusCode};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::SimulatedState;
use super::kinds::{CollectionKind, ListFilter, Root, TreePath};
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
                let (kind, target) = self.target(&place).ok_or_else(ManagerError::no_api)?;
                read()?;
                match target {
                    Target::Collection => self.list(kind, &path, call),
                    Target::Object => self.read(kind, &path, call),
                    Target::Part => self.part(&path, call),
                }
            }
        }
    }

    /// The API root that a path starts with, when this kind of manager has it, and the place in
    /// its tree.
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
            (Surface::Policy, Root::Infra | Root::GlobalInfra) => true,
            // Projects came with 4.1.
            (Surface::Policy, Root::Org | Root::Project | Root::Vpc) => self.settings.is_at_least([4, 1, 0]),
            (Surface::Policy, Root::Api) => false,
        });
        Some((surface, place))
    }

    fn target(&self, place: &TreePath<'_>) -> Option<(&'static CollectionKind, Target)> {
        let at = |above, target| {
            let kind = CollectionKind::of(&place.above(above)?)?;
            kind.exists_on(&self.settings).then_some((kind, target))
        };
        at(0, Target::Collection)
            .or_else(|| at(1, Target::Object))
            .or_else(|| {
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
            kind.paged
                && (paging::is_paging(name)
                    || kind.is_policy() && name == "include_mark_for_delete_objects"
                    || kind.filters.iter().any(|(filter, _)| *filter == name))
        })?;
        self.check_parent(kind, path)?;
        let deleted = parameters.flag("include_mark_for_delete_objects")? == Some(true);
        let listing = match deleted {
            true => self.store.complete_listing(path),
            false => self.store.listing(path),
        };
        let mut rows = listing.to_vec();
        for (name, filter) in kind.filters {
            self.filter(&mut rows, name, *filter, &parameters)?;
        }
        let mut page = if kind.paged {
            paging::list_page(path, &rows, &parameters, self.settings.max_page_size)?
        } else {
            let rows: Vec<&Value> = rows.iter().map(|row| &**row).collect();
            json!({"result_count": rows.len(), "results": rows})
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
            (_, None) | (ListFilter::Accepted | ListFilter::Without(_), _) => {}
            (ListFilter::Name(field), Some(wanted)) if self.settings.name_filter == NameFilter::Prefix => {
                let wanted = wanted.to_lowercase();
                let begins = |name: &String| name.to_lowercase().starts_with(&wanted);
                rows.retain(|row| texts_at(field, row).iter().any(begins));
            }
            (ListFilter::Equals(field) | ListFilter::Name(field), Some(wanted)) => {
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
        let names = kind.collection.split('/').count();
        // What stands between the root and the collection's own name.
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let point = match self.settings.kind {
            ManagerKind::HostedCloud => "vmc-enforcementpoint",
            ManagerKind::Local | ManagerKind::Global => "default",
        };
        let always = kind.roots == [Root::Api]
            || names == 1 && matches!(parent, "/infra" | "/global-infra" | "/orgs/default")
            || kind.collection.starts_with("settings/")
            || parent == format!("/infra/sites/default/enforcement-points/{point}");
        // A project that has nothing in this collection yet.
        let project = parent
            .strip_suffix("/infra")
            .filter(|_| kind.roots.contains(&Root::Project));
        if always || self.store.reaches(parent) || project.is_some_and(|path| self.store.get(path).is_some())
        {
            Ok(())
        } else {
            Err(ManagerError::missing(parent))
        }
    }

    fn read(&self, kind: &CollectionKind, path: &str, call: &ApiRequest) -> Result<Value, ManagerError> {
        let parameters = Parameters::new(&call.query, |name| kind.read_parameters.contains(&name))?;
        let mut body = Value::clone(self.existing(path)?);
        if parameters.flag("summary")? == Some(true) {
            body.as_object_mut().map(|fields| fields.remove("upgrade_units"));
        }
        Ok(body)
    }

    fn part(&self, path: &str, call: &ApiRequest) -> Result<Value, ManagerError> {
        no_parameters(call)?;
        let (object, part) = path.rsplit_once('/').ok_or_else(ManagerError::no_api)?;
        self.existing(object)?;
        let now = Instant::now();
        Ok(match self.scripts().get_mut(path) {
            Some(script) => script.read(now),
            None => realization::ready(object, part),
        })
    }

    fn existing(&self, path: &str) -> Result<&Arc<Value>, ManagerError> {
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

/// What a path below a kind's collection names.
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
