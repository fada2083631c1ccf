//! The resources of the provider `nsxt`, and how they are imported. The facts are in `resources.tsv`.

use std::sync::LazyLock;

use heck::{ToLowerCamelCase as _, ToUpperCamelCase as _};
use netmgr_lookups::typed::AnyObject;
use serde_json::Value;

/// The table of resources: tab-separated, one row for each type of object and place.
static RESOURCES: LazyLock<Vec<ImportableResource>> = LazyLock::new(|| {
    let lines = include_str!("resources.tsv").lines();
    let rows = lines.filter(|line| !line.starts_with('#'));
    rows.map(ImportableResource::of_row).collect()
});

/// A resource, for the objects of a type in one place.
#[derive(Debug)]
pub(super) struct ImportableResource {
    /// The manager's type of the objects.
    object_type: &'static str,
    /// Its name in Terraform: `nsxt_policy_group`.
    pub(super) name: &'static str,
    form: ImportForm,
    /// Whether the provider reads objects in projects.
    in_projects: bool,
    /// Path of the objects, in which `*` stands for an id.
    path: &'static str,
    /// The member that objects must have.
    member: Option<&'static str>,
    /// The first version of the provider with this resource, if it is later than 3.8.0.
    pub(super) since: Option<&'static str>,
}

/// The form of the ids in imports of a resource.
#[derive(Debug, Clone, Copy)]
enum ImportForm {
    /// Its policy path.
    Path,
    /// The policy path of its parent.
    Parent,
    /// Its id.
    Id,
    /// All ids of its path, separated by `/`.
    Ids,
}

/// Why an object is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LeftOut(pub(super) &'static str);

impl LeftOut {
    pub(super) const SYSTEM: Self = Self("predefined or owned by the system");
    pub(super) const PROTECTED: Self = Self("protected");
    pub(super) const DELETED: Self = Self("marked for deletion");
    pub(super) const GLOBAL: Self = Self("of the global manager");
    const NO_RESOURCE: Self = Self("nsxt has no resource for it");
    const OTHER_PLACE: Self = Self("nsxt does not import objects of this place");
}

impl ImportableResource {
    fn of_row(row: &'static str) -> Self {
        let mut cells = row.split('\t');
        let mut cell = || cells.next().expect("a row has seven cells");
        let given = |text: &'static str| Some(text).filter(|text| *text != "-");
        Self {
            object_type: cell(),
            name: cell(),
            form: match cell() {
                "path" => ImportForm::Path,
                "parent" => ImportForm::Parent,
                "id" => ImportForm::Id,
                "ids" => ImportForm::Ids,
                _ => unreachable!("the table has no other form"),
            },
            in_projects: cell() == "all",
            path: cell(),
            member: given(cell()),
            since: given(cell()),
        }
    }

    /// The resource for an object, and the id that imports it.
    pub(super) fn of(object: &AnyObject) -> Result<(&'static Self, String), LeftOut> {
        let mut reason = LeftOut::NO_RESOURCE;
        let of_type = RESOURCES
            .iter()
            .filter(|resource| resource.object_type == object.resource_type);
        for resource in of_type {
            reason = LeftOut::OTHER_PLACE;
            let has_member = resource.member.is_none_or(|member| {
                let value = object.object.get(member).and_then(Value::as_array);
                value.is_some_and(|items| !items.is_empty())
            });
            if let Some(id) = resource.import_id(&object.path).filter(|_| has_member) {
                return Ok((resource, id));
            }
        }
        Err(reason)
    }

    /// The id that imports the object at a path, if the path fits.
    fn import_id(&self, path: &str) -> Option<String> {
        let (project, place) = within_tree(path);
        if project && !self.in_projects {
            return None;
        }
        let (segments, pattern) = (place.split('/'), self.path.split('/'));
        if segments.clone().count() != pattern.clone().count() {
            return None;
        }
        let mut ids = Vec::new();
        for (segment, pattern) in segments.zip(pattern) {
            match pattern {
                "*" => ids.push(segment),
                words if words.split('|').any(|word| word == segment) => {}
                "infra" if segment == "global-infra" => {}
                _ => return None,
            }
        }
        Some(match self.form {
            ImportForm::Path => path.to_owned(),
            ImportForm::Parent => path.rsplit_once('/')?.0.to_owned(),
            ImportForm::Id => (*ids.last()?).to_owned(),
            ImportForm::Ids => ids.join("/"),
        })
    }

