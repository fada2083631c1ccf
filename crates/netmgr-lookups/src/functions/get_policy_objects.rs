//! `getPolicyObjects`: policy objects of any type.

use std::collections::BTreeMap;
use std::sync::Arc;

use derive_setters::Setters;
use futures_util::future::try_join_all;
use netmgr_types::shapes::{GlobalContext, given};
use netmgr_types::wire::ManagedObject;
use netmgr_types::{InvalidProperty, PolicyPath, number, object};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::{Candidate, Error, LISTED};
use crate::contract::function::{Invocation, Lookup};
use crate::contract::spec::{LookupSpec, ResultKind};
use crate::declared::EVERYWHERE;
use crate::declared::paths::optional;
use crate::finding::names;
use crate::finding::object_kind::ObjectKind;
use crate::finding::object_types::ObjectType;
use crate::finding::place::ObjectPlace;
use crate::finding::project;
use crate::finding::read::{By, KeyField, Read, Scope};
use crate::finding::tag_filter::TagCondition;
use crate::functions::any_object::{AnyObject, EVERYTHING, visit_texts};

/// Default of the input `limit`.
const LIMIT: u32 = 1000;
/// Objects of all types.
const ANY: ObjectKind = ObjectKind::anywhere("object", "");

const NAME_CONTAINS: &[KeyField] = &[KeyField::Within("display_name")];
const TAG_SCOPE: &[KeyField] = &[KeyField::Whole("tags.scope")];
const TAG: &[KeyField] = &[KeyField::Whole("tags.tag")];

/// Lists policy objects of any type by name, tag and location.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "PolicyObjectsInput", description = "Input of `getPolicyObjects`.")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetPolicyObjects {
    /// Whether to search all projects, VPCs and the inventory, such as virtual machines. `context` and `parent_path` have no
    /// effect then. Default false. Only for programs in Rust: no schema has this input.
    #[serde(skip)]
    pub anywhere: bool,
    /// Project that the objects belong to, or the global manager. By default, objects of this manager outside all
    /// projects are searched.
    #[serde(default, deserialize_with = "object::optional")]
    pub context: Option<GlobalContext>,
    /// Display name of the objects. Must match exactly.
    pub display_name: Option<String>,
    /// Value of a member that the objects must have, in addition to the other inputs. By default, members are not compared.
    /// Only for programs in Rust: no schema has this input.
    #[serde(skip)]
    pub key: Option<MemberValue>,
    /// Maximum number of objects. More objects are an error. Default 1000.
    #[serde(default, deserialize_with = "number::whole")]
    #[schemars(extend("default" = LIMIT))]
    pub limit: Option<u32>,
    /// Part of the display name, ignoring case.
    pub name_contains: Option<String>,
    /// Prefix of the display name.
    pub name_prefix: Option<String>,
    /// Policy path of an ancestor of the objects, at any depth. `/orgs/default` contains all projects.
    #[schemars(regex(pattern = optional(&PolicyPath::pattern(&[]))))]
    pub parent_path: Option<String>,
    /// Types of the objects, such as `Group`. Default: all policy objects.
    pub resource_types: Option<Vec<String>>,
    /// Value of a tag that the objects must have.
    pub tag: Option<String>,
    /// Scope of a tag that the objects must have.
    pub tag_scope: Option<String>,
}

/// A value of a member, compared without case in the composed form of Unicode (NFC).
///
/// The manager searches the members that [`MemberValue::of`] names. Of the objects that it returns, those with the value in
/// any member are kept, because the members of a search are not always those of the object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberValue {
    fields: &'static [KeyField],
    value: String,
}

impl MemberValue {
    /// A value of one of `fields`, the members in the search index: `KeyField::Whole("attachment.id")`.
    pub fn of(fields: &'static [KeyField], value: impl Into<String>) -> Self {
        let value = value.into();
        Self { fields, value }
    }

    fn fits(&self, object: &ManagedObject) -> bool {
        let folded = |text: &str| names::composed(text).to_lowercase();
        let wanted = folded(&self.value);
        let mut found = false;
        for (name, member) in object.members() {
            visit_texts(member, name, &mut |_, text| {
                found = found || folded(text) == wanted
            });
        }
        found
    }
}

/// Output of `getPolicyObjects`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AnyObjects {
    /// A constant.
    pub id: String,
    /// All matching objects, sorted by path.
    pub objects: Vec<AnyObject>,
}

