//! Plans that several functions share: an id, else a name, with the usual words for what is
//! missing.

use netmgr_types::Deployment;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::{ContextInput, ExclusiveInput, NamedInput, PolicyInput, given};
use netmgr_types::wire::ManagedObject;

use crate::lookup::Plan;
use crate::read::{By, ObjectKind, Read, Scope, Tree};
use crate::select::{Choose, NameRule};

/// Adds a filter for the text of a property when a value is given.
macro_rules! filter {
    ($choose:expr, $property:literal, $wanted:expr, $actual:expr) => {
        if let Some(wanted) = $wanted {
            $choose.filters.push($crate::select::Filter {
                property: $property,
                wanted: wanted.to_string(),
                actual: $actual,
                fits: |object, wanted| $actual(object) == wanted,
            });
        }
    };
}
pub(crate) use filter;

/// The selectors that most functions share.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Selectors<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) name: Option<&'a str>,
    pub(crate) description: Option<&'a str>,
}

impl<'a> From<&'a NamedInput> for Selectors<'a> {
    fn from(input: &'a NamedInput) -> Self {
        Self::new(&input.id, &input.display_name, &input.description)
    }
}

impl<'a> From<&'a PolicyInput> for Selectors<'a> {
    fn from(input: &'a PolicyInput) -> Self {
        Self::new(&input.id, &input.display_name, &input.description)
    }
}

impl<'a> From<&'a ExclusiveInput> for Selectors<'a> {
    fn from(input: &'a ExclusiveInput) -> Self {
        Self::new(&input.id, &input.display_name, &input.description)
    }
}

impl<'a> Selectors<'a> {
    /// The selectors of an input; an empty text counts as not given.
    pub(crate) fn new(
        id: &'a Option<String>,
        name: &'a Option<String>,
        description: &'a Option<String>,
    ) -> Self {
        Self {
            id: given(id),
            name: given(name),
            description: given(description),
        }
    }

    /// What to read: by id, else by name.
    pub(crate) fn by(&self) -> Option<By> {
        match (self.id, self.name) {
            (Some(id), _) => Some(By::Id(id.to_owned())),
            (None, Some(name)) => Some(By::Name(name.to_owned())),
            (None, None) => None,
        }
    }

    /// What to read: by id, else by name; a problem when neither is given.
    pub(crate) fn required(&self) -> Result<By, Vec<InvalidProperty>> {
        self.by()
            .ok_or_else(|| vec![InvalidProperty::new("", "give `id` or `displayName`")])
    }

    /// The same, where an id must stand alone.
    pub(crate) fn exclusive(&self) -> Result<By, Vec<InvalidProperty>> {
        let beside = [("displayName", self.name), ("description", self.description)];
        let problems: Vec<InvalidProperty> = beside
            .iter()
            .filter(|(_, value)| self.id.is_some() && value.is_some())
            .map(|(property, _)| {
                InvalidProperty::new(
                    *property,
                    "cannot be given together with `id`, which selects alone",
                )
            })
            .collect();
        if problems.is_empty() {
            self.required()
        } else {
            Err(problems)
        }
    }

    /// How to choose: by name, and by description when one is given.
    pub(crate) fn choose<T: ManagedObject>(&self, rule: NameRule) -> Choose<T> {
        let mut choose = Choose {
            name: self.name.map(|name| (name.to_owned(), rule)),
            filters: Vec::new(),
        };
        filter!(choose, "description", self.description, |object: &T| {
            object.description().unwrap_or_default().to_owned()
        });
        choose
    }
}

/// The plan of a function whose only inputs are id, name and description.
pub(crate) fn named<'a, T: ManagedObject>(
    kind: &'static ObjectKind,
    rule: NameRule,
    input: impl Into<Selectors<'a>>,
    scope: &Scope,
) -> Result<Plan<T>, Vec<InvalidProperty>> {
    let selectors = input.into();
    Ok(Plan::new(
        Read::new(kind, scope, selectors.required()?),
        selectors.choose(rule),
    ))
}

/// The plan of a function whose inputs are id, name, description and a project.
pub(crate) fn in_context<T: ManagedObject>(
    kind: &'static ObjectKind,
    input: &ContextInput,
    scope: &Scope,
) -> Result<Plan<T>, Vec<InvalidProperty>> {
    let selectors = Selectors::new(&input.id, &input.display_name, &input.description);
    let by = selectors.required()?;
    if let Some(context) = &input.context {
        context
            .validate()
            .map_err(|invalid| vec![InvalidProperty::new(invalid.property, invalid.reason)])?;
    }
    let project = input.context.as_ref().map(|context| context.project_id.as_str());
    let read = Read::new(kind, scope, by).in_project(project);
    Ok(Plan::new(read, selectors.choose(NameRule::ExactOrPrefix)))
}

/// What [`site_path`] accepts, for schemas.
pub(crate) const SITE_PATH: &str = "^$|^/.*/sites/[^/]+/*$";

/// A site path in the tree of this kind of manager, without a slash at its end; none when not
/// given.
pub(crate) fn site_path<'a>(
    input: &'a Option<String>,
    scope: &Scope,
) -> Result<Option<&'a str>, Vec<InvalidProperty>> {
    let Some(path) = given(input) else { return Ok(None) };
    let path = path.trim_end_matches('/');
    let refused = |reason: &str| Err(vec![InvalidProperty::new("sitePath", reason)]);
    let base = match path.rsplit_once("/sites/") {
        Some((base, site)) if base.starts_with('/') && !site.is_empty() && !site.contains('/') => base,
        _ => return refused("must be the policy path of a site, such as `/infra/sites/default`"),
    };
    let global = base == Tree::Global.base();
    match scope.deployment {
        Deployment::GlobalManager if !global => refused(
            "must be a site of the global manager, such as `/global-infra/sites/paris`; for another kind of manager, \
             remove `globalManager` from the provider's configuration",
        ),
        Deployment::PolicyManager | Deployment::HostedCloud if global => refused(
            "is a site of a global manager; give a site of this manager, such as `/infra/sites/default`, or set \
             `globalManager` in the provider's configuration",
        ),
        _ => Ok(Some(path)),
    }
}

/// What [`policy_path`] accepts, for schemas.
pub(crate) const POLICY_PATH: &str = "^/(infra|global-infra|orgs)(/[^/]+)+/*$";

/// A required policy path, without a slash at its end.
pub(crate) fn policy_path<'a>(property: &str, text: &'a str) -> Result<&'a str, InvalidProperty> {
    let path = required_text(property, text)?.trim_end_matches('/');
    let trees = ["/infra/", "/global-infra/", "/orgs/"];
    if trees.iter().any(|tree| path.starts_with(tree)) && !path.contains("//") {
        Ok(path)
    } else {
        Err(InvalidProperty::new(
            property,
            "must be a policy path, which begins with `/infra/`, `/global-infra/` or `/orgs/`",
        ))
    }
}

/// A required text; an empty one counts as not given.
pub(crate) fn required_text<'a>(property: &str, text: &'a str) -> Result<&'a str, InvalidProperty> {
    if text.is_empty() {
        Err(InvalidProperty::new(property, "is required"))
    } else {
        Ok(text)
    }
}
