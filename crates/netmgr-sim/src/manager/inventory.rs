//! The initial objects of a simulated manager and their realization scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::object::{InventoryError, StoredObject};
use super::realization::Script;
use super::settings::{ManagerKind, ManagerSettings};

/// Initial objects and realization scripts of a manager.
///
/// The default inventory has at least one object for every lookup, and edge cases: prefix pairs, an exact
/// name and longer ones, duplicate names (`...twin`), names with spaces, slashes, parentheses, quotes,
/// backslash, colon and letters beyond ASCII (`{kind}-name-1` to `-9` of every kind that is searched), ids
/// that repeat between trees and types (`default`, `lb-cert-web`, `demodhcp`), objects marked for deletion
/// (`...-old`), and objects without a name. Ids worth knowing:
///
/// | What | Where |
/// |---|---|
/// | edge cluster `edge`, next to `edge-2` and `EDGE` | id `2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0010`, manager mode and policy |
/// | edge cluster `edge-cluster-prod`, two nodes | id `2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001`, manager mode and policy |
/// | the only distributed VLAN connection | `vlan-100` |
/// | projects | `dev` (with VPC `web`) and `dev2`, with equal ids |
/// | sites of the global manager | `paris` (one edge cluster), `paris-2`, `london` (an `edge` next to `edge-2`) |
/// | enforcement point of the hosted cloud | `vmc-enforcementpoint`, edge cluster `sddc-edge` |
/// | compute manager `vc-prod`, ready | `9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001` |
/// | ready after 3 s (`vc-slow`) | `9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0011` |
/// | failed after 2 s (`vc-failing`) | `9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0012` |
/// | pending for good (`vc-pending`) | `9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013` |
/// | partial success after 1 s (`vc-partial`) | `9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0014` |
/// | orphaned (`vc-orphaned`) | `9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0015` |
/// | registered with errors (`vc-reg-errors`) | `9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0016` |
/// | error after 1 s (`vc-error`) | `9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0017` |
/// | edge transport nodes, ready | `edge-01`, `edge-02`, `edge-03` |
/// | ready after 3 s, in a sandbox for 2 s | `edge-slow`, `edge-sandboxed` |
/// | failed after 2 s, down and degraded after 1 s | `edge-failing`, `edge-down`, `edge-degraded` |
/// | in progress for good, without any state | `edge-pending`, `edge-unset` |
///
/// Times count from the first read of the state.
///
/// Around them is a small data centre:
///
/// | What | Where |
/// |---|---|
/// | gateways | `t0-prod`, with the VRF `vrf-red`, and below it `t1-web`, `t1-app`, `t1-db` |
/// | segments | `web-tier`, `app-tier`, `db-tier`, `vlan-backup`, with ports |
/// | groups that refer to them | `web-servers`, `app-servers`, `db-servers`, `web-network`, `bare-metal` |
/// | twenty virtual machines with interfaces | `web-01` to `web-06`, `app-01` to `app-05`, `db-01` to `db-03`, two `build`, ... |
/// | the project `dev` | segment `dev-tier`, VPC `web` with the subnet `frontend` |
///
/// Each of its collections also has `{name}-2`, two objects with the name `{name}-twin`, and `{name}-old`, which is
/// marked for deletion, next to one of its objects.
///
/// ```
/// use netmgr_sim::Inventory;
/// use serde_json::json;
///
/// let inventory = Inventory::empty()
///     .with("/infra/certificates", json!({"id": "web", "display_name": "web"}))
///     .with("/api/v1/pools/ip-pools", json!({"display_name": "tep-pool"}));
/// ```
#[derive(Debug, Clone)]
pub struct Inventory {
    pub(crate) objects: BTreeMap<String, StoredObject>,
    pub(crate) scripts: BTreeMap<String, Script>,
    /// The body of `/api/v1/cluster`.
    pub(crate) cluster: Value,
    /// Facts about a recorded manager, in addition to its objects.
    pub(crate) recorded: RecordedManager,
}

/// Facts about a manager in a document, in addition to its objects.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecordedManager {
    /// Whether a document is a recording. Its objects of unknown collections are left out.
    pub(crate) is_recording: bool,
    /// Whether the recording has its end.
    pub(crate) is_whole: bool,
    /// The kind of the manager.
    pub(crate) kind: Option<ManagerKind>,
    /// The body of `/api/v1/node/version`.
    pub(crate) version: Option<Value>,
    /// Paths below which the manager has no API.
    pub(crate) absent: BTreeSet<String>,
    /// Rows of lists that the manager derives from other objects.
    pub(crate) lists: BTreeMap<String, Vec<Arc<Value>>>,
    /// Collections that the simulator does not have, with the number of their objects.
    pub(crate) ignored: BTreeMap<String, u64>,
}

