//! Own values of a program for the children of a component: which children there are, and what the program gives them.
//! `merge` adds the values to registrations; checks are in `check`.

mod check;
mod merge;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::components::decode::{Decode, UNKNOWN, open};
use crate::components::error::{ConstructError, InputFailure, InputProblems};
use crate::components::output::{Output, OutputData};
use crate::components::property::{IntoProperty, Properties};
use crate::components::registration::Registration;
use crate::schema::{ChildSchemas, similar};
use crate::values::{Marks, Object, PropertyPath, Segment, Value};

pub(crate) use check::check;

/// A child of a component that programs can give own values, by its name. The declaration is the source of the checks and
/// of the documentation.
#[derive(Debug, Clone, Copy)]
pub struct Child {
    /// Its name, which is its registered name without the name of the component. One that ends with `*` stands for all
    /// names with this prefix.
    pub name: &'static str,
    /// The registered name without the name of the component, if it is not `name`. Empty for a child that has the name
    /// of the component.
    pub registered_as: Option<&'static str>,
    /// Its type.
    pub kind: &'static ChildKind,
    /// Its purpose: `Permissions of external DNS`.
    pub purpose: &'static str,
    /// The condition under which it exists, unless it always does: `` with `enableExternalDns` ``.
    pub condition: Option<&'static str>,
    /// Further properties that the component decides, like [`ChildKind::own`].
    pub own: &'static [Own],
    /// Paths inside JSON texts whose values, or the members of which, are neither numbers nor booleans.
    pub texts: &'static [&'static str],
}

/// A type of children, and the rules for its properties.
#[derive(Debug, Clone, Copy)]
pub struct ChildKind {
    /// Type token. Children of the same kind in another version of its API match, too.
    pub token: &'static str,
    /// Properties that the component decides.
    pub own: &'static [Own],
    /// Properties that are JSON text. An object is merged into the text.
    pub json_texts: &'static [&'static str],
    /// Properties in which null is a value, as in the values of charts: it is sent instead of removing the member.
    pub keeps_null: &'static [&'static str],
    /// Paths of properties that exclude each other. A program that sets the first removes the second.
    pub instead: &'static [(&'static str, &'static str)],
    /// Checks merged properties against rules that no schema contains, and returns the problems. Properties can be unknown.
    pub rules: fn(&Object) -> Vec<InputFailure>,
}

/// Properties that a component decides.
#[derive(Debug, Clone, Copy)]
pub struct Own {
    /// Their paths.
    pub paths: &'static [&'static str],
    /// The alternative, or the reason: `the component creates the role`.
    pub reason: &'static str,
}

impl Child {
    /// Creates a child that always exists.
    pub const fn new(name: &'static str, kind: &'static ChildKind, purpose: &'static str) -> Self {
        Self {
            name,
            registered_as: None,
            kind,
            purpose,
            condition: None,
            own: &[],
            texts: &[],
        }
    }

    /// Sets its registered name without the name of the component.
    #[must_use]
    pub const fn registered_as(mut self, name: &'static str) -> Self {
        self.registered_as = Some(name);
        self
    }

    /// Sets when it exists: `` with `enableExternalDns` ``.
    #[must_use]
    pub const fn only(mut self, condition: &'static str) -> Self {
        self.condition = Some(condition);
        self
    }

    /// Sets further properties that the component decides.
    #[must_use]
    pub const fn own(mut self, own: &'static [Own]) -> Self {
        self.own = own;
        self
    }

    /// Sets paths inside JSON texts whose values, or the members of which, are neither numbers nor booleans.
    #[must_use]
    pub const fn texts(mut self, paths: &'static [&'static str]) -> Self {
        self.texts = paths;
        self
    }

    /// All properties that the component decides.
    pub fn all_own(&self) -> impl Iterator<Item = &'static Own> {
        self.kind.own.iter().chain(self.own)
    }

    /// The declaration and the name of a child of `component`, by its registered name and its type.
    pub fn find<'a>(
        declared: &'static [Self],
        component: &str,
        registered: &'a str,
        token: &str,
    ) -> Option<(&'static Self, &'a str)> {
        let rest = registered.strip_prefix(component)?;
        let rest = match rest.strip_prefix('-') {
            None if !rest.is_empty() => return None,
            rest => rest.unwrap_or_default(),
        };
        let child = declared.iter().find(|child| child.is_registered(rest, token))?;
        Some((child, child.registered_as.map_or(rest, |_| child.name)))
    }

    /// Whether `name` is the name of such a child.
    fn is_named(&self, name: &str) -> bool {
        matches(self.name, name)
    }

    /// Whether a registration with this name, without the name of the component, is such a child.
    fn is_registered(&self, name: &str, token: &str) -> bool {
        matches(self.registered_as.unwrap_or(self.name), name) && kind(self.kind.token) == kind(token)
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.strip_prefix(start).is_some_and(|rest| !rest.is_empty()),
        None => pattern == name,
    }
}

