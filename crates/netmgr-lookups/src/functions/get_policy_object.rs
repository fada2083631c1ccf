//! `getPolicyObject`: a policy object of any type.

use std::sync::Arc;

use derive_setters::Setters;
use netmgr_types::shapes::{GlobalContext, Tag, given};
use netmgr_types::{InvalidProperty, PolicyPath, object};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::contract::context::LookupContext;
use crate::contract::error::{Error, Place};
use crate::contract::function::{Invocation, Lookup};
use crate::contract::spec::LookupSpec;
use crate::declared::EVERYWHERE;
use crate::declared::paths::optional;
use crate::finding::find::select_object;
use crate::finding::object_kind::ObjectKind;
use crate::finding::object_types::has_parts;
use crate::finding::place::ObjectPlace;
use crate::finding::plan::{InputSelectors, Plan, any_path};
use crate::finding::project;
use crate::finding::read::Scope;
use crate::finding::selection::NameRule;
use crate::finding::tree::Tree;
use crate::functions::any_object::{AnyObject, at_path};

/// Finds a policy object of any type, by its path, or by its type and its id or display name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "PolicyObjectInput", description = "Input of `getPolicyObject`.")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetPolicyObject {
    /// Project that the object belongs to, or the global manager. By default, objects of this manager outside all
    /// projects are searched. Cannot be combined with `path`.
    #[serde(default, deserialize_with = "object::optional")]
    pub context: Option<GlobalContext>,
    /// Display name of the object. Must match exactly. Requires `resourceType`.
    pub display_name: Option<String>,
    /// Id of the object. Takes precedence over its display name. Requires `resourceType`.
    pub id: Option<String>,
    /// Whether `object` includes secret members. It is then a secret.
    pub include_sensitive: Option<bool>,
    /// Result if the object is missing: `error`, or `null`, which sets `exists` to false. Default `error`.
    #[schemars(extend("enum" = ["", "error", "null"], "default" = "error"))]
    pub on_missing: Option<String>,
    /// Policy path of an ancestor of the object, at any depth. Requires `resourceType`.
    #[schemars(regex(pattern = optional(&PolicyPath::pattern(&[]))))]
    pub parent_path: Option<String>,
    /// Policy path. This or `resourceType` is required.
    #[schemars(regex(pattern = optional(&PolicyPath::pattern(&[]))))]
    pub path: Option<String>,
    /// Type of the object, such as `Group`. Requires `id` or `displayName`.
    pub resource_type: Option<String>,
}

/// Output of `getPolicyObject`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FoundObject {
    /// Description; empty if there is none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Whether the object exists. If not, strings and lists are empty, and `object` is absent.
    pub exists: bool,
    /// Id.
    pub id: String,
    /// The object as the manager sent it, without secret members unless `includeSensitive` is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-secret-if" = "includeSensitive"))]
    pub object: Option<Map<String, Value>>,
    /// Policy path of the parent.
    pub parent_path: String,
    /// Policy path; empty if the object is part of the inventory.
    pub path: String,
    /// Type, such as `Group`.
    pub resource_type: String,
    /// Tags.
    pub tags: Vec<Tag>,
}

impl FoundObject {
    /// The object, if it exists.
    #[must_use]
    pub fn into_object(self) -> Option<AnyObject> {
        self.exists.then(|| AnyObject {
            description: self.description,
            display_name: self.display_name,
            id: self.id,
            object: self.object.unwrap_or_default(),
            parent_path: self.parent_path,
            path: self.path,
            resource_type: self.resource_type,
            tags: self.tags,
        })
    }
}

/// Selection from the inputs.
enum Selected {
    Path(String, Tree),
    OfType(Plan),
}

impl GetPolicyObject {
    /// Selects the object at this policy path.
    pub fn at(path: impl Into<String>) -> Self {
        Self::default().path(path)
    }

    /// Selects the object of a type with this display name. Must match exactly.
    pub fn named(resource_type: impl Into<String>, display_name: impl Into<String>) -> Self {
        Self::default()
            .resource_type(resource_type)
            .display_name(display_name)
    }