impl GetPolicyObjects {
    /// Selects all policy objects.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The reads of the objects, one for each type.
    fn reads_of(&self, scope: &Scope) -> Result<Vec<Read>, Vec<InvalidProperty>> {
        let mut problems = Vec::new();
        let names = [
            ("displayName", &self.display_name),
            ("nameContains", &self.name_contains),
            ("namePrefix", &self.name_prefix),
        ];
        let mut names = names.iter().filter(|(_, name)| given(name).is_some());
        if let Some((first, _)) = names.next() {
            let reason = format!("cannot be combined with `{first}`");
            problems.extend(names.map(|(other, _)| InvalidProperty::new(*other, &*reason)));
        }
        let place = ObjectPlace::of(&self.context, &self.parent_path, scope);
        let place = match place {
            Ok(place) => place,
            Err(others) => return Err(problems.into_iter().chain(others).collect()),
        };
        let types = self.resource_types.as_deref().unwrap_or_default();
        let kinds = types.iter().enumerate();
        let kinds = kinds.map(|(index, name)| {
            let property = format!("resourceTypes[{index}]");
            match self.anywhere {
                true => ObjectType::named(name)
                    .map(ObjectType::everywhere)
                    .map_err(|reason| InvalidProperty::new(property, reason)),
                false => place.kind(&property, name).map(ObjectType::wherever),
            }
        });
        let mut named: Vec<&ObjectKind> = Vec::new();
        let mut reads = Vec::new();
        for kind in kinds {
            match kind {
                // A type that is named twice is read once.
                Ok(kind) if named.iter().any(|earlier| std::ptr::eq(*earlier, kind)) => {}
                Ok(kind) => {
                    named.push(kind);
                    reads.push(place.read(kind, scope, self.by()));
                }
                Err(problem) => problems.push(problem),
            }
        }
        if reads.is_empty() {
            let kind = if self.anywhere { &EVERYTHING } else { &ANY };
            reads.push(place.read(kind, scope, self.by()));
        }
        match problems.is_empty() {
            true => Ok(reads),
            false => Err(problems),
        }
    }

    /// Criterion of the search. Each object is compared with all inputs.
    fn by(&self) -> By {
        let key = |fields: &'static [KeyField], value: &str| By::Key {
            fields,
            value: value.to_owned(),
        };
        if let Some(MemberValue { fields, value }) = &self.key {
            return key(fields, value);
        }
        let name = given(&self.display_name).or(given(&self.name_prefix));
        match (given(&self.tag), given(&self.tag_scope)) {
            (Some(tag), _) => key(TAG, tag),
            (None, Some(scope)) => key(TAG_SCOPE, scope),
            (None, None) => match (name, given(&self.name_contains)) {
                (Some(name), _) => By::Name(name.to_owned()),
                (None, Some(part)) => key(NAME_CONTAINS, part),
                (None, None) => By::All,
            },
        }
    }

    fn fits(&self, object: &ManagedObject) -> bool {
        let name = object.name();
        let is_named = given(&self.display_name).is_none_or(|wanted| names::is_same(name, wanted))
            && given(&self.name_prefix).is_none_or(|wanted| names::begins(name, wanted))
            && given(&self.name_contains)
                .is_none_or(|part| name.to_lowercase().contains(&part.to_lowercase()));
        is_named
            && TagCondition::of(&self.tag_scope, &self.tag).fits(&object.tags())
            && self.key.as_ref().is_none_or(|key| key.fits(object))
    }
}

impl Lookup for GetPolicyObjects {
    type Output = AnyObjects;
    const SPEC: LookupSpec = LookupSpec {
        availability: EVERYWHERE,
        has_counterpart: false,
        answer: ResultKind::Table,
        own_errors: &[("ambiguous", "more objects than `limit` match")],
        example: r#"{"namePrefix": "web", "tagScope": "tier"}"#,
        ..LookupSpec::new(
            "getPolicyObjects",
            "object",
            "Lists policy objects of any type by name, tag and location.",
        )
    };

    const KINDS: &'static [&'static ObjectKind] = &[];

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let reads = self.reads_of(scope)?;
        Ok(Invocation::own(|cx| Box::pin(self.run(cx, reads))))
    }
}

impl GetPolicyObjects {
    async fn run(self, cx: &LookupContext<'_>, reads: Vec<Read>) -> Result<AnyObjects, Error> {
        let place = reads.first().cloned();
        let limit = self.limit.unwrap_or(LIMIT).try_into().unwrap_or(usize::MAX);
        let criteria = Arc::new(self);
        let lists = reads.into_iter().map(async |read| {
            let criteria = Arc::clone(&criteria);
            let keep = move |object: &ManagedObject| criteria.fits(object).then(|| object.clone());
            cx.collect_all(&Arc::new(read), limit.saturating_add(1), keep)
                .await
        });
        let (lists, totals): (Vec<_>, Vec<usize>) = try_join_all(lists).await?.into_iter().unzip();
        let total: usize = totals.into_iter().sum();
        let by_place = |object: ManagedObject| {
            let path = object.path().unwrap_or_default().to_owned();
            // Objects of the inventory have no path, and those of two types can have the same id.
            let kind = object.resource_type().unwrap_or_default().to_owned();
            ((path, object.id().to_owned(), kind), object)
        };
        let found: BTreeMap<_, _> = lists.into_iter().flatten().map(by_place).collect();
        if total > limit {
            let first = found.values().take(LISTED).map(Candidate::of).collect();
            let what = format!("{total} objects match, but `limit` is {limit}");
            return Err(cx.ambiguous(what, first, total, None, None));
        }
        if let Some(read) = place.filter(|_| total == 0)
            && let Some(error) = project::missing(cx, &read, "no object matches".to_owned(), None).await
        {
            return Err(error);
        }
        let objects = found.into_values();
        Ok(AnyObjects {
            id: cx.spec.name.to_owned(),
            objects: objects
                .map(|object| AnyObject::without_secrets(object.into_json(), ""))
                .collect(),
        })
    }
}