    /// The name of the resource with this type in Pulumi.
    pub(super) fn of_pulumi(kind: &str) -> Option<&'static str> {
        let mut names = RESOURCES.iter().map(|resource| resource.name);
        names.find(|name| pulumi_type(name) == kind)
    }

    /// The policy paths that a resource of this name can have after an import with an id.
    pub(super) fn paths(name: &str, id: &str) -> Vec<String> {
        let resources = RESOURCES.iter().filter(|resource| resource.name == name);
        let paths = resources.flat_map(|resource| {
            let ids: Vec<&str> = match resource.form {
                ImportForm::Path if id.starts_with('/') => return vec![id.to_owned()],
                // Other rows of the resource have the same last segment.
                ImportForm::Parent if id.starts_with('/') => {
                    let last = resource.path.rsplit('/').next().unwrap_or_default();
                    return vec![format!("{id}/{last}")];
                }
                _ => id.split('/').collect(),
            };
            let is_complete = resource.path.matches('*').count() == ids.len();
            let mut ids = ids.into_iter();
            let segments = resource.path.split('/').map(|segment| match segment {
                "*" => ids.next().unwrap_or_default(),
                other => other,
            });
            let path = segments.collect::<Vec<_>>().join("/");
            let global = path.replacen("/infra/", "/global-infra/", 1);
            match is_complete && !path.contains('|') {
                true => vec![path, global],
                false => Vec::new(),
            }
        });
        paths.collect()
    }
}

/// The type of a resource in the provider as Pulumi bridges it.
pub(super) fn pulumi_type(name: &str) -> String {
    let bare = name.strip_prefix("nsxt_").unwrap_or(name);
    let (module, class) = (bare.to_lower_camel_case(), bare.to_upper_camel_case());
    format!("nsxt:index/{module}:{class}")
}

/// Whether an object is in a project.
pub(super) fn is_in_project(path: &str) -> bool {
    within_tree(path).0
}

/// Whether a path is in a project, and the path from the tree or the project on.
fn within_tree(path: &str) -> (bool, &str) {
    let place = path.strip_prefix("/orgs/").and_then(|rest| {
        let (_, rest) = rest.split_once("/projects/")?;
        rest.find('/').map(|end| &rest[end..])
    });
    (place.is_some(), place.unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use netmgr_lookups::Lookups;
    use serde_json::json;

    use super::*;

    fn object(resource_type: &str, path: &str) -> AnyObject {
        let mut object = AnyObject::default();
        object.resource_type = resource_type.to_owned();
        object.path = path.to_owned();
        object
    }

    fn import(resource_type: &str, path: &str) -> Result<(&'static str, String), LeftOut> {
        ImportableResource::of(&object(resource_type, path)).map(|(resource, id)| (resource.name, id))
    }

    #[test]
    fn every_row_is_about_a_known_type_and_is_used() {
        let types: BTreeSet<String> = Lookups::object_types().into_iter().collect();
        for resource in RESOURCES.iter() {
            assert!(types.contains(resource.object_type), "{resource:?}");
            let path = resource.path.replace("tier-0s|", "").replace('*', "x");
            let path = match path.strip_prefix("/infra") {
                None if !path.starts_with("/orgs/") => format!("/orgs/default/projects/x{path}"),
                _ => path,
            };
            let mut object = object(resource.object_type, &path);
            if let Some(member) = resource.member {
                object.object.insert(member.to_owned(), json!(["1"]));
            }
            let (found, id) = ImportableResource::of(&object).unwrap();
            assert_eq!(found.name, resource.name, "{path}");
            assert!(
                ImportableResource::paths(found.name, &id).contains(&path),
                "{path} is not found again from {id}"
            );
        }
    }

    #[test]
    fn the_import_id_has_the_form_of_the_resource() {
        let path = "/infra/domains/default/groups/web";
        assert_eq!(import("Group", path), Ok(("nsxt_policy_group", path.to_owned())));
        assert_eq!(
            import("Tier0", "/infra/tier-0s/t0"),
            Ok(("nsxt_policy_tier0_gateway", "t0".to_owned()))
        );
        assert_eq!(
            import(
                "Tier0Interface",
                "/infra/tier-0s/t0/locale-services/ls/interfaces/if"
            ),
            Ok(("nsxt_policy_tier0_gateway_interface", "t0/ls/if".to_owned()))
        );
        assert_eq!(
            import("PolicyDnsForwarder", "/infra/tier-1s/t1/dns-forwarder"),
            Ok((
                "nsxt_policy_gateway_dns_forwarder",
                "/infra/tier-1s/t1".to_owned()
            ))
        );
        let path = "/orgs/default/projects/dev/vpcs/a/groups/web";
        assert_eq!(import("Group", path), Ok(("nsxt_vpc_group", path.to_owned())));
    }

    #[test]
    fn objects_without_a_resource_cannot_be_imported() {
        assert_eq!(
            import("TlsCertificate", "/infra/certificates/web"),
            Err(LeftOut::NO_RESOURCE)
        );
        assert_eq!(
            import("LBPool", "/orgs/default/projects/dev/infra/lb-pools/web"),
            Err(LeftOut::OTHER_PLACE)
        );
        assert_eq!(
            import("Group", "/infra/domains/default/other/groups/web"),
            Err(LeftOut::OTHER_PLACE)
        );
    }
}
