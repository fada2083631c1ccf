//! Documents with objects, and the other contents of recordings: the version of the manager, states of objects, and
//! lists that the manager derives from other objects.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::inventory::Inventory;
use super::kinds::{CollectionKind, Place, TreePath};
use super::object::{InventoryError, check_members, kind_at};
use super::realization::Script;
use super::settings::ManagerKind;

/// The newest format of recordings that is known.
const FORMAT: u64 = 1;

/// Passes each collection of the documents in `text` with its bodies to `add`.
fn documents(
    text: &str,
    mut add: impl FnMut(String, Vec<Value>) -> Result<(), InventoryError>,
) -> Result<(), InventoryError> {
    type Document = BTreeMap<String, Vec<Value>>;
    let mut add_all = |document: Document| {
        document
            .into_iter()
            .try_for_each(|(collection, bodies)| add(collection, bodies))
    };
    if text.trim_start().starts_with('{') {
        let documents = serde_json::Deserializer::from_str(text).into_iter::<Document>();
        for document in documents {
            add_all(document.map_err(|error| InventoryError::Document(error.to_string()))?)?;
        }
        return Ok(());
    }
    // Its length is limited already.
    let budget = serde_saphyr::budget! { max_nodes: text.len(), max_events: text.len() * 2 };
    let options = serde_saphyr::options! { with_snippet: false, budget: budget };
    let document = serde_saphyr::from_str_with_options(text, options);
    add_all(document.map_err(|error| {
        // The advice of the library is for programs.
        let reason = error
            .to_string()
            .replace(", set DuplicateKeyPolicy in Options if acceptable", "");
        InventoryError::Document(reason)
    })?)
}

impl Inventory {
    /// Adds the objects of a document in JSON or YAML, which has a list of bodies for each collection:
    /// `{"/infra/certificates": [{"id": "web"}]}`. See [`Inventory::add`]. A text that starts with `{` is JSON, and can
    /// consist of several such documents, one after the other.
    ///
    /// A recording begins with `{"inventory": [{"version": 1, "manager": "policy"}]}` and ends with `{"end": []}`. Besides
    /// objects, it can contain the version of the manager, the states of objects, the rows of lists that the manager derives
    /// from other objects, and, in the list `absent`, the paths of APIs that the manager does not have. Objects of
    /// collections that the simulator does not know are skipped and counted in [`Inventory::ignored`].
    ///
    /// # Errors
    ///
    /// [`InventoryError::Document`] with line and column when the text is not such a document,
    /// [`InventoryError::NewerVersion`] for a recording of a newer format, [`InventoryError::Unfinished`] for a recording
    /// without an end, and [`InventoryError::UnknownCollection`] and [`InventoryError::Object`], which name the place in it.
    /// The objects before that place have then been added.
    pub fn add_document(&mut self, text: &str) -> Result<(), InventoryError> {
        documents(text, |collection, bodies| self.add_all(&collection, bodies))?;
        match self.recorded.is_recording && !self.recorded.is_whole {
            true => Err(InventoryError::Unfinished),
            false => Ok(()),
        }
    }

    /// Adds the contents of a document for a collection or another name.
    fn add_all(&mut self, collection: &str, bodies: Vec<Value>) -> Result<(), InventoryError> {
        match collection {
            "inventory" => bodies.iter().try_for_each(|header| self.begin(header)),
            "absent" => {
                let paths = bodies.iter().filter_map(Value::as_str).map(str::to_owned);
                self.recorded.absent.extend(paths);
                Ok(())
            }
            // Types that are recorded completely, for the recorder.
            "complete" => Ok(()),
            "end" => {
                self.recorded.is_whole = true;
                Ok(())
            }
            "/api/v1/cluster" => {
                self.cluster = bodies.into_iter().last().unwrap_or_default();
                Ok(())
            }
            "/api/v1/node/version" => {
                self.recorded.version = bodies.into_iter().last();
                Ok(())
            }
            _ => match DocumentKind::of(collection) {
                Some(DocumentKind::Derived) => {
                    let rows = self.recorded.lists.entry(collection.to_owned()).or_default();
                    rows.extend(bodies.into_iter().map(Arc::new));
                    Ok(())
                }
                Some(DocumentKind::Part) => {
                    let scripts = bodies.into_iter().map(Script::new);
                    self.scripts
                        .extend(scripts.map(|script| (collection.to_owned(), script)));
                    Ok(())
                }
                Some(DocumentKind::Inventory(collection)) => self.add_objects(&collection, bodies),
                None => self.add_objects(collection, bodies),
            },
        }
    }

    fn begin(&mut self, header: &Value) -> Result<(), InventoryError> {
        let version = header["version"].as_u64().unwrap_or_default();
        if version > FORMAT {
            return Err(InventoryError::NewerVersion(version, FORMAT));
        }
        self.recorded.is_recording = true;
        self.recorded.kind = match header["manager"].as_str() {
            Some("global") => Some(ManagerKind::Global),
            Some("cloud") => Some(ManagerKind::HostedCloud),
            Some(_) => Some(ManagerKind::Local),
            None => None,
        };
        Ok(())
    }