const DATA: [&str; 15] = [
    include_str!("data/fabric.json"),
    include_str!("data/manager-mode.json"),
    include_str!("data/policy.json"),
    include_str!("data/edges.json"),
    include_str!("data/global.json"),
    include_str!("data/gateways.json"),
    include_str!("data/segments.json"),
    include_str!("data/groups.json"),
    include_str!("data/profiles.json"),
    include_str!("data/intrusion-detection.json"),
    include_str!("data/transport.json"),
    include_str!("data/machines.json"),
    include_str!("data/tenants.json"),
    include_str!("data/system.json"),
    include_str!("data/federation.json"),
];

impl Inventory {
    /// An inventory with only the three nodes of the management cluster.
    pub fn empty() -> Self {
        Self {
            objects: BTreeMap::new(),
            scripts: BTreeMap::new(),
            cluster: embedded(include_str!("data/cluster.json")),
            recorded: RecordedManager::default(),
        }
    }

    /// Adds an object; see [`Inventory::add`].
    ///
    /// # Panics
    ///
    /// If the object cannot be added.
    #[must_use]
    pub fn with(mut self, collection: &str, body: Value) -> Self {
        if let Err(error) = self.add(collection, body) {
            panic!("{error}");
        }
        self
    }

    /// Adds an object to a collection and returns its path. The collection is a policy path
    /// (`/infra/certificates`, `/orgs/default/projects/dev/infra/certificates`) or a path of the manager
    /// (`/api/v1/pools/ip-pools`), and determines the kind. Absent fields are added as on a manager: id,
    /// path, parent path, type, times. Fields that the body has, even with the value null, are not changed.
    /// An object with the same path is replaced.
    ///
    /// # Errors
    ///
    /// [`InventoryError`] if there is no such collection, or the body is not an object with a valid id.
    pub fn add(&mut self, collection: &str, body: Value) -> Result<String, InventoryError> {
        let object = StoredObject::new(collection, body)?;
        let path = object.path.clone();
        self.objects.insert(path.clone(), object);
        Ok(path)
    }

    /// Whether a document was a recording of a manager.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.recorded.is_recording
    }

    /// Collections of recordings that the simulator does not have, each with the number of its objects.
    pub fn ignored(&self) -> impl Iterator<Item = (&str, u64)> {
        self.recorded
            .ignored
            .iter()
            .map(|(collection, objects)| (collection.as_str(), *objects))
    }

    /// `settings` with the kind and version of the recorded manager, as far as they are known.
    #[must_use]
    pub fn settings(&self, mut settings: ManagerSettings) -> ManagerSettings {
        settings.kind = self.recorded.kind.unwrap_or(settings.kind);
        if let Some(body) = &self.recorded.version {
            let text = |name: &str| body[name].as_str().map(str::to_owned);
            let product = text("product_version");
            settings.reports_product_version = product.is_some();
            settings.node_version = text("node_version");
            settings.version = product
                .or_else(|| text("node_version"))
                .unwrap_or(settings.version);
        }
        settings
    }

    /// Adds objects with names like the name of the object `name` of the collection: one that begins with it, two that
    /// share one, and one that is marked for deletion.
    fn add_variants(&mut self, collection: &str, name: &str) {
        let mut add = |id: &str, display_name: &str, fields: Value| {
            let mut body = json!({
                "id": format!("{name}-{id}"), "display_name": format!("{name}-{display_name}"),
                "description": format!("Similar to {name}"),
            });
            if let (Value::Object(body), Value::Object(fields)) = (&mut body, fields) {
                body.extend(fields);
            }
            self.add(collection, body).expect("the tests add every variant");
        };
        add("2", "2", json!({}));
        add("twin-1", "twin", json!({}));
        add("twin-2", "twin", json!({}));
        if !collection.starts_with("/api/") && !collection.starts_with("/aaa/") {
            add("old", "old", json!({"marked_for_delete": true}));
        }
    }

    /// Sets the script of `{object}/state` or `{object}/status`:
    /// `/api/v1/fabric/compute-managers/{id}/state`.
    #[must_use]
    pub fn with_script(mut self, path: &str, script: Script) -> Self {
        self.scripts.insert(path.to_owned(), script);
        self
    }

    /// Paths of all objects, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.objects.keys().map(String::as_str)
    }
}

impl Default for Inventory {
    fn default() -> Self {
        let mut inventory = Self::empty();
        for text in DATA {
            inventory
                .add_document(text)
                .expect("embedded data is checked by the tests of this file");
        }
        let names: BTreeMap<String, String> = embedded(include_str!("data/variants.json"));
        for (collection, name) in names {
            inventory.add_variants(&collection, &name);
        }
        inventory
            .scripts
            .extend(embedded::<BTreeMap<String, Script>>(include_str!(
                "data/realization.json"
            )));
        inventory
    }
}

