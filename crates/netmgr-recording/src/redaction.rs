//! Redaction of recordings, so that they can leave an organization: only members that lookups need are kept. Names, ids
//! and addresses are replaced, and equal strings are replaced equally everywhere in a recording.

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufRead, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use netmgr_types::sensitive;
use serde_json::{Map, Value, json};

use crate::file::documents;
use crate::recording::sources::collection_words;

mod members;

use members::{NAMES, WORDS};

/// Prefix of an id that names its kind, such as `biosUuid:4226...`.
const ID_KINDS: [&str; 2] = ["biosUuid", "instanceUuid"];

/// Replaces names, ids and addresses of one recording. Each redaction uses different replacements.
#[derive(Debug)]
pub struct Redaction {
    keys: RandomState,
    /// Segments of paths that are the same on all managers.
    collections: BTreeSet<&'static str>,
}

impl Default for Redaction {
    fn default() -> Self {
        Self::new()
    }
}

impl Redaction {
    /// A redaction with new replacements.
    #[must_use]
    pub fn new() -> Self {
        Self {
            keys: RandomState::new(),
            collections: collection_words(),
        }
    }

    /// Writes the redacted `recording` to `writer`.
    ///
    /// # Errors
    ///
    /// The errors of [`documents`], and errors of the writer.
    pub fn copy(&self, recording: impl BufRead, mut writer: impl Write) -> io::Result<()> {
        documents(recording, |document, _| {
            for (path, bodies) in document {
                let bodies: Result<Vec<Value>, _> = bodies
                    .iter()
                    .map(|body| serde_json::from_str(body.get()))
                    .collect();
                let (path, bodies) = self.list(&path, bodies?);
                writeln!(writer, "{}", json!({ path: bodies }))?;
            }
            Ok(())
        })
    }

    /// The list of a document of a recording, with its path.
    #[must_use]
    pub fn list(&self, path: &str, bodies: Vec<Value>) -> (String, Vec<Value>) {
        if path == "inventory" {
            return (path.to_owned(), bodies.into_iter().map(header).collect());
        }
        if !path.starts_with('/') {
            return (path.to_owned(), bodies);
        }
        let bodies = bodies.into_iter().map(|mut body| {
            sensitive::redact(&mut body);
            self.value(body, false)
        });
        let path = match path.starts_with("/inventory/") {
            // The path ends with a type.
            true => path.to_owned(),
            false => self.path(path),
        };
        (path, bodies.collect())
    }

    /// Redacts the value of a member. Its strings are names, or terms of the manager if `is_word`.
    fn value(&self, value: Value, is_word: bool) -> Value {
        match value {
            Value::Object(members) => Value::Object(self.members(members)),
            Value::Array(values) => values
                .into_iter()
                .map(|value| self.value(value, is_word))
                .collect(),
            Value::String(text) if !is_word => self.text(&text).into(),
            other => other,
        }
    }

    fn members(&self, members: Map<String, Value>) -> Map<String, Value> {
        let kept = members.into_iter().filter_map(|(name, value)| {
            let is_word = WORDS.contains(&name.as_str());
            let is_kept = is_word || NAMES.contains(&name.as_str());
            is_kept.then(|| {
                let value = self.value(value, is_word);
                (name, value)
            })
        });
        kept.collect()
    }

    /// Replacement of a name, an id, a path or an address.
    fn text(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        if text.starts_with('/') {
            return self.path(text);
        }
        if let Some(address) = self.addresses(text) {
            return address;
        }
        match text.split_once(':') {
            Some((kind, id)) if ID_KINDS.contains(&kind) => format!("{kind}:{}", self.name(id)),
            _ => self.name(text),
        }
    }

    fn path(&self, path: &str) -> String {
        let segments = path.split('/').map(|segment| match segment {
            "" => String::new(),
            id => self.name(id),
        });
        segments.collect::<Vec<_>>().join("/")
    }

    /// Replacement of a name. Collection names are kept, because they are parts of paths.
    fn name(&self, name: &str) -> String {
        match self.collections.contains(name) {
            true => name.to_owned(),
            false => format!("r-{:016x}", self.keys.hash_one(name)),
        }
    }

    /// Replacement of an address, a network or a range; `None` for any other string.
    fn addresses(&self, text: &str) -> Option<String> {
        if let Some((first, last)) = text.split_once('-')
            && let (Some(first), Some(last)) = (self.address(first), self.address(last))
        {
            return Some(format!("{first}-{last}"));
        }
        if let Some((address, length)) = text.split_once('/') {
            let length: u8 = length.parse().ok()?;
            return Some(format!("{}/{length}", self.address(address)?));
        }
        self.address(text)
    }

