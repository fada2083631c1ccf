//! Registry entries: lookup functions with erased types.

use netmgr_types::{Deployment, Host, InvalidProperty, input, schema, sensitive};
use schemars::Schema;
use serde_json::Value;

use crate::contract::answer::OBJECT;
use crate::contract::function::{Invocation, Lookup};
use crate::contract::spec::{FunctionGroup, LookupSpec};
use crate::finding::object_kind::{CollectionPlace, ObjectKind};
use crate::finding::read::Scope;

/// Inputs that select an object. Lists have none of them.
const SELECTORS: &[&str] = &["id", "displayName", "description", "path"];

/// A lookup function with erased types.
#[derive(Clone, Copy)]
pub struct FunctionEntry {
    /// Facts about the function.
    pub spec: LookupSpec,
    /// Its subject.
    pub group: FunctionGroup,
    /// JSON schema of its input.
    pub input_schema: fn() -> Schema,
    /// JSON schema of its output.
    pub output_schema: fn() -> Schema,
    kinds: &'static [&'static ObjectKind],
    /// Whether the function selects from a collection, which can be listed.
    is_listed: bool,
    /// Decodes and checks an input, and determines what the function does with it.
    pub(crate) decode: fn(Value, &Scope) -> Result<AnyInvocation, Vec<InvalidProperty>>,
}

/// An invocation of any function, whose output is JSON.
pub(crate) type AnyInvocation = Invocation<Value>;

impl FunctionEntry {
    /// The entry of `L`.
    #[must_use]
    pub(crate) const fn of<L: Lookup>() -> Self {
        Self {
            spec: L::SPEC,
            // Set by the list of all functions.
            group: FunctionGroup::System,
            input_schema: schema::input::<L>,
            output_schema: schema::output::<L::Output>,
            kinds: L::KINDS,
            is_listed: false,
            decode: |input, scope| {
                let lookup: L = input::decode(input).map_err(|problem| vec![problem])?;
                Ok(lookup
                    .invocation(scope)?
                    .map(|output| redacted(serde_json::to_value(output))))
            },
        }
    }

    /// The entry of `L`, which selects an object of a collection.
    #[must_use]
    pub(crate) const fn of_objects<L: Lookup>() -> Self {
        Self {
            is_listed: true,
            ..Self::of::<L>()
        }
    }

    /// The problems of an input that exist on every kind of manager. Needs no client and sends nothing. A lookup
    /// with an input that passes can still fail on a manager on which more inputs are required.
    #[must_use]
    pub fn check(&self, input: Value) -> Vec<InvalidProperty> {
        let scopes = [
            Deployment::PolicyManager,
            Deployment::GlobalManager,
            Deployment::HostedCloud,
        ]
        .map(|deployment| Scope {
            deployment,
            enforcement_point: "default".to_owned(),
            host: Host::parse("localhost").expect("it is a host"),
            tolerate_partial_success: false,
        });
        let problems = |scope| (self.decode)(input.clone(), scope).err().unwrap_or_default();
        let [mut problems, others @ ..] = scopes.each_ref().map(problems);
        for others in others {
            problems.retain(|problem| others.contains(problem));
        }
        problems
    }

    /// Kinds of the objects that the function reads, its own first. Members of groups follow from the groups.
    pub fn kinds(&self) -> impl Iterator<Item = &'static ObjectKind> {
        let is_derived =
            |kind: &ObjectKind| kind.is_inventory && matches!(kind.place, CollectionPlace::Nested(_));
        self.kinds.iter().copied().filter(move |kind| !is_derived(kind))
    }

    /// Whether the function selects one of the objects of a collection, which can be listed.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// Whether the function selects an object, all members of which [`Answer::object`](crate::Answer::object) returns.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_listed || self.has_object()
    }

    /// Whether the function returns the object itself.
    pub(crate) fn has_object(&self) -> bool {
        let schema = (self.output_schema)();
        let outputs = schema.get("properties");
        outputs.is_some_and(|outputs| outputs.get(OBJECT).is_some())
    }

    /// Names of the inputs of a list: inputs that select the collection or filter, but do not select one object.
    #[must_use]
    pub fn list_inputs(&self) -> Vec<String> {
        let schema = (self.input_schema)();
        let properties = schema.get("properties").and_then(Value::as_object);
        let names = properties.into_iter().flatten().map(|(name, _)| name.clone());
        names
            .filter(|name| {
                let name = name.as_str();
                let spec = &self.spec;
                let is_of_object = SELECTORS.contains(&name) || spec.completed.contains(&name);
                !is_of_object && !spec.without_effect.contains(&name)
            })
            .collect()
    }
}

/// An output without texts with secrets, except in the object itself, if the input requests them.
fn redacted(output: serde_json::Result<Value>) -> Value {
    let mut output = output.expect("outputs are JSON objects");
    let outputs = output.as_object_mut().into_iter().flatten();
    let others = outputs.filter(|(name, _)| *name != OBJECT);
    others.for_each(|(name, output)| sensitive::redact_texts(name, output));
    output
}

impl std::fmt::Debug for FunctionEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FunctionEntry")
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

/// The entries of all groups, sorted by name.
pub(crate) fn sorted(
    groups: impl Iterator<Item = (FunctionGroup, &'static [FunctionEntry])>,
) -> Vec<FunctionEntry> {
    let entries = groups
        .flat_map(|(group, entries)| entries.iter().map(move |entry| FunctionEntry { group, ..*entry }));
    let mut entries: Vec<FunctionEntry> = entries.collect();
    entries.sort_unstable_by_key(|entry| entry.spec.name);
    entries
}

#[cfg(test)]
mod tests;