/// The last part of a token, which the versions of an API have in common.
fn kind(token: &str) -> Option<&str> {
    token.rsplit(':').next()
}

/// Own values of a program for children of a component: for each child, properties with the names of its provider. The
/// names of children and properties must be known, their values need not be. Use it as the type of an input.
///
/// A null removes a property. SDKs that drop nulls list the paths of such properties in the member `without`.
#[derive(Debug, Clone, Default)]
pub struct ChildValues(BTreeMap<String, Object>);

impl ChildValues {
    /// Returns the value that the program gives a property of a child. It can be unknown. Null is no value.
    pub fn given(&self, child: &str, property: &str) -> Option<&Value> {
        let value = self.0.get(child)?.get(property)?;
        (!value.known().is_some_and(Value::is_null)).then_some(value)
    }

    /// Whether the program removes a property of a child, with null or a path in `without`.
    pub fn removes(&self, child: &str, property: &str) -> bool {
        let value = self.0.get(child).and_then(|child| child.get(property));
        value.is_some() && self.given(child, property).is_none()
    }
}

/// Marks of the whole are moved into the properties of the children.
impl Decode for ChildValues {
    fn decode(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Self> {
        let children = members(value, path, problems)?;
        let mut decoded = BTreeMap::new();
        let mut is_valid = true;
        for (name, child) in children {
            if matches!(child.known(), Some(Value::Null)) {
                continue;
            }
            let path = path.join(name.clone());
            let properties = members(&child, &path, problems);
            match properties.and_then(|given| with_nulls(given, &path.join(WITHOUT), problems)) {
                Some(properties) => drop(decoded.insert(name, properties)),
                None => is_valid = false,
            }
        }
        is_valid.then_some(Self(decoded))
    }
}

/// The member with the paths of properties to remove.
const WITHOUT: &str = "without";

/// The properties with a null at each path in [`WITHOUT`].
fn with_nulls(mut properties: Object, path: &PropertyPath, problems: &mut InputProblems) -> Option<Object> {
    let Some(without) = properties.remove(WITHOUT) else {
        return Some(properties);
    };
    let texts = Vec::<String>::decode(&without, path, problems)?;
    for (index, text) in texts.iter().enumerate() {
        let removed = text.parse().ok().and_then(|removed: PropertyPath| {
            let names = removed.segments().iter().map(|segment| match segment {
                Segment::Key(name) => Some(name.as_str()),
                _ => None,
            });
            null_at(&mut properties, &names.collect::<Option<Vec<_>>>()?)
        });
        if removed.is_none() {
            problems.add(
                path.join(index),
                "must be the path of a property that has no value here",
            );
            return None;
        }
    }
    Some(properties)
}

/// Adds a null at a path. `None` if there is a value on it.
fn null_at(members: &mut Object, path: &[&str]) -> Option<()> {
    match path {
        [] => None,
        [name] => members
            .insert((*name).to_owned(), Value::Null)
            .is_none()
            .then_some(()),
        [name, rest @ ..] => {
            let mut inner = members
                .entry((*name).to_owned())
                .or_insert_with(|| Value::Object(Object::new()));
            loop {
                match inner {
                    Value::Secret(value) => inner = value,
                    Value::Output(output) => inner = output.value.as_deref_mut()?,
                    Value::Object(members) => return null_at(members, rest),
                    _ => return None,
                }
            }
        }
    }
}

/// The members of an object, with its marks.
fn members(value: &Value, path: &PropertyPath, problems: &mut InputProblems) -> Option<Object> {
    let OutputData {
        value,
        secret,
        dependencies,
    } = open(value);
    let Some(members) = value.map(Value::as_object) else {
        problems.add(path, UNKNOWN);
        return None;
    };
    let Some(members) = members else {
        problems.add(path, "expected a map");
        return None;
    };
    let marks = Marks {
        secret,
        unknown: false,
        dependencies,
    };
    let marked = |(name, value): (&String, &Value)| (name.clone(), marks.clone().apply(value.clone()));
    Some(members.iter().map(marked).collect())
}

impl IntoProperty for ChildValues {
    fn into_property(self) -> Output<Value> {
        let children = self.0.into_iter();
        Output::known(Value::Object(
            children
                .map(|(name, values)| (name, Value::Object(values)))
                .collect(),
        ))
    }
}

impl JsonSchema for ChildValues {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ChildValues".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": { "type": "object" } })
    }
}