    fn address(&self, text: &str) -> Option<String> {
        let octets = self.keys.hash_one(text).to_be_bytes();
        let [a, b, c, d, e, ..] = octets;
        if is_mac(text) {
            return Some(format!("02:{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}"));
        }
        Some(match text.parse().ok()? {
            IpAddr::V4(_) => Ipv4Addr::new(10, a, b, c).to_string(),
            IpAddr::V6(_) => {
                let mut address = [0; 16];
                address[0] = 0xfd;
                address[8..].copy_from_slice(&octets);
                Ipv6Addr::from(address).to_string()
            }
        })
    }
}

/// Format and kind of manager from a header, with the mark of a redaction.
fn header(header: Value) -> Value {
    let Value::Object(mut header) = header else {
        return Value::Null;
    };
    header.retain(|name, _| ["version", "manager"].contains(&name.as_str()));
    header.insert("redacted".to_owned(), true.into());
    Value::Object(header)
}

fn is_mac(text: &str) -> bool {
    let is_octet = |octet: &str| octet.len() == 2 && octet.bytes().all(|digit| digit.is_ascii_hexdigit());
    text.split(':').count() == 6 && text.split(':').all(is_octet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_addresses_are_replaced_by_the_same_everywhere() {
        let redaction = Redaction::new();
        let body = json!({
            "id": "web", "display_name": "web", "path": "/infra/segments/web", "resource_type": "Segment",
            "subnets": [{"gateway_address": "192.0.2.1/24"}], "ip_addresses": ["192.0.2.7", "2001:db8::1"],
            "mac_address": "00:50:56:be:10:01", "vlan_ids": ["7"], "secret": "x", "sequence_number": 7,
        });
        let (path, bodies) = redaction.list("/infra/segments", vec![body]);
        assert_eq!(path, "/infra/segments");
        let body = &bodies[0];
        let id = body["id"].as_str().unwrap();
        assert!(id.starts_with("r-"), "{id}");
        assert_eq!(body["display_name"], id);
        assert_eq!(body["path"], format!("/infra/segments/{id}"));
        assert_eq!(body["resource_type"], "Segment");
        assert_eq!(body["sequence_number"], 7);
        assert!(body.get("secret").is_none());
        let text = body.to_string();
        for left in ["web", "192.0.2", "2001:db8", "00:50"] {
            assert!(!text.contains(left), "{left}: {text}");
        }
        let address = body["ip_addresses"][0].as_str().unwrap();
        assert!(address.starts_with("10."), "{address}");
        assert!(
            body["ip_addresses"][1].as_str().unwrap().starts_with("fd00::"),
            "{text}"
        );
        let again = redaction.list(
            "/infra/segments/web/state",
            vec![json!({"ip_addresses": ["192.0.2.7"]})],
        );
        assert_eq!(again.0, format!("/infra/segments/{id}/state"));
        assert_eq!(again.1[0]["ip_addresses"][0], address);
    }

    #[test]
    fn what_is_secret_is_replaced_in_members_that_stay() {
        let body = json!({
            "id": "a", "key": "-----BEGIN PRIVATE KEY-----hidden-1", "source": "https://u:hidden-2@h/x",
            "state": "Bearer hidden-3ABC", "tags": [{"scope": "password", "tag": "hidden-4"}],
            "type": "IPSet",
        });
        let (_, bodies) = Redaction::new().list("/infra/segments", vec![body]);
        let text = bodies[0].to_string();
        assert!(!text.contains("hidden-") && text.contains("IPSet"), "{text}");
    }

    #[test]
    fn a_header_loses_the_name_of_the_manager() {
        let header = json!({"version": 1, "manager": "policy", "host": "https://nsx.example.com"});
        let (_, headers) = Redaction::new().list("inventory", vec![header]);
        assert_eq!(
            headers,
            [json!({"version": 1, "manager": "policy", "redacted": true})]
        );
    }

    #[test]
    fn networks_and_ranges_stay_networks_and_ranges() {
        let redaction = Redaction::new();
        assert!(redaction.text("192.0.2.0/24").ends_with("/24"));
        assert_eq!(redaction.text("192.0.2.1-192.0.2.9").split('-').count(), 2);
        assert!(redaction.text("biosUuid:4226").starts_with("biosUuid:r-"));
    }

    #[test]
    fn names_that_begin_like_addresses_and_paths_are_replaced_whole() {
        let redaction = Redaction::new();
        for name in [
            "192.0.2.1/acme",
            "192.0.2.1/24 acme",
            "/inventory/acme",
            "192.0.2.1-acme",
        ] {
            let text = redaction.text(name);
            assert!(
                !text.contains("acme") && !text.contains("192.0.2"),
                "{name}: {text}"
            );
        }
        let (path, _) = redaction.list("/inventory/VirtualMachine", Vec::new());
        assert_eq!(path, "/inventory/VirtualMachine");
    }

    #[test]
    fn no_member_is_listed_twice() {
        let all: Vec<&str> = WORDS.iter().chain(NAMES).copied().collect();
        let unique: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(all.len(), unique.len());
    }
}