    fn selected(&self, scope: &Scope) -> Result<Selected, Vec<InvalidProperty>> {
        let mut problems = Vec::new();
        if !["", "error", "null"].contains(&self.on_missing.as_deref().unwrap_or_default()) {
            problems.push(InvalidProperty::new(
                "onMissing",
                "must be one of `error`, `null`",
            ));
        }
        let others = [
            ("displayName", given(&self.display_name).is_some()),
            ("id", given(&self.id).is_some()),
            ("parentPath", given(&self.parent_path).is_some()),
            ("resourceType", given(&self.resource_type).is_some()),
            ("context", self.context.is_some()),
        ];
        let selected = match (given(&self.path), given(&self.resource_type)) {
            (Some(path), _) => {
                let beside = others.iter().filter(|(_, is_set)| *is_set);
                problems.extend(
                    beside.map(|(name, _)| InvalidProperty::new(*name, "cannot be combined with `path`")),
                );
                let path = any_path("path", path, scope);
                path.map(|(path, tree)| Selected::Path(path.to_owned(), tree))
                    .map_err(|problem| vec![problem])
            }
            (None, Some(name)) => self.of_type(name, scope).map(Selected::OfType),
            (None, None) => Err(vec![InvalidProperty::new(
                "",
                "`path`, or `resourceType` with `id` or `displayName`, is required",
            )]),
        };
        match selected {
            Ok(selected) if problems.is_empty() => Ok(selected),
            Ok(_) => Err(problems),
            Err(others) => Err(problems.into_iter().chain(others).collect()),
        }
    }

    fn of_type(&self, name: &str, scope: &Scope) -> Result<Plan, Vec<InvalidProperty>> {
        let place = ObjectPlace::of(&self.context, &self.parent_path, scope)?;
        let kind = place
            .kind("resourceType", name)
            .map_err(|problem| vec![problem])?;
        let inputs = InputSelectors {
            id: given(&self.id),
            name: given(&self.display_name),
            description: None,
        };
        let read = place.read(kind, scope, inputs.by()?);
        Ok(Plan::new(read, inputs.criteria(NameRule::Exact)))
    }
}

impl Lookup for GetPolicyObject {
    type Output = FoundObject;
    const SPEC: LookupSpec = LookupSpec {
        availability: EVERYWHERE,
        has_counterpart: false,
        example: r#"{"path": "/infra/domains/default/groups/web-servers"}"#,
        ..LookupSpec::new(
            "getPolicyObject",
            "object",
            "Finds a policy object of any type by path, or by type and id or display name.",
        )
    };

    const KINDS: &'static [&'static ObjectKind] = &[];

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let selected = self.selected(scope)?;
        Ok(Invocation::own(|cx| Box::pin(self.run(cx, selected))))
    }
}

impl GetPolicyObject {
    async fn run(self, cx: &LookupContext<'_>, selected: Selected) -> Result<FoundObject, Error> {
        let (found, project) = match selected {
            Selected::Path(path, tree) => {
                let found = at_path(cx, &path, &tree).await;
                (found.map(|json| (json, path)), None)
            }
            Selected::OfType(plan) => {
                let tree = plan.read.tree.clone();
                (of_type(cx, plan).await, Some(tree))
            }
        };
        match found {
            Ok((json, path)) => {
                let whole = match (self.include_sensitive, &json) {
                    (Some(true), Value::Object(members)) => Some(members.clone()),
                    _ => None,
                };
                let mut found = AnyObject::without_secrets(json, &path);
                found.object = whole.unwrap_or(found.object);
                Ok(found.into())
            }
            Err(error) if self.on_missing.as_deref() == Some("null") && is_absence(&error) => {
                match project {
                    // An unknown project is a mistake, and not a project without the object.
                    Some(Tree::Project(id)) if project::is_unknown(cx, &id).await => Err(error),
                    _ => Ok(FoundObject::default()),
                }
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether an error shows that an object is missing. An incomplete answer does not, and an unknown collection is a
/// mistake.
fn is_absence(error: &Error) -> bool {
    matches!(error, Error::NotFound { incomplete: None, clues, .. } if clues.missing != Some(Place::Collection))
}

/// The object that `plan` selects, and its path.
async fn of_type(cx: &LookupContext<'_>, plan: Plan) -> Result<(Value, String), Error> {
    let tree = plan.read.tree.clone();
    let found = Arc::unwrap_or_clone(select_object(cx, plan).await?).into_json();
    let path = found["path"].as_str().unwrap_or_default().to_owned();
    match has_parts(PolicyPath::trusted(&path).collection_name()) {
        true => Ok((at_path(cx, &path, &tree).await?, path)),
        false => Ok((found, path)),
    }
}

impl From<AnyObject> for FoundObject {
    fn from(found: AnyObject) -> Self {
        Self {
            description: found.description,
            display_name: found.display_name,
            exists: true,
            id: found.id,
            object: Some(found.object),
            parent_path: found.parent_path,
            path: found.path,
            resource_type: found.resource_type,
            tags: found.tags,
        }
    }
}
