//! Registered resources, their outputs, and results of functions.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::values::{
    Object, PropertyPath, ProviderReference, ReferenceId, ResourceReference, Segment, Urn, Value,
};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::components::combine::all;
use crate::components::decode::{Decode, open};
use crate::components::error::{ConstructError, InputProblems};
use crate::components::inherited::Inherited;
use crate::components::output::{Deferrable, Output};
use crate::components::property::{IntoProperty, depending};
use crate::components::registration::Registered;

/// A child that has been or will be registered. Cheap to clone.
#[derive(Clone)]
pub struct Resource {
    pub(crate) token: String,
    pub(crate) name: String,
    /// Whether a provider manages it, so that it has an identifier.
    pub(crate) custom: bool,
    /// Version of its package.
    pub(crate) version: Option<String>,
    /// Its explicit provider.
    pub(crate) provider: Option<Output<ProviderReference>>,
    /// Options that its own children inherit.
    pub(crate) inherited: Inherited,
    pub(crate) registered: Output<Arc<RegisteredResource>>,
}

/// Result of a registration.
#[derive(Debug)]
pub(crate) struct RegisteredResource {
    pub(crate) urn: Urn,
    pub(crate) id: Option<String>,
    pub(crate) outputs: Outputs,
}

/// Properties in a result of the engine.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    /// Token and name of the resource or function.
    pub(crate) origin: String,
    /// An object.
    pub(crate) properties: Value,
    /// Whether missing properties are unknown, as in a preview.
    pub(crate) incomplete: bool,
}

impl Resource {
    /// Its URN.
    pub fn urn(&self) -> Output<Urn> {
        self.registered.clone().map(|answer| answer.urn.clone())
    }

    /// Its id; unknown in a preview before it exists.
    pub fn id(&self) -> Output<String> {
        self.read(|answer| answer.id.clone().map_or_else(Output::unknown, Output::known))
    }

    /// An output by its property path: `resource.output::<String>("identities[0].oidcs[0].issuer")`.
    ///
    /// In a preview, an output that is missing or null is unknown. Otherwise, a missing output has the value
    /// of the input with the same name. A value of another type than `T` is an error of the component.
    pub fn output<T: Deferrable + Decode>(&self, path: &str) -> Output<T> {
        let path = parse(path);
        self.read(move |answer| answer.outputs.get(&path))
    }

    /// The id of the resource in an output of a remote component: `cluster.output_id("nodeRole")`. Unknown in a preview
    /// before that resource exists. Fails if the output is not a resource, or is a component, which has no id.
    pub fn output_id(&self, path: &str) -> Output<String> {
        let origin = format!("{self:?}: {path}");
        self.output::<Value>(path).then(move |value| match value {
            Value::Resource(reference) => match reference.id {
                Some(ReferenceId::Known(id)) => Output::known(id),
                Some(ReferenceId::Unknown) => Output::unknown(),
                None => Output::failed(ConstructError::failed(format!("{origin} has no id"))),
            },
            _ => Output::failed(ConstructError::failed(format!("{origin} is not a resource"))),
        })
    }

    /// Adds `other` to the dependencies of everything that uses this resource, so that it is created after
    /// `other` and deleted before it.
    #[must_use]
    pub fn along_with(self, other: &Self) -> Self {
        let registered = all((self.registered, other.urn()))
            .then(|(answer, other)| Output::known(answer).depending_on([other].into()));
        Self { registered, ..self }
    }

    /// Reads a part of the answer, with a dependency on this resource.
    fn read<T: Deferrable>(
        &self,
        f: impl FnOnce(&RegisteredResource) -> Output<T> + Send + 'static,
    ) -> Output<T> {
        self.registered
            .clone()
            .then(move |answer| f(&answer).depending_on([answer.urn.clone()].into()))
    }

    /// Returns a reference to it as the provider of other resources.
    pub(crate) fn provider_reference(&self) -> Output<ProviderReference> {
        self.registered.clone().map(|answer| ProviderReference {
            urn: answer.urn.clone(),
            id: answer.id.clone(),
        })
    }
}

impl RegisteredResource {
    /// Outside of a preview, a missing output has the value of the input with the same name ("engine-plugin"
    /// 4.3).
    pub(crate) fn new(
        token: &str,
        name: &str,
        registered: Registered,
        inputs: Object,
        preview: bool,
    ) -> Self {
        let Registered {
            urn,
            id,
            outputs,
            unknown,
            dependencies,
            failed: _,
        } = registered;
        let incomplete = preview || unknown;
        let mut properties = depending(outputs, &dependencies);
        if !incomplete {
            for (name, value) in inputs {
                properties.entry(name).or_insert(value);
            }
        }
        let origin = format!("{token} \"{name}\"");
        Self {
            urn,
            id,
            outputs: Outputs {
                origin,
                properties: Value::Object(properties),
                incomplete,
            },
        }
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} \"{}\"", self.token, self.name)
    }
}

/// A reference to the resource.
impl IntoProperty for Resource {
    fn into_property(self) -> Output<Value> {
        let (custom, version) = (self.custom, self.version.clone());
        self.read(move |answer| {
            let id = answer.id.clone().map_or(ReferenceId::Unknown, ReferenceId::Known);
            Output::known(Value::from(ResourceReference {
                urn: answer.urn.clone(),
                id: custom.then_some(id),
                package_version: version,
                ..ResourceReference::default()
            }))
        })
    }
}

/// Any resource. `x-resource` in the schema of a field is its type token.
impl JsonSchema for Resource {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Resource".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "x-resource": null })
    }
}

/// The result of a called function. Cheap to clone.
#[derive(Clone)]
pub struct CallResult(pub(crate) Output<Arc<Outputs>>);

impl CallResult {
    /// A member of the result by its property path. It is unknown if an argument was unknown. A value of
    /// another type than `T` is an error of the component.
    pub fn output<T: Deferrable + Decode>(&self, path: &str) -> Output<T> {
        let path = parse(path);
        self.0.clone().then(move |outputs| outputs.get(&path))
    }
}

fn parse(path: &str) -> PropertyPath {
    path.parse()
        .expect("the path is written in the component's source")
}

impl Outputs {
    /// The value at `path`, with the marks of all its ancestors.
    fn get<T: Deferrable + Decode>(&self, path: &PropertyPath) -> Output<T> {
        let mut secret = false;
        let mut dependencies = BTreeSet::new();
        let mut value = &self.properties;
        for segment in path.segments() {
            let opened = open(value);
            secret |= opened.secret;
            dependencies.extend(opened.dependencies);
            let below = match (opened.value, segment) {
                (None, _) => Some(&Value::UNKNOWN),
                (Some(Value::Object(members)), Segment::Key(key)) => members.get(key),
                (Some(Value::Array(elements)), Segment::Index(index)) => elements.get(*index),
                _ => None,
            };
            value = below.unwrap_or(&Value::Null);
        }
        let mut problems = InputProblems::new();
        let found = match value.known() {
            Some(Value::Null) if self.incomplete => Some(Output::unknown()),
            Some(Value::Null) => T::absent().map(Output::known).or_else(|| {
                problems.add(path, "is missing");
                None
            }),
            _ => Output::decode(value, path, &mut problems),
        };
        match found.filter(|_| problems.is_empty()) {
            Some(found) => found.tainted(secret, dependencies),
            None => Output::failed(ConstructError::UnexpectedAnswer {
                origin: self.origin.clone(),
                problems,
            }),
        }
    }
}