/// Parses embedded data of this crate.
fn embedded<T: serde::de::DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).expect("embedded data is checked by the tests of this file")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Inventory;
    use crate::manager::kinds::{CollectionKind, Place, Root};

    #[test]
    fn every_script_belongs_to_an_object() {
        let inventory = Inventory::default();
        assert!(!inventory.scripts.is_empty());
        for path in inventory.scripts.keys() {
            let (object, _) = path.rsplit_once('/').unwrap();
            assert!(inventory.objects.contains_key(object), "{path}");
        }
    }

    #[test]
    fn a_document_adds_to_what_is_there() {
        let mut inventory = Inventory::empty();
        inventory
            .add_document(r#"{"/infra/certificates": [{"id": "web"}], "/api/v1/ns-groups": [{"id": "g"}]}"#)
            .unwrap();
        inventory
            .add_document(r#"{"/infra/certificates": [{"id": "mail"}]}"#)
            .unwrap();
        let paths: Vec<_> = inventory.paths().collect();
        assert_eq!(
            paths,
            [
                "/api/v1/ns-groups/g",
                "/infra/certificates/mail",
                "/infra/certificates/web"
            ]
        );
    }

    #[test]
    fn a_document_can_have_objects_of_every_kind() {
        let roots = |root| match root {
            Root::Api => "/api/v1",
            Root::Infra => "/infra",
            Root::GlobalInfra => "/global-infra",
            Root::Org => "/orgs/default",
            Root::Project => "/orgs/default/projects/p/infra",
            Root::Vpc => "/orgs/default/projects/p/vpcs/v",
            Root::Access => "/aaa",
            Root::Inventory => "/inventory",
        };
        for kind in CollectionKind::all().filter(|kind| !matches!(kind.place, Place::Derived(_))) {
            for root in kind.roots {
                let names = kind
                    .collection
                    .split('/')
                    .map(|name| name.split('|').next().unwrap());
                let names: Vec<&str> = names.map(|name| if name == "*" { "x" } else { name }).collect();
                let collection = format!("{}/{}", roots(*root), names.join("/"));
                let document = json!({&collection: [{kind.id_field: "one"}]});
                let mut inventory = Inventory::empty();
                inventory.add_document(&document.to_string()).unwrap();
                let path = inventory.paths().next().unwrap();
                assert_eq!(inventory.objects[path].kind.collection, kind.collection);
            }
        }
    }

    #[test]
    fn a_document_can_be_yaml() {
        let mut inventory = Inventory::empty();
        let yaml = "# comment\n/infra/certificates:\n  - id: web\n    display_name: Web\n  - {id: mail}\n";
        inventory.add_document(yaml).unwrap();
        let paths: Vec<_> = inventory.paths().collect();
        assert_eq!(paths, ["/infra/certificates/mail", "/infra/certificates/web"]);
        assert_eq!(
            inventory.objects["/infra/certificates/web"].body["display_name"],
            "Web"
        );
    }

    #[test]
    fn errors_of_a_document_name_the_place() {
        let refused = |text: &str| {
            let error = Inventory::empty().add_document(text).unwrap_err();
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            (error.to_string(), cause)
        };
        assert_eq!(
            refused(r#"{"/infra/nothing": [{}]}"#),
            ("there is no collection at /infra/nothing".to_owned(), None)
        );
        assert_eq!(
            refused(r#"{"/infra/certificates": [{"id": "a"}, {"id": "b/c"}]}"#),
            (
                "object 2 of /infra/certificates (id \"b/c\")".to_owned(),
                Some("\"b/c\" is not a valid id".to_owned())
            )
        );
        assert_eq!(
            refused(r#"{"/infra/certificates": [7]}"#),
            (
                "object 1 of /infra/certificates".to_owned(),
                Some("a body for /infra/certificates is not a JSON object".to_owned())
            )
        );
        for name in ["displayName", "Display-Name", "vlanIds"] {
            assert_eq!(
                refused(&format!("/infra/certificates:\n  - {{id: a, {name}: b}}\n")),
                (
                    "object 1 of /infra/certificates (id \"a\")".to_owned(),
                    Some(format!(
                        "\"{name}\" is not a member of objects; members are spelled as in the manager's API, such as \
                         \"display_name\""
                    ))
                )
            );
        }
        for (member, problem) in [
            ("path: 7", "\"path\" is not a string"),
            (
                "tags: [{scope: 5}]",
                "\"tags\" is not a list of objects with the strings `scope` and `tag`",
            ),
            (
                "tags: [{Scope: s, Tag: t}]",
                "\"tags\" is not a list of objects with the strings `scope` and `tag`",
            ),
        ] {
            let (_, cause) = refused(&format!("/infra/certificates:\n  - {{id: a, {member}}}\n"));
            assert_eq!(cause.as_deref(), Some(problem));
        }
        for (text, place) in [
            ("{\n  \"/infra/certificates\": [{]\n}", "line 2 column 28"),
            ("/infra/certificates:\n  - id: [web\n", "line 2, column 9"),
            ("- id: web\n", "line 1"),
        ] {
            let (error, _) = refused(text);
            assert!(
                error.starts_with("the inventory is not a JSON or YAML object"),
                "{error}"
            );
            assert!(error.contains(place), "{error}");
        }
    }

    #[test]
    fn there_is_one_distributed_vlan_connection() {
        let inventory = Inventory::default();
        let connections = inventory
            .paths()
            .filter(|path| path.contains("/distributed-vlan-connections/"));
        assert_eq!(connections.count(), 1);
    }
}