/// The own values for the children of one component while it is built.
pub(crate) struct Door {
    component: String,
    declared: &'static [Child],
    schemas: Option<&'static ChildSchemas>,
    values: ChildValues,
    found: Mutex<RegisteredChildren>,
}

/// Children that were registered.
#[derive(Default)]
struct RegisteredChildren {
    names: BTreeSet<String>,
    /// Problems of the values for a child, by its name.
    problems: BTreeMap<String, Vec<InputFailure>>,
}

/// Own values for a child.
#[derive(Clone)]
pub(crate) struct Overlay {
    kind: &'static ChildKind,
    values: Object,
}

impl Door {
    pub(crate) fn new(
        component: &str,
        declared: &'static [Child],
        schemas: Option<&'static ChildSchemas>,
        values: ChildValues,
    ) -> Self {
        Self {
            component: component.to_owned(),
            declared,
            schemas,
            values,
            found: Mutex::default(),
        }
    }

    /// The values for a child, by its registered name. They are checked with the inputs of the child that are known.
    pub(crate) fn overlay(&self, name: &str, token: &str, inputs: &Properties) -> Option<Overlay> {
        let (child, name) = Child::find(self.declared, &self.component, name, token)?;
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.names.insert(name.to_owned());
        let given = self.values.0.get(name)?;
        let overlay = Overlay {
            kind: child.kind,
            values: check::without_alternatives(child.kind, given.clone()),
        };
        let mut merged = inputs.peek();
        for (property, value) in &overlay.values {
            let ours = merged.remove(property).unwrap_or_default();
            merged.insert(property.clone(), overlay.merged(property, ours, value));
        }
        let failures = check::of_merged(child, self.schemas, given, &merged);
        found
            .problems
            .entry(name.to_owned())
            .or_default()
            .extend(failures);
        Some(overlay)
    }

    /// Fails if there are values for a child that was not registered, or values with problems.
    pub(crate) fn close(&self) -> Result<(), ConstructError> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let mut problems = InputProblems::new();
        for (name, values) in &self.values.0 {
            if let Some(failures) = found.problems.get(name) {
                check::report(name, failures.clone(), &mut problems);
                continue;
            }
            let child = self.declared.iter().find(|child| child.is_named(name));
            if let Some(child) = child {
                let hint = similar(name, found.names.iter().map(String::as_str));
                let reason = match child.condition {
                    Some(condition) => format!("does not exist: this child only exists {condition}{hint}"),
                    None => format!("does not exist with these inputs{hint}"),
                };
                problems.add(check::path(name), reason);
            }
            check::check_child(self.declared, self.schemas, name, values, &mut problems);
        }
        match problems.is_empty() {
            true => Ok(()),
            false => Err(problems.into()),
        }
    }
}

/// The doors that apply to a child: the doors of its component, followed by the doors of the components around it.
pub(crate) type Doors = Vec<Arc<Door>>;

impl Overlay {
    /// Merges a program's value of a property over the component's value.
    fn merged(&self, name: &str, ours: Value, value: &Value) -> Value {
        let value = value.clone().without_outputs();
        match self.kind.json_texts.contains(&name) {
            true => merge::json_text(ours, value),
            false => merge::merge(ours, value, self.kind.keeps_null.contains(&name)),
        }
    }

    /// Merges the values over the inputs of the registration.
    pub(crate) fn apply(&self, registration: &mut Registration) {
        for (name, value) in &self.values {
            let dependencies = value.dependencies();
            let ours = registration.inputs.remove(name).unwrap_or_default();
            let merged = self.merged(name, ours, value);
            if merged.is_null() {
                registration.property_dependencies.remove(name);
                continue;
            }
            registration.inputs.insert(name.clone(), merged);
            registration.dependencies.extend(dependencies.iter().cloned());
            registration
                .property_dependencies
                .entry(name.clone())
                .or_default()
                .extend(dependencies);
        }
    }
}