    fn add_objects(&mut self, collection: &str, bodies: Vec<Value>) -> Result<(), InventoryError> {
        let mut paths = BTreeSet::new();
        if bodies.is_empty() && !self.recorded.is_recording && kind_at(collection).is_none() {
            return Err(InventoryError::UnknownCollection(collection.to_owned()));
        }
        for (index, body) in bodies.into_iter().enumerate() {
            let id = body.get("id").and_then(Value::as_str).map(str::to_owned);
            let checked = match self.recorded.is_recording {
                true => Ok(()),
                false => check_members(&body),
            };
            let added = checked.and_then(|()| match self.add(collection, body)? {
                path if self.recorded.is_recording || paths.insert(path.clone()) => Ok(()),
                path => Err(InventoryError::Duplicate(path)),
            });
            match added {
                Ok(()) => {}
                Err(InventoryError::UnknownCollection(_)) if self.recorded.is_recording => {
                    *self.recorded.ignored.entry(collection.to_owned()).or_default() += 1;
                }
                Err(error @ InventoryError::UnknownCollection(_)) => return Err(error),
                Err(source) => {
                    return Err(InventoryError::Object {
                        collection: collection.to_owned(),
                        position: index + 1,
                        id,
                        source: Box::new(source),
                    });
                }
            }
        }
        Ok(())
    }
}

/// Meaning of a document's path, unless it is a collection of objects.
enum DocumentKind {
    /// A list that the manager derives from other objects.
    Derived,
    /// The state of an object.
    Part,
    /// The collection of inventory of a type, such as `/inventory/VirtualMachine`.
    Inventory(String),
}

impl DocumentKind {
    fn of(path: &str) -> Option<Self> {
        if let Some(collection) = path
            .strip_prefix("/inventory/")
            .and_then(CollectionKind::of_inventory)
        {
            return Some(Self::Inventory(collection));
        }
        let segments: Vec<String> = path.split('/').skip(1).map(str::to_owned).collect();
        let place = TreePath::of(&segments)?;
        if let Some(kind) = CollectionKind::of(&place) {
            return matches!(kind.place, Place::Derived(_)).then_some(Self::Derived);
        }
        let kind = CollectionKind::of(&place.above(2)?)?;
        let part = segments.last()?;
        kind.parts.contains(&part.as_str()).then_some(Self::Part)
    }
}

#[cfg(test)]
mod tests {
    use http::Method;
    use serde_json::{Value, json};

    use super::*;
    use crate::{ApiRequest, Manager, ManagerSettings};

    const RECORDING: &str = r#"{"inventory": [{"version": 1, "manager": "policy"}]}
        {"/infra/segments": [{"id": "a"}]} {"/infra/segments": [{"id": "b"}]}
        {"/infra/tier-1s/t1": [{"id": "dns-forwarder", "path": "/infra/tier-1s/t1/dns-forwarder"}]}
        {"/infra/segments/a/state": [{"state": "failed"}], "/inventory/VirtualMachine": [{"external_id": "vm"}]}
        {"/infra/tags": [{"tag": "red"}], "/infra/unheard-of": [{"id": "x"}, {"id": "y"}]}
        {"absent": ["/api/v1/edge-clusters"], "/api/v1/node/version": [{"product_version": "9.0.1"}]}
        {"end": []}"#;

    #[test]
    fn the_length_of_yaml_is_the_only_limit() {
        let mut count = 0;
        let text = format!("a:\n{}", "- 1\n".repeat(251_000));
        let add = |_, bodies: Vec<Value>| {
            count += bodies.len();
            Ok(())
        };
        documents(&text, add).unwrap();
        assert_eq!(count, 251_000);
    }

    fn read(manager: &Manager, path: &str) -> Result<Value, u16> {
        let reply = manager.respond(&ApiRequest {
            method: Method::GET,
            path: path.to_owned(),
            query: Vec::new(),
            body: bytes::Bytes::new(),
        });
        match reply.status.as_u16() {
            200 => Ok(reply.body.unwrap()),
            status => Err(status),
        }
    }

    #[test]
    fn a_recording_is_served_as_it_was_recorded() {
        let mut inventory = Inventory::empty();
        inventory.add_document(RECORDING).unwrap();
        let ignored: Vec<_> = inventory.ignored().collect();
        assert_eq!(ignored, [("/infra/unheard-of", 2)]);
        let settings = inventory.settings(ManagerSettings::default());
        let manager = Manager::new(settings, inventory);
        let infra = |path: &str| read(&manager, &format!("/policy/api/v1/infra/{path}"));
        assert_eq!(infra("segments").unwrap()["result_count"], 2);
        assert_eq!(infra("segments/a/state").unwrap(), json!({"state": "failed"}));
        assert_eq!(infra("segments/b/state").unwrap()["state"], "success");
        assert_eq!(infra("tier-1s/t1/dns-forwarder").unwrap()["id"], "dns-forwarder");
        assert_eq!(infra("tags").unwrap()["results"], json!([{"tag": "red"}]));
        let machines = read(&manager, "/api/v1/fabric/virtual-machines").unwrap();
        assert_eq!(machines["results"][0]["external_id"], "vm");
        assert_eq!(read(&manager, "/api/v1/edge-clusters"), Err(404));
        assert_eq!(read(&manager, "/api/v1/edge-clusters/a"), Err(404));
        assert!(read(&manager, "/api/v1/pools/ip-pools").is_ok());
        assert_eq!(
            read(&manager, "/api/v1/node/version").unwrap()["product_version"],
            "9.0.1"
        );
    }

    #[test]
    fn a_recording_without_its_end_is_refused() {
        let cut = RECORDING.trim_end_matches(r#"{"end": []}"#);
        let error = Inventory::empty().add_document(cut).unwrap_err();
        assert!(matches!(error, InventoryError::Unfinished), "{error}");
    }

    #[test]
    fn a_recording_of_a_newer_format_says_so() {
        let newer = r#"{"inventory": [{"version": 2}]}"#;
        let error = Inventory::empty().add_document(newer).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the inventory has format 2, but only formats up to 1 are supported"
        );
    }
}
