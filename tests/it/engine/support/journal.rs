//! The journal of a simulated cloud, and the state that the engine keeps of it. Resources are named by the last part
//! of their type and their name: `Role main-cluster-role`.

use std::collections::BTreeSet;

use serde_json::Value;

/// Events that stand-ins recorded, in the order in which they happened.
pub(crate) struct Journal {
    entries: Vec<Entry>,
}

/// An event.
pub(crate) struct Entry {
    /// Seconds.
    pub(crate) at: f64,
    /// `create`, `created`, `failed`, `update`, `updated`, `delete`, `deleted`, `configured`, `called`.
    pub(crate) what: String,
    /// A URN, or the token of a function.
    pub(crate) subject: String,
}

impl Journal {
    pub(crate) fn parse(text: &str) -> Self {
        let entries = text.lines().map(|line| {
            let entry: Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| entry[name].as_str().unwrap().to_owned();
            Entry {
                at: entry["at"].as_f64().unwrap(),
                what: text("what"),
                subject: text("subject"),
            }
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// The entries of one kind.
    pub(crate) fn all<'a>(&'a self, what: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter().filter(move |entry| entry.what == what)
    }

    /// The resources with this event.
    pub(crate) fn names(&self, what: &str) -> BTreeSet<String> {
        self.all(what).map(|entry| short(&entry.subject)).collect()
    }

    /// The position of an event of a resource, if it happened.
    fn position(&self, what: &str, urn: &str) -> Option<usize> {
        let mut entries = self.entries.iter();
        entries.position(|entry| entry.what == what && entry.subject == urn)
    }

    /// When this event of the resource with this short name happened.
    #[track_caller]
    pub(crate) fn moment(&self, what: &str, name: &str) -> f64 {
        let mut found = self.all(what).filter(|entry| short(&entry.subject) == name);
        found.next().unwrap_or_else(|| panic!("never {what}: {name}")).at
    }

    /// Checks that the deletion of `last` only began after the deletion of everything in `first` had ended.
    #[track_caller]
    pub(crate) fn deleted_before(&self, first: &[&str], last: &str) {
        let begun = |name: &str| {
            let mut entries = self.entries.iter();
            let found = entries.position(|entry| entry.what == "delete" && short(&entry.subject) == name);
            found.unwrap_or_else(|| panic!("never deleted: {name}"))
        };
        let ended = |name: &str| {
            let mut entries = self.entries.iter();
            let found = entries.position(|entry| entry.what == "deleted" && short(&entry.subject) == name);
            found.unwrap_or_else(|| panic!("never deleted: {name}"))
        };
        for first in first {
            assert!(ended(first) < begun(last), "{last} went before {first}");
        }
    }

    /// Checks that nothing was created before the resources that it needs, or deleted before those that need it.
    #[track_caller]
    pub(crate) fn is_orderly(&self, state: &State) {
        for resource in &state.resources {
            let urn = resource["urn"].as_str().unwrap();
            for needed in needs(resource) {
                let orders = [
                    (("created", needed), ("create", urn)),
                    (("deleted", urn), ("delete", needed)),
                ];
                for ((done, first), (begun, second)) in orders {
                    let first_at = self.position(done, first);
                    let second_at = self.position(begun, second);
                    if let (Some(first_at), Some(second_at)) = (first_at, second_at) {
                        assert!(
                            first_at < second_at,
                            "{begun} {} before {done} {}",
                            short(second),
                            short(first)
                        );
                    }
                }
            }
        }
    }
}

/// The state that the engine keeps of every resource.
pub(crate) struct State {
    pub(crate) resources: Vec<Value>,
}

impl State {
    pub(crate) fn new(resources: Vec<Value>) -> Self {
        Self { resources }
    }

    /// The resource with this short name. A longer part of its type distinguishes it from others with the
    /// same name.
    #[track_caller]
    pub(crate) fn get(&self, name: &str) -> &Value {
        let is_named = |resource: &&Value| {
            let (kind, own) = kind_and_name(resource["urn"].as_str().unwrap());
            let own = format!(":{kind} {own}");
            own.ends_with(&format!(":{name}")) || own.ends_with(&format!("/{name}"))
        };
        let mut found = self.resources.iter().filter(is_named);
        found.next().unwrap_or_else(|| panic!("no {name} in the state"))
    }

    /// The URN of the resource of this short name.
    #[track_caller]
    pub(crate) fn urn(&self, name: &str) -> &str {
        self.get(name)["urn"].as_str().unwrap()
    }

    /// Short names of all resources except the stack.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let urns = self
            .resources
            .iter()
            .filter_map(|resource| resource["urn"].as_str());
        urns.map(short)
            .filter(|name| !name.starts_with("Stack "))
            .collect()
    }

    /// Short names of the dependencies of a resource, explicit or through a property.
    pub(crate) fn dependencies(&self, name: &str) -> BTreeSet<String> {
        texts(&self.get(name)["dependencies"]).map(short).collect()
    }

    /// Short names of the resources from whose outputs a property was created.
    pub(crate) fn property_dependencies(&self, name: &str, property: &str) -> BTreeSet<String> {
        texts(&self.get(name)["propertyDependencies"][property])
            .map(short)
            .collect()
    }
}

/// Everything that a resource of the state requires.
pub(crate) fn needs(resource: &Value) -> BTreeSet<&str> {
    let provider = resource["provider"]
        .as_str()
        .and_then(|reference| reference.rsplit_once("::"));
    let by_property = resource["propertyDependencies"].as_object();
    let by_property = by_property
        .into_iter()
        .flatten()
        .flat_map(|(_, urns)| texts(urns));
    texts(&resource["dependencies"])
        .chain(by_property)
        .chain(resource["parent"].as_str())
        .chain(resource["deletedWith"].as_str())
        .chain(provider.map(|(urn, _)| urn))
        .collect()
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// `urn:pulumi:dev::p::a:b:C$aws:iam/role:Role::main` as `Role main`.
pub(crate) fn short(urn: &str) -> String {
    let (kind, name) = kind_and_name(urn);
    let kind = kind.rsplit(':').next().unwrap_or_default();
    format!("{kind} {name}")
}

/// The type and the name of a resource.
fn kind_and_name(urn: &str) -> (&str, &str) {
    let mut parts = urn.splitn(4, "::");
    let (chain, name) = (parts.nth(2).unwrap_or_default(), parts.next().unwrap_or_default());
    (chain.rsplit('$').next().unwrap_or_default(), name)
}
